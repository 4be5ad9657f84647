"""Attribution by equal records: where exact values cannot be compared, there is no figure."""

from collections.abc import Callable

import pytest

from metrics import Hierarchy, Roles
from tests.attacks.synthetic import CAP, DISCO, IDS, SYNTHETIC, card_of
from tests.support.small_tables import Cells, columns_of, table, written


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


def test_a_category_that_is_new_in_the_release_is_a_value_like_any_other() -> None:
    with_new = {name: list(cells) for name, cells in columns_of(SYNTHETIC).items()}
    with_new["ill"] = ["flu", "flu", "measles", "cold", "flu", "flu"]
    card = card_of(table(with_new))
    assert card[CAP].attributes["ill"] == pytest.approx((1 + 1 + 0 + 0.5) / 5)
    assert card[DISCO].attributes["ill"] == pytest.approx(2 / 5)
    assert card[CAP].details["left_out"] == card[DISCO].details["left_out"] == []


def test_attributes_that_are_left_out_are_named() -> None:
    weeks = {**columns_of(SYNTHETIC), "days": ["0-7"] * 6}
    elsewhere = {**weeks, "ward": ["x"] * 6}
    for one in IDS:
        found = card_of(table(weeks))[one]
        assert (set(found.attributes), found.details["left_out"]) == ({"ill"}, ["days"])
        assert "Not assessed: days" in found.summary()
        more = card_of(table(elsewhere), roles=Roles(["sex", "age"], ["ill", "days", "ward"]))[one]
        assert more.details["left_out"] == ["days", "ward"]
    # A column of nothing but unknown words is one of groups.
    assert card_of(table({**weeks, "ill": ["infection"] * 6}))[CAP].value is None


@pytest.mark.parametrize(
    "write", [lambda days: str((int(days) + 1) % 4), lambda days: str(int(days) + 100), lambda days: "abcd"[int(days)]]
)
def test_values_that_others_stand_for_have_no_figure(write: Callable[[str], str]) -> None:
    """Whoever knows the code learns everybody's value, but no released value equals it."""
    days = [str(at // 10 % 4) for at in range(40)]
    cells: dict[str, Cells] = {"sex": ["f"] * 40, "age": [str(30 + at // 10) for at in range(40)]}
    original = table({**cells, "ill": ["flu"] * 40, "days": list(days)})
    recoded = table({**cells, "ill": ["flu"] * 40, "days": [write(day) for day in days]})
    alone = card_of(recoded, original, Roles(["sex", "age"], ["days"]))
    assert card_of(original, original)[CAP].attributes["days"] == 1
    for one in IDS:
        assert "days" in str(alone[one].unavailable)
        found = card_of(recoded, original)[one]
        assert (set(found.attributes), found.details["left_out"]) == ({"ill"}, ["days"])
