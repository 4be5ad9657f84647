"""Names on the plane of risk and information stay within the plot."""

from metrics.figures.risk_plane import RiskPlane
from tests.figures.drawn import HEIGHT


def test_a_name_that_fits_on_neither_side_of_its_mark_stays_within_the_plot() -> None:
    narrow, text = 260, "x" * 33
    (label,) = RiskPlane.of([0.05], 0.2, narrow, HEIGHT).labels([(200.0, 100.0)], [text], [True], [])
    width = 7.2 * len(text)
    left = label.x - width * {"start": 0, "middle": 0.5, "end": 1}[label.anchor]
    assert left >= 0
    assert left + width <= narrow + 10
