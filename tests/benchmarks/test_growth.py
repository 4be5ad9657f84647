"""Growth in records and classes, on tables of a moment."""

import pytest

from benchmarks.growth import exponent, measure


def test_a_pair_of_small_tables_is_read_and_scored() -> None:
    (section,) = measure([("few", 2_000)], repetitions=1)
    (point,) = section.points
    assert point["records"] == 2_000
    assert 0 < point["classes"] < 2_000
    assert point["seconds"] == pytest.approx(point["read"] + point["score"])
    assert {line.unit for line in section.lines} == {"s", "times", "MB"}
    assert all(line.value > 0 for line in section.lines)


@pytest.mark.parametrize(("seconds", "expected"), [(10.0, 1.0), (100.0, 2.0), (1.0, 0.0)])
def test_exponent(seconds: float, expected: float) -> None:
    points = [{"records": 100, "seconds": 1.0}, {"records": 1_000, "seconds": seconds}]
    assert exponent(points, "records", "seconds") == pytest.approx(expected)
