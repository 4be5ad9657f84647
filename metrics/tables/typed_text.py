"""The text of typed cells: one rule for tables in memory, columnar files, workbooks and engines.

- Text stays unchanged; null, NaN and NaT are missing.
- Integers: "3". Decimals keep their scale: "1.50".
- Floats: the shortest text that reads back as the same number: "0.1", "1e+22", "3.0". A column of whole floats with
  missing cells is an integer column that pandas had to widen: "3".
- Booleans: "True", "False", as Python and pandas write them.
- Dates: "2024-01-31". Timestamps: "2024-01-31 09:30:00", with a fraction if there is one and the offset from UTC if
  the column has a time zone; the date alone if every cell of the column is midnight without a time zone. Times:
  "09:30:00".

Nested types, durations and binary data that is not UTF-8 have no such text and are refused by the column's name.
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.errors import InputError
from metrics.tables.dictionary_codes import BLANKS

_WHOLE = 2**53
_ZEROS = re.compile(r"(?:\[\$[^\]]*\])?(00+)")
"""The format of a number that a spreadsheet shows with leading zeros."""


def arrow_text(cells: pa.ChunkedArray, file: str, column: str) -> pa.ChunkedArray:
    """Dictionary-encoded text of a typed column, null where a cell is missing.

    The rule is applied to the distinct values alone. Raises InputError for types without a text, and for damaged text.
    """
    texts = _encoded_text(cells, file, column)
    try:
        for chunk in texts.chunks:
            chunk.dictionary.validate(full=True)
    except pa.ArrowInvalid:
        raise _damaged_text_error(texts, file, column) from None
    return texts


def _encoded_text(cells: pa.ChunkedArray, file: str, column: str) -> pa.ChunkedArray:
    kind = cells.type
    if pa.types.is_dictionary(kind):
        if is_text(kind.value_type) and not any(chunk.dictionary.null_count for chunk in cells.chunks):
            return cells
        if pa.types.is_string_view(kind.value_type):
            return pa.chunked_array(
                [_dictionary_with_texts(chunk.indices, chunk.dictionary.cast(pa.string())) for chunk in cells.chunks],
                pa.dictionary(pa.int32(), pa.string()),
            )
        return _encoded_text(cells.cast(kind.value_type), file, column)
    if pa.types.is_null(kind):
        return cells.cast(pa.string()).dictionary_encode()
    if pa.types.is_string_view(kind):
        cells = cells.cast(pa.large_string())
    if pa.types.is_float16(kind):
        cells = cells.cast(pa.float32())
    if pa.types.is_nested(kind):
        raise _unsupported_values_error("nested data", file, column)
    encoded = cells.dictionary_encode().unify_dictionaries()
    if encoded.num_chunks == 0:
        return pa.chunked_array([], pa.dictionary(pa.int32(), pa.string()))
    # Values that only missing cells represent (NaN) become null, and so do their cells.
    texts = _distinct_text(encoded.chunk(0).dictionary, encoded.null_count > 0, file, column)
    return pa.chunked_array([_dictionary_with_texts(chunk.indices, texts) for chunk in encoded.chunks])


def python_text(cell: Any) -> str | None:
    """The text of one Python object, None if it is missing; whole floats as integers. Raises TypeError for others."""
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, bool | np.bool_ | int | np.integer | Decimal):
        return str(cell)
    if isinstance(cell, float | np.floating):
        number = float(cell)
        if math.isnan(number):
            return None
        return str(int(number)) if number.is_integer() and abs(number) < _WHOLE else str(cell)
    if cell != cell:  # NaT and pandas' like
        return None
    if isinstance(cell, datetime.datetime):
        midnight = cell.tzinfo is None and cell.time() == datetime.time()
        return cell.date().isoformat() if midnight else cell.isoformat(" ")
    if isinstance(cell, datetime.date | datetime.time):
        return cell.isoformat()
    raise TypeError("an object that has no text as a cell")


def workbook_text(cell: Any) -> str:
    """The trimmed text of a cell of an openpyxl sheet, "" if it is empty."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime.timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    text = (python_text(value) or "").strip(BLANKS)
    if isinstance(value, int | float) and text.isdecimal():
        zeros = _ZEROS.fullmatch(cell.number_format.partition(";")[0])
        return text.zfill(len(zeros[1])) if zeros else text
    return text


def object_text(cells: Iterable[Any], file: str, column: str) -> pa.ChunkedArray:
    """Text of a column of mixed Python objects, as pandas keeps numbers beside "*". Raises InputError."""
    with suppress(TypeError, ValueError):
        return pa.chunked_array([pa.array([python_text(cell) for cell in cells], pa.string())])
    raise _unsupported_values_error("objects", file, column)


def is_text(kind: Any) -> bool:
    """Whether an Arrow type is text."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _dictionary_with_texts(indices: pa.Array, texts: pa.StringArray) -> pa.DictionaryArray:
    if texts.null_count:
        distinct_texts = pc.unique(texts.drop_null())
        new_indices = pc.index_in(texts, value_set=distinct_texts)
        return pa.DictionaryArray.from_arrays(new_indices.take(indices), distinct_texts)
    return pa.DictionaryArray.from_arrays(indices.cast(pa.int32()), texts)


def _distinct_text(values: pa.Array, widened: bool, file: str, column: str) -> pa.StringArray:
    """Text of a column's distinct values; `widened`: cells of the column are missing."""
    kind, types = values.type, pa.types
    if types.is_floating(kind):
        return _float_text(values, widened)
    if types.is_boolean(kind):
        return pc.if_else(values, pa.scalar("True"), pa.scalar("False"))
    if types.is_timestamp(kind):
        return _timestamp_text(values)
    if types.is_time(kind):
        return _without_zeros(values.cast(pa.string()).to_pylist())
    text_types = (types.is_integer, types.is_decimal, types.is_date, is_text, types.is_binary, types.is_large_binary)
    if any(is_type(kind) for is_type in text_types):
        with suppress(pa.ArrowInvalid):
            return values.cast(pa.string())
    raise _unsupported_values_error("durations" if types.is_duration(kind) else f"{kind} data", file, column)


def _float_text(values: pa.Array, widened: bool) -> pa.StringArray:
    cells = values.to_numpy(zero_copy_only=False)
    present = cells[~np.isnan(cells)]
    widened = widened or len(present) < len(cells)
    as_integers = widened and bool(np.all(np.isfinite(present)) and np.all(present == np.floor(present)))
    write = (lambda number: str(int(number))) if as_integers else str
    # numpy writes a float32 shortest for its own width.
    return pa.array([None if math.isnan(number) else write(number) for number in cells], pa.string())


def _timestamp_text(values: pa.Array) -> pa.StringArray:
    zone = values.type.tz
    local_time = pc.local_timestamp(values) if zone else values
    if not zone and pc.all(pc.equal(pc.floor_temporal(values, unit="day"), values)).as_py() is not False:
        return pc.strftime(values, format="%Y-%m-%d")
    text = _without_zeros(local_time.cast(pa.string()).to_pylist())
    if not zone:
        return text
    shifts = (None if shift is None else f"{shift[:3]}:{shift[3:]}" for shift in _offsets(values))
    texts_with_offset = [
        None if label is None else f"{label}{shift}" for label, shift in zip(text.to_pylist(), shifts, strict=True)
    ]
    return pa.array(texts_with_offset, pa.string())


def _offsets(values: pa.Array) -> list[str | None]:
    offsets: list[str | None] = pc.strftime(values, format="%z").to_pylist()
    return offsets


def _without_zeros(texts: Sequence[str | None]) -> pa.StringArray:
    """Times without the trailing zeros of their fraction of a second."""
    return pa.array([text.rstrip("0").rstrip(".") if text and "." in text else text for text in texts], pa.string())


def _damaged_text_error(texts: pa.ChunkedArray, file: str, column: str) -> InputError:
    """The error for the first record whose text is not UTF-8."""
    before = 0
    for chunk in texts.chunks:
        damaged_codes = [
            code for code, text in enumerate(chunk.dictionary.cast(pa.large_binary())) if _is_damaged(text)
        ]
        damaged = np.flatnonzero(np.isin(chunk.indices.fill_null(-1).to_numpy(), damaged_codes))
        if len(damaged):
            before += int(damaged[0])
            break
        before += len(chunk)
    return InputError(
        f"record {before + 1:,} holds bytes that are not text in UTF-8",
        remedy="correct the cell, or export the table again",
        file=file,
        column=column,
    )


def _is_damaged(text: pa.Scalar) -> bool:
    try:
        (text.as_py() or b"").decode()
    except UnicodeDecodeError:
        return True
    return False


def _unsupported_values_error(kind: str, file: str, column: str) -> InputError:
    return InputError(
        f"the column holds {kind}, which have no text as cells",
        remedy="turn it into text, numbers or dates, or leave it out",
        file=file,
        column=column,
    )
