"""Typed cells to text: the rule, type by type."""

import datetime as dt
import decimal
import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.errors import InputError
from metrics.tables.typed_text import arrow_text, object_text, python_text
from tests.reading.expectations import SECRET


def text(cells: pa.Array | pa.ChunkedArray) -> list[str | None]:
    chunked = cells if isinstance(cells, pa.ChunkedArray) else pa.chunked_array([cells])
    return arrow_text(chunked, "t", "c").to_pylist()


UTC_PLUS = dt.timezone(dt.timedelta(hours=8))


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (pa.array(["a", None, "", "None"]), ["a", None, "", "None"]),
        (pa.array(["a", None], pa.large_string()), ["a", None]),
        (pa.array(["a", None], pa.string_view()), ["a", None]),
        (pa.array([b"a", None], pa.binary()), ["a", None]),
        (pa.array(["x", "y", None, "x"]).dictionary_encode(), ["x", "y", None, "x"]),
        (pa.array([3, 1, None, 3], pa.int8()).dictionary_encode(), ["3", "1", None, "3"]),
        (pa.array([None, None]), [None, None]),
        (pa.array([3, -1, None, 2**62]), ["3", "-1", None, str(2**62)]),
        (pa.array([2**64 - 1], pa.uint64()), [str(2**64 - 1)]),
        (pa.array([1.0, 2.5, 0.1, 1e22, -0.0]), ["1.0", "2.5", "0.1", "1e+22", "-0.0"]),
        (pa.array([1.0, 2.0]), ["1.0", "2.0"]),
        (pa.array([1.0, 2.0, None]), ["1", "2", None]),
        (pa.array([1.0, 2.0, math.nan]), ["1", "2", None]),
        (pa.array([1.0, 2.5, None]), ["1.0", "2.5", None]),
        (pa.array([1.0, math.inf, None]), ["1.0", "inf", None]),
        (pa.array([None, math.nan], pa.float64()), [None, None]),
        (pa.array([0.1, 3.0], pa.float32()), ["0.1", "3.0"]),
        (pa.array([np.float16(0.5)], pa.float16()), ["0.5"]),
        (pa.array([decimal.Decimal("1.50"), None]), ["1.50", None]),
        (pa.array([True, False, None]), ["True", "False", None]),
        (pa.array([dt.date(2024, 1, 31), None]), ["2024-01-31", None]),
        (pa.array([dt.datetime(2024, 1, 31), None]), ["2024-01-31", None]),
        (
            pa.array([dt.datetime(2024, 1, 31), dt.datetime(2024, 1, 31, 9, 30)]),
            ["2024-01-31 00:00:00", "2024-01-31 09:30:00"],
        ),
        (pa.array([dt.datetime(2024, 1, 31, 9, 30, 0, 250_000)]), ["2024-01-31 09:30:00.25"]),
        (pa.array([1], pa.timestamp("ns")), ["1970-01-01 00:00:00.000000001"]),
        (
            pa.array([0, 90], pa.timestamp("s", "Asia/Taipei")),
            ["1970-01-01 08:00:00+08:00", "1970-01-01 08:01:30+08:00"],
        ),
        (pa.array([dt.time(9, 30), dt.time(0, 0, 0, 500)]), ["09:30:00", "00:00:00.0005"]),
        (pa.array([], pa.int64()), []),
    ],
)
def test_typed_cells_become_text_by_the_documented_rule(cells: pa.Array, expected: list[str | None]) -> None:
    assert text(cells) == expected


def test_chunked_arrays_become_one_column() -> None:
    assert text(pa.chunked_array([[1.0, 2.0], [3.0, None]])) == ["1", "2", "3", None]
    assert text(pa.chunked_array([], pa.int64())) == []


@pytest.mark.parametrize(
    ("cells", "what"),
    [
        (pa.array([[SECRET]]), "nested data"),
        (pa.array([{"x": SECRET}]), "nested data"),
        (pa.array([dt.timedelta(1)]), "durations"),
        (pa.array([b"\xff" + SECRET.encode()]), "binary data"),
    ],
)
def test_column_types_without_a_text_form_are_refused_with_the_column(cells: pa.Array, what: str) -> None:
    with pytest.raises(InputError) as caught:
        text(cells)
    assert str(caught.value).startswith(f't, column "c": the column holds {what}, which have no text')
    assert SECRET not in str(caught.value)


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=20))
def test_floats_read_back_as_the_same_number(numbers: list[float]) -> None:
    assert [float(label or "") for label in text(pa.array(numbers))] == numbers


@given(st.lists(st.none() | st.integers(-(2**53), 2**53), min_size=1, max_size=20))
def test_widened_integers_are_integers(numbers: list[int | None]) -> None:
    widened = pa.array([None if number is None else float(number) for number in [*numbers, None]], pa.float64())
    assert text(widened) == [None if number is None else str(number) for number in [*numbers, None]]


@given(st.lists(st.none() | st.datetimes(min_value=dt.datetime(1700, 1, 1)), min_size=1, max_size=10))
def test_timestamps_as_text_are_read_back_as_the_same_times(times: list[dt.datetime | None]) -> None:
    labels = text(pa.array(times, pa.timestamp("us")))
    assert [None if label is None else dt.datetime.fromisoformat(label) for label in labels] == times


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (None, None),
        ("00123", "00123"),
        (3, "3"),
        (3.0, "3"),
        (2.5, "2.5"),
        (1e300, "1e+300"),
        (math.nan, None),
        (True, "True"),
        (np.int64(4), "4"),
        (np.float64(4.5), "4.5"),
        (np.bool_(False), "False"),
        (decimal.Decimal("1.50"), "1.50"),
        (dt.date(2024, 1, 31), "2024-01-31"),
        (dt.datetime(2024, 1, 31), "2024-01-31"),
        (dt.datetime(2024, 1, 31, 9, 30), "2024-01-31 09:30:00"),
        (dt.datetime(2024, 1, 31, tzinfo=UTC_PLUS), "2024-01-31 00:00:00+08:00"),
        (dt.time(9, 30), "09:30:00"),
    ],
)
def test_python_objects_become_the_text_of_their_value(cell: object, expected: str | None) -> None:
    assert python_text(cell) == expected


def test_objects_without_a_text_form_are_refused_with_the_column() -> None:
    for cell in ([SECRET], {SECRET: 1}, np.array([1, 2])):
        with pytest.raises(InputError, match=r'^t, column "c": the column holds objects'):
            object_text([1, cell], "t", "c")
