"""KL divergence, step by step: what each column may hold, what the anonymized table lets expect, the sum."""

from __future__ import annotations

import math

import numpy as np

from metrics.counting.counts import Combinations
from metrics.explanations.workings.ambiguity import RULES
from metrics.explanations.workings.latex import abbreviated, approx, lines, rounded, whole
from metrics.explanations.workings.steps import (
    WHOLE_TABLE,
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
from metrics.texts import text
from metrics.utility.kl_divergence import Joint, nothing_expected, with_classes, with_suppressed
from metrics.utility.spread import Spread, spread_of


def _domain_step(spreads: dict[str, Spread], suppressed: int) -> Step:
    rows: list[tuple[Cell, ...]] = [
        (short_label(name), spread.coverage.size, RULES[spread.coverage.rule]) for name, spread in spreads.items()
    ]
    domain = math.prod(spread.coverage.size for spread in spreads.values())
    product = abbreviated((whole(spread.coverage.size) for spread in spreads.values()), len(spreads), r"\times")
    return Step(
        text("kl_divergence.working.domain_title"),
        text("kl_divergence.working.domain_of_suppressed", suppressed=suppressed)
        if suppressed
        else text("kl_divergence.working.domain"),
        rf"|D| = {product}" + (f" = {whole(domain)}" if len(spreads) > 1 else ""),
        tabulated(text("kl_divergence.working.domain_columns"), rows, len(rows)),
    )


def _combination_label(spreads: dict[str, Spread], pairs: dict[str, Combinations], both: Joint, place: int) -> str:
    labels = []
    for elements, (name, spread) in zip(both.elements, spreads.items(), strict=True):
        code = int(np.flatnonzero(spread.element == elements[place])[0])
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
            text("kl_divergence.working.expected_title"),
            text("kl_divergence.working.expected"),
            table=tabulated(text("kl_divergence.working.expected_columns"), rows, len(order)),
        ),
        Step(
            text("kl_divergence.working.divergence_title"),
            text("kl_divergence.working.divergence", records=records),
            lines(rf"D &= {abbreviated(shown, len(order))}", rf"&{approx(value)}"),
            number=value,
        ),
    )
    return Working("kl_divergence", WHOLE_TABLE, steps)


def _decisive(card: Scorecard) -> Subject:
    finished(card, "kl_divergence")
    return Subject(0)


KL_DIVERGENCE = Derivation(Unit.TABLE, None, derive, _decisive)
