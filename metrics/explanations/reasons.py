"""Why a table meets or fails the policy: the limits behind its status, and what their metrics measure."""

from __future__ import annotations

from metrics.explanations.checked_version import CheckedVersion
from metrics.explanations.findings import findings, said
from metrics.formatting import join_names, sentence_case, within_sentence
from metrics.metric import FindingKind
from metrics.policy.limitable_measures import DIRECT_IDENTIFIERS, SUPPRESSION, LimitResult, Outcome, measure_text
from metrics.policy.policy import Status
from metrics.privacy.classes.worst_class import kept_records
from metrics.scoring.catalog import BY_ID
from metrics.scoring.class_filter import failing_by_limit
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text

_MAX_REASONS = 3


def limits_summary(version: CheckedVersion) -> str:
    """Say how many limits are met, in one sentence."""
    if version.status is Status.NO_LIMITS:
        return text("decision.no_limits")
    count = version.result.count_summary()
    return f"{sentence_case(count)}."


def reasons(version: CheckedVersion) -> list[str]:
    """Three findings behind the status, then the other limits: where it fails, those not met; else those that are."""
    if version.status is Status.NO_LIMITS or not version.card.aggregates.class_sizes.count:
        return [finding.sentence for finding in findings(version.card)[:_MAX_REASONS]]
    limits = _in_order(version)
    shown_reasons = [_reason(limit, version.card) for limit in limits[:_MAX_REASONS]]
    if others := limits[_MAX_REASONS:]:
        titles = [within_sentence(limit.title) for limit in others]
        if version.unmet:
            also = text("decision.also_not_met", limits=join_names(titles))
        else:
            figures = [measure_text(limit.metric, limit.value) for limit in others]
            also = text("decision.also_met", limits=join_names(list(map(" ".join, zip(titles, figures, strict=True)))))
        shown_reasons.append(also)
    return shown_reasons


def _in_order(version: CheckedVersion) -> list[LimitResult]:
    """The limits that are not met, the most urgent first; else all, the value nearest to its limit first."""
    if not version.unmet:
        return sorted(version.result.stated, key=_distance_from_limit)
    pairs = [(_failing(limit, version.card), limit) for limit in version.unmet]
    return [limit for _, limit in sorted(pairs, key=_urgency)]


def _urgency(pair: tuple[tuple[int, int] | None, LimitResult]) -> tuple[bool, int]:
    """Columns that identify people come first, then the limits that the most records fail."""
    failing, limit = pair
    return limit.metric != DIRECT_IDENTIFIERS, -failing[1] if failing else 0


def _distance_from_limit(limit: LimitResult) -> float:
    """How far a value that meets its limit is from it, as a share of the larger of the two."""
    low, high = sorted((float(limit.value or 0), float(limit.limit)))
    return 1 - low / high if high else 0.0


def term_explanations(version: CheckedVersion) -> dict[str, str]:
    """What the metrics of the limits measure, by title, for readers who do not know them."""
    metrics = [BY_ID[limit.metric] for limit in _in_order(version) if limit.metric in BY_ID]
    if version.status is Status.NO_LIMITS or not metrics:
        return {}
    equivalence_class = {text("terms.class"): text("terms.equivalence_class")}
    return equivalence_class | {metric.title: metric.meaning for metric in metrics}


def _reason(limit: LimitResult, card: Scorecard) -> str:
    """The figure and what the policy requires of it, then what lies behind it."""
    sentence = f"{limit.summary()}."
    if limit.metric == DIRECT_IDENTIFIERS and limit.outcome is not Outcome.NOT_MEASURED:
        return said(card, FindingKind.IDENTIFIERS) or sentence
    if limit.metric == SUPPRESSION and limit.outcome is not Outcome.NOT_MEASURED:
        return f"{sentence} {said(card, FindingKind.UNEVEN_SUPPRESSION)}".rstrip()
    if limit.outcome is Outcome.MET or limit.metric not in BY_ID or limit.reason is not None:
        return sentence
    score = card[limit.metric]
    attack = score.attack
    if attack is not None and not attack.stronger and attack.highest_success is not None:
        sentence = f"{sentence} {text('decision.strongest_attacker', value=attack.value)}"
    return f"{sentence} {failing_summary(limit, card) or score.summary()}"


def failing_summary(limit: LimitResult, card: Scorecard) -> str | None:
    """How many classes, with how many records, fail a limit; None where its metric does not measure every class."""
    failing = _failing(limit, card)
    if failing is None or not failing[0]:
        return None
    n_failing, records = failing
    classes, sizes = card.aggregates.classes.count, card.aggregates.class_sizes
    share = records / sizes.kept
    if not sizes.suppressed:
        return text("decision.failing", failing=n_failing, classes=classes, records=records, share=share)
    kept = kept_records(sizes)
    return text("decision.failing_of_kept", failing=n_failing, classes=classes, records=records, share=share, kept=kept)


def _failing(limit: LimitResult, card: Scorecard) -> tuple[int, int] | None:
    """How many classes, with how many records, fail a limit, where its metric measures every class."""
    if card.aggregates.is_partitioned:
        return None
    flags = failing_by_limit(card.classes, {limit.metric: float(limit.limit)}).get(limit.metric)
    return None if flags is None else (int(flags.sum()), int(card.classes.classes.sizes[flags].sum()))
