"""KL divergence, step by step: what each column may hold, what the anonymized table lets expect, the sum."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.counting.counts import Combinations
from metrics.formatting import six_digits
from metrics.tables.table import Floats, Integers
from metrics.texts import text
from metrics.utility.ambiguity.working import RULES
from metrics.utility.cells.numbered_domain import NumberedDomain, numbered_domain_of
from metrics.utility.kl_divergence.joint import Joint, nothing_expected, with_classes, with_suppressed
from metrics.working.latex import abbreviated, approx, lines, rounded, whole
from metrics.working.steps import Cell, Step, first_of, short_label, step_of, tabulated, whole_table


def _domain_step(domains: dict[str, NumberedDomain], suppressed: int) -> Step:
    rows: list[tuple[Cell, ...]] = [
        (short_label(name), domain.coverage.size, RULES[domain.coverage.rule]) for name, domain in domains.items()
    ]
    size = math.prod(domain.coverage.size for domain in domains.values())
    product = abbreviated((whole(domain.coverage.size) for domain in domains.values()), len(domains), r"\times")
    return Step(
        text("kl_divergence.working.domain_title"),
        text("kl_divergence.working.domain_of_suppressed", suppressed=suppressed)
        if suppressed
        else text("kl_divergence.working.domain"),
        rf"|D| = {product}" + (f" = {whole(size)}" if len(domains) > 1 else ""),
        tabulated(text("kl_divergence.working.domain_columns"), rows, len(rows)),
    )


def _combination_label(
    domains: dict[str, NumberedDomain], pairs: dict[str, Combinations], joint: Joint, index: int
) -> str:
    labels = []
    for elements, (name, domain) in zip(joint.elements, domains.items(), strict=True):
        code = int(np.flatnonzero(domain.element == elements[index])[0])
        labels.append(short_label(pairs[name].columns[0].labels[code]))
    return first_of(labels)


def _terms(joint: Joint) -> Floats:
    counts = joint.counts.astype(np.float64)
    terms: Floats = counts / counts.sum() * (np.log(counts) - joint.log_expected)
    return terms


def derive(result: Any, aggregates: Aggregates, parameters: Parameters) -> tuple[Step, ...]:
    """What each combination of original values is expected to be, its share of the divergence, the sum."""
    names = aggregates.roles.quasi_identifiers
    domains = {name: numbered_domain_of(aggregates, name) for name in names}
    pairs = {name: aggregates.comparison.pair(name) for name in names}
    suppressed = aggregates.classes.suppressed + aggregates.comparison.deleted
    spread_list = list(domains.values())
    joint = nothing_expected(aggregates.comparison.original_combinations, spread_list)
    joint = with_suppressed(with_classes(joint, aggregates.classes, spread_list), spread_list, suppressed)
    terms = _terms(joint)
    order: Integers = np.argsort(-terms, kind="stable")
    expected = np.exp(joint.log_expected)
    rows = (
        (
            _combination_label(domains, pairs, joint, index),
            int(joint.counts[index]),
            six_digits(expected[index]),
            six_digits(terms[index]),
        )
        for index in map(int, order)
    )
    value = max(float(terms.sum()), 0.0)
    records = int(joint.counts.sum())
    formula_terms = (
        rf"\frac{{{whole(int(joint.counts[i]))}}}{{{whole(records)}}} \ln \frac{{{whole(int(joint.counts[i]))}}}"
        rf"{{{rounded(float(expected[i]))}}}"
        for i in order
    )
    return (
        _domain_step(domains, suppressed),
        step_of(
            "kl_divergence.working.expected",
            table=tabulated(text("kl_divergence.working.expected_columns"), rows, len(order)),
        ),
        step_of(
            "kl_divergence.working.divergence",
            lines(rf"D &= {abbreviated(formula_terms, len(order))}", rf"&{approx(value)}"),
            number=value,
            records=records,
        ),
    )


WORKING = whole_table(derive)
