"""KL divergence, step by step: what each column may hold, what the anonymized table lets expect, the sum."""

from __future__ import annotations

import math

import numpy as np

from metrics.counts import Combinations
from metrics.scorecard import Scorecard
from metrics.table import Floats, Integers
from metrics.utility.kl_divergence import Joint, nothing_expected, with_classes, with_suppressed
from metrics.utility.spread import Spread, spread_of
from metrics.wording import counted
from metrics.working.latex import abbreviated, about, lines, rounded, whole
from metrics.working.steps import (
    MOST_NAMED,
    Cell,
    Derivation,
    Step,
    Subject,
    Unit,
    Working,
    brief,
    finished,
    tabulated,
)

_RULES = {
    "hierarchy": "leaves of the hierarchy",
    "integers": "whole numbers of the range",
    "original values": "values of the original",
}


def _domain_step(spreads: dict[str, Spread], suppressed: int) -> Step:
    rows: list[tuple[Cell, ...]] = [(brief(name), of.of.size, _RULES[of.of.rule]) for name, of in spreads.items()]
    domain = math.prod(of.of.size for of in spreads.values())
    lost = (
        f" {counted(suppressed, 'record')} that are suppressed or deleted may hold any of them." if suppressed else ""
    )
    product = abbreviated((whole(of.of.size) for of in spreads.values()), len(spreads), r"\times")
    return Step(
        "What a record may hold",
        f"A generalized value stands for each value that it covers, and for each as likely as for another.{lost}",
        rf"|D| = {product}" + (f" = {whole(domain)}" if len(spreads) > 1 else ""),
        tabulated(("column", "possible values", "which are"), rows, len(rows)),
    )


def _named(spreads: dict[str, Spread], pairs: dict[str, Combinations], both: Joint, place: int) -> str:
    labels = []
    for elements, (name, of) in zip(both.elements, spreads.items(), strict=True):
        code = int(np.flatnonzero(of.element == elements[place])[0])
        labels.append(brief(pairs[name].columns[0].labels[code]))
    shown = ", ".join(labels[:MOST_NAMED])
    return shown if len(labels) <= MOST_NAMED else f"{shown} and {len(labels) - MOST_NAMED} more"


def _terms(both: Joint) -> Floats:
    counts = both.counts.astype(np.float64)
    terms: Floats = counts / counts.sum() * (np.log(counts) - both.log_expected)
    return terms


def derive(card: Scorecard, subject: Subject) -> Working:
    """What each combination of original values is expected to be, its share of the divergence, the sum."""
    finished(card, "kl_divergence")
    evidence = card.evidence
    names = evidence.roles.quasi_identifiers
    spreads = {name: spread_of(evidence, name) for name in names}
    pairs = {name: evidence.pair(name) for name in names}
    suppressed = evidence.classes.suppressed + evidence.deleted
    in_order = list(spreads.values())
    both = nothing_expected(evidence.original_combinations, in_order)
    both = with_suppressed(with_classes(both, evidence.classes, in_order), in_order, suppressed)
    terms = _terms(both)
    order: Integers = np.argsort(-terms, kind="stable")
    expected = np.exp(both.log_expected)
    rows = (
        (_named(spreads, pairs, both, place), int(both.counts[place]), f"{expected[place]:.6g}", f"{terms[place]:.6g}")
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
            "What the anonymized table lets expect",
            "For every combination of original values: the records of each class that covers it, divided by the "
            "combinations that the class covers, added up.",
            table=tabulated(("combination", "records", "expected", "part of the divergence"), rows, len(order)),
        ),
        Step(
            "The divergence",
            f"Each combination's share of {counted(records, 'record')}, times the logarithm of how far records and "
            "expectation are apart; those that weigh most first.",
            lines(rf"D &= {abbreviated(shown, len(order))}", rf"&{about(value)}"),
            number=value,
        ),
    )
    return Working("kl_divergence", "the whole table", steps)


def _decisive(card: Scorecard) -> Subject:
    finished(card, "kl_divergence")
    return Subject(0)


KL_DIVERGENCE = Derivation(Unit.TABLE, None, derive, _decisive)
