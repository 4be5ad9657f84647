"""Columns that could be a key, and whether matched records agree."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.matching.keys import KeyCandidate, agreement, key_candidates
from metrics.matching.records import describe
from metrics.tables.matching_rule import MatchingRule
from tests import oracle
from tests.support.small_tables import Cells, records, table, written

ORIGINAL = written("n name q half\n1 a x 1\n2 b x 1\n3 c y 2\n4 d y 2", "original.csv")


def test_the_column_that_matches_most_comes_first() -> None:
    anonymized = written("half q name n\n1 * d 9\n1 x a 1\n2 y b 8", "anonymized.csv")
    assert key_candidates(ORIGINAL, anonymized) == [
        KeyCandidate(("name",), 3, 1.0, 0),
        KeyCandidate(("n",), 1, pytest.approx(1 / 3), 0),
    ]


def test_constant_columns_and_columns_without_common_values_are_no_key_candidates() -> None:
    assert key_candidates(ORIGINAL, written("q half n\nx 1 7\ny 2 8")) == []
    assert key_candidates(ORIGINAL, written("other\n1\n2")) == []
    empty = table({"n": []})
    assert key_candidates(empty, empty) == []


def test_records_with_an_empty_key_do_not_rule_a_key_out() -> None:
    anonymized = written("name\n*\n*\na\n-\nb\nc", "anonymized.csv")
    assert key_candidates(ORIGINAL, anonymized) == [KeyCandidate(("name",), 3, 0.5, 0)]


def test_a_few_repeated_keys_put_a_column_behind_the_others() -> None:
    rows = [str(i) for i in range(60)]
    original = table({"a": [*rows[:-1], "0"], "b": rows})
    found = key_candidates(original, table({"a": rows, "b": [f"x{row}" for row in rows[:50]] + rows[50:]}))
    assert found == [KeyCandidate(("b",), 10, pytest.approx(1 / 6), 0), KeyCandidate(("a",), 58, 58 / 60, 2)]
    half = table({"a": [*rows[:30], *rows[:30]], "b": rows})
    assert [one.key for one in key_candidates(original, half)] == [("b",)]


cells = st.lists(st.sampled_from(["1", "2", "3", "4", "*", "", None]), min_size=5, max_size=5)


@given(st.fixed_dictionaries(dict.fromkeys("abc", cells)), st.fixed_dictionaries(dict.fromkeys("abc", cells)))
def test_a_further_column_makes_every_key_different(before: dict[str, Cells], after: dict[str, Cells]) -> None:
    original, anonymized = table(before), table(after)
    found = {one.key: one for one in key_candidates(original, anonymized, ["a"])}
    for key in (("a", "b"), ("a", "c")):
        # With nothing refused but duplicates, it is refused where there are some.
        first = oracle.match(records(before), records(after), key, "first", "leave_out")
        strict = oracle.match(records(before), records(after), key, "leave_out", "leave_out")
        names = [[tuple(record[name] for name in key) for record in records(of)] for of in (before, after)]
        known = [[name for name in of if not {None, "", "*"} & set(name)] for of in names]
        unique = all(len(of) == len(set(of)) for of in known)
        assert (key in found) is bool(unique and strict.pairs)
        if key in found:
            assert found[key].matched == len(strict.pairs) == len(first.pairs)
            assert found[key].share == len(strict.pairs) / 5


def test_agreement_is_distinguished_from_chance() -> None:
    rows = [str(i) for i in range(200)]
    ill = ["flu" if i % 3 else "cold" for i in range(200)]
    original = table({"id": rows, "ill": ill, "same": ["x"] * 200, "other": ["a"] * 200})
    turned = table({"id": rows[::-1], "ill": ill[::-1], "same": ["x"] * 200, "other": ["b"] * 200})
    columns = ["ill", "same", "other", "absent"]
    by_id = agreement(original, turned, describe(original, turned, MatchingRule(("id",))), columns)
    assert by_id is not None
    assert by_id.observed == 1
    assert by_id.by_chance == pytest.approx((67 / 200) ** 2 + (133 / 200) ** 2)
    assert not by_id.doubtful
    by_place = agreement(original, turned, describe(original, turned, MatchingRule()), columns)
    assert by_place is not None
    assert by_place.observed == pytest.approx(sum(a == b for a, b in zip(ill, ill[::-1], strict=True)) / 200)
    assert by_place.doubtful


def test_suppressed_cells_do_not_count_against_the_order() -> None:
    ill = ["flu" if i % 3 else "cold" for i in range(200)]
    columns = {"ill": ill, "gone": ["a", "b"] * 100}
    released = {"ill": ["*" if i % 4 else value for i, value in enumerate(ill)], "gone": ["*"] * 200}
    original, anonymized = table(columns), table(released)
    found = agreement(original, anonymized, describe(original, anonymized, MatchingRule()), ["ill", "gone"])
    assert found is not None
    assert found.observed == 1
    assert not found.doubtful


def test_without_comparable_columns_no_agreement_is_computed() -> None:
    found = describe(ORIGINAL, ORIGINAL, MatchingRule())
    assert agreement(ORIGINAL, ORIGINAL, found, []) is None
    assert (
        agreement(table({"q": []}), table({"q": []}), describe(table({"q": []}), table({"q": []}), MatchingRule()), "q")
        is None
    )
    for pair in combinations(["x", "y"], 2):
        constant = [table({"c": [value] * 3}) for value in pair]
        assert agreement(*constant, describe(*constant, MatchingRule()), ["c"]) is None
