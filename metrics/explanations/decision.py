"""Which of several candidates to choose under the policy, and what the alternatives give."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from metrics.explanations.findings import BEFORE_RELEASE, findings
from metrics.explanations.judged_candidate import (
    JudgedCandidate,
    best_of,
    judge_all,
    measure_of,
    meeting_policy,
    nearest_summary,
)
from metrics.explanations.release_checks import deciding_distance
from metrics.explanations.released_values import columns_of_ambiguous_labels
from metrics.explanations.repair_offer import repair_offer
from metrics.formatting import join_names, percent, percentage_points, visible
from metrics.policy.policy import Policy, Status
from metrics.scoring.catalog import GRANULARITY, INFORMATION
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import SUPPRESSED
from metrics.texts import text
from metrics.utility.cells.removed_values import removed_from, removed_summary

_NOTICEABLE = 0.005
"""Smallest difference in granularity for which it is mentioned that another candidate is better by it."""


def chosen_first(cards: Mapping[str, Scorecard], policy: Policy) -> dict[str, Scorecard]:
    """The candidates in their order, that to be chosen before all others."""
    best = best_of(judge_all(cards, policy))
    return dict(cards) if best is None else {best.label: best.card, **cards}


def decision(judged: Mapping[str, JudgedCandidate]) -> tuple[str, ...]:
    """Say which candidate to choose, in one sentence; then what it lacks, and what the alternatives give."""
    if len(judged) < 2:
        return (text("decision.one_candidate"),)
    best, total = best_of(judged), len(judged)
    offer = repair_offer(judged)
    repair = [] if offer is None else [offer.summary]
    if best is None and any(candidate.status is Status.FAILS for candidate in judged.values()):
        return (text("decision.none_meets", candidates=total), nearest_summary(judged), *repair)
    if best is None:
        return (_without_limits(judged),)
    meeting = meeting_policy(judged)
    return (
        chosen(best, judged),
        *drawbacks(best),
        *_by_both_distances(best, meeting),
        *repair,
        *by_granularity(best, meeting),
        *(_alternative(best, meeting) if measure_of(judged) == INFORMATION else []),
        *_unranked_candidates(best, meeting, measure_of(judged)),
    )


def chosen(best: JudgedCandidate, judged: Mapping[str, JudgedCandidate]) -> str:
    """Why this candidate is chosen among all."""
    meeting, measure = meeting_policy(judged), measure_of(judged)
    label, share, n_meeting = best.label, best.kept(measure), len(meeting)
    if n_meeting == 1:
        return text("decision.only_meeting", best=label, candidates=len(judged))
    if share is None:
        return text("decision.lowest_risk", best=label, meeting=n_meeting)
    n_known = sum(candidate.kept(measure) is not None for candidate in meeting)
    kept = share_by(measure, share)
    if n_known == n_meeting:
        return text("decision.most_information", best=label, meeting=n_meeting, kept=kept)
    if n_known == 1:
        return text("decision.only_known", best=label, meeting=n_meeting, kept=kept)
    return text("decision.most_of_known", best=label, meeting=n_meeting, kept=kept, known=n_known)


def share_by(measure: str, share: float) -> str:
    """The share of the information kept, with the name of the measure where it is not the usual one."""
    return text("decision.share_by_granularity", share=share) if measure == GRANULARITY else percent(share)


def _by_both_distances(best: JudgedCandidate, meeting: list[JudgedCandidate]) -> list[str]:
    """Where the best one meets its limit on t with one ground distance only, those that meet it with both."""
    if not any(deciding_distance(best.card)):
        return []
    others = [
        visible(candidate.label)
        for candidate in meeting
        if candidate.card["p29"].result is not None and not any(deciding_distance(candidate.card))
    ]
    return [text("decision.by_both_distances", candidates=join_names(others), number=len(others))] if others else []


def drawbacks(best: JudgedCandidate) -> tuple[str, ...]:
    """What the candidate lacks, and what must be done before it is released in another order."""
    to_settle = findings(best.card, kinds=BEFORE_RELEASE)
    return (*lost_groups(best), *(finding.sentence for finding in to_settle))


def lost_groups(best: JudgedCandidate) -> list[str]:
    """Name the quasi-identifiers of which the candidate leaves no information, and the values it removes altogether."""
    aggregates = best.card.aggregates
    names, original = aggregates.roles.quasi_identifiers, aggregates.original
    emptied = [
        visible(name)
        for name in names
        if (released_labels := set(aggregates.anonymized[name].labels)) <= {SUPPRESSED}
        or (len(released_labels - {SUPPRESSED}) == 1 and original is not None and len(original[name].labels) > 1)
    ]
    removed = removed_summary(removed_from(aggregates))
    sentences = [] if removed is None else [removed]
    if emptied:
        n_emptied, n_columns = len(emptied), len(names)
        sentences.insert(0, text("decision.emptied", emptied=n_emptied, columns=n_columns, names=join_names(emptied)))
    return sentences


def _alternative(best: JudgedCandidate, meeting: list[JudgedCandidate]) -> list[str]:
    """Describe the costs and gains of the safest of the others that meet the policy; of several, the most detailed."""
    others = [candidate for candidate in _with_both_known(meeting) if candidate is not best]
    if not others or best.risk is None or best.information is None:
        return []
    safest = _safest(others, best.risk)
    name, other = best.label, safest.label
    points = percentage_points(best.information, safest.information or 0.0)
    before, after = best.risk, safest.risk or 0.0
    if after < before:
        return [text("decision.lower_highest_risk", best=name, safest=other, before=before, after=after, points=points)]
    if after > before:
        return []
    before, after = best.average_risk, safest.average_risk
    if after < before:
        return [text("decision.lower_average_risk", best=name, safest=other, before=before, after=after, points=points)]
    return []


def _safest(others: list[JudgedCandidate], risk: float) -> JudgedCandidate:
    """The candidate with the lowest highest risk; of equals the most detailed, or the lowest average if not below."""
    by_information = min(others, key=lambda candidate: (candidate.risk or 0.0, -(candidate.information or 0.0)))
    if (by_information.risk or 0.0) < risk:
        return by_information
    return min(others, key=lambda candidate: (candidate.risk or 0.0, candidate.average_risk))


def by_granularity(best: JudgedCandidate, meeting: list[JudgedCandidate]) -> list[str]:
    """The candidate that preserves more by granularity, which weighs every column equally."""
    most_detailed = max(meeting, key=lambda candidate: candidate.kept(GRANULARITY) or 0.0)
    before, after = best.kept(GRANULARITY), most_detailed.kept(GRANULARITY)
    if before is None or after is None or after - before < _NOTICEABLE:
        return []
    return [text("decision.more_by_granularity", most=most_detailed.label, after=after, before=before)]


def _unranked_candidates(best: JudgedCandidate, meeting: list[JudgedCandidate], measure: str) -> list[str]:
    """The candidates that could not be ranked by their information, if another was."""
    unranked = [candidate for candidate in meeting if candidate.kept(measure) is None and candidate is not best]
    if not unranked or best.kept(measure) is None:
        return []
    names = join_names([visible(candidate.label) for candidate in unranked])
    ambiguous_columns = list(
        dict.fromkeys(name for candidate in unranked for name in columns_of_ambiguous_labels(candidate.card))
    )
    remedy = [text("decision.unranked_labels", columns=ambiguous_columns)] if ambiguous_columns else []
    return [text("decision.unranked", candidates=names, number=len(unranked)), *remedy]


def _with_both_known(candidates: Iterable[JudgedCandidate]) -> list[JudgedCandidate]:
    """The candidates whose risk and information are both known."""
    return [candidate for candidate in candidates if None not in (candidate.risk, candidate.information)]


def _without_limits(judged: Mapping[str, JudgedCandidate]) -> str:
    """The safest against the most informative, where no limit decides."""
    candidates = _with_both_known(judged.values())
    if len(candidates) < 2:
        return text("decision.no_preference")
    safest = min(candidates, key=lambda candidate: (candidate.risk, -(candidate.information or 0.0)))
    most_informative = max(candidates, key=lambda candidate: candidate.information or 0.0)
    if safest is most_informative:
        return text("decision.best_in_both", most=most_informative.label)
    points = percentage_points(most_informative.information or 0.0, safest.information or 0.0)
    risk = safest.risk or 0.0
    return text("decision.safest_and_most", safest=safest.label, risk=risk, most=most_informative.label, points=points)
