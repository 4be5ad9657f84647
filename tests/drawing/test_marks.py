"""The data behind a figure is what it draws."""

import plotly.graph_objects as go
import pytest

import metrics
from metrics.drawing.class_tree import class_tree
from metrics.drawing.marks import marks
from metrics.drawing.risk_and_information import Place, risk_and_information
from metrics.drawing.version_styles import version_styles
from metrics.privacy.p29.chart import p29_breakdown
from metrics.privacy.p29.measure import P29
from metrics.privacy.p29.triangle_chart import p29_triangle
from tests.support.small_tables import written

TABLE = """
age   <b>place</b> illness
20-29 a&b          flu
20-29 a&b          cold
30-39 c            flu
30-39 c            cold
"""


@pytest.fixture
def card() -> metrics.Scorecard:
    return metrics.score(
        written(TABLE), metrics.Roles(quasi_identifiers=["age", "<b>place</b>"], sensitive=["illness"])
    )


def test_the_data_of_a_figure_have_a_row_for_every_mark(card: metrics.Scorecard) -> None:
    joint = card["p29"].result
    assert isinstance(joint, P29)
    for figure in (p29_breakdown(joint), p29_triangle(joint), class_tree(card.aggregates.classes, ["age"])):
        frame = marks(figure)
        assert len(frame) > 0
        assert frame["series"].notna().all()


def test_labels_of_marks_are_read_back_without_escapes(card: metrics.Scorecard) -> None:
    frame = marks(class_tree(card.aggregates.classes, ["<b>place</b>"]))
    assert {"a&b", "c"} <= set(frame["labels"])


def test_a_figure_without_marks_has_no_rows() -> None:
    assert len(marks(go.Figure())) == 0


def test_positions_have_the_names_of_their_axes_and_lines_between_versions_are_left_out() -> None:
    places = {name: Place(risk, 0.5, overstated=False, fails=False) for name, risk in (("a", 0.1), ("b", 0.2))}
    figure = risk_and_information(
        places, "a", risk_limit=None, information_limit=None, styles=version_styles(["a", "b"])
    )
    frame = marks(figure)
    assert list(frame) == ["series", "highest risk, logarithmic (lower is better)", "information kept"]
    assert frame.to_numpy().tolist() == [["a", 0.1, 0.5], ["b", 0.2, 0.5]]
