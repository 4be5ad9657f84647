"""The styles of versions: each its own, with contrast, and the same in every figure."""

import numpy as np
import pytest

from metrics.candidates.compare.parallel_chart import parallel_coordinates
from metrics.candidates.compare.trade_off_chart import trade_off
from metrics.drawing.size_curve import size_curves
from metrics.drawing.theme import MONEY, NEUTRAL, PRIVACY, UTILITY, VIOLATION
from metrics.drawing.version_styles import COLOURS, legend_room, short_names, version_styles
from metrics.privacy.reidentification_risk.chart import risk_curve_chart
from metrics.privacy.reidentification_risk.measure import reidentification_risk
from tests.drawing.test_theme import luminance
from tests.support.comparisons import comparison_of


def test_thirty_six_versions_differ_and_keep_their_style() -> None:
    labels = [str(number) for number in range(36)]
    styles = version_styles(labels)
    assert len(set(styles.values())) == 36
    assert len({(style.colour, style.symbol) for style in styles.values()}) == 36
    assert version_styles(labels[:5]) == {label: styles[label] for label in labels[:5]}


@pytest.mark.parametrize("colour", COLOURS)
def test_colours_of_versions_have_contrast_and_no_other_meaning(colour: str) -> None:
    assert 1.05 / (luminance(colour) + 0.05) >= 3
    assert (luminance(colour) + 0.05) / (luminance("#12161C") + 0.05) >= 3
    assert colour not in {PRIVACY, UTILITY, MONEY, VIOLATION, NEUTRAL}


def test_a_version_has_one_colour_in_every_figure() -> None:
    sizes = {name: np.array([2, 5, place + 1]) for place, name in enumerate("abc")}
    styles = version_styles("xabc")
    comparison = comparison_of({name: {"k_anonymity": place, "granularity": place} for place, name in enumerate("abc")})
    lines = [
        size_curves(sizes, 5, styles).data,
        risk_curve_chart({name: reidentification_risk(of) for name, of in sizes.items()}, 0.2, styles).data[:3],
        parallel_coordinates(comparison, ["k_anonymity"], styles).data,
    ]
    for traces in lines:
        assert [(trace.line.color, trace.line.dash) for trace in traces] == [
            (styles[name].colour, styles[name].dash) for name in "abc"
        ]
    points = trade_off(comparison, "k_anonymity", "granularity", None, styles).data[1:]
    assert [point.marker.color for point in points] == [styles[name].colour for name in "abc"]


def test_a_long_legend_does_not_shrink_the_plot() -> None:
    few, many = ({str(name): np.array([5]) for name in range(number)} for number in (4, 13))
    taller = size_curves(many, 5).layout.height - size_curves(few, 5).layout.height
    assert taller == legend_room(13) - legend_room(4) > 0


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["candidate_light.csv", "candidate_strict.csv"], ["light", "strict"]),
        (["adult-k5.csv", "adult-k50.csv", "adult-k5_repaired"], ["k5", "k50", "k5_repaired"]),
        (["one_table.csv.gz"], ["one_table"]),
        (["a_table.csv", "a_table.parquet"], ["a_table.csv", "a_table.parquet"]),
        (["a_.csv", "a_b.csv"], ["a_.csv", "a_b.csv"]),
    ],
)
def test_names_lose_what_all_share_and_stay_different(labels: list[str], expected: list[str]) -> None:
    assert list(short_names(labels).values()) == expected
