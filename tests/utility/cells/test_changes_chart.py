"""Changed cells as drawn: every bar is a whole column, one colour for each change, harmless texts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.drawing.theme import MONEY, UTILITY, VIOLATION
from metrics.utility.cells.changes import CHANGES, Change, ColumnChanges
from metrics.utility.cells.changes_chart import COLOURS, MAX_COLUMNS, changed_cells
from tests.drawing.drawn import HOSTILE, assert_calm, marks, read, title

COUNTS = st.integers(0, 10**6)
COLUMNS = st.lists(st.builds(ColumnChanges, COUNTS, COUNTS, COUNTS, COUNTS, COUNTS), min_size=1, max_size=50)


@given(COLUMNS)
def test_every_bar_is_the_whole_column(columns):
    named = {f"c{i}": column for i, column in enumerate(columns)}
    figure = changed_cells(named)
    assert_calm(figure)
    assert marks(figure) <= len(CHANGES) * (MAX_COLUMNS + 1)
    if figure.data:
        sums = np.sum([trace.x for trace in figure.data], axis=0)
        drawn = sorted(columns, key=lambda column: -column.changed)[:MAX_COLUMNS]
        assert sums[: len(drawn)] == pytest.approx([100 if column.records else 0 for column in drawn])


def test_each_kind_of_change_has_the_same_colour_in_every_figure():
    assert (COLOURS[Change.KEPT], COLOURS[Change.SUPPRESSED], COLOURS[Change.PERTURBED]) == (UTILITY, VIOLATION, MONEY)
    figure = changed_cells({"age": ColumnChanges(1, 2, 3, 4), "sex": ColumnChanges(10, 0, 0, 0)})
    assert [(trace.name, trace.marker.color) for trace in figure.data] == [
        (kind.value, COLOURS[kind]) for kind in CHANGES if kind is not Change.REPLACED
    ]
    assert list(figure.data[0].y) == ["age", "sex"]
    assert read(figure.data[3].hovertext[0]) == (
        "age Perturbed: a different value that does not include the original 4 cells, 40% of 10"
    )


@pytest.mark.parametrize(
    ("columns", "finding"),
    [
        ({"a": (10, 0, 0, 0)}, "No cell of a quasi-identifier was changed"),
        ({"a": (8, 2, 0, 0)}, "20% of the cells were changed"),
        ({"a": (8, 2, 0, 0), "b": (10, 0, 0, 0)}, "10% of the cells were changed; a the most (20%)"),
        (
            {"a": (0, 10, 0, 0), "b": (0, 9, 0, 1), "c": (10, 0, 0, 0)},
            "66.7% of the cells were changed; most of all in 2 columns (100% each); 1 cell perturbed",
        ),
        ({"a": (5, 5, 0, 0), "b": (5, 0, 5, 0)}, "50% of the cells were changed"),
        ({}, "There is no quasi-identifier whose cells could be compared"),
    ],
)
def test_the_title_states_how_many_cells_were_changed(columns, finding):
    figure = changed_cells({name: ColumnChanges(*counts) for name, counts in columns.items()})
    assert_calm(figure)
    assert title(figure) == finding


def test_markup_in_column_names_is_shown_as_text():
    assert_calm(changed_cells({name: ColumnChanges(1, 1, 1, 1) for name in HOSTILE}))
