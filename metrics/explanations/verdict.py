"""The scorecard in a few sentences, the most serious weakness first. Shared by pages and reports."""

from __future__ import annotations

from metrics.formatting import join_names, within_sentence
from metrics.metric import Clause, ClauseKind
from metrics.policy.policy import Policy
from metrics.scoring.compared_records import aggregates_for, is_perturbed
from metrics.scoring.scorecard import Scorecard
from metrics.texts import abbreviated_names, text


def clauses(card: Scorecard) -> tuple[Clause, ...]:
    """Collect the clauses that the metrics of the card contribute to its verdict.

    Parameters
    ----------
    card : Scorecard
        Scores of one candidate.

    Returns
    -------
    tuple of Clause
        By kind, the most serious kind first.
    """
    contributions = [
        score.metric.clause(score.result, aggregates_for(score.metric, card.aggregates))
        for score in card
        if score.metric.clause is not None and score.result is not None
    ]
    return tuple(sorted((clause for clause in contributions if clause is not None), key=lambda clause: clause.kind))


def verdict(card: Scorecard, policy: Policy | None = None) -> tuple[str, ...]:
    """Describe the figures of one candidate in sentences that name columns but contain no cell of the table.

    Parameters
    ----------
    card
        The scores of the candidate.
    policy
        Its limits on metrics that are not met are named.

    Returns
    -------
    tuple of str
        The weaknesses, the most serious first; then the joint score, the limits, the information lost, and what could
        not be measured. Joined with blanks, the sentences are a paragraph. Names of columns are not escaped.
    """
    if not card.aggregates.class_sizes.count:
        return (text("verdict.all_suppressed") if card.aggregates.anonymized.rows else text("verdict.no_records"),)
    policy = policy or Policy()
    card = policy.apply_to(card)
    all_clauses = clauses(card)
    return tuple(
        sentence
        for sentence in (
            *_risks(all_clauses),
            *_headlines(all_clauses, ClauseKind.JOINT_SCORE),
            _missed_limits(card, policy),
            *_headlines(all_clauses, ClauseKind.INFORMATION_LOSS),
            lost_records(card),
            _left_out(card),
            perturbed_release(card),
            _unmeasured_metrics(card),
        )
        if sentence
    )


def _risks(all_clauses: tuple[Clause, ...]) -> list[str]:
    """The weaknesses, or that there is none."""
    weaknesses = [clause.headline for clause in all_clauses if clause.weakness]
    if weaknesses:
        return [text("verdict.main_risk", risk=within_sentence(weaknesses[0])), *weaknesses[1:]]
    strengths = [clause.headline for clause in all_clauses if clause.weakness is False]
    return [text("verdict.no_weakness", strengths=join_names(strengths))] if strengths else []


def _headlines(all_clauses: tuple[Clause, ...], kind: ClauseKind) -> list[str]:
    return [clause.headline for clause in all_clauses if clause.kind is kind]


def _missed_limits(card: Scorecard, policy: Policy) -> str | None:
    """Whether the policy is met, and the limits that are not; None without limits."""
    result = policy.judge(card)
    return result.summary() if result.limits else None


def lost_records(card: Scorecard) -> str | None:
    """How many records are suppressed and removed.

    Parameters
    ----------
    card : Scorecard
        Scores of one candidate.

    Returns
    -------
    str or None
        A sentence; None where none are.
    """
    classes, removed = card.aggregates.class_sizes, card.aggregates.comparison.removed or 0
    n_lost = classes.suppressed + removed
    if not n_lost:
        return None
    records = classes.kept + n_lost
    return text(
        "verdict.suppressed", suppressed=classes.suppressed, records=records, removed=removed, share=n_lost / records
    )


def _left_out(card: Scorecard) -> str | None:
    """Which records the measures of loss leave out, as the roles say."""
    return None if card.aggregates.comparison.tally is None else card.aggregates.comparison.tally.left_out


def perturbed_release(card: Scorecard) -> str | None:
    """Say that the table is perturbed or synthetic, if no quasi-identifier is a generalization of the original.

    Parameters
    ----------
    card : Scorecard
        Scores of one candidate.

    Returns
    -------
    str or None
        A sentence; None where some quasi-identifier is a generalization, or there is no original.
    """
    return text("verdict.perturbed") if is_perturbed(card.aggregates) else None


def _unmeasured_metrics(card: Scorecard) -> str | None:
    """Name the metrics that are unavailable although expected: not those on demand or about other tables."""
    reasons: dict[str, list[str]] = {}
    for score in card:
        is_optional = score.metric.about_population and card.aggregates.population is None
        is_optional |= score.metric.about_holdout and card.aggregates.holdout is None
        is_optional |= bool(score.metric.needs_role) and not getattr(card.aggregates.roles, score.metric.needs_role)
        is_optional |= score.metric.about_perturbation and not is_perturbed(card.aggregates)
        if score.unavailable is not None and not score.metric.on_demand and not is_optional:
            reasons.setdefault(score.unavailable, []).append(score.metric.title)
    metrics = [
        text("verdict.not_measured_because", titles=abbreviated_names(titles), reason=reason)
        for reason, titles in reasons.items()
    ]
    return text("verdict.not_measured", metrics="; ".join(metrics)) if metrics else None
