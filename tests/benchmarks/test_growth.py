"""Growth in records and classes, on tables of a moment."""

from pathlib import Path

import pytest

from benchmarks import growth
from benchmarks.growth import exponent, measure
from benchmarks.processes import Figures, figures_of, peak_megabytes
from benchmarks.run_once import STEPS


def test_a_pair_of_small_tables_is_read_and_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    def scored_in_this_process(module: str, *arguments: str) -> Figures:
        if module != "benchmarks.run_once":
            return figures_of(module, *arguments)
        step, *files = arguments
        return STEPS[step](*map(Path, files)) | {"peak_megabytes": peak_megabytes()}

    monkeypatch.setattr(growth, "figures_of", scored_in_this_process)
    (section,) = measure([("few", 2_000)], repetitions=1)
    (point,) = section.points
    assert point["records"] == 2_000
    assert 0 < point["classes"] < 2_000
    assert point["seconds"] == pytest.approx(point["read"] + point["score"])
    assert {line.unit for line in section.lines} == {"s", "times", "MB"}
    assert all(line.value > 0 for line in section.lines)


@pytest.mark.parametrize(("seconds", "expected"), [(10.0, 1.0), (100.0, 2.0), (1.0, 0.0)])
def test_the_growth_exponent_is_the_slope_of_time_over_records_on_log_scales(seconds: float, expected: float) -> None:
    points = [{"records": 100, "seconds": 1.0}, {"records": 1_000, "seconds": seconds}]
    assert exponent(points, "records", "seconds") == pytest.approx(expected)
