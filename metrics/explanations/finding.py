"""The finding on one candidate in at most three short sentences: who is exposed, what is lost."""

from __future__ import annotations

from metrics.explanations.verdict import clauses
from metrics.scoring.basis import perturbed_columns_of
from metrics.scoring.caveats import OfLevels
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text
from metrics.utility.cells import perturbed_columns


def finding(card: Scorecard) -> tuple[str, ...]:
    """What a reader must know first.

    Parameters
    ----------
    card : Scorecard
        The scores of one candidate.

    Returns
    -------
    tuple of str
        The weaknesses that the metrics declare in brief, the most serious kind first, or without any the first
        strength; then which columns are changed, and the share of records that are suppressed or removed. Names of
        columns are not escaped.
    """
    sizes = card.aggregates.class_sizes
    if not sizes.count:
        return (text("verdict.all_suppressed") if card.aggregates.anonymized.rows else text("verdict.no_records"),)
    brief = [clause for clause in clauses(card) if clause.brief]
    weaknesses = [clause.brief for clause in brief if clause.weakness]
    suppressed, removed = sizes.suppressed, card.aggregates.comparison.removed or 0
    lost = suppressed + removed
    share = lost / (sizes.kept + lost)
    shares = perturbed_columns_of(card.aggregates)
    return (
        *(weaknesses or [clause.brief for clause in brief][:1]),
        *([text("perturbed.classes", reason=perturbed_columns(shares))] if shares else []),
        *([text("verdict.suppressed_in_brief", share=share, suppressed=suppressed, removed=removed)] if lost else []),
    )


def released_labels(card: Scorecard) -> str | None:
    """How the labels of classes differ from the values of people: they are changed, or stand for several; else None."""
    changed = list(perturbed_columns_of(card.aggregates))
    if changed:
        return text("perturbed.shown", columns=changed)
    result = card["non_uniform_entropy"].result
    misread = list(result.misread) if isinstance(result, OfLevels) else []
    return text("perturbed.labels", columns=misread) if misread else None
