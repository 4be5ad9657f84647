"""Singling out: how often a predicate that matches one released record matches exactly one original record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates, require_original_records, require_records
from metrics.aggregates.perturbation import columns_beyond
from metrics.attacks.predicates import ATTEMPTS, CLASS_AND_VALUE, CountedRecords, Matcher, Predicates, draw_predicates
from metrics.attacks.rates import AttackRate, CriterionAttack
from metrics.attacks.singling_out import working
from metrics.config.parameters import AttackParameters, Parameters
from metrics.config.roles import Roles
from metrics.errors import Unavailable
from metrics.formatting import format_number, percent, within_sentence
from metrics.hierarchies.labels import recoded_labels
from metrics.interruption import report
from metrics.metric import AttackRow, Direction, Family, KnownQuantity, Metric, MetricChart
from metrics.tables.table import Table
from metrics.texts import text

PREDICATES = 2_000
"""Predicates that the attack is made with, at most."""

_MIN_DESCRIPTIONS = 30
"""Fewest descriptions for which a share is relied on."""


@dataclass(frozen=True)
class SinglingOut(CriterionAttack):
    """`value` is the share of predicates, each matching one released record, that match exactly one original record."""

    by_columns: Mapping[str, tuple[int, int]]
    """Predicates and successes by their number of columns, or by "quasi-identifiers and a sensitive attribute"."""
    class_and_value: Mapping[str, float]
    """By sensitive attribute the share of released records whose labels of all quasi-identifiers and whose value match
    no other released record and exactly one original record."""
    class_and_all_values: float | None
    """The share for the values of all sensitive attributes together; None of fewer than two."""
    unlike_original: tuple[str, ...] = ()
    """The columns with numbers that mostly no original record has, so that no description with them fits one."""

    @property
    def not_advised(self) -> str:
        """Why no limit applies, where descriptions hold numbers that no original record has."""
        if not self.unlike_original:
            return ""
        return text("singling_out_attack.not_checked", columns=list(self.unlike_original))

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """For each sensitive attribute the share of records singled out by class and value."""
        return dict(self.class_and_value)

    def details(self) -> dict[str, Any]:
        """Baseline, control, excess, interval, predicates by number of columns, records by class and value."""
        return {
            **self.rate.details(),
            "by_columns": {name: {"predicates": n, "successes": s} for name, (n, s) in self.by_columns.items()},
            "class_and_value": dict(self.class_and_value),
            "class_and_all_values": self.class_and_all_values,
        }

    @property
    def finding(self) -> str:
        """The finding on descriptions, without what it is compared with, and without a full stop."""
        if not self.rate.attempts:
            return text("singling_out_attack.no_predicate")
        if not self.is_reliable:
            return text("singling_out_attack.few", number=self.rate.attempts, hits=round(self.rate.successes))
        return text("singling_out_attack.finding", predicates=self.rate.attempts, value=self.value)

    @property
    def headline(self) -> str:
        """How many of all records are singled out; then the finding, and what it is compared with if that is enough."""
        finding = super().headline if self.is_reliable else f"{self.finding}."
        return f"{self._of_records}; {within_sentence(finding)}" if self._of_records else finding

    @property
    def brief(self) -> str:
        """How many of all records are singled out; of descriptions only where that says nothing."""
        return f"{self._of_records}." if self._of_records else self.headline

    @property
    def in_short(self) -> str:
        """How many of all records can be singled out; of descriptions only where that says nothing."""
        for knowledge, share in self.singled_out.items():
            return text("singling_out_attack.of_records", share=share, knowledge=knowledge)
        return self.finding

    @property
    def rates(self) -> Mapping[str, AttackRate]:
        """The rate; empty if there are too few descriptions."""
        return {text("singling_out_attack.row"): self.rate} if self.is_reliable else {}

    def attack_rows(self, title: str) -> tuple[AttackRow, ...]:
        """The shares of all records that are singled out, in a chart of attacks."""
        return tuple(
            AttackRow(text("attack.row.singling_out", knowledge=knowledge), share)
            for knowledge, share in self.singled_out.items()
        )

    @property
    def singled_out(self) -> Mapping[str, float]:
        """The shares of all records singled out by what is known of them, the most knowledge first.

        With a single sensitive value, it is the one that singles out most.
        """
        shares = {}
        if self.class_and_all_values is not None:
            shares[text("singling_out_attack.by_all_values")] = self.class_and_all_values
        largest = max(self.class_and_value, key=self.class_and_value.__getitem__, default=None)
        if largest is not None:
            shares[text("singling_out_attack.by_value", column=largest)] = self.class_and_value[largest]
        return shares

    @property
    def _of_records(self) -> str:
        """How many of all records are singled out, and by what, without a full stop.

        Empty if that is not known, or if it adds nothing: no description fits a single record.
        """
        if not self.rate.attempts and not any(self.singled_out.values()):
            return ""
        shares: list[str] = []
        for knowledge, share in self.singled_out.items():
            if shares:
                more = text("singling_out_attack.of_records_too", share=share, knowledge=knowledge)
                shares.append(within_sentence(more))
            else:
                shares.append(text("singling_out_attack.of_records", share=share, knowledge=knowledge))
        return ", ".join(shares)

    @property
    def is_reliable(self) -> bool:
        """Whether there are enough descriptions for a share."""
        return self.rate.attempts >= _MIN_DESCRIPTIONS


def single_out(aggregates: Aggregates, parameters: AttackParameters) -> SinglingOut:
    """Draw predicates that match exactly one released record, and count those that match exactly one original record.

    A predicate is the labels of a random released record in 1, 2 or 3 random columns, identifiers apart, or in all
    quasi-identifiers and one sensitive attribute; a record matches if every label covers its value. The baseline draws
    each label independently. Records need not be matched. Raises Unavailable if no column can be
    used, or without the records of both tables.
    Source: M. Giomi et al., "A unified framework for quantifying privacy risk in synthetic data", PoPETs 2023(2),
    doi 10.56553/popets-2023-0055; Article 29 Working Party, Opinion 05/2014 on anonymisation techniques.
    """
    roles, original, released = aggregates.roles, require_original_records(aggregates), require_records(aggregates)
    usable = _usable_columns(original, released, roles)
    records = CountedRecords.from_table(released, [*usable, *roles.quasi_identifiers])
    evidence = aggregates.comparison.evidence
    matcher = partial(Matcher, records, hierarchies=aggregates.hierarchies, evidence=evidence)
    released_matcher, original_matcher = matcher(None), matcher(original)
    rng = np.random.default_rng(parameters.seed)
    predicates = draw_predicates(records, roles, usable, rng)
    first_predicates = _first(_of_one_record(predicates, released_matcher), PREDICATES)
    holdout = aggregates.holdout
    holdout_matcher = (
        None if holdout is None or any(name not in holdout for name in records.columns) else matcher(holdout)
    )
    by_columns: dict[str, tuple[int, int]] = {}
    lucky = controlled = 0
    for number_done, group in enumerate(first_predicates, 1):
        tries, hits = by_columns.get(group.kind, (0, 0))
        number = len(group.order)
        singles_out = original_matcher.matches(group.with_independent(records, rng)) == 1
        by_columns[group.kind] = (tries + number, hits + int(singles_out[:number].sum()))
        lucky += int(singles_out[number:].sum())
        controlled += 0 if holdout_matcher is None else int((holdout_matcher.matches(group) == 1).sum())
        report(0.5 + 0.4 * number_done / len(first_predicates))
    attempts = sum(tries for tries, _ in by_columns.values())
    rate = AttackRate(
        successes=sum(hits for _, hits in by_columns.values()),
        attempts=attempts,
        baseline=lucky / attempts if attempts else 0.0,
        control=None if holdout_matcher is None or not attempts else controlled / attempts,
        exact=False,
    )
    sensitive = [name for name in roles.sensitive if name in usable]
    share_of = partial(_class_and_values, aggregates, parameters.seed, released_matcher, original_matcher)
    together = share_of(sensitive) if len(sensitive) > 1 else None
    by_attribute = {name: share_of([name]) for name in sensitive}
    beyond = [name for name in columns_beyond(aggregates, usable) if not recoded_labels(evidence(name).pair)]
    return SinglingOut(rate, by_columns, by_attribute, together, tuple(beyond))


def _of_one_record(predicates: Sequence[Predicates], released: Matcher) -> list[Predicates]:
    """Those that match exactly one released record."""
    unique = []
    for number_done, group in enumerate(predicates, 1):
        unique.append(group.restrict_to(released.matches(group) == 1))
        report(0.5 * number_done / len(predicates))
    return unique


def _usable_columns(original: Table, released: Table, roles: Roles) -> list[str]:
    """The columns of both tables that do not name people. Raises Unavailable without one, or without records."""
    if not original.rows or not released.rows:
        raise Unavailable(text("unavailable.no_records"))
    naming = {*roles.identifiers, *roles.matching.key, roles.person}
    usable = [name for name in released.names if name not in naming and name in original]
    if not usable:
        raise Unavailable(text("singling_out_attack.unavailable.no_column"))
    return sorted(usable)


def _first(predicates: Sequence[Predicates], limit: int) -> list[Predicates]:
    """The first predicates drawn, at most `limit`."""
    order = np.sort(np.concatenate([group.order for group in predicates]))
    last = order[min(limit, len(order)) - 1] if len(order) else -1
    return [
        restricted
        for restricted in (group.restrict_to(group.order <= last) for group in predicates)
        if len(restricted.order)
    ]


def _class_and_values(
    aggregates: Aggregates, seed: int, released_matcher: Matcher, original_matcher: Matcher, sensitive: Sequence[str]
) -> float:
    """The share of released records singled out by class and values of these attributes; if many, an estimate."""
    columns = (*aggregates.roles.quasi_identifiers, *sensitive)
    combinations = aggregates.relation.count(columns)
    unique = np.flatnonzero(combinations.counts == 1)
    if not len(unique):
        return 0.0
    sample = unique if len(unique) <= ATTEMPTS else np.random.default_rng(seed).choice(unique, ATTEMPTS, replace=False)
    codes = tuple(code[sample].astype(np.int64) for code in combinations.codes)
    predicates = Predicates(CLASS_AND_VALUE, columns, codes, sample)
    singled_out = (released_matcher.matches(predicates) == 1) & (original_matcher.matches(predicates) == 1)
    return float(singled_out.mean()) * len(unique) / aggregates.anonymized.rows


def _compute(aggregates: Aggregates, parameters: Parameters) -> SinglingOut:
    return single_out(aggregates, parameters.attack)


def _records_singled_out(result: SinglingOut) -> str:
    """The share of records singled out by those who know most of them; "—" without a sensitive attribute."""
    return next(map(percent, result.singled_out.values()), format_number(None))


def _chart(result: Any, aggregates: Aggregates) -> Any:
    from metrics.attacks.chart import attack_dumbbell

    return attack_dumbbell({text("singling_out_attack.row"): result.rate}, result.finding)


SINGLING_OUT_ATTACK = Metric(
    id="singling_out_attack",
    family=Family.ATTACKS,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    is_share=True,
    ranks_tables=False,  # a share of the descriptions that fit one record, of which a safer table has fewer
    formula=r"\frac{|\{p : |\{r : p(r)\}| = 1\}|}{|\{p\}|}",
    reference="M. Giomi et al., A unified framework for quantifying privacy risk in synthetic data, PoPETs 2023(2), "
    "doi 10.56553/popets-2023-0055; Article 29 Working Party, Opinion 05/2014 on anonymisation techniques (WP216)",
    known_quantity=KnownQuantity(id="singling_out_attack.known_quantity", maximum=1, write=_records_singled_out),
    compute=_compute,
    on_demand=True,
    settings=("attack",),
    criterion="singling_out",
    charts=(MetricChart(_chart),),
    working=working.WORKING,
)
