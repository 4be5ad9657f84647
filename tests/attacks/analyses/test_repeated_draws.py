"""Releases of one original that randomize the same columns: ε that adds up, and values that one of them shows."""

from collections.abc import Mapping, Sequence

import pytest

from metrics import Roles, k_rr
from metrics.aggregates import Aggregates, TableAggregates
from metrics.attacks.analyses.repeated_draws import repeated_draws
from metrics.texts import text
from tests.support.small_tables import Cells, table

BEFORE: dict[str, Cells] = {"id": list("1234567"), "ill": list("yynynny"), "sex": list("ffmmfmf")}
FIRST, SECOND = list("ynnynyy"), list("nynynny")
ILL, SEX = k_rr(["y", "n"], 1), k_rr(["f", "m"], 0.5)


def release(rows: Sequence[int] = range(7), key: tuple[str, ...] = ("id",), **cells: Cells) -> Aggregates:
    """Some records of the original, with cells of columns replaced, which are drawn where they are `ill` or `sex`."""
    shown = {name: [column[row] for row in rows] for name, column in {**BEFORE, **cells}.items()}
    by = {name: made for name, made in {"ill": ILL, "sex": SEX}.items() if name in cells}
    roles = Roles(quasi_identifiers=["sex"], sensitive=["ill"], key=list(key) or None)
    return TableAggregates(table(shown).randomized(by), roles, ORIGINAL)


ORIGINAL = table(BEFORE)


def drawn(columns: Mapping[str, float], repeated: Sequence[str]) -> str:
    sums = " and ".join(text("pram.of_column", epsilon=epsilon, column=name) for name, epsilon in columns.items())
    total = sum(columns.values())
    return text("intersection_attack.drawn", columns=repeated, number=len(repeated), sums=sums, total=total)


def test_epsilon_of_each_further_draw_adds_up() -> None:
    first, second = release(ill=FIRST), release(ill=SECOND, sex=list("ffffmfm"))
    assert repeated_draws({"a": first, "b": second}) == [
        text(
            "intersection_attack.readable",
            version="a",
            columns=text("intersection_attack.share", column="sex", share=1.0),
        ),
        drawn({"ill": 2, "sex": 0.5}, ["ill"]),
    ]
    assert repeated_draws({"a": first, "b": second, "c": first})[-1] == drawn({"ill": 2, "sex": 0.5}, ["ill"])
    third = release(ill=list("yyyyynn"))
    assert repeated_draws({"a": first, "b": release(ill=SECOND), "c": third}) == [drawn({"ill": 3}, ["ill"])]


def test_the_same_draw_does_not_add_up() -> None:
    first = release(ill=FIRST)
    suppressed = release([6, 5, 2, 1, 0], ill=["*", *FIRST[1:]])
    assert repeated_draws({"a": first, "b": suppressed, "c": release(ill=FIRST)}) == []
    # Of other records no cell is drawn twice.
    assert repeated_draws({"a": release([0, 1, 2], ill=FIRST), "b": release([3, 4], ill=SECOND)}) == []


@pytest.mark.parametrize("key", [(), ("id",)])
def test_where_records_cannot_be_matched_another_table_counts_as_another_draw(key: tuple[str, ...]) -> None:
    first, fewer = release(key=key, ill=FIRST), release([0, 1, 2], key, ill=FIRST)
    assert bool(fewer.comparison.unmatched) == (key == ())
    expected = [] if key else [drawn({"ill": 2}, ["ill"])]
    assert repeated_draws({"a": first, "b": fewer}) == expected
    assert repeated_draws({"a": first, "b": release(key=key, ill=FIRST)}) == []


def test_a_release_that_shows_the_values_is_named_with_their_share() -> None:
    shown = TableAggregates(table({**BEFORE, "ill": list("yy*yy*y")}), Roles("sex", "ill"), ORIGINAL)
    found = repeated_draws({"truth": shown, "a": release(ill=FIRST), "b": release(ill=FIRST)})
    share = text("intersection_attack.share", column="ill", share=5 / 7)
    assert found == [text("intersection_attack.readable", version="truth", columns=share)]
    hidden = TableAggregates(table({"sex": BEFORE["sex"], "ill": ["*"] * 7}), Roles("sex", "ill"), ORIGINAL)
    assert repeated_draws({"hidden": hidden, "a": release(ill=FIRST)}) == []
    assert repeated_draws({"truth": shown, "hidden": hidden}) == []
