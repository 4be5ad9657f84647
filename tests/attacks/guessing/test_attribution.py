"""Attribution by equal records: where exact values cannot be compared, there is no figure."""

from metrics import Hierarchy, Roles, Scorecard
from tests.attacks.synthetic import CAP, DISCO, IDS, card_of
from tests.support.small_tables import Cells, table, written


def test_attribution_needs_an_unknown_sensitive_attribute_and_known_columns_in_the_original() -> None:
    everything = card_of(known=["ill", "days"])
    assert everything[CAP].unavailable == "the attacker knows every sensitive attribute, so none is left to guess"
    lacking = card_of(original=written("sex ill days\nf flu 1"), roles=Roles(["sex"], ["ill"]), known=["age"])
    assert 'the attacker knows "age"' in str(lacking[CAP].unavailable)


def test_generalized_columns_have_no_figure() -> None:
    wide: dict[str, Cells] = {"sex": ["f", "m"], "age": ["30-39", "40-49"], "ill": ["flu", "cold"], "days": ["1", "2"]}
    card = card_of(table(wide))
    assert {card[one].unavailable for one in IDS} == {"exact values are compared, but age is generalized or suppressed"}
    # Nor has a sensitive attribute, while the other keeps its own.
    weeks = card_of(table({**wide, "age": ["30", "40"], "days": ["0-7", "0-7"]}))
    assert set(weeks[CAP].attributes) == {"ill"}
    groups = {"ill": Hierarchy([["flu", "respiratory", "*"], ["cold", "respiratory", "*"]])}
    both = {**wide, "age": ["30", "40"], "days": ["*", "*"], "ill": ["respiratory"] * 2}
    assert "days and ill are" in str(card_of(table(both), hierarchies=groups)[DISCO].unavailable).replace(
        "ill and days", "days and ill"
    )


def test_without_an_original_a_sensitive_attribute_or_records_the_reason_is_given() -> None:
    def reasons(card: Scorecard) -> set[str | None]:
        return {card[one].unavailable for one in IDS}

    assert reasons(card_of(original=None)) == {"no original table is given"}
    assert reasons(card_of(roles=Roles(["sex"]))) == {"no column is tagged as sensitive"}
    nothing = table({name: [] for name in ("sex", "age", "ill", "days")})
    assert reasons(card_of(nothing)) == reasons(card_of(original=nothing)) == {"the table has no records"}
