"""What to know of the information kept beside its figure."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress

from metrics.errors import Unavailable
from metrics.explanations.bounds import as_bound
from metrics.formatting import percent
from metrics.scoring.compared_records import aggregates_for
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text
from metrics.utility.non_uniform_entropy.measure import NON_UNIFORM_ENTROPY, ColumnLoss, NonUniformEntropy, column_loss


def information_notes(card: Scorecard) -> Iterator[str]:
    """What the sign of the information kept means, and its value with every generalized column, where they differ."""
    score = card[NON_UNIFORM_ENTROPY.id]
    if not isinstance(score.result, NonUniformEntropy):
        return
    if score.result.is_bound:
        yield text("bounds.legend")
    others = _other_losses(card)
    if others:
        losses = [*score.result.columns.values(), *others.values()]
        kept = 1 - math.fsum(column.loss for column in losses) / math.fsum(column.largest for column in losses)
        yield text("loss.with_other_columns", columns=list(others), value=as_bound(score, percent(kept)))


def _other_losses(card: Scorecard) -> dict[str, ColumnLoss]:
    """The losses of columns that are no quasi-identifiers and were generalized by hierarchies of theirs."""
    aggregates = aggregates_for(NON_UNIFORM_ENTROPY, card.aggregates)
    roles, original = aggregates.roles, aggregates.original
    names = () if original is None else original.names
    losses = {}
    for name in (*roles.sensitive, *roles.insensitive):
        if name in aggregates.hierarchies and name in names and name in aggregates.anonymized.names:
            with suppress(Unavailable):  # the hierarchy lacks a value: nobody could count the column
                losses[name] = column_loss(aggregates.comparison.pair(name), aggregates.hierarchies[name])
    return {name: loss for name, loss in losses.items() if loss.is_changed and loss.largest}
