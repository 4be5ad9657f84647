"""(α,k)-anonymity: by hand; against the oracle in classes/test_worst_class.py."""

from metrics import Roles, k_rr, score
from metrics.explanations.findings import findings
from metrics.metric import FindingKind
from tests.support.small_tables import table, written


def test_worked_example() -> None:
    released = written("""
        age   illness
        20-29 flu
        20-29 flu
        20-29 cold
        30-39 flu
        30-39 cold
    """)
    found = score(released, Roles(["age"], ["illness"]))["alpha_k_anonymity"]
    assert found.value == max(2 / 3, 1 / 2)  # flu among those in their twenties, either illness in their thirties
    assert found.details["k"] == 2


ALPHA = "alpha_k_anonymity"
ROLES = Roles(quasi_identifiers=["q"], sensitive=["s"])


def test_a_value_that_all_share_has_the_share_one() -> None:
    assert score(written("q s\nx a\nx a\ny a"), ROLES)[ALPHA].value == 1


def test_a_single_record_is_a_class_of_one_value() -> None:
    found = score(written("q s\nx a"), ROLES)[ALPHA]
    assert found.value == 1
    assert found.summary().endswith("1 record (k = 1).")


def test_a_missing_value_is_a_value() -> None:
    assert score(written("q s\n- a\n- -\nx -\nx -"), ROLES)[ALPHA].value == 1


def test_the_largest_share_named_is_that_of_an_attribute_named() -> None:
    content = {"q": "x" * 20 + "y" * 20, "rare": "a" * 18 + "bb" + "ab" * 10, "usual": ("n" * 19 + "y") * 2}
    roles = Roles(quasi_identifiers="q", sensitive=["rare", "usual"])
    card = score(table({name: list(cells) for name, cells in content.items()}), roles, metrics=[ALPHA])
    (finding,) = findings(card, kinds=[FindingKind.ATTRIBUTE_DISCLOSURE])
    assert card[ALPHA].value == 0.95
    assert "90% in the worst class" in finding.sentence
    drawn = table({name: list(cells) for name, cells in content.items()}).randomized({"rare": k_rr(["a", "b"], 1)})
    assert findings(score(drawn, roles, metrics=[ALPHA]), kinds=[FindingKind.ATTRIBUTE_DISCLOSURE]) == ()
