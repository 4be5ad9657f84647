"""Distance to the closest record: how near released records lie to original ones. It does not measure membership."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from metrics.aggregates import Aggregates
from metrics.aggregates.perturbation import tables_of_single_values
from metrics.attacks.knowledge.gower import range_of
from metrics.config.parameters import Parameters
from metrics.interruption import report
from metrics.matching.released_values import holds_numbers, plain_numbers
from metrics.matching.shared_values import shared_codes
from metrics.metric import Direction, Family, Metric, Result
from metrics.tables.table import Floats, Integers, Table
from metrics.texts import text
from metrics.working import two_step_measures

_MAX_RECORDS: Final = 500
"""Records of each table whose closest record is sought; a seeded sample where there are more."""
_BLOCK: Final = 2**17
"""Distances held at once, few enough to stay in the processor's cache."""

Cells = npt.NDArray[Any]


@dataclass(frozen=True)
class ClosestRecord(Result):
    """`value` is the median distance of a released record to the closest original record."""

    distances: tuple[float, ...]
    """Distance of each released record examined, ascending."""
    original: tuple[float, ...]
    """Distance of original records to the closest other one, ascending; empty where there is a single record."""
    columns: tuple[str, ...]

    @property
    def value(self) -> float:
        """The median distance, 0 to 1."""
        return float(np.median(self.distances))

    @property
    def identical(self) -> float:
        """The share of released records that equal an original one."""
        return sum(distance == 0 for distance in self.distances) / len(self.distances)

    def details(self) -> dict[str, Any]:
        """The smallest distances, and those between original records."""
        return {
            "fifth_percentile": float(np.quantile(self.distances, 0.05)),
            "identical": self.identical,
            "original_median": float(np.median(self.original)) if self.original else None,
            "original_fifth_percentile": float(np.quantile(self.original, 0.05)) if self.original else None,
            "columns": list(self.columns),
            "records": len(self.distances),
            "measures_membership_risk": False,
        }

    def summary(self) -> str:
        """The finding, and what it does not say."""
        finding = text("distance_to_closest_record.finding", value=self.value, identical=self.identical)
        if self.original:
            between = text("distance_to_closest_record.original", original=float(np.median(self.original)))
            finding = f"{finding} {between}"
        return f"{finding} {text('distance_to_closest_record.note')}"


def _cells(original: Table, released: Table, name: str) -> tuple[list[Cells], Floats]:
    """The cells of a column of both tables: numbers in units of the original's range, or codes that equal values share.

    And for each original and released record a sort key that does not depend on the order of the records.
    """
    columns = (original[name], released[name])
    if holds_numbers(columns[0]):
        reach = range_of(columns[0].labels, columns[0].decimal) or 1.0
        cells: list[Cells] = [(plain_numbers(column) / reach)[column.codes] for column in columns]
        return cells, np.concatenate(cells)
    codes, _ = shared_codes(columns)
    order = np.concatenate([column.rank[column.codes] for column in columns]).astype(np.float64)
    return [code[column.codes] for code, column in zip(codes, columns, strict=True)], order


def _sampled_records(order: Sequence[Floats], seed: int) -> Integers:
    """Records to look at: a sample that does not depend on the order of the records."""
    positions = np.lexsort(list(order)[::-1])
    if len(positions) <= _MAX_RECORDS:
        return positions
    return positions[np.sort(np.random.default_rng(seed).choice(len(positions), _MAX_RECORDS, replace=False))]


def nearest_distances(
    targets: Sequence[Cells], pool: Sequence[Cells], own: Integers | None = None, done: float = 0.0
) -> Floats:
    """For each target the smallest mean distance over the columns to a record of the pool.

    `own` are the places of the targets in the pool, which are left out. It is half of the work, of which `done` is
    behind.
    """
    number, rows = len(targets[0]), len(pool[0])
    smallest = np.full(number, np.inf)
    width = max(_BLOCK // number, 1)
    for start in range(0, rows, width):
        total = np.zeros((number, min(width, rows - start)))
        for target, cells in zip(targets, pool, strict=True):
            total += _apart(target[:, None], cells[None, start : start + width])
        if own is not None:
            own_in_block = np.flatnonzero((own >= start) & (own < start + total.shape[1]))
            total[own_in_block, own[own_in_block] - start] = np.inf
        smallest = np.minimum(smallest, total.min(axis=1))
        report(done + min(start + width, rows) / rows / 2)
    mean: Floats = smallest / len(targets)
    return mean


def _apart(cells: Cells, other_cells: Cells) -> Floats:
    """Gower's distance in one column: the gap between numbers, at most 1, otherwise whether the cells differ."""
    if cells.dtype.kind != "f":
        differs: Floats = (cells != other_cells).astype(np.float64)
        return differs
    gap: Floats = np.minimum(np.abs(cells - other_cells), 1.0)
    if np.isnan(cells).any() or np.isnan(other_cells).any():
        missing = np.isnan(gap)
        gap[missing] = (np.isnan(cells) != np.isnan(other_cells))[missing]
    return gap


def closest_record(original: Table, released: Table, names: Sequence[str]) -> ClosestRecord:
    """Median over released records of the distance to the closest original record; 0 to 1.

    The distance is Gower's: the mean over the columns of the gap between two numbers over the original's range, at most
    1, and of 0 or 1 between other values. Two cells without a number are equal. It is shown because it is often asked
    for. It does not measure membership risk: Yao et al. infer membership in tables that this distance takes for safe,
    and find no relation between the two. The membership attack measures it.

    The distances of the released records, beside those between original records.
    Source: Z. Yao, N. Krčo, G. Ganev, Y.-A. de Montjoye, "The DCR delusion: measuring the privacy risk of synthetic
    data", 2025, arXiv 2505.01524. Distance: J. C. Gower, "A general coefficient of similarity and some of its
    properties", Biometrics 27(4), 1971, doi 10.2307/2528823.
    """
    names = sorted(names)
    columns = [_cells(original, released, name) for name in names]
    old, new = ([cells[side] for cells, _ in columns] for side in (0, 1))
    original_sample = _sampled_records([order[: original.rows] for _, order in columns], 0)
    released_sample = _sampled_records([order[original.rows :] for _, order in columns], 1)
    distances, between = nearest_distances([cells[released_sample] for cells in new], old), np.empty(0)
    if original.rows > 1:
        between = nearest_distances([cells[original_sample] for cells in old], old, original_sample, done=0.5)
    return ClosestRecord(tuple(np.sort(distances).tolist()), tuple(np.sort(between).tolist()), tuple(names))


def _compute(aggregates: Aggregates, parameters: Parameters) -> ClosestRecord:
    return closest_record(*tables_of_single_values(aggregates))


DISTANCE_TO_CLOSEST_RECORD = Metric(
    id="distance_to_closest_record",
    family=Family.ATTACKS,
    minimum=0,
    maximum=1,
    direction=Direction.HIGHER,
    formula=r"\mathrm{med}_{r'} \min_r \frac{1}{m} \sum_c d_c(r'_c, r_c)",
    reference="Z. Yao, N. Krčo, G. Ganev, Y.-A. de Montjoye, The DCR delusion: measuring the privacy risk of synthetic "
    "data, 2025 (arXiv 2505.01524), doi 10.48550/arXiv.2505.01524, which shows that it does not measure membership "
    "risk",
    compute=_compute,
    on_demand=True,
    about_perturbation=True,
    working=two_step_measures.DISTANCE_TO_CLOSEST_RECORD,
)
