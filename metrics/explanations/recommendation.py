"""What to do with one candidate under the policy: release it, choose another, or make a better one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from metrics.attacks.rates import NOTICEABLE, RatedAttack
from metrics.explanations.decision import by_granularity, chosen, drawbacks, lost_groups, share_by
from metrics.explanations.findings import said
from metrics.explanations.judged_candidate import (
    JudgedCandidate,
    best_of,
    measure_of,
    nearest_summary,
    share_of,
)
from metrics.explanations.repair_offer import repair_offer
from metrics.formatting import join_names, percent, within_sentence
from metrics.metric import FindingKind
from metrics.policy.limitable_measures import DIRECT_IDENTIFIERS, SUPPRESSION
from metrics.policy.policy import LimitResult, Status
from metrics.scoring.catalog import BY_ID, GRANULARITY
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.texts import text


def recommendation(
    candidate: JudgedCandidate, judged: Mapping[str, JudgedCandidate], *, is_sorted: bool = False
) -> str:
    """Recommend what to do with a candidate, in a few sentences.

    Parameters
    ----------
    candidate : JudgedCandidate
        The one that the recommendation is about.
    judged : mapping of str to JudgedCandidate
        All candidates, by name.
    is_sorted : bool
        Whether the table is given out in another order than the candidate's.
    """
    if candidate.status is Status.NO_LIMITS:
        return text("decision.choose_policy")
    best = best_of(judged)
    if candidate.status is Status.MEETS:
        return " ".join(_for_release(candidate, best, measure_of(judged), is_sorted))
    sentences = [text("decision.do_not_release")]
    if best is not None:
        lacking = drawbacks(best)
        sentences += [*_warnings(candidate), chosen(best, judged)]
        sentences += [text("decision.but", best=best.label), *lacking] if lacking else []
    else:
        if len(judged) > 1:
            sentences.append(text("decision.none_meets_but", candidates=len(judged), nearest=nearest_summary(judged)))
        sentences.append(_next_step(candidate))
    offer = repair_offer(judged)
    return " ".join([*sentences, *([] if offer is None else [offer.summary])])


def _for_release(
    candidate: JudgedCandidate, best: JudgedCandidate | None, measure: str, is_sorted: bool
) -> Iterator[str]:
    """What speaks for and against the release of a candidate that meets the policy."""
    false_intervals = said(candidate.card, FindingKind.FALSE_INTERVALS)
    if false_intervals:
        advice = text("decision.not_yet", wrong=false_intervals)
    elif not is_sorted and said(candidate.card, FindingKind.ORDER):
        advice = text("decision.release_shuffled")
    else:
        advice = text("decision.release")
    better = None if best is None else _better(best, candidate, measure)
    if best is None or better is None:
        yield from (advice, *lost_groups(candidate), *_perhaps_better(best, candidate, measure))
        return
    kept, instead = better
    shared = drawbacks(candidate)
    lacking = [*(one for one in drawbacks(best) if one not in shared), *by_granularity(best, [best, candidate])]
    if lacking:
        suggestion = text("decision.consider", best=best.label, kept=kept, instead=instead)
        yield from (advice, *lost_groups(candidate), suggestion, text("decision.but", best=best.label), *lacking)
    else:
        yield text("decision.prefer", best=best.label, kept=kept, instead=instead)


def other_candidate(candidate: JudgedCandidate, judged: Mapping[str, JudgedCandidate]) -> str | None:
    """Name the candidate to choose instead of one, in a sentence; None if there is none."""
    best = best_of(judged)
    if best is None or best.label == candidate.label:
        return None
    if candidate.status is Status.MEETS:
        better = _better(best, candidate, measure_of(judged))
        if better is None:
            return None
        return text("decision.consider", best=best.label, kept=better[0], instead=better[1])
    if best.information is None or measure_of(judged) == GRANULARITY:
        return text("decision.already_meets", best=best.label)
    return text("decision.already_meets_and_keeps", best=best.label, information=best.information)


def _better(best: JudgedCandidate, candidate: JudgedCandidate, measure: str) -> tuple[str, str] | None:
    """The information kept by the best candidate and by this one, if the best certainly keeps more; else None."""
    kept, instead = best.kept(measure), share_of(candidate.card, measure)
    if kept is None or instead is None or kept <= instead:
        return None
    in_words = text("loss.at_most", share=instead) if candidate.is_overstated(measure) else share_by(measure, instead)
    return percent(kept), in_words


def _perhaps_better(best: JudgedCandidate | None, candidate: JudgedCandidate, measure: str) -> list[str]:
    """Say that another candidate meets the policy, where it is unknown which of the two preserves more information."""
    kept = None if best is None else best.kept(measure)
    if best is None or kept is None or candidate.kept(measure) is not None:
        return []
    return [text("decision.perhaps_better", best=best.label, kept=share_by(measure, kept))]


def _next_step(candidate: JudgedCandidate) -> str:
    """How to make a better table than one that fails."""
    warnings = _warnings(candidate)
    if all(limit.metric != SUPPRESSION for limit in candidate.unmet):
        return " ".join([*_remedies(candidate), *warnings])
    others = [within_sentence(limit.title) for limit in candidate.unmet if limit.metric != SUPPRESSION]
    remedy = text("decision.more_general")
    if others:
        remedy = text("decision.more_general_for_others", others=join_names(others), number=len(others))
    return " ".join([remedy, *warnings])


def _warnings(candidate: JudgedCandidate) -> list[str]:
    """Values that are wrong, so that the making of the table, or its hierarchies, must be checked."""
    changed = perturbed_columns_of(candidate.card.aggregates)
    false_intervals = said(candidate.card, FindingKind.FALSE_INTERVALS)
    return [
        *([text("decision.check_making", columns=[*changed], number=len(changed))] if changed else []),
        *([false_intervals] if false_intervals else []),
    ]


def _remedies(candidate: JudgedCandidate) -> Iterator[str]:
    """What to do about each kind of limit that is not met."""
    identifiers = said(candidate.card, FindingKind.IDENTIFIERS)
    if identifiers:
        yield identifiers
    no_better_than_guessing = []
    for limit, attack in _below_guessing(candidate):
        title, baseline = within_sentence(limit.title), attack.basic_rate.baseline
        yield text("decision.below_guessing", title=title, limit=float(limit.limit), baseline=baseline)
        if attack.max_success - baseline < NOTICEABLE:
            no_better_than_guessing.append(limit.metric)
    if any(limit.metric not in (DIRECT_IDENTIFIERS, *no_better_than_guessing) for limit in candidate.result.failed):
        yield text("decision.generalize")
    elif candidate.result.not_measured:
        titles = [within_sentence(limit.title) for limit in candidate.result.not_measured]
        names, number = join_names(titles), len(titles)
        if candidate.card.aggregates.roles.sensitive:
            yield text("decision.provide", limits=names, number=number)
        else:
            yield text("decision.tag_or_provide", limits=names, number=number)


def _below_guessing(candidate: JudgedCandidate) -> Iterator[tuple[LimitResult, RatedAttack]]:
    """The failed limits on attacks that guessing exceeds already, and the attacks."""
    for limit in candidate.result.failed:
        attack = candidate.card[limit.metric].attack if limit.metric in BY_ID else None
        if attack is not None and limit.limit < attack.basic_rate.baseline:
            yield limit, attack
