"""Changed cells, flows and combinations as drawn: all records, few marks, harmless texts."""

import math
import re

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.figures.ambiguity import MAX_BINS, combination_distribution
from metrics.figures.changes import COLOURS, MAX_COLUMNS, changed_cells
from metrics.figures.flow import value_flow
from metrics.figures.theme import MONEY, UTILITY, VIOLATION
from metrics.utility.ambiguity import Ambiguity
from metrics.utility.changes import CHANGES, Change, ColumnChanges, Flow, FlowLink, FlowNode, flow, pair_changes
from tests.figures.drawn import HOSTILE, assert_calm, marks, read, takes_no_effect, title
from tests.utility.test_changes import pair_of

COUNTS = st.integers(0, 10**6)
COLUMNS = st.lists(st.builds(ColumnChanges, COUNTS, COUNTS, COUNTS, COUNTS, COUNTS), min_size=1, max_size=50)


# Changed cells


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
        ({"a": (10, 0, 0, 0)}, "No cell was changed"),
        ({"a": (8, 2, 0, 0)}, "20% of the cells were changed"),
        ({"a": (8, 2, 0, 0), "b": (10, 0, 0, 0)}, "10% of the cells were changed; a the most (20%)"),
        (
            {"a": (0, 10, 0, 0), "b": (0, 9, 0, 1), "c": (10, 0, 0, 0)},
            "66.7% of the cells were changed; 2 columns the most (100% each); 1 cell perturbed",
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


# Flow

WORDS = st.sampled_from(["*", *"abcdefghijklmnop", *HOSTILE])


def sankey(figure):
    """The diagram, its texts checked as `assert_calm` checks those of other traces."""
    diagram, *others = figure.data
    assert_calm(go.Figure(others, figure.layout))
    texts = [*diagram.node.label, *diagram.node.customdata, *diagram.link.customdata]
    assert all(takes_no_effect(text) for text in texts)
    return diagram


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=80))
def test_the_bands_contain_every_record_and_labels_are_at_their_nodes(cells):
    changes = pair_changes(pair_of([old for old, _ in cells], [new for _, new in cells]), {})
    drawn = flow(changes)
    figure = value_flow(drawn)
    diagram = sankey(figure)
    assert sum(diagram.link.value) == len(cells)
    assert len(diagram.link.value) <= 60
    assert len(diagram.node.y) == len(drawn.original) + len(drawn.anonymized) <= 22
    assert all(0 < middle < 1 for middle in diagram.node.y)
    height = figure.layout.yaxis.range[0]
    ticks = [*figure.layout.yaxis.tickvals, *figure.layout.yaxis2.tickvals]
    assert [tick / height for tick in ticks] == pytest.approx(diagram.node.y)
    for side in (ticks[: len(drawn.original)], ticks[len(drawn.original) :]):
        assert side == sorted(side)
    assert all(len(text) <= 60 for text in (*figure.layout.yaxis.ticktext, *figure.layout.yaxis2.ticktext))
    legend = {trace.name for trace in figure.data[1:] if trace.showlegend}
    assert legend == {link.change.value for link in drawn.links}


def test_the_flow_of_one_column_shows_generalized_suppressed_and_perturbed_values():
    drawn = Flow(
        "age",
        (FlowNode("39", 3), FlowNode(None, 7, 4)),
        (FlowNode("30-39", 6), FlowNode("35", 2), FlowNode("*", 2)),
        (
            FlowLink(1, 0, Change.GENERALIZED, 5),
            FlowLink(0, 1, Change.PERTURBED, 2),
            FlowLink(1, 2, Change.SUPPRESSED, 2),
            FlowLink(0, 0, Change.GENERALIZED, 1),
        ),
    )
    figure = value_flow(drawn)
    diagram = sankey(figure)
    assert title(figure) == "age: 60% generalized, 20% suppressed, 20% perturbed"
    assert read(diagram.link.customdata[1]) == (
        "39 → 35 Perturbed: a different value that does not include the original 2 records, 20%"
    )
    assert read(diagram.node.customdata[1]) == "Original value: 4 other values 7 records, 70%"
    assert list(figure.layout.yaxis.ticktext) == ["39", "4 other values"]
    assert list(diagram.link.target) == [2, 3, 4, 2]
    colours = {re.sub(r", [\d.]+\)", ")", colour) for colour in diagram.link.color}
    assert colours == {"rgba(127, 206, 185)", "rgba(230, 159, 0)", "rgba(213, 94, 0)"}
    assert title(value_flow(Flow("age", (), (), ()))) == "There is no record whose values could be followed"
    kept = Flow("sex", (FlowNode("m", 1),), (FlowNode("m", 1),), (FlowLink(0, 0, Change.KEPT, 1),))
    assert title(value_flow(kept)) == "sex: every value was kept"


# Combinations


def spread(logs, records, domain=10):
    """An ambiguity with these combinations."""
    log10, counts = np.array(logs, dtype=np.float64), np.array(records, dtype=np.int64)
    top = float(log10.max()) if len(log10) else 0.0
    weights = 10.0 ** (log10 - top) * counts
    mean = top + math.log10(weights.sum() / counts.sum()) if len(log10) else 0.0
    return Ambiguity(0.5, 10.0 ** min(mean, 300), mean, {}, {"q": domain}, {"q": "hierarchy"}, 0, log10, counts)


@given(
    st.lists(st.tuples(st.one_of(st.just(0.0), st.floats(0, 12), st.floats(0, 900)), st.integers(1, 10**6)), min_size=1)
)
def test_bars_hold_every_record_within_the_axis(rows):
    result = spread(*zip(*rows, strict=True))
    figure = combination_distribution(result)
    assert_calm(figure)
    (bars,) = figure.data
    assert len(bars.y) <= MAX_BINS
    assert sum(bars.y) == sum(number for _, number in rows)
    low, high = figure.layout.xaxis.range
    assert low == 0 < high
    assert max(log for log, _ in rows) <= high + 1e-9
    assert all(low <= x <= high for x in bars.x)
    (line,) = figure.layout.shapes
    assert line.x0 == result.log10_mean_combinations
    assert 1 <= len(figure.layout.xaxis.tickvals) <= 7


def test_the_mean_is_labelled_and_the_title_says_the_finding():
    figure = combination_distribution(spread([0, 1, 6], [2, 5, 1], 10**6))
    assert title(figure) == "At least half of the records are consistent with at most 10 combinations each"
    assert [read(note.text) for note in figure.layout.annotations] == ["mean 125,006"]
    assert read(figure.data[0].hovertext[2]) == "1 million combinations 1 record, 12.5%"
    figure = combination_distribution(spread([0, 6], [3, 1], 10**6))
    assert title(figure) == "75% of the records are consistent with a single combination; 25% with every possible one"
    figure = combination_distribution(spread([0, 2], [3, 1], 10**6))
    assert title(figure) == "75% of the records are consistent with a single combination"
    figure = combination_distribution(spread([0], [4]))
    assert title(figure) == "Every record is consistent with a single combination"
    assert read(figure.data[0].hovertext[0]) == "1 combination 4 records, 100%"
    assert "no record" in title(combination_distribution(spread([], [])))


def test_300_000_classes_make_few_bars():
    generator = np.random.default_rng(1)
    figure = combination_distribution(spread(generator.normal(8, 1, 300_000).clip(0), np.ones(300_000)))
    assert marks(figure) <= MAX_BINS
