"""Random columns of every kind of value, and what every hierarchy made of them must fulfil."""

from collections.abc import Callable
from contextlib import suppress

from hypothesis import strategies as st

from metrics import Hierarchy, InputError
from metrics.hierarchies.builders import to_csv
from metrics.hierarchies.files import read_hierarchy
from metrics.tables.table import SUPPRESSED, Column
from tests.support.small_tables import Cells, table

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from(";,\"'|*\n- "), max_size=6)
NUMBERS = st.one_of(
    st.integers(-200, 200).map(str),
    st.decimals(-50, 50, places=2).map(str),
    st.sampled_from(["1", "1.0", "01", "+1", "-0", ".5", "1e3", "2.5e-3", "-7"]),
)
DATES = st.dates().map(str)
MERGE = st.lists(st.integers(2, 4), max_size=3)


def column_of(cells: Cells, decimal: str = ".") -> Column:
    made = table({"q": cells})["q"]
    return Column("q", made.codes, made.values, decimal)


def columns(cells: st.SearchStrategy[str]) -> st.SearchStrategy[Column]:
    """A column of these cells, some of them missing or suppressed."""
    missing = st.sampled_from([None, "", SUPPRESSED])
    return st.lists(cells | cells | cells | missing, min_size=1, max_size=30).map(column_of)


def made_of(make: Callable[[], Hierarchy]) -> Hierarchy | None:
    """The hierarchy, or None where it was refused."""
    with suppress(InputError):
        return make()
    return None


def assert_sound(hierarchy: Hierarchy, column: Column) -> None:
    """Every value covered, one parent each, one root, levels nested, and the same read back."""
    assert set(hierarchy.missing_leaves(column)) <= {SUPPRESSED}
    assert hierarchy.labels(hierarchy.height) == (SUPPRESSED,)
    assert hierarchy.labels(0) == tuple(row[0] for row in hierarchy.rows)
    for level in range(hierarchy.height):
        pairs = set(zip(hierarchy.nodes(level).tolist(), hierarchy.nodes(level + 1).tolist(), strict=True))
        assert len(pairs) == len(hierarchy.labels(level))
    assert read_hierarchy(to_csv(hierarchy), name=hierarchy.name).rows == hierarchy.rows
