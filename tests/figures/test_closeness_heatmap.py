"""The heatmap: which cells it shows, what they tell, and which it marks."""

import numpy as np
import pytest
from hypothesis import given

from metrics import Roles
from metrics.aggregates import TableAggregates
from metrics.figures.closeness_heatmap import (
    MAX_ATTRIBUTES,
    MAX_CLASSES,
    MAX_MARKS,
    closeness_heatmap,
    heatmap_classes,
)
from metrics.figures.theme import SHADES, VIOLATION
from metrics.privacy.classes.closeness_curve import closeness_curve
from metrics.privacy.t_closeness import t_closeness
from tests.figures.drawn import HOSTILE, assert_calm, read, title
from tests.privacy.classes.test_closeness_curve import CLASSES, DISTANCES, measured
from tests.support.small_tables import table


def drawn_classes(count):
    """Classes `q = 0` and so on, whatever is measured of them."""
    content = table({"q": [f"{i:05}" for i in range(count)], "s": ["x"] * count})
    return TableAggregates(content, Roles(quasi_identifiers=["q"], sensitive=["s"])).classes


@given(CLASSES, DISTANCES)
def test_the_heatmap_has_a_shaded_cell_per_class_and_attribute(rows, limit):
    result, curve = measured(rows)
    result = curve.at(limit, result)
    classes = drawn_classes(len(rows))
    figure = closeness_heatmap(result, curve, classes, int(curve.order[-1]))
    assert_calm(figure)
    cells, lines, *_ = figure.data
    names = list(result.per_class)
    assert len(cells.base) == 2 * len(rows)
    by_distance = []
    for key, base, (index, position), text, color in zip(
        cells.y, cells.base, cells.customdata, cells.hovertext, cells.marker.color, strict=True
    ):
        distance = result.per_class[names[position]][index]
        assert key == names[position]
        assert curve.order[round(base - 0.5)] == index
        assert read(text) == f"q = {index:05} 1 record {names[position]}: t = {distance:.4f}"
        by_distance.append((distance, SHADES.index(color)))
    shades = [shade for _, shade in sorted(by_distance)]
    assert shades == sorted(shades)
    assert lines.marker.color == VIOLATION
    marked = {
        (key, rank)
        for key, base, length in zip(lines.y, lines.base, lines.x, strict=True)
        for rank in range(round(base + 0.5), round(base + length + 0.5))
    }
    assert marked == {
        (name, rank + 1)
        for name in names
        for rank, index in enumerate(curve.order.tolist())
        if result.per_class[name][index] > limit
    }
    pointer = next(note for note in figure.layout.annotations if note.text == "▼")
    assert pointer.x == len(rows)


def test_many_classes_and_attributes_stay_few_marks():
    content = {f"s{i}": [str(i * row % 7) for row in range(600)] for i in range(30)}
    aggregates = TableAggregates(
        table({"q": [f"{i // 2}" for i in range(600)], **content}),
        Roles(quasi_identifiers=["q"], sensitive=list(content)),
    )
    result = t_closeness(aggregates.sensitive(), {})
    curve = closeness_curve(result, aggregates.classes.sizes)
    figure = closeness_heatmap(result, curve, aggregates.classes)
    assert_calm(figure)
    cells = figure.data[0]
    assert len(cells.base) == MAX_MARKS
    assert len(set(cells.y)) == MAX_ATTRIBUTES
    assert heatmap_classes(result, curve).tolist() == curve.order[: MAX_MARKS // MAX_ATTRIBUTES].tolist()
    assert " and fewer for others (" in title(figure)
    assert title(figure).endswith("(shown: the 100 classes with the largest distances)")
    few, of_few = measured([(0.5, 0.5, 1)] * 900)
    assert len(heatmap_classes(few, of_few)) == MAX_CLASSES


def test_markup_in_labels_and_names_of_the_heatmap_is_shown_as_text():
    cells = [text for text in HOSTILE for _ in range(3)]
    aggregates = TableAggregates(
        table({HOSTILE[0]: cells, HOSTILE[2]: cells, HOSTILE[1]: cells[1:] + cells[:1]}),
        Roles(quasi_identifiers=[HOSTILE[0], HOSTILE[2]], sensitive=[HOSTILE[1]]),
    )
    result = t_closeness(aggregates.sensitive(), {})
    curve = closeness_curve(result, aggregates.classes.sizes)
    figure = closeness_heatmap(result, curve, aggregates.classes, 0)
    assert_calm(figure)
    assert any("onerror" in read(text) for text in figure.data[0].hovertext)


@pytest.mark.parametrize(
    ("rows", "finding"),
    [
        ([(0.1, 0.15, 1)] * 3, "No class exceeds t = 0.2; the largest distance is that of B (t = 0.15)"),
        ([(0.3, 0.1, 1), (0.3, 0.25, 1), (0.1, 0.1, 1)], "2 of 3 classes exceed t = 0.2: 2 for A and 1 for B"),
        ([(0.3, 0.1, 1)], "1 of 1 class exceeds t = 0.2: 1 for A"),
    ],
)
def test_the_title_of_the_heatmap_names_the_attribute_of_the_largest_distance(rows, finding):
    result, curve = measured(rows)
    assert title(closeness_heatmap(result, curve, drawn_classes(len(rows)))) == finding


def test_the_line_of_the_limit_separates_classes_above_it_from_those_within():
    result, curve = measured([(0.3, 0.1, 1), (0.1, 0.1, 1), (0.3, 0.1, 1)])
    figure = closeness_heatmap(result, curve, drawn_classes(3))
    strip, boundary = (shape.x0 for shape in figure.layout.shapes)
    assert strip == 0.2
    assert figure.layout.xaxis2.range == pytest.approx((0.1, 0.3))
    assert figure.layout.xaxis2.dtick == 0.04
    assert figure.data[2].width == pytest.approx([0.02] * 10)
    assert boundary == 2.5
    assert "2 above the limit" in [read(note.text) for note in figure.layout.annotations]
    assert np.array_equal(figure.layout.xaxis.range, [0.5, 3.5])
