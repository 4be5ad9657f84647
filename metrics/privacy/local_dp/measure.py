"""Local differential privacy: ε of the columns whose cells were drawn with known probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.agreement import contradiction
from metrics.aggregates.guards import require_class_sizes, require_records
from metrics.aggregates.record_groups import group_of_record, is_divided
from metrics.config.parameters import Parameters
from metrics.errors import Unavailable
from metrics.formatting import join_names
from metrics.metric import Direction, Family, Metric, Result
from metrics.tables.randomization import Floats, Frequencies, Randomization, Redrawn
from metrics.tables.table import SUPPRESSED, Column, Described, Table
from metrics.texts import text


@dataclass(frozen=True, eq=False)
class RandomizedColumn:
    """What the probabilities of one column protect, and the shares that they let a reader estimate."""

    randomization: Randomization
    counts: Floats
    """Published cells of each value; suppressed ones left out."""
    true: Floats | None
    """The original's shares of the values; None without an original, or where it holds others."""

    @property
    def uniform_success(self) -> float:
        """Success of an attacker to whom all values are equally likely beforehand."""
        number = len(self.randomization.values)
        return self.randomization.success(np.full(number, 1 / number))

    @property
    def success(self) -> float | None:
        """Success of an attacker who knows the original's shares."""
        return None if self.true is None else self.randomization.success(self.true)

    @property
    def guessing(self) -> float | None:
        """Success of the same attacker without the table."""
        return None if self.true is None else float(self.true.max())

    @property
    def frequencies(self) -> Frequencies | None:
        """Estimates of the shares; None where the cells tell nothing."""
        return self.randomization.frequencies(self.counts)

    @property
    def shares(self) -> list[dict[str, Any]]:
        """By value the released and the estimated share with its interval; none where the cells tell nothing."""
        found = self.frequencies
        if found is None:
            return []
        figures = (array.tolist() for array in (found.released, found.estimated, *found.interval))
        names = ("value", "released", "estimated", "low", "high")
        return [dict(zip(names, each, strict=True)) for each in zip(self.randomization.values, *figures, strict=True)]

    @property
    def probabilities(self) -> str:
        """With which probabilities its cells were drawn, in words."""
        by, (least, most) = self.randomization, self.randomization.extremes
        if isinstance(by, Redrawn) and np.ptp(by.drawn) == 0:
            return text("local_dp.k_rr", values=len(by.values), least=least, most=most)
        return text("local_dp.probabilities", values=len(by.values), least=least, most=most)

    def promise(self, name: str) -> str:
        """What its ε bounds, in words."""
        epsilon = self.randomization.epsilon
        if epsilon == float("inf"):
            return text("local_dp.promise.nothing", column=name)
        return text("local_dp.promise.column", column=name, epsilon=epsilon, factor=float(np.exp(epsilon)))

    def attacker(self, name: str) -> str:
        """How often an attacker is right who knows the shares of the values, or takes them as equal."""
        if self.success is not None:
            return text("local_dp.success", column=name, success=self.success, guessing=self.guessing)
        number, success = len(self.randomization.values), self.uniform_success
        return text("local_dp.uniform", column=name, values=number, success=success, guessing=1 / number)


@dataclass(frozen=True, eq=False)
class LocalDP(Result):
    r"""`value` is the ε of a person, :math:`n \sum_j \max_y \ln (\max_x P_j(y|x) / \min_x P_j(y|x))`.

    The probabilities of a record are the Kronecker product of its columns', so that ε adds up exactly; a person with n
    records has n times as much.
    """

    columns: Mapping[str, RandomizedColumn]
    records_per_person: int = 1

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """ε of each column."""
        return {name: column.randomization.epsilon for name, column in self.columns.items()}

    @property
    def record_epsilon(self) -> float:
        """ε of a record: the sum of its columns'."""
        return float(sum(column.randomization.epsilon for column in self.columns.values()))

    @property
    def value(self) -> float:
        """ε of a person."""
        return self.records_per_person * self.record_epsilon

    @property
    def understates_risk(self) -> bool:
        """Whether ε is only that of a matrix which was taken from the data."""
        return any(column.randomization.from_data for column in self.columns.values())

    @property
    def not_advised(self) -> str:
        """Why no limit applies to an ε that guarantees nothing."""
        return text("local_dp.not_checked") if self.understates_risk else ""

    def details(self) -> dict[str, Any]:
        """ε of a record, a person's records, and by column its ε, an attacker's success, and the shares of its values.

        The true shares are left out: the table is to hide them, and only pages beside the original show them.
        """
        return {
            "record_epsilon": self.record_epsilon,
            "records_per_person": self.records_per_person,
            "from_data": self.understates_risk,
            "columns": self.attributes,
            "success": {name: column.success for name, column in self.columns.items()},
            "guessing": {name: column.guessing for name, column in self.columns.items()},
            "uniform_success": {name: column.uniform_success for name, column in self.columns.items()},
            "frequencies": {name: column.shares for name, column in self.columns.items()},
        }

    @property
    def promise(self) -> str:
        """What is promised of each column, in words for those who decide on a release, and what is not."""
        if self.understates_risk:
            return text("local_dp.promise.from_data", columns=list(self.columns), epsilon=self.value)
        sentences = [f"{column.promise(name)} {column.attacker(name)}" for name, column in self.columns.items()]
        if max(column.randomization.epsilon for column in self.columns.values()) < self.value < float("inf"):
            sentences.append(text("local_dp.promise.together", epsilon=self.value, factor=float(np.exp(self.value))))
        return " ".join([*sentences, text("local_dp.promise.secret"), text("local_dp.promise.not_covered")])

    @property
    def in_brief(self) -> str:
        """ε and the columns that it covers, and whether it guarantees nothing."""
        sign = "≥" if self.understates_risk else "="
        each = [text("pram.of_column", epsilon=epsilon, column=column) for column, epsilon in self.attributes.items()]
        finding = text("local_dp.finding", sign=sign, value=self.value, columns=list(self.columns))
        if len(each) > 1:
            finding = text("local_dp.finding_of_several", sign=sign, value=self.value, each=join_names(each))
        return " ".join([finding, *[text("local_dp.from_data")] * self.understates_risk])

    def summary(self) -> str:
        """The finding."""
        name, worst = max(self.columns.items(), key=lambda item: item[1].randomization.epsilon)
        sentences = [self.in_brief]
        if self.records_per_person > 1:
            sentences += [text("local_dp.people", records=self.records_per_person, epsilon=self.record_epsilon)]
        return " ".join([*sentences, worst.attacker(name)])


def _compute(aggregates: Aggregates, parameters: Parameters) -> LocalDP:
    if not aggregates.anonymized.rows:
        raise Unavailable(text("unavailable.no_records"))
    table = require_records(aggregates)
    if not table.randomization:
        require_class_sizes(aggregates)
        raise Unavailable(text("local_dp.unavailable.unknown"))
    for name in table.randomization:
        found = contradiction(aggregates, name)
        if found is not None:
            observed, expected = found.observed, found.expected
            raise Unavailable(
                text("local_dp.unavailable.value_contradicted", column=name, observed=observed, expected=expected)
                if found.of_one_value
                else text("local_dp.unavailable.contradicted", column=name, observed=observed, expected=expected)
            )
    columns = {name: _column(table[name], by, aggregates.original) for name, by in table.randomization.items()}
    return LocalDP(columns, _records_per_person(aggregates, table))


def _records_per_person(aggregates: Aggregates, table: Table) -> int:
    """How many records a person has at most, in the original where the table does not say whose its records are."""
    person, original = aggregates.roles.person, aggregates.original
    if person is None:
        return 1
    for known in (table, original):
        if not isinstance(known, Table) or person not in known or (known is table and is_divided(aggregates, person)):
            continue
        groups = group_of_record(known[person])
        if (groups >= 0).all():
            return int(np.bincount(groups, minlength=1).max())
    raise Unavailable(text("local_dp.unavailable.unknown_person", column=person))


def _column(column: Column, by: Randomization, original: Described | None) -> RandomizedColumn:
    if len(by.values) < 2:
        raise Unavailable(text("local_dp.unavailable.one_value", column=column.name))
    counts = _counts(column, by)
    if counts is None or not by.is_published[counts > 0].all():
        raise Unavailable(text("local_dp.unavailable.other_values", column=column.name))
    before = _counts(original[column.name], by) if original is not None and column.name in original else None
    true = before / before.sum() if before is not None and before.sum() else None
    return RandomizedColumn(by, counts, true)


def _counts(column: Column, by: Randomization) -> Floats | None:
    """Cells of each value, without suppressed ones that are no value; None where there are others."""
    counts = dict(zip(column.labels, column.counts().tolist(), strict=True))
    if set(counts) - {SUPPRESSED, *by.values}:
        return None
    return np.array([counts.get(value, 0) for value in by.values], dtype=float)


LOCAL_DP = Metric(
    id="local_dp",
    family=Family.PRIVACY,
    minimum=0,
    maximum=None,
    direction=Direction.LOWER,
    formula=r"\varepsilon = n \sum_j \max_y \ln \frac{\max_x P_j(y \mid x)}{\min_x P_j(y \mid x)}",
    reference="P. Kairouz, K. Bonawitz and D. Ramage, Discrete Distribution Estimation under Local Privacy, ICML 2016, "
    "doi 10.48550/arXiv.1602.07387; M. Alvim et al., 2022, doi 10.48550/arXiv.2204.13734",
    compute=_compute,
    about_perturbation=True,
)
