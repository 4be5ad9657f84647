"""The figure of risk and information kept: names stay apart, and show the text of a name whatever it looks like."""

import math
from itertools import combinations
from random import Random

import pytest

from metrics.drawing.label_placement import Box
from metrics.drawing.risk_and_information import Place, pareto, risk_and_information
from metrics.drawing.risk_plane import RiskPlane
from tests.drawing.drawn import HEIGHT, WIDTH
from tests.support.boxes import overlap

LETTER, LINE = 6.0, 12.0
Line = tuple[tuple[float, float], tuple[float, float]]


def boxes(places: dict[str, Place]) -> list[Box]:
    """Where the names stand on a plot as wide as the figure assumes."""
    drawn = risk_and_information(places, next(iter(places)), risk_limit=0.2, height=HEIGHT)
    plane = RiskPlane.from_risks((place.risk for place in places.values()), 0.2, WIDTH, HEIGHT)
    found = []
    for one in drawn.layout.annotations[1:]:
        width = LETTER * len(one.text.removeprefix("<b>").removesuffix("</b>"))
        right, up = (one.ax, -one.ay) if one.showarrow else (one.xshift, one.yshift)
        x, y = plane.to_x(10**one.x) + right, plane.to_y(one.y) - up
        left = x - width * {"left": 0, "center": 0.5, "right": 1}[one.xanchor]
        found.append(Box(left, y - LINE / 2, left + width, y + LINE / 2))
    return found


@pytest.mark.parametrize(
    "places",
    [
        [(1.0, 0.538), (0.1, 0.316), (0.0244, 0.252)],
        [(0.2, 0.5), (0.2, 0.52), (0.2, 0.54), (0.18, 0.5)],
        [(0.0001, 1.0), (1.0, 0.0), (1.0, 0.01)],
    ],
)
def test_names_are_apart_from_each_other_from_marks_and_within_the_plot(places: list[tuple[float, float]]) -> None:
    named = {f"candidate_number_{number}.csv": Place(*place) for number, place in enumerate(places)}
    found = boxes(named)
    plane = RiskPlane.from_risks((place.risk for place in named.values()), 0.2, WIDTH, HEIGHT)
    marks = [(plane.to_x(place.risk), plane.to_y(place.information)) for place in named.values()]
    assert len(found) == len(places)
    assert not any(overlap(one, other) for one, other in combinations(found, 2))
    for box in found:
        assert not any(overlap(box, (x - 5, y - 5, x + 5, y + 5)) for x, y in marks)
        assert box.left >= 0
        assert box.right <= WIDTH + 10


def leaders(places: dict[str, Place]) -> list[Line]:
    """The lines that join marks with names, from end to end."""
    drawn = risk_and_information(places, next(iter(places)), risk_limit=0.2, height=HEIGHT)
    plane = RiskPlane.from_risks((place.risk for place in places.values()), 0.2, WIDTH, HEIGHT)
    marks = [(plane.to_x(10**one.x), plane.to_y(one.y), one) for one in drawn.layout.annotations[1:] if one.showarrow]
    return [((x, y), (x + one.ax, y + one.ay)) for x, y, one in marks]


def cross(one: Line, other: Line) -> bool:
    """Whether the ends of each line are on both sides of the other."""

    def parted(line: Line, by: Line) -> bool:
        (x, y), (right, top) = by
        below, above = ((right - x) * (b - y) - (top - y) * (a - x) for a, b in line)
        return below * above < 0

    return parted(one, other) and parted(other, one)


@pytest.mark.parametrize("seed", range(8))
def test_lines_to_the_names_of_six_versions_in_a_crowd_do_not_cross(seed: int) -> None:
    random = Random(seed)
    risks = [random.choice([1, 0.2, 0.1, 0.05]) * random.uniform(0.7, 1) for _ in range(6)]
    kept = [0.5 + 0.125 * math.log10(risk) + random.uniform(-0.05, 0.05) for risk in risks]
    places = {
        f"candidate_number_{number}.csv": Place(*place) for number, place in enumerate(zip(risks, kept, strict=True))
    }
    assert not any(cross(one, other) for one, other in combinations(leaders(places), 2))
    assert not any(overlap(one, other) for one, other in combinations(boxes(places), 2))


def test_a_name_is_text_and_the_current_one_is_bold() -> None:
    drawn = risk_and_information({"<i>a</i>": Place(0.5, 0.5), "b": Place(0.1, 0.4)}, "<i>a</i>")
    texts = {one.text: one for one in drawn.layout.annotations}
    assert set(texts) == {"<b>&lt;i&gt;a&lt;/i&gt;</b>", "b"}
    assert texts["b"].x == pytest.approx(math.log10(0.1))


def test_overstated_information_is_drawn_hollow_and_betters_no_other_version() -> None:
    places = {"generalized": Place(0.1, 0.4), "noisy": Place(0.05, 0.9, overstated=True)}
    drawn = risk_and_information(places, "generalized")
    assert pareto(places) == [places["generalized"]]
    assert [str(trace.marker.symbol).endswith("-open") for trace in drawn.data[1:]] == [False, True]
    assert "noisy (≤)" in [one.text for one in drawn.layout.annotations]


def test_a_long_name_is_shortened_to_stand_beside_its_mark_on_its_side_of_the_limit() -> None:
    places = {
        "hospital_generalized_k5_40pct_of_the_first_wave.csv": Place(0.17, 0.4, overstated=True),
        "adult_anonymized_by_mondrian_with_everything.csv": Place(1.0, 0.7, fails=True),
    }
    plane = RiskPlane.from_risks((place.risk for place in places.values()), 0.2, WIDTH, HEIGHT)
    for place, box in zip(places.values(), boxes(places), strict=True):
        assert (box.top + box.bottom) / 2 == pytest.approx(plane.to_y(place.information), abs=1)
        line = plane.to_x(0.2)
        assert box.left >= line if place.risk > 0.2 else box.right <= line


def test_of_many_versions_the_current_one_and_those_of_the_front_are_named_and_all_have_a_hover_text() -> None:
    places = {f"table {number}": Place(0.1, 0.05 * number) for number in range(1, 12)}
    drawn = risk_and_information(places, "table 1")
    named = [one.text for one in drawn.layout.annotations]
    assert named == ["<b>table 1</b>", "table 11"]
    assert [trace.hovertext.split("<br>")[0] for trace in drawn.data[1:]] == list(places)
    eight = dict(list(places.items())[:8])
    assert len(risk_and_information(eight, "table 1").layout.annotations) == 8
