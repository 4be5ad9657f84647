"""Tables for Spark: an original and an anonymized one, and their card in memory."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import metrics

HIERARCHIES = {"N": metrics.Hierarchy([["1", "1-2", "*"], ["2", "1-2", "*"], ["3", "3-4", "*"], ["4", "3-4", "*"]])}


def write_pair(folder: Path) -> tuple[Path, Path]:
    """An original and an anonymized table: some records deleted or suppressed, in another order, some cells missing."""
    chance = random.Random(29)
    records = [
        (
            f"r{i}",
            chance.choice("1234"),
            chance.choice(["a", "b ", "b"]),
            chance.choice([1, 2, 3, None]),
            chance.choice("xy"),
        )
        for i in range(400)
    ]
    # Names that differ in case alone, and one that engines like for counts.
    names = ("id", "N", "n", "count", "s")
    kept = [record for record in records if chance.random() < 0.9]
    chance.shuffle(kept)
    changed = [
        (i, "*", "*", c, s) if chance.random() < 0.1 else (f" {i}", "1-2" if N in "12" else "3-4", n, c, s)
        for i, N, n, c, s in kept
    ]
    paths = folder / "original.parquet", folder / "anonymized.parquet"
    for path, rows in zip(paths, (records, changed), strict=True):
        table = pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
        pq.write_table(table, path, row_group_size=100)
    return paths


def in_memory(files: tuple[Path, Path], roles: metrics.Roles, wanted: Sequence[str]) -> metrics.Scorecard:
    """The card to be equalled."""
    original, anonymized = map(metrics.read_table, files)
    return metrics.score(anonymized, roles, original=original, hierarchies=HIERARCHIES, metrics=wanted)
