"""Releases of one original that randomize the same columns: ε that adds up, and values that one of them shows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import exp

import pytest

from metrics import Roles, k_rr
from metrics.aggregates import Aggregates, TableAggregates
from metrics.attacks.analyses.repeated_draws import choice_among_draws, repeated_draws
from metrics.tables.randomization import Sampling
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


def drawn(columns: Mapping[str, float], repeated: Sequence[str], alone: float = 1) -> str:
    sums = " and ".join(text("pram.of_column", epsilon=epsilon, column=name) for name, epsilon in columns.items())
    total = sum(columns.values())
    found = text("intersection_attack.drawn", columns=repeated, number=len(repeated), sums=sums, total=total)
    further = text("intersection_attack.publish_one", whose="person", factor=exp(total), other=exp(alone))
    return f"{found} {further}"


def test_epsilon_of_each_further_draw_adds_up() -> None:
    first, second = release(ill=FIRST), release(ill=SECOND, sex=list("ffffmfm"))
    assert repeated_draws({"a": first, "b": second}) == [
        text(
            "intersection_attack.readable",
            version="a",
            columns=text("intersection_attack.share", column="sex", share=1.0),
        ),
        drawn({"ill": 2, "sex": 0.5}, ["ill"], 1.5),
    ]
    assert repeated_draws({"a": first, "b": second, "c": first})[-1] == drawn({"ill": 2, "sex": 0.5}, ["ill"], 1.5)
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


def safepub(rows: Sequence[int], epsilon: float = 1) -> Aggregates:
    sampled = replace(table({"sex": [BEFORE["sex"][row] for row in rows]}), sampled=Sampling(epsilon, 1e-6, 0.6, 2))
    return TableAggregates(sampled, Roles("sex"), ORIGINAL)


def test_epsilon_and_delta_of_safepub_do_not_cover_several_tables() -> None:
    first, again, second = safepub([0, 1, 2, 3]), safepub([3, 2, 1, 0]), safepub([0, 1, 2, 3, 4, 6])
    only = "Together these releases are not covered by SafePub's (ε, δ): it holds for one table only. "
    added = "2 tables made by SafePub add up to ε 2 and δ 2 × 10⁻⁶"
    assert repeated_draws({"a": first, "b": again}) == []
    assert repeated_draws({"a": first, "b": second, "c": again}) == [f"{only}{added}."]
    other = release()
    assert repeated_draws({"a": first, "b": other}) == [f"{only}A table made otherwise has no such bound."]
    otherwise = f"{only}{added}; a table made otherwise has no such bound."
    assert repeated_draws({"a": first, "b": other, "c": second}) == [otherwise]


def test_different_draws_of_one_epsilon_are_not_to_be_chosen_from() -> None:
    warned, first = text("intersection_attack.choice"), release(ill=FIRST)
    assert choice_among_draws({"a": first, "b": release(ill=SECOND)}) == warned
    assert choice_among_draws({"a": first, "b": release(ill=FIRST, age=list("1234567"))}) == ""
    assert choice_among_draws({"a": first, "b": release(sex=list("mmffmfm"))}) == ""
    assert choice_among_draws({"a": safepub([0, 1, 2, 3]), "b": safepub([0, 1, 2, 3, 4, 6])}) == warned
    assert choice_among_draws({"a": safepub([0, 1, 2, 3]), "b": safepub([0, 1, 2, 3, 4, 6], 2)}) == ""


def test_the_factor_is_of_a_record_where_a_person_may_have_several() -> None:
    cells = {**BEFORE, "who": list("1122334")}
    tables = [table({**cells, "ill": drawn}).randomized({"ill": ILL}) for drawn in (FIRST, SECOND)]
    one, other = (TableAggregates(each, Roles("sex", "ill", person="who"), table(cells)) for each in tables)
    assert (
        "the odds of one record change by a factor of at most 7.39, not 2.72."
        in repeated_draws({"a": one, "b": other})[0]
    )
