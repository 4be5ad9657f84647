"""An order of records by what they are, not by where they stand: what is drawn by it does not depend on the file's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from metrics.interruption import watched
from metrics.tables.table import Codes, Column, Integers

Hashes = npt.NDArray[np.uint64]

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_MIXING = ((np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)), (np.uint64(27), np.uint64(0x94D049BB133111EB)))


def records_in_order(columns: Sequence[Column]) -> Integers:
    """Positions of the records in the order of their hashes; equal records are interchangeable."""
    return np.argsort(record_hashes(columns), kind="stable")


def record_hashes(columns: Sequence[Column], codes: Sequence[Codes] | None = None) -> Hashes:
    """A hash of each record's values, the same in every run, for at least one column.

    `codes` are those of the records by column, if not of all records of the columns.

    Source of the mixing: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA
    2014, doi 10.1145/2660193.2660195 (SplitMix64).
    """
    codes = [column.codes for column in columns] if codes is None else codes
    hashes = np.zeros(len(codes[0]), dtype=np.uint64)
    for column, code in zip(columns, codes, strict=True):
        of_value = np.array([_hash(label, column.decimal) for label in watched(column.labels)], dtype=np.uint64)
        hashes = hashes * _FACTOR + of_value[code]
    for shift, factor in _MIXING:
        hashes = (hashes ^ (hashes >> shift)) * factor
    return hashes ^ (hashes >> np.uint64(31))


def _hash(label: str | None, decimal: str) -> int:
    if label is not None and decimal in label and re.fullmatch(rf"[+-]?\d+\{decimal}\d*", label):
        # 3 and 3.0, as pandas writes it beside missing cells, are the same number.
        label = label.replace(decimal, ".").rstrip("0").rstrip(".")
    content = b"\0" if label is None else b"\1" + label.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(content, digest_size=8).digest(), "big")
