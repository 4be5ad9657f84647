"""Which values of several columns are the same, however a number is written."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from metrics.interruption import checkpoint
from metrics.matching.released_values import plain_numbers
from metrics.tables.dictionary_codes import int32_of
from metrics.tables.table import Codes, Column


def shared_codes(columns: Sequence[Column]) -> tuple[list[Codes], int]:
    """For each distinct value of each column a number that equal values share, and how many numbers there are.

    34, 34.0 and +34 are equal; codes such as 00123 equal themselves alone, and a missing value equals a missing one.
    """
    checkpoint()
    numbers = np.concatenate([plain_numbers(column) for column in columns])
    texts = pa.concat_arrays([column.values for column in columns]).dictionary_encode(null_encoding="encode")
    value_ids = int32_of(texts.indices).astype(np.int64)
    is_number = ~np.isnan(numbers)
    value_ids[is_number] = len(texts.dictionary) + np.unique(numbers[is_number], return_inverse=True)[1]
    distinct, codes = np.unique(value_ids, return_inverse=True)
    ends = np.cumsum([column.distinct for column in columns])
    return np.split(codes.astype(np.int32), ends[:-1]), len(distinct)
