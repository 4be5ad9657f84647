"""Which version to choose and what to do with each, why a table fails, and the rows that compare versions."""

import pandas as pd

import metrics
from metrics.explanations.checked_rows import checked_rows
from metrics.explanations.checked_version import share_of
from metrics.explanations.reasons import reasons
from metrics.explanations.recommendation import recommend
from metrics.report import report_html
from metrics.scoring.catalog import GRANULARITY, INFORMATION
from metrics.texts import text

ROLES = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])
FRAME = pd.DataFrame({"age": ["30-39"] * 3, "illness": ["a", "b", "b"]})


def scored(original: pd.DataFrame, roles: metrics.Roles, **ages: list[str]) -> dict[str, metrics.Scorecard]:
    """Releases of a table with other ages, by name; a hierarchy of age has decades."""
    trees = {"age": metrics.Hierarchy([[str(age), f"{age // 10}0s", "*"] for age in range(30, 50)])}
    return {
        label: metrics.score(original.assign(age=age), roles, original=original, hierarchies=trees)
        for label, age in ages.items()
    }


def test_a_failing_status_is_explained_by_the_limits_that_fail() -> None:
    policy = metrics.Policy("Ours", {"k_anonymity": 5, "distinct_l_diversity": 2, "t_closeness": 0.5})
    own = recommend({"one": metrics.score(FRAME, ROLES)}, policy).versions["one"]
    (only,) = reasons(own)
    assert only.startswith("k-anonymity is 3 (at least 5 required).")


def test_only_a_version_whose_variational_distance_is_known_meets_the_limit_on_t_with_both() -> None:
    original = pd.DataFrame({"age": ["30", "30", "40", "40"], "pay": [1, 3, 2, 4]})
    roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["pay"])
    # Each half of the original has t = 1/6 by ranks, and 1/2 if all numbers are equally far apart.
    cards = {
        "halves": metrics.score(original, roles, original=original),
        "halves without P_29": metrics.score(original, roles, metrics=["k_anonymity", "t_closeness"]),
        "whole": metrics.score(original.assign(age="30-40"), roles, original=original),
    }
    said = recommend(cards, metrics.Policy("Ours", {"k_anonymity": 2, "t_closeness": 0.4})).choice()
    assert text("decision.most_of_known", best="halves", meeting=3, kept="100%", known=2) == said[0]
    assert text("decision.by_both_distances", versions="whole", number=1) in " ".join(said)


def test_of_versions_with_as_many_limits_not_met_none_is_said_to_come_closest() -> None:
    original = pd.DataFrame({"age": ["31", "32", "41", "42"], "illness": ["a", "b", "a", "b"]})
    cards = scored(original, ROLES, fine=["31", "32", "40s", "40s"], coarse=["30s", "30s", "40s", "40s"])
    said = recommend(cards, metrics.Policy("Ours", {"k_anonymity": 3})).choice()
    assert text("decision.nearest_of_tied", nearest="fine", tied=2, limits=1) in said
    said = recommend(cards, metrics.Policy("Ours", {"k_anonymity": 3, "distinct_l_diversity": 2})).choice()
    assert text("decision.nearest", nearest="coarse", limits=1) in said


def test_a_met_status_is_explained_by_the_limits_that_are_met() -> None:
    policy = metrics.Policy("Ours", {"k_anonymity": 2, "distinct_l_diversity": 2})
    own = recommend({"one": metrics.score(FRAME, ROLES)}, policy).versions["one"]
    assert len(reasons(own)) == 2


def test_profitability_is_titled_profitable_attacks_possible_and_answered_yes_or_no() -> None:
    costly = metrics.Parameters().with_settings({"profitability.adversary_cost": 1000})
    cards = {"cheap": metrics.score(FRAME, ROLES), "costly": metrics.score(FRAME, ROLES, parameters=costly)}
    rows = {
        title: [text for text, _ in cells]
        for title, _, cells in checked_rows(recommend(cards, metrics.Policy("None", {})).versions)
    }
    assert rows["Free of profitable attacks"] == ["no", "yes"]
    assert "Attacks pay for" not in rows


def test_default_amounts_add_no_row_on_attacks_to_the_decision() -> None:
    cards = {"one": metrics.score(FRAME, ROLES)}
    without, with_limit = metrics.Policy("None", {}), metrics.Policy("No attack", {"no_attack": True})
    assert "Free of profitable attacks" not in [title for title, *_ in checked_rows(recommend(cards, without).versions)]
    assert "Free of profitable attacks" in [title for title, *_ in checked_rows(recommend(cards, with_limit).versions)]


def test_perturbed_values_that_count_as_kept_win_no_comparison() -> None:
    roles = metrics.Roles(quasi_identifiers=["age", "sex"], sensitive=["illness"])
    original = pd.DataFrame({"age": ["31", "35", "42", "48"], "sex": list("mfmf"), "illness": list("abab")})
    cards = scored(original, roles, generalized=["30s", "30s", "40s", "40s"], perturbed=["32", "34", "43", "47"])
    found = recommend(cards, metrics.Policy("Any", {"k_anonymity": 1}))
    assert (share_of(found.versions["perturbed"].card, INFORMATION) or 0) > (
        found.versions["generalized"].information or 1
    )
    assert found.versions["perturbed"].information is None
    assert found.best is found.versions["generalized"]
    said = " ".join(found.choice())
    assert said.startswith(text("decision.only_known", best="generalized", meeting=2, kept="66.7%"))
    assert said.endswith("perturbed also meets the policy, but how much information it keeps is not known.")
    alike = {"perturbed": cards["perturbed"], "again": cards["perturbed"]}
    assert (
        "how much information each keeps is not known"
        in recommend(alike, found.versions["perturbed"].result.policy).choice()[0]
    )


def test_the_decision_says_what_would_make_the_information_known() -> None:
    roles, ages = metrics.Roles(quasi_identifiers=["age", "sex"]), ["10", "20", "30", "40"]
    tree = metrics.Hierarchy([["10", "20", "*"], ["20", "20", "*"], ["30", "40", "*"], ["40", "40", "*"]])
    original = pd.DataFrame({"age": ages, "sex": list("mfmf")})
    tables = {"exact": original.assign(sex="*"), "midpoints": original.assign(age=["20", "20", "40", "40"])}
    cards = {
        name: metrics.score(one, roles, original=original, hierarchies={"age": tree}) for name, one in tables.items()
    }
    said = recommend(cards, metrics.Policy("Any", {"k_anonymity": 1})).choice()
    assert said[-1].endswith(text("decision.unranked_labels", columns=["age"]))


def test_a_table_whose_information_is_not_known_is_not_said_to_preserve_none() -> None:
    """A figure that is missing, or an upper bound above the other's, decides nothing."""
    roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])
    original = pd.DataFrame({"age": ["31", "35", "42", "48"], "illness": list("abab")})
    cards = scored(original, roles, known=["30s", "30s", "40s", "40s"], unknown=["31-35", "31-35", "42-48", "42-48"])
    found = recommend(cards, metrics.Policy("Any", {"k_anonymity": 1}))
    assert found.versions["unknown"].information is None
    said = found.of("unknown")
    assert said[0].startswith("The table meets the policy and may be released")
    assert said[-1] == text("decision.perhaps_better", best="known", kept="50%")
    assert "instead of" not in " ".join(said)


def test_granularity_decides_where_a_version_lacks_entropy() -> None:
    """One value was generalized in two ways, so that entropy is not defined; nobody is sent to the poorer table."""
    roles = metrics.Roles(quasi_identifiers=["age", "sex"], sensitive=["illness"])
    original = pd.DataFrame({"age": ["31", "31", "42", "48"], "sex": list("mfmf"), "illness": list("abab")})
    tables = {"global": ["*"] * 4, "local": ["31 - 42", "31 - 48", "31 - 42", "31 - 48"]}
    cards = {name: metrics.score(original.assign(age=ages), roles, original=original) for name, ages in tables.items()}
    found = recommend(cards, metrics.Policy("Any", {"k_anonymity": 1}))
    assert share_of(cards["local"], INFORMATION) is None
    assert found.best is found.versions["local"]
    kept = f"{share_of(cards['local'], GRANULARITY):.1%} by granularity"
    assert found.choice()[0] == text("decision.most_information", best="local", kept=kept, meeting=len(found.meeting))
    share = f"{share_of(cards['local'], GRANULARITY):.1%}"
    advice = text("decision.consider", best="local", kept=share, instead="50% by granularity")
    assert found.of("global") == (advice,)
    report = report_html(cards["local"], cards, label="local", policy=found.versions["local"].result.policy)
    assert ">granularity</text>" in report


def test_every_page_ranks_by_the_measure_that_all_versions_have() -> None:
    """By entropy alone the two that have it would be ranked, and nobody told of the third."""
    roles = metrics.Roles(quasi_identifiers=["age", "sex"], sensitive=["illness"])
    original = pd.DataFrame({"age": ["31", "31", "42", "48"], "sex": list("mfmf"), "illness": list("abab")})
    tables = {
        "without age": original.assign(age="*"),
        "without sex": original.assign(sex="*"),
        "local": original.assign(age=["31 - 42", "31 - 48", "31 - 42", "31 - 48"]),
    }
    cards = {name: metrics.score(released, roles, original=original) for name, released in tables.items()}
    found = recommend(cards, metrics.Policy("Any", {"k_anonymity": 1}))
    best = found.best
    assert best is not None
    assert found.measure == GRANULARITY
    for version in found.versions.values():
        is_less = (version.kept(GRANULARITY) or 0) < (best.kept(GRANULARITY) or 0)
        assert (found.instead_of(version.label) is not None) is is_less
        assert (f"{best.label}: it also meets the policy" in " ".join(found.of(version.label))) is is_less


def test_the_comparison_in_a_report_shows_the_version_that_it_recommends() -> None:
    failing = {f"fails {number}": metrics.score(FRAME.assign(age=list("abc")), ROLES) for number in range(12)}
    cards = {**failing, "meets": metrics.score(FRAME, ROLES)}
    report = report_html(cards["fails 0"], cards, label="fails 0", policy=metrics.Policy("Two", {"k_anonymity": 2}))
    table = report[report.index('class="compared"') : report.index("Not shown: ")]
    assert 'title="meets">meets</th>' in table


def test_a_version_that_removes_values_is_considered_but_not_preferred() -> None:
    ages = ["30"] * 8 + ["31"] * 8 + ["40"] * 2
    original = pd.DataFrame({"age": ages, "illness": list("ab") * 9})
    kept = ["30s"] * 16 + ["40s"] * 2
    cards = scored(original, ROLES, kept=kept, removing=["30"] * 8 + ["31"] * 8 + ["*"] * 2)
    found = recommend(cards, metrics.Policy("Any", {"k_anonymity": 2}))
    assert found.best is found.versions["removing"]
    said = " ".join(found.of("kept"))
    assert "may be released" in said
    assert "Consider removing: it also meets the policy" in said
    assert said.endswith("1 of 3 values of age (40) is suppressed in every record (2 records).")


def test_a_limit_below_baseline_is_to_be_raised_as_no_generalization_meets_it() -> None:
    (card,) = scored(FRAME.assign(age=["31", "32", "33"]), ROLES, one=["30s"] * 3).values()

    def said(**limits: float) -> str:
        found = recommend({"one": card}, metrics.Policy("Ours", limits))
        return " ".join(found.of("one"))

    advice = "Generalize further"
    below = said(attribute_inference_attack=0.5)
    assert "(50%): 66.7% are guessed without any table" in below
    assert advice not in below
    assert advice in said(attribute_inference_attack=0.5, k_anonymity=5)
    assert "Set it higher" not in said(attribute_inference_attack=0.7, k_anonymity=5)
    # More is found than without the table, so that a higher limit alone does not help.
    (other,) = scored(FRAME.assign(age=["31", "42", "43"]), ROLES, one=["30s", "40s", "40s"]).values()
    found = recommend({"one": other}, metrics.Policy("Ours", {"attribute_inference_attack": 0.5}))
    assert all(part in " ".join(found.of("one")) for part in ("Set it higher", advice))


def test_beside_a_limit_a_comparison_shows_the_success_that_the_limit_is_compared_with() -> None:
    original = pd.DataFrame({"age": ["31", "32", "33", "34", "41", "42", "43", "43"], "illness": list("aaabbbbb")})
    (card,) = scored(original, ROLES, one=["30s"] * 4 + ["*"] * 4).values()
    # 5 of 8 where * is possible for everybody; 3 of 4 in the class, where * is ruled out.
    rows = checked_rows(recommend({"one": card}, metrics.Policy("Ours", {"attribute_inference_attack": 0.7})).versions)
    assert [cells for title, _, cells in rows if title == "Attribute inference attack"] == [
        [(text("bounds.class_known", success="75%"), "failed")]
    ]


def test_an_alternative_with_a_lower_average_but_a_higher_highest_risk_is_not_offered() -> None:
    ages = ["30"] * 3 + ["31"] * 3 + ["32"] * 3 + ["40"] * 3
    original = pd.DataFrame({"age": ages, "illness": list("ab") * 6})
    cards = scored(original, ROLES, exact=ages, other=["30s"] * 9 + ["40"] * 2 + ["*"])
    found = recommend(cards, metrics.Policy("Any", {"k_anonymity": 2}))
    exact, other = found.versions["exact"], found.versions["other"]
    assert found.best is exact
    assert other.average_risk < exact.average_risk
    assert (other.risk or 0) > (exact.risk or 1)
    assert "average risk" not in " ".join(found.choice())


def test_a_table_in_the_order_of_the_original_may_be_released_once_it_is_shuffled() -> None:
    ages = [str(age) for age in range(30, 50)] * 3
    original = pd.DataFrame({"age": ages, "illness": [f"{number % 7}" for number in range(60)]})
    cards = scored(original, ROLES, one=[f"{age[0]}0s" for age in ages])
    found = recommend(cards, metrics.Policy("Any", {"k_anonymity": 2}))
    assert found.of("one") == (text("decision.release_shuffled"),)
    assert found.of("one", is_sorted=True) == (text("decision.release"),)


def test_every_limit_that_is_met_is_a_reason_or_named_with_its_value() -> None:
    limits = {"k_anonymity": 2, "distinct_l_diversity": 2, "t_closeness": 0.5, "suppression": 0.1}
    own = recommend({"one": metrics.score(FRAME, ROLES)}, metrics.Policy("Ours", limits)).versions["one"]
    said = " ".join(reasons(own))
    assert all(title in said for title in ("k-anonymity", "istinct l-diversity", "t-closeness", "ecord suppression 0%"))


def test_what_must_be_decided_before_the_release_of_the_choice_is_part_of_the_decision() -> None:
    released = pd.DataFrame({"age": ["20"] * 4 + ["30"] * 4, "illness": list("11332244")})
    parameters = metrics.Parameters().with_settings({"t_closeness.distance.illness": "ordered", "t_closeness.t": 0.3})
    cards = {name: metrics.score(released, ROLES, parameters=parameters) for name in ("one", "other")}
    found = recommend(cards, metrics.Policy("Ours", {"k_anonymity": 2, "t_closeness": 0.3}))
    assert any(sentence.startswith("t-closeness depends on the distance") for sentence in found.choice())
