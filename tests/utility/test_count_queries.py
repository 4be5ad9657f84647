"""Count queries: by hand, against the oracle, and the workload that is drawn."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from metrics import Count, Hierarchy, Roles, k_rr, score
from metrics.aggregates import TableAggregates
from metrics.aggregates.comparison import NO_ORIGINAL
from metrics.aggregates.label_shares import column_domain
from metrics.errors import Unavailable
from metrics.hierarchies.shares import Domain
from metrics.texts import text
from metrics.utility.count_queries.measure import CountQueries
from metrics.utility.count_queries.queries import Query, answers, drawn_queries, query_text, saved_answer, written_query
from tests.oracle import counts as oracle
from tests.support.small_tables import Cells, records, table, written
from tests.utility.count_cells import AGES, LETTERS, RELABELLED, TREES, Pair, card_of, codebook, of, pairs, relabelled
from tests.working.formulas import assert_derives


def test_worked_example() -> None:
    original = written("letter age\na 0\na 1\nb 2\nc 5")
    released = written("letter age\nAB 0-2\nAB 0-2\nAB 0-2\n* 3-5")
    trees = {"letter": Hierarchy(LETTERS), "age": Hierarchy(AGES)}
    card = score(released, Roles(["letter", "age"]), original=original, hierarchies=trees, metrics=["count_queries"])
    found = card["count_queries"]
    # 5% of the combinations of 4 letters and 6 ages: √0.05 of each, which are one letter and two ages.
    assert isinstance(found.result, CountQueries)
    answer = next(one for one in found.result.answers if query_text(one.query) == "letter a; age 1 to 2")
    # The only such record of the original is a 1. AB is a by a half, and 0-2 is 1 or 2 by two thirds.
    assert (answer.true, answer.smallest, answer.largest) == (1, 0, 3)
    assert answer.estimate == pytest.approx(3 * 1 / 2 * 2 / 3)
    assert answer.error == pytest.approx(0)
    assert answer.all_suppressed == pytest.approx(4 * 1 / 4 * 2 / 6)
    assert found.value == pytest.approx(np.median([one.error for one in found.result.answers]))
    assert_derives(card, "count_queries")


def tables_of(pair: Pair) -> tuple[TableAggregates, dict[str, Domain]]:
    """The aggregates of a pair, and the domain of each column."""
    before, after = pair
    trees = {name: Hierarchy(rows) for name, rows in TREES.items() if name in before}
    aggregates = TableAggregates(table(after), Roles(list(after)), table(before), trees)
    return aggregates, {name: column_domain(aggregates, name) for name in before}


def as_oracle(query: Query) -> oracle.Query:
    """A query as the oracle takes it."""
    return {name: list(asked.values) if asked.values else (asked.low, asked.high) for name, asked in query.items()}


@given(pairs())
def test_every_answer_equals_that_of_the_oracle(pair: Pair) -> None:
    before, after = map(records, pair)
    book, (aggregates, domains) = codebook(pair), tables_of(pair)
    queries = [query for columns in (1, 2, 3) for query in drawn_queries(domains, 20, columns, 0.2)]
    for found in answers(aggregates, queries):
        expected = oracle.answer(as_oracle(found.query), before, after, book)
        assert (found.true, found.smallest, found.largest) == (expected.true, expected.smallest, expected.largest)
        assert found.estimate == pytest.approx(expected.estimate)
        assert found.all_suppressed == pytest.approx(expected.nothing_known)
        assert found.error == pytest.approx(expected.error(len(before)))


@given(pairs())
def test_order_and_names_do_not_matter(pair: Pair) -> None:
    one, other = card_of(pair)["count_queries"], card_of(relabelled(pair), trees=RELABELLED)["count_queries"]
    assert other.value == pytest.approx(one.value, rel=1e-12)


def test_an_untouched_table_answers_exactly_and_a_suppressed_one_as_if_nothing_were_known() -> None:
    cells: dict[str, Cells] = {"q": [*"aabbcd"], "n": [*"012345"]}
    same = of(card_of((cells, cells)), "count_queries")
    assert (same.value, same.details["within_bounds"], same.details["median_width"]) == (0, 1, 0)
    assert same.summary() == "Every count query is answered exactly."
    for label in ("*", None):
        gone = of(card_of((cells, {name: [label] * 6 for name in cells})), "count_queries")
        assert gone.value == pytest.approx(gone.details["all_suppressed"])
        assert gone.details["within_bounds"] == 1
    one_class = of(card_of((cells, {"q": ["AB"] * 6, "n": ["0-2"] * 6})), "count_queries")
    assert one_class.details["within_bounds"] < 1
    assert "outside the bounds" in one_class.summary()


def test_own_queries_ask_for_values_or_a_range_of_numbers() -> None:
    pair: Pair = (
        {"q": [*"aabc", None], "n": [*"01245"]},
        {"q": ["AB", "AB", "b", "*", None], "n": ["0-2", "1", "2.0", "7", "*"]},
    )
    aggregates, domains = tables_of(pair)
    own = [{"q": ["a", "c"], "n": ["1", "9"]}, {"q": ["a"]}, {"n": ["5", "7"]}, {"n": ["1.0"]}]
    both, letters, ages, one_age = answers(aggregates, [written_query(query, domains) for query in own])
    assert (both.true, both.smallest, both.largest) == (2, 0, 4)
    assert both.estimate == pytest.approx(1 / 2 * 2 / 3 + 1 / 2 + 0 + 1 / 2 + 1 / 2 * 5 / 6)
    assert (letters.true, letters.smallest, letters.largest) == (2, 0, 4)
    assert letters.estimate == pytest.approx(1 / 2 + 1 / 2 + 0 + 1 / 4 + 1 / 4)
    # 7 is outside the domain of ages and asked for itself; an unknown age is 5 by a sixth.
    assert (ages.true, ages.smallest, ages.largest) == (1, 1, 2)
    assert ages.estimate == pytest.approx(1 + 1 / 6)
    assert (one_age.true, one_age.smallest, one_age.largest) == (1, 1, 3)
    assert query_text(both.query) == "q a or c; n 1 to 9"
    with pytest.raises(Unavailable, match='"e" is no value of "q"'):
        written_query({"q": ["e"]}, domains)


def test_the_workload_is_drawn_as_defined() -> None:
    before: dict[str, Cells] = {"w": [*"xzy"], "n": [*"012"], "q": [*"abc"]}
    aggregates = TableAggregates(table(before), Roles(list(before)), table(before), {"q": Hierarchy(LETTERS)})
    domains = {name: column_domain(aggregates, name) for name in before}
    generator = np.random.default_rng(7)
    expected = []
    for _ in range(50):
        query: dict[str, Any] = {}
        for column in sorted(generator.choice(3, 2, replace=False)):
            name = ["w", "n", "q"][column]
            values = {"w": ["x", "y", "z"], "n": ["0", "1", "2"], "q": ["a", "b", "c", "d"]}[name]
            b = int(np.ceil(len(values) * 0.4**0.5 - 1e-9))
            if name == "n":
                start = generator.integers(0, len(values) - b + 1)
                query[name] = (float(values[start]), float(values[start + b - 1]))
            else:
                query[name] = {values[place] for place in generator.choice(len(values), b, replace=False)}
        expected.append(query)
    drawn = drawn_queries(domains, 50, 2, 0.4, seed=7)
    assert [
        {name: set(one.values) if one.values else (one.low, one.high) for name, one in query.items()} for query in drawn
    ] == expected


def test_many_queries_on_a_set_of_columns_are_answered_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    cells: dict[str, Cells] = {"q": [*"aabbcd"], "n": [*"012345"]}
    after: dict[str, Cells] = {"q": ["AB"] * 4 + ["CD"] * 2, "n": [*"012345"]}
    at_once = of(card_of((cells, after)), "count_queries").details
    monkeypatch.setattr("metrics.utility.count_queries.queries._MAX_CELLS", 20)
    assert of(card_of((cells, after)), "count_queries").details == at_once


def test_the_worst_queries_are_named() -> None:
    cells: dict[str, Cells] = {"q": [*"aabbcd"], "n": [*"012345"]}
    after: dict[str, Cells] = {"q": ["AB"] * 4 + ["CD"] * 2, "n": [*"012345"]}
    details = of(card_of((cells, after)), "count_queries").details
    assert details["queries"] == 1000
    errors = [one["error"] for one in details["worst"]]
    assert errors == sorted(errors, reverse=True)
    assert set(details["worst"][0]) == {"query", "error", "true", "estimate", "smallest", "largest"}


def test_columns_without_a_known_value_are_not_asked_for() -> None:
    cells: dict[str, Cells] = {"q": [*"aabbcd"], "w": ["*", None] * 3}
    reason = card_of((cells, cells))["count_queries"].unavailable
    assert reason == "no count is saved, and there are fewer than two quasi-identifiers with a known value to ask for"
    three: dict[str, Cells] = {**cells, "n": [*"012345"]}
    assert of(card_of((three, three)), "count_queries").value == 0


SAVED = {
    "few": Count({"q": ["a", "c"], "n": [1, 9]}),
    "heavy": Count({"q": ["a"]}, weight="w"),
    "unknown": Count({"q": ["e"]}),
}
BEFORE: dict[str, Cells] = {"q": [*"aabc"], "n": [*"0125"], "w": ["1.5", "2", "4", "8"]}
AFTER: dict[str, Cells] = {"q": ["AB", "AB", "b", "*"], "n": ["0-2", "1", "2", "5"], "w": ["1.5", "2", "4", "8"]}


def test_saved_counts_are_answered_with_bounds_and_make_the_workload() -> None:
    roles, trees = Roles(["q", "n"]), {name: Hierarchy(rows) for name, rows in TREES.items()}
    tables = {"original": table(BEFORE), "hierarchies": trees, "analyses": SAVED}
    card = score(table(AFTER), roles, metrics=["count_queries", "analyses"], **tables)  # type: ignore[arg-type]
    found = card.to_dict()["analyses"]
    few = 1 / 2 * 2 / 3 + 1 / 2 + 0 + 1 / 2
    assert found["few"] == {
        **{"value": pytest.approx(abs(few - 2) / 2), "estimate": pytest.approx(few)},
        **{"true": 2, "smallest": 0, "largest": 3, "unavailable": None, "estimates": []},
    }
    # Weighted, a stands for 3.5 people. Of AB a half is a, of * a quarter.
    heavy = found["heavy"]
    assert [heavy[name] for name in ("true", "smallest", "largest")] == [3.5, 0, 11.5]
    assert heavy["estimate"] == pytest.approx(1.5 / 2 + 2 / 2 + 8 / 4)
    assert found["unknown"] == {"value": None, "unavailable": '"e" is no value of "q"', "estimates": []}
    assert card["analyses"].unavailable == text("analyses.unavailable.only_counts")
    assert card["count_queries"].unavailable == 'of the count "unknown", "e" is no value of "q"'
    assert score(table(AFTER), roles, analyses=SAVED).to_dict()["analyses"]["few"]["unavailable"] == NO_ORIGINAL


def test_errors_within_the_sampling_error_of_the_original_make_no_version_better() -> None:
    """Of 100 records that are counted, one more or less is chance, and 30 are not."""
    rows = ["a"] * 100 + ["b"] * 100
    original = table({"q": rows})
    saved = {"a": Count({"q": ["a"]})}

    def order(counted: int) -> float | bool | None:
        released = table({"q": ["a"] * counted + ["b"] * (200 - counted)})
        card = score(released, Roles(["q"]), original=original, analyses=saved, metrics=["count_queries"])
        result = card["count_queries"].result
        assert result is not None
        return result.order

    assert [order(counted) for counted in (100, 101, 119, 120, 130)] == [0, 0, 0, 1, 1]


def test_the_metric_is_of_the_saved_counts_where_there_are_some() -> None:
    saved = {name: SAVED[name] for name in ("few", "heavy")}
    card = score(table(AFTER), Roles(["q", "n"]), original=table(BEFORE), analyses=saved, metrics=["count_queries"])[
        "count_queries"
    ]
    assert card.details["queries"] == 2
    assert {one["query"] for one in card.details["worst"]} == {"few", "heavy"}


@pytest.mark.parametrize(
    ("count", "reason"),
    [
        (Count({"x": ["1"]}), text("count_queries.unavailable.no_column", column="x")),
        (Count({"q": ["a"]}, weight="x"), text("count_queries.unavailable.no_column", column="x")),
        (Count({"q": ["a"]}, weight="n"), text("unavailable.invalid_weights", column="n")),
    ],
)
def test_a_count_that_the_tables_do_not_support_says_why(count: Count, reason: str) -> None:
    before: dict[str, Cells] = {**BEFORE, "x": [*"1234"]}
    given = {"analyses": {"count": count}, "original": table(before), "metrics": ["count_queries"]}
    found = score(table(AFTER), Roles(["q", "n"]), **given)["count_queries"].unavailable  # type: ignore[arg-type]
    assert found == text("count_queries.unavailable.saved", name="count", reason=reason)


def test_a_count_of_randomized_values_is_estimated_without_bias_and_excludes_nothing() -> None:
    by, chance = k_rr(["flu", "cold", None], 1), np.random.default_rng(4)
    true = np.array([0] * 3000 + [1] * 6000 + [2] * 1000)
    drawn = np.where(chance.random(10_000) < by.kept, true, chance.integers(0, 3, 10_000))
    before: dict[str, Cells] = {"sex": ["f", "m"] * 5000, "ill": [by.values[code] for code in true]}
    released = table({**before, "ill": [by.values[code] for code in drawn]}).randomized({"ill": by})
    aggregates = TableAggregates(released, Roles(["sex"], ["ill"]), table(before))
    answer = saved_answer(aggregates, Count({"ill": ["cold"], "sex": ["f"]}))
    assert (answer.true, answer.smallest, answer.largest) == (3000, 0, 5000)
    # Of 5,000 women, 3,000 have p = 0.576 and 2,000 have q = 0.212 to be published as a cold: sd 32.7 / (p - q).
    assert answer.estimate == pytest.approx(3000, abs=4 * 32.7 / 0.364)
    assert abs((drawn[::2] == 1).sum() - 3000) > 4 * 32.7
