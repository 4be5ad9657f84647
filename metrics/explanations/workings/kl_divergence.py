"""KL divergence, step by step: what each column may hold, what the anonymized table lets expect, the sum."""

from __future__ import annotations

import math

import numpy as np

from metrics.counting.counts import Combinations
from metrics.explanations.workings.latex import abbreviated, about, lines, rounded, whole
from metrics.explanations.workings.steps import (
    Cell,
    Derivation,
    Step,
    Subject,
    Unit,
    Working,
    finished,
    first_of,
    short_label,
    tabulated,
)
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import Floats, Integers
from metrics.utility.kl_divergence import Joint, nothing_expected, with_classes, with_suppressed
from metrics.utility.spread import Spread, spread_of
from metrics.wording import pluralize

_RULES = {
    "hierarchy": "leaves of the hierarchy",
    "integers": "whole numbers of the range",
    "original values": "values of the original",
}


def _domain_step(spreads: dict[str, Spread], suppressed: int) -> Step:
    rows: list[tuple[Cell, ...]] = [(short_label(name), of.of.size, _RULES[of.of.rule]) for name, of in spreads.items()]
    domain = math.prod(of.of.size for of in spreads.values())
    lost = f" {pluralize(suppressed, 'suppressed or deleted record')} can have any of them." if suppressed else ""
    product = abbreviated((whole(of.of.size) for of in spreads.values()), len(spreads), r"\times")
    return Step(
        "Possible values of a record",
        f"A generalized value stands for each value that it covers with the same probability.{lost}",
        rf"|D| = {product}" + (f" = {whole(domain)}" if len(spreads) > 1 else ""),
        tabulated(("column", "possible values", "which are"), rows, len(rows)),
    )


def _combination_label(spreads: dict[str, Spread], pairs: dict[str, Combinations], both: Joint, place: int) -> str:
    labels = []
    for elements, (name, of) in zip(both.elements, spreads.items(), strict=True):
        code = int(np.flatnonzero(of.element == elements[place])[0])
        labels.append(short_label(pairs[name].columns[0].labels[code]))
    return first_of(labels)


def _terms(both: Joint) -> Floats:
    counts = both.counts.astype(np.float64)
    terms: Floats = counts / counts.sum() * (np.log(counts) - both.log_expected)
    return terms


def derive(card: Scorecard, subject: Subject) -> Working:
    """What each combination of original values is expected to be, its share of the divergence, the sum."""
    finished(card, "kl_divergence")
    aggregates = card.aggregates
    names = aggregates.roles.quasi_identifiers
    spreads = {name: spread_of(aggregates, name) for name in names}
    pairs = {name: aggregates.comparison.pair(name) for name in names}
    suppressed = aggregates.classes.suppressed + aggregates.comparison.deleted
    in_order = list(spreads.values())
    both = nothing_expected(aggregates.comparison.original_combinations, in_order)
    both = with_suppressed(with_classes(both, aggregates.classes, in_order), in_order, suppressed)
    terms = _terms(both)
    order: Integers = np.argsort(-terms, kind="stable")
    expected = np.exp(both.log_expected)
    rows = (
        (
            _combination_label(spreads, pairs, both, place),
            int(both.counts[place]),
            f"{expected[place]:.6g}",
            f"{terms[place]:.6g}",
        )
        for place in map(int, order)
    )
    value = max(float(terms.sum()), 0.0)
    records = int(both.counts.sum())
    shown = (
        rf"\frac{{{whole(int(both.counts[i]))}}}{{{whole(records)}}} \ln \frac{{{whole(int(both.counts[i]))}}}"
        rf"{{{rounded(float(expected[i]))}}}"
        for i in order
    )
    steps = (
        _domain_step(spreads, suppressed),
        Step(
            "Expected records",
            "For every combination of original values: the sum, over the classes that cover it, of the records "
            "of the class divided by the number of combinations it covers.",
            table=tabulated(("combination", "records", "expected", "contribution"), rows, len(order)),
        ),
        Step(
            "The divergence",
            f"The share of each combination among {pluralize(records, 'record')}, times the logarithm of the "
            "ratio of records to expected records; the largest contributions first.",
            lines(rf"D &= {abbreviated(shown, len(order))}", rf"&{about(value)}"),
            number=value,
        ),
    )
    return Working("kl_divergence", "the whole table", steps)


def _decisive(card: Scorecard) -> Subject:
    finished(card, "kl_divergence")
    return Subject(0)


KL_DIVERGENCE = Derivation(Unit.TABLE, None, derive, _decisive)
