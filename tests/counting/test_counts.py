"""How often combinations occur: against collections.Counter."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from metrics.counting.counts import Combinations, MemoryRelation, count_keys, group_records
from tests.support.small_tables import Cells, table


def counted(combinations: Combinations) -> dict[tuple[str | None, ...], int]:
    """Combinations as labels; each must stand there once."""
    labels = [
        tuple(column.labels[code[i]] for column, code in zip(combinations.columns, combinations.codes, strict=True))
        for i in range(len(combinations.counts))
    ]
    assert len(set(labels)) == len(labels)
    return dict(zip(labels, combinations.counts.tolist(), strict=True))


@st.composite
def small_tables(draw: st.DrawFn) -> dict[str, Cells]:
    rows = draw(st.integers(0, 40))
    cells = st.lists(st.sampled_from(["a", "b", "", "*", None, "10", "9"]), min_size=rows, max_size=rows)
    return {f"c{i}": draw(cells) for i in range(draw(st.integers(1, 5)))}


@given(small_tables())
def test_combinations_are_counted_as_by_counter(columns: dict[str, Cells]) -> None:
    relation = MemoryRelation(table(columns))
    expected = Counter(zip(*columns.values(), strict=True))
    combinations = relation.count(list(columns))
    assert counted(combinations) == expected
    labels = list(counted(combinations))
    assert [labels[number] for number in relation.members(list(columns))] == list(zip(*columns.values(), strict=True))


@given(small_tables())
def test_values_are_counted_within_groups_as_by_counter(columns: dict[str, Cells]) -> None:
    *groups, last = columns
    relation = MemoryRelation(table(columns))
    within = relation.count_within(groups, last)
    of_group = list(counted(relation.count(groups)))
    found = {
        (*of_group[group], within.column.labels[code]): count
        for group, code, count in zip(within.group, within.code, within.count, strict=True)
    }
    assert found == Counter(zip(*columns.values(), strict=True))
    order = list(zip(within.group.tolist(), within.code.tolist(), strict=True))
    assert order == sorted(set(order))


@given(small_tables(), st.randoms(use_true_random=False))
def test_the_order_of_combinations_does_not_depend_on_the_order_of_records(
    columns: dict[str, Cells], random: np.random.Generator
) -> None:
    rows = list(zip(*columns.values(), strict=True))
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[arg-type]
    again = {name: [row[i] for row in shuffled] for i, name in enumerate(columns)}
    one = MemoryRelation(table(columns)).count(list(columns))
    other = MemoryRelation(table(again)).count(list(columns))
    assert list(counted(one).items()) == list(counted(other).items())


def test_combinations_are_ordered_as_numbers_or_else_as_text() -> None:
    relation = MemoryRelation(table({"n": ["10", "9", "9", "-1.5"], "t": ["b", "B", None, ""]}))
    assert list(counted(relation.count(["n"]))) == [("-1.5",), ("9",), ("10",)]
    assert list(counted(relation.count(["t"]))) == [(None,), ("",), ("B",), ("b",)]
    assert list(counted(relation.count(["n", "t"]))) == [("-1.5", ""), ("9", None), ("9", "B"), ("10", "b")]


def test_more_combinations_are_possible_than_an_integer_holds() -> None:
    # 30 columns of 1,000 values each could combine in 1e90 ways.
    random = np.random.default_rng(7)
    distinct = random.integers(0, 1000, (400, 30))
    rows = distinct[random.integers(0, 400, 3000)]
    columns = {f"c{i}": [str(value) for value in rows[:, i]] for i in range(30)}
    content = table(columns)
    combinations, members = group_records(content.columns, content.rows)
    assert counted(combinations) == Counter(zip(*columns.values(), strict=True))
    labels = list(counted(combinations))
    assert [labels[number] for number in members] == list(zip(*columns.values(), strict=True))


def test_no_column_is_lost_where_a_key_would_overflow() -> None:
    # In plain 64-bit arithmetic the first of 80 columns of two values would fall out of the key.
    columns: dict[str, Cells] = {f"c{i}": ["a", "b", "a", "b"] for i in range(80)}
    columns["c0"] = ["a", "a", "b", "b"]
    content = table(columns)
    combinations, members = group_records(content.columns, content.rows)
    assert combinations.counts.tolist() == [1, 1, 1, 1]
    assert sorted(members) == [0, 1, 2, 3]


def test_groups_times_values_may_exceed_32_bits() -> None:
    rows = 50_000
    relation = MemoryRelation(table({"q": [f"q{i:05}" for i in range(rows)], "s": [f"s{i:05}" for i in range(rows)]}))
    within = relation.count_within(["q"], "s")
    assert (within.group == np.arange(rows)).all()
    assert [within.column.labels[code] for code in within.code[-2:]] == ["s49998", "s49999"]
    assert (within.count == 1).all()


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=1, max_size=40))
def test_counts_of_some_of_the_columns_counted_before_are_those_of_the_records(
    rows: list[tuple[int, int, int]],
) -> None:
    columns = {name: [str(row[at]) for row in rows] for at, name in enumerate("abc")}
    again = MemoryRelation(table(columns))
    again.count(["c", "b", "a"])
    for names in (["a", "b", "c"], ["b"], ["c", "a"]):
        anew = MemoryRelation(table(columns))
        assert list(counted(again.count(names)).items()) == list(counted(anew.count(names)).items())
        assert again.members(names).tolist() == anew.members(names).tolist()


def test_tables_without_records_or_columns_can_be_counted() -> None:
    relation = MemoryRelation(table({"a": [], "b": []}))
    assert counted(relation.count(["a", "b"])) == {}
    assert len(relation.count_within(["a"], "b").count) == 0
    combinations, members = group_records((), 3)
    assert combinations.counts.tolist() == [3]
    assert members.tolist() == [0, 0, 0]


@given(st.lists(st.integers(0, 50), max_size=60), st.sampled_from([np.int32, np.int64]))
def test_sparse_keys_are_counted_as_dense_ones(keys: list[int], kind: type[np.signedinteger]) -> None:
    array = np.array(keys, dtype=kind)
    expected = sorted(Counter(keys).items())
    for space in (51, 2**40):
        distinct, counts = count_keys(array, space)
        assert list(zip(distinct.tolist(), counts.tolist(), strict=True)) == expected
        assert (distinct.dtype, counts.dtype) == (np.int64, np.int64)
