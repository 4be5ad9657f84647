"""What must be settled before release, and what is said of labels that are not the values of people."""

import pandas as pd
import pytest

import metrics
from metrics.explanations.attack_rows import attacker_terms
from metrics.explanations.findings import BEFORE_RELEASE, LEADING, said
from metrics.metric import FindingKind
from metrics.texts import text
from tests.support.small_tables import table

ROLES = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])
ORIGINAL = pd.DataFrame({"age": ["21", "22", "31", "33"], "illness": list("aabb")})


def scored(ages: list[str], upper: str = "{}0s") -> metrics.Scorecard:
    """A release of these ages; their hierarchy labels decades by a pattern."""
    tree = metrics.Hierarchy([[str(age), upper.format(age // 10), "*"] for age in range(20, 40)])
    return metrics.score(ORIGINAL.assign(age=ages), ROLES, original=ORIGINAL, hierarchies={"age": tree})


def test_generalized_values_are_read_as_they_stand() -> None:
    card = scored(["20s", "20s", "30s", "30s"])
    assert not said(card, FindingKind.LABELS)
    assert said(card, *LEADING) == "100% of the records are in a class that reveals illness (4 in 2 classes)."


def test_changed_values_are_named_beside_what_the_classes_reveal() -> None:
    card = scored(["25", "25", "35", "35"])
    assert said(card, FindingKind.LABELS) == text("perturbed.shown", columns=["age"])
    assert said(card, FindingKind.UNDERSTATED_ATTACKS) == (
        "100% of the released values of age neither equal nor include the true value, so the attacks may understate "
        "the risk."
    )


def test_what_is_guessed_without_the_class_stands_beside_what_the_class_reveals() -> None:
    """Locally recoded: ages of 20 to 29 stand in both classes."""
    original = pd.DataFrame({"age": ["21", "22", "23", "24", "25", "46", "47"], "illness": [*"aa", *"bbbbb"]})
    card = metrics.score(original.assign(age=["20-29"] * 2 + ["20-49"] * 5), ROLES, original=original)
    assert text("verdict.class_unknown", column="illness", value=5 / 7, baseline=5 / 7) == said(
        card, FindingKind.GUESSES
    )
    assert text("attack.terms.class_known") in attacker_terms(card)
    assert not list(attacker_terms(scored(["20s", "20s", "30s", "30s"])))


def test_labels_that_look_like_values_are_said_to_stand_for_several() -> None:
    card = scored(["25", "25", "35", "35"], upper="{}5")
    assert said(card, FindingKind.LABELS) == text("perturbed.labels", columns=["age"])


def test_labels_with_two_meanings_are_said_to_understate_attacks_whichever_is_released() -> None:
    for ages in (["25", "25", "35", "35"], ["21", "25", "31", "33"]):
        message = said(scored(ages, upper="{}5"), FindingKind.UNDERSTATED_ATTACKS)
        assert message.endswith(text("attack.doubtful_labels", columns=["age"]))
    assert not said(scored(["21", "22", "31", "33"], upper="{}5"), FindingKind.UNDERSTATED_ATTACKS)
    assert "two levels" not in said(scored(["25", "*", "35", "35"]), FindingKind.UNDERSTATED_ATTACKS)


def test_suppressed_and_removed_records_are_counted_together() -> None:
    card = scored(["20s", "20s", "*", "*"])
    assert said(card, FindingKind.LOST_RECORDS) == "2 of 4 records are suppressed and 0 removed (50%)."


def test_suppressed_records_that_share_a_value_reveal_it() -> None:
    frame = pd.DataFrame({"age": ["20s"] * 4 + ["*"] * 5, "illness": list("abab" + "ccccc")})
    sentence = (
        "100% of the 5 suppressed records have the same illness (0% of the other records do): leave them out of "
        "the file for release."
    )
    assert said(metrics.score(frame, ROLES), *BEFORE_RELEASE) == sentence
    for illness in ("ababcccab", "abab*****"):
        assert sentence not in said(metrics.score(frame.assign(illness=list(illness)), ROLES), *BEFORE_RELEASE)


def test_suppressed_records_that_differ_from_the_others_beyond_t_are_named() -> None:
    original = pd.DataFrame({"age": ["20"] * 10 + ["30"] * 10, "illness": list("ab" * 5 + "bc" * 5)})
    released = original.assign(age=["20"] * 10 + ["*"] * 10)
    for limit, named in ((0.3, True), (0.6, False)):
        parameters = metrics.Parameters().with_settings({"t_closeness.t": limit})
        card = metrics.score(released, ROLES, original=original, parameters=parameters)
        sentence = (
            "The 10 suppressed records form a group whose distance in illness is t = 0.5, more than the limit "
            f"({limit:g}): leave them out of the file for release."
        )
        assert (sentence in said(card, FindingKind.SUPPRESSED_GROUP)) is named


def test_a_limit_on_t_that_only_an_ordered_distance_meets_is_said_to_depend_on_it() -> None:
    table = pd.DataFrame({"age": ["20"] * 4 + ["30"] * 4, "illness": list("11332244")})
    for distance, limit in (("ordered", 0.3), ("ordered", 0.5), ("equal", 0.5)):
        settings = {"t_closeness.distance.illness": distance, "t_closeness.t": limit}
        card = metrics.score(table, ROLES, parameters=metrics.Parameters().with_settings(settings))
        sentence = said(card, FindingKind.DECIDING_DISTANCE)
        assert bool(sentence) is (limit == 0.3)
        assert not sentence or sentence == text(
            "verdict.deciding_distance", t=card["t_closeness"].value, limit=limit, variational=0.5
        )


def test_records_in_the_order_of_the_original_are_linked_by_their_position() -> None:
    original = pd.DataFrame({"age": list("122334455"), "illness": list("abcabcabc")})
    in_order = metrics.score(original, ROLES, original=original)
    assert said(in_order, FindingKind.ORDER) == text("verdict.in_order")
    shuffled = original.iloc[[4, 2, 7, 0, 8, 1, 3, 6, 5]].reset_index(drop=True)
    assert not said(metrics.score(shuffled, ROLES, original=original), FindingKind.ORDER)
    assert not said(metrics.score(original, ROLES), FindingKind.ORDER)


def test_a_table_without_classes_has_nothing_to_find() -> None:
    assert said(scored(["*"] * 4), *LEADING) == text("verdict.all_suppressed")


def test_classes_that_only_missing_values_make_diverse_are_named_before_release() -> None:
    """Class 1 holds HIV and blanks: its l is 2, and everybody known to have a diagnosis has HIV."""
    release = table({"zip": list("11112222"), "ill": ["HIV", "HIV", "*", "", "flu", "HIV", "*", "*"]})
    card = metrics.score(release, metrics.Roles(["zip"], ["ill"]))
    assert card["distinct_l_diversity"].value == 3
    sentence = said(card, FindingKind.SINGLE_KNOWN_VALUES)
    assert sentence == text("verdict.single_known", classes=1, column="ill", records=2)
    known = metrics.score(
        table({"zip": list("1122"), "ill": ["HIV", "flu", "*", "*"]}), metrics.Roles(["zip"], ["ill"])
    )
    assert not said(known, FindingKind.SINGLE_KNOWN_VALUES)


@pytest.mark.parametrize(
    ("cells", "records"),
    [
        (["12", "12.0", "12", "*"], 3),
        (["HIV", "hiv", "HIV", "HIV"], 4),
        (["12", "13", "12", "12"], 0),
        (["012", "12", "flu", "flu"], 0),
    ],
)
def test_classes_that_only_another_spelling_makes_diverse_are_named_before_release(
    cells: list[str], records: int
) -> None:
    card = metrics.score(table({"zip": list("1111"), "ill": cells}), metrics.Roles(["zip"], ["ill"]))
    sentence = said(card, FindingKind.SINGLE_KNOWN_VALUES)
    assert sentence == (text("verdict.single_known", classes=1, column="ill", records=records) if records else "")
