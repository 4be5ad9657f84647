"""Encodes Arrow text cells as integer codes and distinct values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from metrics.tables.formula_guard import without_guards

BLANKS = " \t\r\n\f\v\u00a0\u3000\ufeff"
"""Trimmed around cells and headers: ASCII blanks, the no-break space, the ideographic space, the byte-order mark."""


def encode(cells: pa.ChunkedArray | pa.Array, *, dense: bool = False) -> tuple[npt.NDArray[np.int32], pa.StringArray]:
    """Codes (int32, one per cell) and distinct values (text; null once where a cell is missing).

    Trimming and dropping unused values process the distinct values only, never the cells. `dense` states that every
    value of the given dictionaries occurs, as in those of the CSV reader, which saves counting them.
    """
    chunked = cells if isinstance(cells, pa.ChunkedArray) else pa.chunked_array([cells])
    if not pa.types.is_dictionary(chunked.type):
        chunked = chunked.cast(pa.string()).dictionary_encode()
    unified = chunked.unify_dictionaries()
    if unified.num_chunks == 0:
        return np.empty(0, dtype=np.int32), pa.nulls(0, pa.string())
    values = unified.chunk(0).dictionary.cast(pa.string())
    codes = _codes(unified, len(values))
    if unified.null_count:
        values = pa.concat_arrays([values, pa.nulls(1, pa.string())])
    return normalize(codes, values, dense=dense)


def normalize(
    codes: npt.NDArray[np.int32], values: pa.StringArray, *, dense: bool = False
) -> tuple[npt.NDArray[np.int32], pa.StringArray]:
    """Trim the values, merge those that become equal, drop unused ones, and renumber the codes.

    The apostrophe that guards a formula in a CSV file is trimmed, too.
    """
    trimmed = without_guards(pc.utf8_trim(values, characters=BLANKS))
    if dense and trimmed.null_count <= 1 and trimmed.equals(values):
        return codes, values
    present = trimmed if dense else trimmed.filter(arrow_of(np.bincount(codes, minlength=len(values)) > 0))
    distinct = pc.unique(present)
    if len(distinct) == len(values) and trimmed.equals(values):
        return codes, values
    renumbered = pc.index_in(trimmed, value_set=distinct)
    if renumbered.null_count:
        renumbered = renumbered.fill_null(0)
    return int32_of(renumbered)[codes], distinct


def _codes(unified: pa.ChunkedArray, missing: int) -> npt.NDArray[np.int32]:
    # Arrow reuses memory that parsing has freed; fresh memory from numpy takes ten times as long.
    indices = pa.concat_arrays([chunk.indices for chunk in unified.chunks]).cast(pa.int32())
    if indices.null_count:
        indices = indices.fill_null(missing)
    return int32_of(indices)


# pyarrow's own conversions from and to Python import pandas at first use, which takes longer than scoring a table.


def int32_of(integers: pa.Array) -> npt.NDArray[np.int32]:
    """An int32 array without nulls as a numpy array, not copied."""
    return _values(integers, np.int32)


def flags_of(flags: pa.BooleanArray) -> npt.NDArray[np.bool_]:
    """Flags as a numpy array of their own, false where they are null."""
    valid = pc.and_kleene(flags, flags.is_valid()) if flags.null_count else flags
    return np.array(_values(valid.cast(pa.int8()), np.int8), dtype=bool)


def floats_of(numbers: pa.DoubleArray) -> npt.NDArray[np.float64]:
    """A float64 array without nulls as a numpy array, not copied."""
    return _values(numbers, np.float64)


def _values(array: pa.Array, dtype: Any) -> npt.NDArray[Any]:
    """The values of an Arrow array of numbers without nulls."""
    if not len(array):
        return np.empty(0, dtype=dtype)
    return np.frombuffer(
        array.buffers()[1], dtype=dtype, count=len(array), offset=np.dtype(dtype).itemsize * array.offset
    )


def indices_in(values: pa.Array, among: pa.Array) -> npt.NDArray[np.int32]:
    """Position of each value among distinct others; -1 if it is not among them."""
    indices = pc.index_in(values, value_set=among)
    positions = int32_of(indices)
    if not indices.null_count:
        return positions
    # Read from the buffer, because filling nulls in Arrow imports pandas, too.
    is_valid = np.unpackbits(np.frombuffer(indices.buffers()[0], dtype=np.uint8), bitorder="little")
    is_absent = is_valid[indices.offset : indices.offset + len(indices)] == 0
    return np.where(is_absent, np.int32(-1), positions)


def arrow_of(numbers: npt.NDArray[Any]) -> pa.Array:
    """A numpy array of numbers or flags as an Arrow array; numbers are not copied."""
    plain = np.ascontiguousarray(numbers.view(np.int8) if numbers.dtype == bool else numbers)
    array = pa.Array.from_buffers(pa.from_numpy_dtype(plain.dtype), len(plain), [None, pa.py_buffer(plain)])
    return array.cast(pa.bool_()) if numbers.dtype == bool else array


def text_array(texts: Sequence[str | None]) -> pa.StringArray:
    """Texts as an Arrow array, None as null."""
    encoded = [b"" if text is None else text.encode() for text in texts]
    offsets = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    is_valid = np.packbits(np.array([text is not None for text in texts], dtype=bool), bitorder="little")
    return pa.StringArray.from_buffers(
        len(encoded), pa.py_buffer(offsets), pa.py_buffer(b"".join(encoded)), pa.py_buffer(is_valid)
    )
