"""The figure of risk and information kept: names stay apart, and show the text of a name whatever it looks like."""

import math
from itertools import combinations

import pytest

from metrics.figures.risk_and_information import Place, pareto, risk_and_information
from metrics.figures.risk_plane import Box, RiskPlane
from tests.figures.drawn import HEIGHT, WIDTH

LETTER, LINE = 6.0, 12.0


def boxes(places: dict[str, Place]) -> list[Box]:
    """Where the names stand on a plot as wide as the figure assumes."""
    drawn = risk_and_information(places, next(iter(places)), risk_limit=0.2, height=HEIGHT)
    plane = RiskPlane.of((place.risk for place in places.values()), 0.2, WIDTH, HEIGHT)
    found = []
    for one in drawn.layout.annotations[1:]:
        width = LETTER * len(one.text.removeprefix("<b>").removesuffix("</b>"))
        right, up = (one.ax, -one.ay) if one.showarrow else (one.xshift, one.yshift)
        x, y = plane.across(10**one.x) + right, plane.down(one.y) - up
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
    plane = RiskPlane.of((place.risk for place in named.values()), 0.2, WIDTH, HEIGHT)
    marks = [(plane.across(place.risk), plane.down(place.information)) for place in named.values()]
    assert len(found) == len(places)
    assert not any(one.shared(other) for one, other in combinations(found, 2))
    for box in found:
        assert not any(box.shared(Box(x - 5, y - 5, x + 5, y + 5)) for x, y in marks)
        assert box.left >= 0
        assert box.right <= WIDTH + 10


def test_a_name_is_text_and_the_current_one_is_bold() -> None:
    drawn = risk_and_information({"<i>a</i>": Place(0.5, 0.5), "b": Place(0.1, 0.4)}, "<i>a</i>")
    texts = {one.text: one for one in drawn.layout.annotations}
    assert set(texts) == {"<b>&lt;i&gt;a&lt;/i&gt;</b>", "b"}
    assert texts["b"].x == pytest.approx(math.log10(0.1))


def test_overstated_information_is_drawn_hollow_and_betters_no_other_candidate() -> None:
    places = {"generalized": Place(0.1, 0.4), "noisy": Place(0.05, 0.9, overstated=True)}
    drawn = risk_and_information(places, "generalized")
    assert pareto(places) == [places["generalized"]]
    assert [str(trace.marker.symbol).endswith("-open") for trace in drawn.data[1:]] == [False, True]
    assert "noisy (≤)" in [one.text for one in drawn.layout.annotations]
