"""What is found in a table: the most serious first, in sentences that fit the numbers."""

import pytest
from hypothesis import given

import metrics
from metrics import Parameters, Policy, Roles
from metrics.explanations.findings import OF_METRICS, findings, said
from metrics.metric import FindingKind, Severity
from metrics.policy.built_in_policies import NO_LIMITS
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text
from tests.support.reference_tables import reference_table
from tests.support.sample import SAMPLE
from tests.support.scenes import Scene, pair_scenes
from tests.support.small_tables import Cells, table

CALM = {"profitability.adversary_gain": 0, "t_closeness.t": 1}


def card(columns: dict[str, Cells], settings: dict[str, object] | None = None, **more: Cells) -> Scorecard:
    """A card of a table whose column s is sensitive, if it has one."""
    roles = Roles([name for name in columns if name != "s"], ["s"] if "s" in columns else [])
    original = table(dict(more), "original") if more else None
    return metrics.score(
        table(columns), roles, original=original, parameters=Parameters().with_settings(settings or {})
    )


def sentences(scored: Scorecard, policy: Policy = NO_LIMITS) -> list[str]:
    """All that is said of a table."""
    return [finding.sentence for finding in findings(scored, policy)]


@pytest.mark.parametrize(
    ("columns", "settings", "parts"),
    [
        ({"q": list("aab"), "s": list("xyx")}, {}, ("1 record (33.3%)", "(k = 1)")),
        ({"q": list("aabb"), "s": list("xyxx")}, CALM, ("50%", "2 in 1 class", "reveals s")),
        ({"q": list("aabb"), "s": list("xyzw")}, {**CALM, "t_closeness.t": 0.2}, ("2 of 2 classes", "t = 0.2", "0.5")),
        (
            {"q": list("aabb"), "s": list("xyxy")},
            {"profitability.publisher_benefit": 100},
            ("(gain 300, cost 4)", "4 of 4 records", "publishing 4 records is not"),
        ),
        ({"q": list("aabb"), "s": list("xyxy")}, CALM, ("three conditions (k > 1, l > 0, t ≤ 0.5)",)),
        ({"q": ["*"], "s": ["x"]}, {}, ("Every record is suppressed",)),
        ({"q": [], "s": []}, {}, ("The table has no records",)),
    ],
)
def test_the_main_risk_comes_first(
    columns: dict[str, Cells], settings: dict[str, object], parts: tuple[str, ...]
) -> None:
    first = sentences(card(columns, settings))[0]
    assert [part for part in parts if part not in first] == []


def test_all_weaknesses_follow_in_order() -> None:
    found = sentences(card({"q": list("aabbc"), "s": list("xyzzx")}))
    parts = ("(k = 1)", "reveals s", "exceed t =", "(gain 300, cost 4)", "P_29 is 0", "Not measured")
    said = [next(sentence for sentence in found if part in sentence) for part in parts]
    assert [found.index(sentence) for sentence in said] == sorted(found.index(sentence) for sentence in said)
    assert "60%" in said[1]
    assert "2 of 3 classes (3 records) fail" in said[4]
    assert "Enhanced β-likeness" in said[5]
    assert "more (no original table is given)" in said[5]


def test_strengths_are_named_where_there_is_no_weakness() -> None:
    strong, weak = (
        [
            finding.kind
            for finding in findings(card({"q": list("aabb"), "s": list(values)}, CALM))
            if finding.severity is Severity.STRENGTH
        ]
        for values in ("xyxy", "xyxx")
    )
    assert strong == [FindingKind.IDENTITY_DISCLOSURE, FindingKind.ATTRIBUTE_DISCLOSURE, FindingKind.PROFITABLE_ATTACK]
    assert weak == []


def test_an_attribute_that_nearly_all_records_share_is_not_called_revealed_by_its_classes() -> None:
    rare = {"q": ["a"] * 20 + ["b"] * 20, "s": [*["x"] * 19, "y", *["y"] * 19, "x"]}
    usual = {"q": ["a"] * 20 + ["b"] * 20, "s": [*["x"] * 19, "y", *["x"] * 19, "y"]}
    texts = [said(card(columns, CALM), FindingKind.ATTRIBUTE_DISCLOSURE) for columns in (rare, usual)]
    assert ["at least 90%" in one for one in texts] == [True, False]


def test_findings_are_in_order_of_seriousness_and_metrics_declare_some_kinds() -> None:
    scored = card({"q": list("aabbc"), "s": list("xyzzx")}, q=list("aabbc"), s=list("xyzzx"))
    found = findings(scored)
    order = [(finding.severity, finding.kind) for finding in found]
    assert order == sorted(order)
    of_metrics = findings(scored, kinds=OF_METRICS)
    assert {finding.kind for finding in of_metrics} == OF_METRICS
    assert [finding for finding in found if finding.kind in OF_METRICS] == list(of_metrics)
    assert {finding.kind for finding in of_metrics if finding.severity is Severity.RISK} == set(sorted(OF_METRICS)[:4])


def test_limits_that_fail_are_named_with_what_was_required() -> None:
    scored = card({"q": list("aabb"), "s": list("xyxy")}, CALM)
    found = " ".join(sentences(scored, Policy("own", {"k_anonymity": 5, "p29": 0, "non_uniform_entropy": 0.5})))
    for part in (
        "1 of 3 limits is not met and 1 not measured: ",
        "k-anonymity is 2 (at least 5",
        "information kept is not measured (at least 50%",
    ):
        assert part in found
    both, only = "Meets the policy “own”: both limits are met.", "Meets the policy “own”: its only limit is met."
    assert both in sentences(scored, Policy("own", {"k_anonymity": 2, "p29": 0}))
    assert only in sentences(scored, Policy("own", {"k_anonymity": 2}))


def test_the_sentences_on_loss_name_the_column_that_lost_most_and_the_records() -> None:
    columns = {"q": ["*", "*", "*", "*"], "r": ["1", "1", "2", "2"], "s": list("xyxy")}
    lossy = card(columns, CALM, q=list("abcd"), r=["1", "1", "2", "2"], s=list("xyxy"))
    assert said(lossy, FindingKind.INFORMATION_LOSS) == text(
        "non_uniform_entropy.lost", value=1 / 3, column="q", share=1.0
    )
    assert said(card(columns, CALM, **columns), FindingKind.INFORMATION_LOSS) == text("non_uniform_entropy.unchanged")
    shorter = card({"q": ["a", "a", "*"], "s": list("xyx")}, CALM, q=["a", "a", "b"], s=list("xyx"))
    assert said(shorter, FindingKind.LOST_RECORDS) == text(
        "verdict.suppressed", suppressed=1, records=3, removed=0, share=1 / 3
    )


def test_single_valued_classes_are_one_number_everywhere() -> None:
    """In the verdict, on the cards and in P_29; classes of one record are among them."""
    folder = SAMPLE
    table_of, roles = (
        metrics.read_table(folder / "candidate_light.csv"),
        metrics.read_roles(folder / "roles.yaml").roles,
    )
    single_valued = ["distinct_l_diversity", "recursive_cl_diversity"]
    scored = metrics.score(table_of, roles, metrics=[*single_valued, "p29"])
    assert "954 in 866 classes" in said(scored, FindingKind.ATTRIBUTE_DISCLOSURE)
    for identifier in single_valued:
        assert "866 of 2,293 classes" in scored[identifier].summary()
    assert scored["p29"].details["violating_by_condition"]["l"] == 866
    frame = scored.classes.to_pandas()
    assert (frame[[f"{name}.distinct" for name in roles.sensitive]] == 1).any(axis=1).sum() == 866


@pytest.mark.reference
def test_records_removed_are_reported_beside_suppressed_ones() -> None:
    """Two tables of the reference: the original lost 2,334 records, which without a key are not matched."""
    after, before = (reference_table("diabetes", f"diabetes_{name}_deletion.csv.gz") for name in ("after", "before"))
    roles = Roles(["race", "gender", "age"])
    scored = metrics.score(after, roles, original=before, metrics=["k_anonymity"])
    assert "0 of 101,763 records are suppressed and 2,334 removed" in said(scored, FindingKind.LOST_RECORDS)


@given(pair_scenes())
def test_every_table_gets_sentences(scene: Scene) -> None:
    found = sentences(metrics.score(table(scene.anonymized), scene.roles, original=table(scene.original)))
    assert found
    for sentence in found:
        assert sentence.endswith(".")
        assert not sentence[0].islower()


@pytest.mark.parametrize(
    ("ages", "perturbed"),
    [
        (["20-29", "20-29", "30-39", "30-39", "40-49"], False),
        (["21", "20", "30", "36", "44"], True),
        (["*"] * 5, False),
    ],
)
def test_a_perturbed_release_is_recognized(ages: list[str], perturbed: bool) -> None:
    cells = {"q": ages, "s": list("xyzzx")}
    scored = card(cells, q=["20", "21", "35", "36", "44"], s=list("xyzzx"))
    assert bool(said(scored, FindingKind.PERTURBED)) is perturbed
    if perturbed:
        assert "measures of generalization are not available" in said(scored, FindingKind.PERTURBED)
        assert "neither equal nor include the true value" in str(scored["precision"].unavailable)
        # The fourth of five finds its record: the nearest ages are those of others, or shared.
        assert scored["record_linkage_attack"].details["no_candidate"] > 0


def test_a_limit_on_a_score_that_is_not_judged_is_missed() -> None:
    ages, sexes = [str(20 + i % 6) for i in range(60)], ["f", "m"] * 30
    scored = card({"age": [*ages[1:], ages[0]], "sex": sexes}, age=ages, sex=sexes)
    missed = " ".join(sentences(scored, Policy("own", {"precision": 0.9})))
    assert "generalization precision is not measured (at least 90% required): " in missed
    assert "100% of the released values of age " in missed
    assert "No information was lost" not in missed
    assert text("non_uniform_entropy.unchanged_others", columns=["age"]) in missed


def test_without_an_original_a_perturbed_release_is_not_recognized() -> None:
    assert not said(card({"q": list("aabbc"), "s": list("xyzzx")}), FindingKind.PERTURBED)
