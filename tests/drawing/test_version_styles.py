"""The styles of versions: each its own, with contrast, and the same in every figure."""

from itertools import combinations

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


# Machado, Oliveira and Fernandes 2009, severity 1.0, https://doi.org/10.1109/TVCG.2009.113
SEEN_BY = {
    "all cones": np.eye(3),
    "no red cones": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "no green cones": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.119192, 0.9503041]]
)
WHITE = TO_XYZ.sum(axis=1)


def cie_lab(colour: str, seen: np.ndarray) -> np.ndarray:
    """CIE L*a*b* of #rrggbb, as it is seen."""
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    x, y, z = TO_XYZ @ np.clip(seen @ linear, 0, 1) / WHITE
    x, y, z = (np.cbrt(v) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in (x, y, z))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("seen", SEEN_BY.values(), ids=SEEN_BY)
def test_every_two_colours_of_versions_are_far_apart_also_for_colour_blind_readers(seen: np.ndarray) -> None:
    assert cie_lab("#FFFFFF", SEEN_BY["all cones"]) == pytest.approx([100, 0, 0], abs=1e-3)
    distances = [np.linalg.norm(cie_lab(one, seen) - cie_lab(other, seen)) for one, other in combinations(COLOURS, 2)]
    assert min(distances) >= 20


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
        (["a_light.csv", "a_strict.csv", "repaired_k5"], ["light", "strict", "repaired_k5"]),
        (["one_table.csv.gz"], ["one_table"]),
        (["a_table.csv", "a_table.parquet"], ["a_table.csv", "a_table.parquet"]),
        (["a_.csv", "a_b.csv"], ["a_.csv", "a_b.csv"]),
    ],
)
def test_names_lose_what_most_share_and_stay_different(labels: list[str], expected: list[str]) -> None:
    assert list(short_names(labels).values()) == expected
