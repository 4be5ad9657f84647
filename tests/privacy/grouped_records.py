"""Random records of a few people or households."""

from collections.abc import Mapping, Sequence

from hypothesis import strategies as st

from tests.support.small_tables import Cells


@st.composite
def tables(draw: st.DrawFn, choices: Mapping[str, Sequence[str]]) -> dict[str, Cells]:
    """Columns of equal length, each of its own choices."""
    rows = draw(st.integers(1, 30))
    return {
        name: draw(st.lists(st.sampled_from(cells), min_size=rows, max_size=rows)) for name, cells in choices.items()
    }
