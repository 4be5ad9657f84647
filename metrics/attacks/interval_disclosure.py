"""Interval disclosure: how many released numbers lie so near the original ones that they disclose them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.perturbation import NumberPairs, NumericPairs, numeric_pairs
from metrics.config.parameters import Parameters
from metrics.metric import Direction, Family, Metric, Result
from metrics.texts import text
from metrics.working import two_step_measures

WIDTH: Final = 0.05
"""Half the width of the interval around a released number, in standard deviations of the original column."""


@dataclass(frozen=True)
class DisclosedNumbers:
    """The numbers of one column that both tables hold."""

    within: int
    """Records whose original number lies in the interval around the released one."""
    records: int
    standard_deviation: float
    """Standard deviation of the original column."""

    @property
    def share(self) -> float:
        """The share within."""
        return self.within / self.records


@dataclass(frozen=True)
class IntervalDisclosure(Result):
    """`value` is the share of released numbers within 5% of a standard deviation of the original number."""

    columns: Mapping[str, DisclosedNumbers]
    left_out: tuple[str, ...]
    """Columns of numbers that are generalized in the anonymized table, or that hold no number in both tables."""

    @property
    def value(self) -> float:
        """The share over the numbers of all columns."""
        records = sum(column.records for column in self.columns.values())
        return sum(column.within for column in self.columns.values()) / records

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The share of each column."""
        return {name: column.share for name, column in self.columns.items()}

    def details(self) -> dict[str, Any]:
        """The width of the interval, and the deviations and numbers behind the share."""
        return {
            "width": WIDTH,
            "standard_deviation": {name: column.standard_deviation for name, column in self.columns.items()},
            "numbers": {name: column.records for name, column in self.columns.items()},
            "left_out": list(self.left_out),
        }

    def summary(self) -> str:
        finding = text("interval_disclosure.finding", value=self.value, width=WIDTH)
        if len({column.share for column in self.columns.values()}) == 1:
            return finding
        worst = max(self.columns, key=lambda name: self.columns[name].share)
        return f"{finding} {text('interval_disclosure.most', column=worst, share=self.columns[worst].share)}"


def disclosed_numbers(pairs: NumberPairs) -> DisclosedNumbers:
    """The numbers of one column."""
    is_within = np.abs(pairs.after - pairs.before) <= WIDTH * pairs.deviation
    with np.errstate(over="ignore"):
        deviation = float(np.float64(pairs.deviation) * pairs.unit)
    return DisclosedNumbers(int(pairs.records[is_within].sum()), int(pairs.records.sum()), deviation)


def interval_disclosure(numeric: NumericPairs) -> IntervalDisclosure:
    r"""The share of released numbers with :math:`|x' - x| \le 0.05\, s`; 0 to 1, lower is better.

    `s` is the standard deviation (n − 1) of the original column. Each number counts once: the share is over the cells
    of matched records that hold a number in both tables.

    sdcMicro's `dRisk` is the same idea and differs, as do its documentation and its code. The documentation builds an
    interval "based on the standard deviation" around each perturbed value and does not say of which table. The code
    takes that of the perturbed column, so that more noise widens the intervals. It counts records rather than numbers:
    those of which every number lies within (since version 5.5.2) or all but one (before, which is always 100% for a
    single column); a missing number counts as within. Ours is the share of numbers on the scale of the original column:
    noise does not change the scale, the number of columns does not change the meaning, and a missing number discloses
    nothing.

    The share over all columns and that of each. `numeric`: pairs of original and released numbers of matched records,
    by column; at least one of each.
    Source: J. M. Mateo-Sanz, F. Sebé, J. Domingo-Ferrer, "Outlier protection in continuous microdata masking", Privacy
    in Statistical Databases 2004, doi 10.1007/978-3-540-25955-8_16.
    """
    return IntervalDisclosure({name: disclosed_numbers(pair) for name, pair in numeric.pairs.items()}, numeric.left_out)


def _compute(aggregates: Aggregates, parameters: Parameters) -> IntervalDisclosure:
    return interval_disclosure(numeric_pairs(aggregates))


INTERVAL_DISCLOSURE = Metric(
    id="interval_disclosure",
    family=Family.ATTACKS,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    is_share=True,
    formula=r"\frac{1}{|\mathcal{C}|} \sum_{(r, c) \in \mathcal{C}} \left[ |x'_{rc} - x_{rc}| \le 0.05\, s_c \right]",
    reference="J. M. Mateo-Sanz, F. Sebé, J. Domingo-Ferrer, Outlier protection in continuous microdata masking, "
    "Privacy in Statistical Databases 2004, doi 10.1007/978-3-540-25955-8_16",
    compute=_compute,
    about_perturbation=True,
    working=two_step_measures.INTERVAL_DISCLOSURE,
)
