"""The ranking of quasi-identifiers, step by step: columns alone, several at once, all together."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from metrics.explanations.workings.latex import abbreviated, equals, lines, whole
from metrics.explanations.workings.steps import (
    WHOLE_TABLE,
    Derivation,
    Step,
    StepTable,
    Subject,
    Unit,
    Working,
    finished,
    short_label,
    tabulated,
)
from metrics.privacy.quasi_identifier_ranking import QuasiIdentifierRanking, Subset
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text
from metrics.wording import join_names


def _table(subsets: Sequence[Subset]) -> StepTable:
    rows = (
        (
            join_names([short_label(name) for name in one.columns]),
            f"{one.combinations:,}",
            f"{one.distinction:.6g}",
            f"{one.separation:.6g}",
        )
        for one in subsets
    )
    return tabulated(text("quasi_identifier_ranking.working.columns_columns"), rows, len(subsets))


def derive(card: Scorecard, subject: Subject) -> Working:
    """Each column, the subsets that tell the most, and all columns. Raises Unavailable."""
    finished(card, "quasi_identifier_ranking")
    result, classes = card["quasi_identifier_ranking"].result, card.aggregates.classes
    assert isinstance(result, QuasiIdentifierRanking)
    records = classes.kept
    steps = [
        Step(
            text("quasi_identifier_ranking.working.alone_title"),
            text("quasi_identifier_ranking.working.alone"),
            table=_table([one for one in result.ranking if len(one.columns) == 1]),
        )
    ]
    several = [one for one in result.ranking if len(one.columns) > 1]
    if several:
        steps.append(
            Step(
                text("quasi_identifier_ranking.working.several_title"),
                text(
                    "quasi_identifier_ranking.working.several",
                    subsets=len(several),
                    columns=max(len(one.columns) for one in several),
                ),
                table=_table(several),
            )
        )
    pairs = records * (records - 1)
    sizes, numbers = (found.tolist() for found in np.unique(classes.sizes, return_counts=True))
    apart = sum(number * size * (records - size) for size, number in zip(sizes, numbers, strict=True))
    if pairs:
        terms = [
            rf"{whole(number)} \times {whole(size)} \times {whole(records - size)}"
            for size, number in zip(sizes, numbers, strict=True)
        ]
        separation = Fraction(apart, pairs)
        steps.append(
            Step(
                text("quasi_identifier_ranking.working.pairs_title"),
                text("quasi_identifier_ranking.working.pairs"),
                lines(
                    rf"&\sum_E |E| (N - |E|) = {abbreviated(terms, len(terms))} = {whole(apart)}",
                    rf"&\frac{{{whole(apart)}}}{{{whole(records)} \times {whole(records - 1)}}} {equals(separation)}",
                ),
                number=float(separation),
            )
        )
    distinction = Fraction(classes.count, records)
    steps.append(
        Step(
            text("quasi_identifier_ranking.working.distinction_title"),
            text("quasi_identifier_ranking.working.distinction", classes=classes.count, records=records),
            rf"\frac{{{whole(classes.count)}}}{{{whole(records)}}} {equals(distinction)}",
            number=float(distinction),
        )
    )
    return Working("quasi_identifier_ranking", WHOLE_TABLE, tuple(steps))


def _decisive(card: Scorecard) -> Subject:
    finished(card, "quasi_identifier_ranking")
    return Subject(0)


QUASI_IDENTIFIER_RANKING = Derivation(Unit.TABLE, None, derive, _decisive)
