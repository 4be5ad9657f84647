"""A flow of values as drawn: bands hold every record, labels stand at their nodes, few marks."""

import re

import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.texts import text
from metrics.utility.cells.changes import Change, Flow, FlowLink, FlowNode, flow, pair_changes
from metrics.utility.cells.flow_chart import value_flow
from tests.drawing.drawn import HOSTILE, assert_calm, read, takes_no_effect, title
from tests.utility.cells.test_changes import pair_of

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
    assert title(value_flow(Flow("age", (), (), ()))) == text("charts.value_flow.no_records")
    kept = Flow("sex", (FlowNode("m", 1),), (FlowNode("m", 1),), (FlowLink(0, 0, Change.KEPT, 1),))
    assert title(value_flow(kept)) == text("charts.value_flow.kept", column="sex")
