"""Small random lattices, and a slow search of them that shares no code with the lattice search."""

import itertools
from collections.abc import Iterator, Mapping, Sequence

from hypothesis import strategies as st

import metrics
from metrics.hierarchies.hierarchy import Hierarchy
from tests.support.small_tables import Cells, table

Original = tuple[metrics.Table, metrics.Roles, dict[str, Hierarchy]]

AGES = Hierarchy(
    [
        ["21", "20-29", "20-39", "*"],
        ["25", "20-29", "20-39", "*"],
        ["33", "30-39", "20-39", "*"],
        ["61", "60-69", "60-79", "*"],
        ["", "unknown", "unknown", "*"],
    ],
    name="age.csv",
)
# A branch that is shorter than the others repeats its label; the root has a name of its own.
JOBS = Hierarchy(
    [
        ["clerk", "office", "anybody"],
        ["teller", "office", "anybody"],
        ["farmer", "farmer", "anybody"],
        ["fisher", "outdoors", "anybody"],
    ],
    name="job.csv",
)
# "2" and "4" stand for themselves and, one level up, for the middle of an interval, as in adult_hierarchy.
MIDDLES = Hierarchy([["1", "2", "*"], ["2", "2", "*"], ["3", "4", "*"], ["4", "4", "*"]], name="size.csv")
# A `*` among the leaves, which one value becomes; and a root that stands on two levels.
STARS = Hierarchy([["a", "*", "top"], ["b", "b", "top"], ["*", "*", "top"], ["c", "c", "top"]], name="stars.csv")
TWICE = Hierarchy([["p", "q", "*", "*"], ["q", "q", "*", "*"], ["r", "s", "*", "*"]], name="twice.csv")
FLAT = Hierarchy([["x"]], name="flat.csv")
HIERARCHIES = {"age": AGES, "job": JOBS, "size": MIDDLES, "flat": FLAT, "stars": STARS, "twice": TWICE}

CELLS: Mapping[str, Sequence[str | None]] = {
    "age": ("21", "25", "33", "61", None),
    "job": ("clerk", "teller", "farmer", "fisher"),
    "size": ("1", "2", "3", "4"),
    "flat": ("x",),
    "stars": ("a", "b", "*", "c"),
    "twice": ("p", "q", "r"),
    "sex": ("f", "m", ""),
    "year": ("1990", "1993"),
}
SENSITIVE = ("illness", "pay")
_SENSITIVE_CELLS: Mapping[str, Sequence[str]] = {"illness": ("a", "b", "c"), "pay": ("10", "20", "20.0", "35")}


@st.composite
def originals(draw: st.DrawFn, most: int = 24) -> tuple[metrics.Table, metrics.Roles, dict[str, Hierarchy]]:
    """A table with one to three quasi-identifiers, some without a hierarchy, and two sensitive attributes."""
    columns = draw(st.lists(st.sampled_from(sorted(CELLS)), min_size=1, max_size=3, unique=True))
    rows = draw(st.integers(1, most))
    cells: dict[str, Cells] = {}
    for name in columns:
        cells[name] = draw(st.lists(st.sampled_from(CELLS[name]), min_size=rows, max_size=rows))
    for name in SENSITIVE:
        cells[name] = draw(st.lists(st.sampled_from(_SENSITIVE_CELLS[name]), min_size=rows, max_size=rows))
    roles = metrics.Roles(quasi_identifiers=columns, sensitive=SENSITIVE)
    return table(cells), roles, {name: HIERARCHIES[name] for name in columns if name in HIERARCHIES}


def slow_nodes(heights: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every node."""
    return itertools.product(*(range(height + 1) for height in heights))


def slow_generalized(
    records: Sequence[Mapping[str, str | None]],
    hierarchies: Mapping[str, Hierarchy],
    levels: Mapping[str, int],
    k: int,
) -> list[dict[str, str | None]]:
    """The records generalized, those of groups smaller than k suppressed; record by record."""
    made = []
    for record in records:
        after = dict(record)
        for name, level in levels.items():
            value = record[name] or ""
            if name in hierarchies:
                after[name] = next(row[level] for row in hierarchies[name].rows if row[0] == value)
            else:
                after[name] = "*" if level else value
        made.append(after)
    keys = [tuple(record[name] for name in levels) for record in made]
    return [
        {**record, **dict.fromkeys(levels, "*")} if keys.count(key) < k else record
        for record, key in zip(made, keys, strict=True)
    ]
