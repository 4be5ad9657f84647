"""(α,k)-anonymity: by hand; against the oracle in test_judgement.py."""

from metrics import Roles, score
from metrics.explanations.findings import findings
from metrics.metric import FindingKind
from tests.privacy.likeness import ROLES, TEN
from tests.support.small_tables import table, written

ALPHA = "alpha_k_anonymity"


def test_of_ten_people_three_of_four_share_a_value_in_the_smallest_class() -> None:
    found = score(TEN, ROLES)[ALPHA]
    assert found.value == 3 / 4
    assert found.details["k"] == 4
    assert all(part in found.summary() for part in ("75%", "k = 4"))


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
