"""Mondrian: the partitions of the paper, labels that cover their values, and the k and l that were asked for."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Hierarchy, InputError, Roles, Table, make_candidate, score
from metrics.candidates.methods.mondrian import Mondrian
from metrics.candidates.methods.partitioning import PartitionRequirements, divide
from metrics.hierarchies.covering import covering
from tests.oracle.mondrian import Enough, Ordered, Tree, mondrian
from tests.support.small_tables import Cells, cells_of, columns_of, records, table, written

JOBS = [
    ["nurse", "health", "service", "*"],
    ["doctor", "health", "service", "*"],
    ["waiter", "hotel", "service", "*"],
    ["smith", "metal", "industry", "*"],
    ["welder", "metal", "industry", "*"],
]
TREES = {"job": Hierarchy(JOBS)}
ROLES = Roles(quasi_identifiers=["age", "sex", "job"], sensitive=["ill"])


@st.composite
def people(draw: st.DrawFn, smallest: int = 1, missing: bool = True) -> dict[str, Cells]:
    """Records with a column of numbers, one of categories and one with a hierarchy."""
    rows = draw(st.integers(smallest, 40))
    ages = st.integers(0, 12).map(str) | st.sampled_from(["2.5", "-4"])
    kinds: dict[str, st.SearchStrategy[str | None]] = {
        "age": ages | st.sampled_from([None, "*"]) if missing else ages,
        "sex": st.sampled_from(["d", "f", "m", *([None, "a, b", ""] if missing else [])]),
        "job": st.sampled_from([row[0] for row in JOBS]),
        "ill": st.sampled_from("xyz"),
    }
    return {name: draw(st.lists(of, min_size=rows, max_size=rows)) for name, of in kinds.items()}


@given(people(), st.integers(1, 6), st.booleans(), st.booleans())
def test_every_label_covers_its_value_and_k_is_met(cells: dict[str, Cells], k: int, relaxed: bool, free: bool) -> None:
    original = table(cells)
    method = Mondrian(min(k, original.rows), relaxed=relaxed, free_intervals=free)
    made = method.apply(original, ROLES, TREES, seed=1)
    smallest = score(made, ROLES, metrics=["k_anonymity"])["k_anonymity"].value
    everything = all(label == "*" for name in ROLES.quasi_identifiers for label in made[name].labels)
    assert everything or (smallest is not None and smallest >= method.k)
    for name in ROLES.quasi_identifiers:
        before, after = original[name], made[name]
        of = covering(after, before, TREES.get(name))
        covered = of.matrix(of.group, after.distinct)
        assert covered[before.codes, after.codes].all()
    assert made["ill"] is original["ill"]


@given(people(), st.integers(2, 3), st.booleans())
def test_mondrian_reaches_l_or_refuses_a_column_of_fewer_values(cells: dict[str, Cells], l: int, relaxed: bool) -> None:  # noqa: E741
    original = table(cells)
    if original["ill"].distinct < l:
        with pytest.raises(InputError, match="fewer than l"):
            Mondrian(1, l, relaxed=relaxed).apply(original, ROLES, TREES)
        return
    made = Mondrian(1, l, relaxed=relaxed).apply(original, ROLES, TREES)
    for name in ("distinct_l_diversity",):
        value = score(made, ROLES, metrics=[name])[name].value
        assert value is None or value >= l


@given(people(missing=False), st.integers(1, 4), st.integers(1, 2))
def test_partitions_are_those_found_record_by_record(cells: dict[str, Cells], k: int, l: int) -> None:  # noqa: E741
    original = table(cells)
    if original.rows < k or original["ill"].distinct < l:
        return
    rows = [{name: str(cell) for name, cell in row.items()} for row in records(cells)]
    ages = sorted({Fraction(row["age"]) for row in rows})
    reach = ages[-1] - ages[0]
    sexes = sorted({row["sex"] for row in rows})
    dimensions = [
        Ordered("age", {row["age"]: float((Fraction(row["age"]) - ages[0]) / reach) if reach else 0.0 for row in rows}),
        Ordered("sex", {sex: place / max(len(sexes) - 1, 1) for place, sex in enumerate(sexes)}),
        Tree("job", [row for row in JOBS if row[0] in {one["job"] for one in rows}]),
    ]
    expected = mondrian(rows, dimensions, Enough(rows, k, l, ["ill"]))
    found = partitions(original, Mondrian(k, l))
    assert found == expected


def partitions(original: Table, method: Mondrian) -> set[frozenset[int]]:
    """The parts before they are labelled: parts that get the same labels are one class."""
    dimensions = [method.dimension(original, name, TREES.get(name)) for name in ROLES.quasi_identifiers]
    sensitive = (original["ill"].codes,) if method.l > 1 else ()
    of = divide(
        dimensions,
        np.arange(original.rows),
        np.zeros(1, dtype=np.int64),
        PartitionRequirements(method.k, method.l, sensitive),
        strict=True,
        weights=np.ones(len(dimensions)),
    ).of_record
    return {frozenset(np.flatnonzero(of == part).tolist()) for part in range(int(of.max()) + 1)}


def test_mondrian_gives_the_table_computed_by_hand() -> None:
    original = written("""
        age sex job    ill
        21  f   nurse  x
        25  f   doctor y
        34  m   smith  x
        38  m   welder y
    """)
    made = Mondrian(2).apply(original, ROLES, TREES)
    assert columns_of(made) == {
        "age": ["21-25", "21-25", "34-38", "34-38"],
        "sex": ["f", "f", "m", "m"],
        "job": ["health", "health", "metal", "metal"],
        "ill": ["x", "y", "x", "y"],
    }


def test_relaxed_cuts_go_through_equal_values() -> None:
    original = table({"age": ["5"] * 6 + ["6", "7"], "ill": list("xyxyxyxy")})
    roles = Roles(quasi_identifiers=["age"], sensitive=["ill"])
    strict, relaxed = Mondrian(3), Mondrian(3, relaxed=True)
    assert cells_of(strict.apply(original, roles)["age"]) == ["5-7"] * 8
    made = cells_of(relaxed.apply(original, roles, seed=4)["age"])
    assert Counter(made) == {"5": 4, "5-7": 4}
    assert made == cells_of(relaxed.apply(original, roles, seed=4)["age"])
    assert len({tuple(cells_of(relaxed.apply(original, roles, seed=seed)["age"])) for seed in range(8)}) > 1


def test_numbers_with_a_hierarchy_keep_its_labels_unless_intervals_are_free() -> None:
    tree = {"age": Hierarchy([[str(age), f"{age // 10}0s", "*"] for age in range(20, 40)])}
    original = table({"age": ["21", "22", "23", "38", "39"], "ill": list("xyxyx")})
    roles = Roles(quasi_identifiers=["age"], sensitive=["ill"])
    assert cells_of(Mondrian(2).apply(original, roles, tree)["age"]) == ["20s", "20s", "20s", "30s", "30s"]
    free = Mondrian(2, free_intervals=True).apply(original, roles, tree)
    assert cells_of(free["age"]) == ["21-22", "21-22", "23-39", "23-39", "23-39"]


@pytest.mark.parametrize(
    ("ages", "label"),
    [(["1", "2.5"], "[1, 2.5]"), (["-3", "4"], "[-3, 4]"), (["1", None], "*"), (["1e1", "20"], "10-20")],
)
def test_numeric_groups_are_labelled_by_their_smallest_and_largest_value(ages: Cells, label: str) -> None:
    original = table({"age": ages, "ill": ["x", "y"]})
    made = Mondrian(2).apply(original, Roles(quasi_identifiers=["age"], sensitive=["ill"]))
    assert made["age"].labels == [label]


def test_k_and_l_that_the_table_cannot_reach_are_refused() -> None:
    original = table({"age": ["1", "2"], "ill": ["x", "x"]})
    roles = Roles(quasi_identifiers=["age"], sensitive=["ill"])
    with pytest.raises(InputError, match="2 records, fewer than k"):
        make_candidate(original, "mondrian", roles, k=3)
    with pytest.raises(InputError, match="fewer than l"):
        make_candidate(original, "mondrian", roles, k=1, l=2)
    with pytest.raises(InputError, match="requires a sensitive attribute"):
        make_candidate(original, "mondrian", Roles(quasi_identifiers=["age"]), k=1, l=2)
    with pytest.raises(InputError, match="k is out of range"):
        Mondrian(0)


def test_a_cell_with_an_exponent_beyond_a_doubles_is_text_and_is_not_written_out() -> None:
    original = table({"age": ["1e-999999999", "7", "5", "3"], "ill": ["a", "b", "c", "d"]})
    made = make_candidate(original, "mondrian", Roles(quasi_identifiers=["age"]), k=2)
    assert max(len(label or "") for label in made["age"].labels) < 40


def test_a_column_of_more_weight_is_divided_first() -> None:
    numbers = {"a": ["1", "1", "2", "2"], "b": ["1", "2", "1", "2"]}
    for weighted, kept in (({}, "a"), ({"b": 1.0}, "b"), ({"a": 0.2}, "b")):
        roles = Roles(["a", "b"], column_weights=weighted)
        made = Mondrian(2).apply(table(numbers), roles)
        assert cells_of(made[kept]) == numbers[kept]


@given(people(missing=False), st.integers(1, 4), st.integers(0, 3), st.booleans(), st.booleans())
def test_no_label_is_above_the_highest_level(
    columns: dict[str, Cells], k: int, level: int, sex: bool, relaxed: bool
) -> None:
    highest = {"job": level, **({"sex": 0} if sex else {})}
    roles = Roles(["age", "sex", "job"], ["ill"], highest_levels=highest)
    nodes = [
        (columns["sex"][i] if sex else "", dict((row[0], row[level]) for row in JOBS)[str(columns["job"][i])])
        for i in range(len(columns["sex"]))
    ]
    sizes = Counter(nodes)
    try:
        made = Mondrian(k, relaxed=relaxed).apply(table(columns), roles, TREES, seed=1)
    except InputError:
        assert max(sizes.values()) < k
        return
    cells = list(zip(*(cells_of(made[name]) for name in ("age", "sex", "job")), strict=True))
    allowed = {label for row in JOBS for label in row[: level + 1]}
    for i, (node, cell) in enumerate(zip(nodes, cells, strict=True)):
        if sizes[node] < k:
            assert cell == ("*", "*", "*")
        else:
            assert cell[2] in allowed
            assert not sex or cell[1] == columns["sex"][i]
    kept = [cell for node, cell in zip(nodes, cells, strict=True) if sizes[node] >= k]
    assert relaxed or min(Counter(kept).values()) >= k
