"""The finding on one candidate in short sentences: who is exposed, what is lost."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metrics.aggregates import Aggregates
from metrics.attacks.guessing.inferred_attributes import AttributeInference
from metrics.attacks.rates import NOTICEABLE, Attacker
from metrics.config.parameters import GroundDistance
from metrics.explanations.direct_identifiers import columns_to_settle, identifiers_summary
from metrics.explanations.ignoring_changes import successes_ignoring_changes
from metrics.explanations.misfit_labels import misfit_summary
from metrics.explanations.verdict import clauses
from metrics.matching.keys import Agreement, agreement
from metrics.matching.records import describe
from metrics.matching.released_values import is_empty
from metrics.privacy.alpha_k_anonymity import NEARLY_CERTAIN
from metrics.privacy.t_closeness import TCloseness
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import SUPPRESSED, Table
from metrics.texts import text
from metrics.utility.cells.caveats import perturbed_columns

_MIN_SUPPRESSED = 5
"""Fewest suppressed records for which it is reported what they share."""


def brief_finding(card: Scorecard) -> tuple[str, ...]:
    """Say what a reader must know first.

    Parameters
    ----------
    card : Scorecard
        The scores of one candidate.

    Returns
    -------
    tuple of str
        The direct identifiers that are shown; the weaknesses that the metrics declare in brief, the most serious kind
        first, or without any the first strength; then how much is guessed without the class, which columns are changed,
        which labels mean something else than in their hierarchy, and the share of records that are suppressed or
        removed. Names of columns are not escaped.
    """
    sizes = card.aggregates.class_sizes
    summary = identifiers_summary(card.aggregates)
    identifying = () if summary is None else (summary,)
    if not sizes.count:
        sentence = text("verdict.all_suppressed") if card.aggregates.anonymized.rows else text("verdict.no_records")
        return (*identifying, sentence)
    brief_clauses = [clause for clause in clauses(card) if clause.brief]
    weaknesses = [clause.brief for clause in brief_clauses if clause.weakness]
    suppressed, removed = sizes.suppressed, card.aggregates.comparison.removed or 0
    perturbed_shares, misfit = perturbed_columns_of(card.aggregates), misfit_summary(card.aggregates)
    return (
        *identifying,
        *(weaknesses or [clause.brief for clause in brief_clauses][:1]),
        *_class_unknown(card, perturbed=bool(perturbed_shares)),
        *([text("perturbed.classes", reason=perturbed_columns(perturbed_shares))] if perturbed_shares else []),
        *([] if misfit is None else [misfit]),
        *_lost(sizes.kept, suppressed, removed),
    )


def _class_unknown(card: Scorecard, *, perturbed: bool) -> Iterator[str]:
    """How often a sensitive value is guessed by who does not know the classes, where values do not tell them."""
    attack = card["attribute_inference_attack"].result
    if not isinstance(attack, AttributeInference) or Attacker.CLASS_KNOWN not in attack.stronger:
        return
    ignored_columns, ignoring = successes_ignoring_changes(card) if perturbed else ([], {})
    leading = ignoring.get("attribute_inference_attack")
    # Without the changed columns another attribute can be the most exposed: the column is that of the same result.
    leading = leading if isinstance(leading, AttributeInference) else attack
    rate = leading.class_unknown
    if not (perturbed or attack.most_specific) or attack.strongest.value < rate.value + NOTICEABLE:
        return
    column, value, baseline = leading.most_exposed, rate.value, rate.baseline
    if leading is attack:
        yield text("verdict.class_unknown", column=column, value=value, baseline=baseline)
    else:
        yield text("verdict.class_ignored", columns=ignored_columns, column=column, value=value, baseline=baseline)


def _lost(kept: int, suppressed: int, removed: int) -> Iterator[str]:
    """The share of the records that are suppressed or removed."""
    share = (suppressed + removed) / (kept + suppressed + removed)
    if suppressed and removed:
        yield text("verdict.lost_in_brief", share=share, suppressed=suppressed, removed=removed)
    elif suppressed:
        yield text("verdict.suppressed_in_brief", share=share, suppressed=suppressed)
    elif removed:
        yield text("verdict.removed_in_brief", share=share, removed=removed)


def before_release(card: Scorecard, *, sorts: bool = False) -> tuple[str, ...]:
    """Say what must be done, or known, before the table is released, whether or not it meets a policy.

    Parameters
    ----------
    card : Scorecard
        The scores of one candidate.
    sorts : bool
        Whether the file for release is sorted by its values, as that of a table made here is.

    Returns
    -------
    tuple of str
        The columns that only serve the assessment, and those with rare values, or that give a
        quasi-identifier away, that no class is judged by; the order of
        the records, where it links them to the original; the distance that decides on t-closeness; classes of a single
        known value; and what the suppressed records have in common.
    """
    return (
        *columns_to_settle(card.aggregates),
        *([text("verdict.in_order")] if not sorts and in_order_of_original(card.aggregates) else []),
        *deciding_distance(card),
        *single_known_values(card.aggregates),
        *suppressed_group(card),
    )


def single_known_values(aggregates: Aggregates) -> Iterator[str]:
    """Classes that are diverse only because a missing or suppressed sensitive value counts as one more value."""
    if aggregates.is_partitioned or not aggregates.class_sizes.count:
        return
    for name in aggregates.roles.sensitive:
        histogram = aggregates.histogram(name)
        known = ~is_empty(histogram.column, SUPPRESSED)[histogram.code]
        n_known = np.bincount(histogram.group[known], minlength=len(histogram.sizes))
        classes = (n_known == 1) & (histogram.distinct > 1)
        records = int(histogram.count[known & classes[histogram.group]].sum())
        if records:
            yield text("verdict.single_known", classes=int(classes.sum()), column=name, records=records)


def deciding_distance(card: Scorecard) -> Iterator[str]:
    """Say so where t-closeness meets its limit only by a distance at which some values are near each other."""
    closeness, variational = card["t_closeness"].result, card["p29"].details.get("max_t")
    if not isinstance(closeness, TCloseness) or not closeness.fulfilled or variational is None:
        return
    if variational > closeness.limit:
        others = {str(distance) for distance in closeness.distance.values() if distance is not GroundDistance.EQUAL}
        yield text("verdict.deciding_distance", t=variational, limit=closeness.limit, distances=sorted(others))


def in_order_of_original(aggregates: Aggregates) -> bool:
    """Judge whether the order of the records links them to the original.

    Parameters
    ----------
    aggregates : Aggregates
        The candidate with its original.

    Returns
    -------
    bool
        Whether records matched by a key follow each other as in the original, or those matched by position agree more
        than by chance in the columns that are released as they are.
    """
    original, released, roles = aggregates.original, aggregates.anonymized, aggregates.roles
    if not isinstance(original, Table) or not isinstance(released, Table):
        return False
    matching = describe(original, released, roles.matching)
    if matching.refusal is not None:
        return False
    if roles.matching.key:
        return matching.follows_original
    found = aggregates.memoize(_agreement_by_position, original, released)
    return found is not None and not found.doubtful


def _agreement_by_position(aggregates: Aggregates, original: Table, released: Table) -> Agreement | None:
    roles = aggregates.roles
    names = (*roles.sensitive, *roles.quasi_identifiers)
    return agreement(original, released, describe(original, released, roles.matching), names)


def suppressed_group(card: Scorecard) -> Iterator[str]:
    """What the suppressed records, which are in no class, disclose: nearly one value, or more than t allows."""
    aggregates, closeness = card.aggregates, card["t_closeness"].result
    if not isinstance(aggregates.anonymized, Table):
        return
    is_suppressed = aggregates.class_of_record() < 0
    records = int(is_suppressed.sum())
    if records < _MIN_SUPPRESSED or records == len(is_suppressed):
        return
    for name in aggregates.roles.sensitive:
        column = aggregates.anonymized[name]
        suppressed_counts, other_counts = (
            np.bincount(column.codes[rows], minlength=column.distinct) for rows in (is_suppressed, ~is_suppressed)
        )
        mode = int(suppressed_counts.argmax())
        share = float(suppressed_counts[mode] / records)
        if column.labels[mode] in (None, SUPPRESSED):
            continue
        if share >= NEARLY_CERTAIN:
            others = float(other_counts[mode] / other_counts.sum())
            yield text("verdict.suppressed_values", share=share, records=records, column=name, others=others)
        elif isinstance(closeness, TCloseness):
            distance = closeness.distance_of_group(name, suppressed_counts, other_counts)
            if distance is not None and distance > closeness.limit:
                yield text(
                    "verdict.suppressed_distance",
                    records=records,
                    column=name,
                    distance=distance,
                    limit=closeness.limit,
                )


def released_labels(card: Scorecard) -> str | None:
    """How the labels of classes differ from the values of people: they are changed, or represent several; else None."""
    changed = list(perturbed_columns_of(card.aggregates))
    if changed:
        return text("perturbed.shown", columns=changed)
    return ambiguous_labels(card)


def doubtful_to_attackers(card: Scorecard) -> str | None:
    """Say that attacks count labels with two meanings as covering the values of both; None if none is released."""
    aggregates = card.aggregates
    doubtful_columns = [
        name
        for name, hierarchy in aggregates.hierarchies.items()
        if name in aggregates.roles.quasi_identifiers
        and not {*hierarchy.ambiguous_labels}.difference([SUPPRESSED]).isdisjoint(aggregates.anonymized[name].labels)
    ]
    return text("attack.doubtful_labels", columns=doubtful_columns) if doubtful_columns else None


def columns_of_ambiguous_labels(card: Scorecard) -> list[str]:
    """The columns of which the information kept is overstated, because labels stand on two levels."""
    result = card["non_uniform_entropy"].result
    return [] if result is None else list(result.misread)


def ambiguous_labels(card: Scorecard) -> str | None:
    """Warn of labels that look like values but can represent several; None without any."""
    misread = columns_of_ambiguous_labels(card)
    return text("perturbed.labels", columns=misread) if misread else None
