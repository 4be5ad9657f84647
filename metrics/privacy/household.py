"""Household risk: how likely some member of a household is found, which gives away the other members, too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.record_groups import grouped_records
from metrics.config.parameters import Parameters
from metrics.metric import Direction, Family, Metric, Result
from metrics.tables.table import Floats, Integers
from metrics.texts import text


@dataclass(frozen=True, eq=False)
class HouseholdRisk(Result):
    """`risks` and `sizes` hold by household its risk, 0 to 1, and its members with records in classes."""

    risks: Floats
    sizes: Integers
    threshold: float

    @property
    def value(self) -> float:
        """The risk of the household most at risk."""
        return float(self.risks.max())

    @property
    def average(self) -> float:
        """The mean over records of the risk of their household."""
        return float(self.risks @ self.sizes / self.sizes.sum())

    @property
    def at_risk(self) -> int:
        """Households whose risk exceeds the threshold."""
        return int((self.risks > self.threshold).sum())

    def details(self) -> dict[str, Any]:
        """Households, records, the average over records, its sum and the households above the threshold."""
        return {
            "households": len(self.risks),
            "records": int(self.sizes.sum()),
            "average": self.average,
            "expected_reidentifications": float(self.risks @ self.sizes),
            "households_at_risk": self.at_risk,
        }

    def summary(self) -> str:
        return text(
            "household_risk.found",
            value=self.value,
            average=self.average,
            at_risk=self.at_risk,
            households=len(self.risks),
            threshold=self.threshold,
        )


def household_risk(household: Integers, class_of_record: Integers, threshold: float = 0.2) -> HouseholdRisk:
    r"""Household risk, :math:`1 - \prod_{i \in h} (1 - r_i)`: 0 to 1, lower is better.

    The probability that at least one member of a household is found, if members are found independently, each with the
    probability :math:`r_i = 1 / |E_i|`.

    The risk and the members of every household with a record in a class. `class_of_record`: the class of each record,
    -1 where it is suppressed; at least one is in a class.
    Source: M. Templ, A. Kowarik, B. Meindl, "Statistical disclosure control for micro-data using the R package
    sdcMicro", J. Stat. Softw. 67(4), 2015, doi 10.18637/jss.v067.i04, section on hierarchical (household) risk.
    """
    in_class = class_of_record >= 0
    _, household = np.unique(household[in_class], return_inverse=True)
    classes = class_of_record[in_class]
    with np.errstate(divide="ignore"):
        missed = np.log1p(-1 / np.bincount(classes)[classes])
    sizes = np.bincount(household)
    return HouseholdRisk(-np.expm1(np.bincount(household, weights=missed)), sizes, threshold)


def _compute(aggregates: Aggregates, parameters: Parameters) -> HouseholdRisk:
    threshold = parameters.reidentification_risk.threshold
    return household_risk(*grouped_records(aggregates, "household"), threshold)


HOUSEHOLD_RISK = Metric(
    id="household_risk",
    family=Family.PRIVACY,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    formula=r"\max_h 1 - \prod_{i \in h} \Bigl(1 - \frac{1}{|E_i|}\Bigr)",
    reference="M. Templ, A. Kowarik, B. Meindl, Statistical disclosure control for micro-data using the R package "
    "sdcMicro, Journal of Statistical Software 67(4), 2015, doi 10.18637/jss.v067.i04",
    compute=_compute,
    settings=("reidentification_risk",),
    needs_role="household",
)
