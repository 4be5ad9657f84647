"""Decision of a report: the status under the policy, the reasons for it, and what to do next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from metrics.attacks.rates import NOTICEABLE, RatedAttack, highest_success
from metrics.config.parameters import ProfitabilityParameters
from metrics.explanations.bounds import as_bound
from metrics.explanations.false_intervals import false_intervals_summary
from metrics.explanations.finding import columns_of_ambiguous_labels
from metrics.explanations.identifying import identifiers_summary
from metrics.explanations.judged_candidate import JudgedCandidate, judge_all, share_of
from metrics.explanations.uneven_suppression import uneven_suppression
from metrics.explanations.verdict import lost_records, verdict
from metrics.metric import Direction
from metrics.policy.policy import LimitResult, Outcome, Policy, Status
from metrics.policy.thresholds import CRITERIA, DIRECT_IDENTIFIERS, NO_ATTACK, SUPPRESSION
from metrics.privacy.judgement import kept_records
from metrics.scoring.catalog import BY_ID, HEADLINES
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import SUPPRESSED
from metrics.texts import text
from metrics.utility.cells import perturbed_columns
from metrics.utility.removed_values import removed_from, removed_summary
from metrics.wording import join_names, percent, sentence_case, visible, within_sentence

_MAX_REASONS = 3
_NOTICEABLE = 0.005
"""Smallest difference in granularity for which it is mentioned that another candidate is better by it."""
_TITLES = {"non_uniform_entropy": "Information kept"}


def figure_text(metric_id: str, value: float | bool | None, share: Callable[[float], str] = percent) -> str:
    """Format a figure for display; shares as percentages, as `share` writes them."""
    return CRITERIA[metric_id].figure_text(value, share)


def answer(own: JudgedCandidate) -> str:
    """Say how many limits are met, in one sentence."""
    if own.status is Status.NO_LIMITS:
        return text("decision.no_limits")
    count = own.result.count_summary()
    return f"{sentence_case(count)}."


def reasons(own: JudgedCandidate) -> list[str]:
    """List at most three findings behind the status: where it fails, the limits not met; else those that are."""
    if own.status is Status.NO_LIMITS or not own.card.aggregates.class_sizes.count:
        return list(verdict(own.card)[:_MAX_REASONS])
    judged = _in_order(own)
    shown_reasons = [_reason(one, own.card) for one in judged[:_MAX_REASONS]]
    if len(judged) > _MAX_REASONS:
        more = join_names([within_sentence(one.title) for one in judged[_MAX_REASONS:]])
        also = text("decision.also_not_met", limits=more) if own.unmet else text("decision.also_met", limits=more)
        shown_reasons[-1] = f"{shown_reasons[-1]} {also}"
    return shown_reasons


def _in_order(own: JudgedCandidate) -> list[LimitResult]:
    """The limits that are not met, those that the most records fail first; else those that are met."""
    if not own.unmet:
        return [one for one in own.result.limits if one.outcome is Outcome.MET]
    failed = [(_failing(one, own.card), one) for one in own.unmet]
    return [one for _, one in sorted(failed, key=lambda pair: -pair[0][1] if pair[0] else 0)]


def terms(own: JudgedCandidate) -> list[str]:
    """Explain what the metrics of the reasons measure, for readers who do not know them."""
    named = [BY_ID[one.metric] for one in _in_order(own)[:_MAX_REASONS] if one.metric in BY_ID]
    if own.status is Status.NO_LIMITS or not named:
        return []
    return [text("terms.equivalence_class"), *(f"{metric.title}: {metric.meaning}" for metric in named)]


def compared_terms(judged: Mapping[str, JudgedCandidate]) -> list[str]:
    """Explain what the figures beside the policy's limits measure."""
    limited = {one.metric for one in next(iter(judged.values())).result.limits}
    shown = [BY_ID[identifier] for identifier in HEADLINES if identifier not in limited]
    meanings = [f"{_TITLES.get(metric.id, metric.title)}: {metric.meaning}" for metric in shown]
    meeting = [one for one in judged.values() if one.status is Status.MEETS]
    if "p29" not in limited and any(one.card["p29"].value == 0 for one in meeting):
        meanings.append(text("p29.beside_limits"))
    return meanings


def _reason(one: LimitResult, card: Scorecard) -> str:
    if one.outcome is Outcome.NOT_MEASURED:
        sentence = text("decision.not_measured", title=one.title, limit=one.requirement)
        return f"{sentence} {card[one.metric].summary()}" if one.metric in BY_ID else sentence
    sentence = _against_limit(one)
    if one.metric == DIRECT_IDENTIFIERS:
        return identifiers_summary(card.aggregates) or sentence
    if one.metric == SUPPRESSION:
        return " ".join(filter(None, [sentence, lost_records(card), uneven_suppression(card.aggregates)]))
    if one.outcome is Outcome.MET or one.metric not in BY_ID:
        return sentence
    score = card[one.metric]
    result = score.result
    if isinstance(result, RatedAttack) and not result.stronger and highest_success(result) is not None:
        sentence = f"{sentence} {text('decision.strongest_attacker', value=result.value)}"
    return f"{sentence} {failing_summary(one, card) or score.summary()}"


def _against_limit(one: LimitResult) -> str:
    """The figure, and what the policy requires of it."""
    direction = CRITERIA[one.metric].direction
    is_number, allows = direction is not Direction.TRUE, direction is Direction.LOWER
    title, limit, figure = one.title, one.requirement, figure_text(one.metric, one.value)
    policy = text("decision.policy_allows", limit=limit) if allows else text("decision.policy_requires", limit=limit)
    if one.outcome is Outcome.FAILED:
        if is_number:
            return text("decision.failed", title=title, figure=figure, policy=policy)
        return text("decision.failed_yes_or_no", title=title, figure=figure, policy=policy)
    if is_number:
        return text("decision.met", title=title, figure=figure, policy=policy)
    return text("decision.met_yes_or_no", title=title, figure=figure, policy=policy)


def failing_summary(one: LimitResult, card: Scorecard) -> str | None:
    """How many classes, with how many records, fail a limit; None where its metric does not judge every class."""
    failing = _failing(one, card)
    if failing is None or not failing[0]:
        return None
    number, records = failing
    classes, sizes = card.aggregates.classes.count, card.aggregates.class_sizes
    share = records / sizes.kept
    if not sizes.suppressed:
        return text("decision.failing", failing=number, classes=classes, records=records, share=share)
    kept = kept_records(sizes)
    return text("decision.failing_of_kept", failing=number, classes=classes, records=records, share=share, kept=kept)


def _failing(one: LimitResult, card: Scorecard) -> tuple[int, int] | None:
    """How many classes, with how many records, fail a limit, where its metric judges every class."""
    if one.metric not in BY_ID or card.aggregates.is_partitioned:
        return None
    sizes = card.aggregates.classes.sizes
    per_class, result = card[one.metric].metric.per_class, card[one.metric].result
    if one.metric == "k_anonymity":
        flags = sizes < one.limit
    elif per_class is not None and per_class.limit_applies and result is not None:
        sign = -1 if CRITERIA[one.metric].direction is Direction.LOWER else 1
        flags = np.logical_or.reduce(
            [sign * figure < sign * one.limit for figure in per_class.figures(result).values()]
        )
    else:
        return None
    return int(flags.sum()), int(sizes[flags].sum())


def judged_rows(judged: Mapping[str, JudgedCandidate]) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """Title, limit, and per candidate its figure and outcome: the policy's limits, then the usual figures."""
    # One on direct identifiers is only among those of candidates that show some.
    limits = max((one.result.limits for one in judged.values()), key=len)
    for limit in limits:
        none_shown = replace(limit, value=0, outcome=Outcome.MET)
        results = [one.limit_on(limit.metric) or none_shown for one in judged.values()]
        texts = [_cell(one, limit.metric, result.value) for one, result in zip(judged.values(), results, strict=True)]
        yield (
            limit.title,
            limit.requirement,
            [(label, str(one.outcome)) for label, one in zip(texts, results, strict=True)],
        )
    limited = {one.metric for one in limits}
    amounts = {one.card.parameters.profitability for one in judged.values()}
    if amounts == {ProfitabilityParameters()}:
        limited.add(NO_ATTACK)  # the amounts are nobody's
    for identifier in (*HEADLINES, NO_ATTACK):
        if identifier not in limited:
            criterion = CRITERIA[identifier]
            texts = [_cell(one, identifier, criterion.measure(one.card).value) for one in judged.values()]
            yield _TITLES.get(identifier, criterion.title), "—", [(label, "") for label in texts]


def _cell(one: JudgedCandidate, metric_id: str, value: float | bool | None) -> str:
    """A figure ready for display."""
    if metric_id not in BY_ID or value is None:
        return figure_text(metric_id, value)
    score = one.card[metric_id]
    return as_bound(score, figure_text(metric_id, score.value))


def best_of(judged: Mapping[str, JudgedCandidate]) -> JudgedCandidate | None:
    """The candidate that meets the policy and keeps the most information; None where none meets it.

    Those whose information is not known come last, the one with the lowest risk first.
    """
    meeting = [one for one in judged.values() if one.status is Status.MEETS]
    return max(
        meeting,
        key=lambda one: (-1.0 if one.information is None else one.information, -(one.risk or 0.0)),
        default=None,
    )


def chosen_first(cards: Mapping[str, Scorecard], policy: Policy) -> dict[str, Scorecard]:
    """The candidates in their order, that to be chosen before all others."""
    best = best_of(judge_all(cards, policy))
    return dict(cards) if best is None else {best.label: best.card, **cards}


def recommendation(own: JudgedCandidate, judged: Mapping[str, JudgedCandidate]) -> str:
    """Recommend what to do next, in one to three sentences."""
    if own.status is Status.NO_LIMITS:
        return text("decision.choose_policy")
    best = best_of(judged)
    if own.status is Status.MEETS:
        can = text("decision.release")
        wrong = false_intervals_summary(own.card.aggregates)
        if wrong is not None:
            can = text("decision.not_yet", wrong=wrong)
        better = None if best is None else _better(best, own)
        if best is None or better is None:
            return " ".join([can, *_lost_groups(own), *_perhaps_better(best, own)])
        information, instead = better
        lost = [*_lost_groups(best), *_by_granularity(best, [best, own])]
        if not lost:
            return text("decision.prefer", best=best.label, information=information, own=instead)
        consider = text("decision.consider", best=best.label, information=information, own=instead)
        return " ".join([can, *_lost_groups(own), consider, text("decision.but"), *lost])
    if best is not None:
        return " ".join([text("decision.do_not_release"), _chosen(best, judged), *_lost_groups(best)])
    sentences = [text("decision.do_not_release")]
    if len(judged) > 1:
        nearest = min(judged.values(), key=lambda one: len(one.unmet))
        unmet = len(nearest.unmet)
        sentences.append(
            text("decision.none_meets_but_nearest", candidates=len(judged), nearest=nearest.label, limits=unmet)
        )
    return " ".join([*sentences, _next_step(own)])


def _better(best: JudgedCandidate, own: JudgedCandidate) -> tuple[float, str] | None:
    """The information kept by another candidate and by this one, if the other certainly preserves more; else None."""
    most = own.apparent_information
    if best.information is None or most is None or best.information <= most:
        return None
    return best.information, text("loss.at_most", share=most) if own.overstated else percent(most)


def _perhaps_better(best: JudgedCandidate | None, own: JudgedCandidate) -> list[str]:
    """Say that another candidate meets the policy, where it is unknown which of the two preserves more information."""
    if best is None or best.information is None or own.information is not None:
        return []
    return [text("decision.perhaps_better", best=best.label, information=best.information)]


def _next_step(own: JudgedCandidate) -> str:
    """How to make a better table than one that fails."""
    replaced = perturbed_columns_of(own.card.aggregates)
    warnings = [text("decision.check_making", perturbed=perturbed_columns(replaced))] if replaced else []
    warnings += filter(None, [false_intervals_summary(own.card.aggregates)])
    if all(one.metric != SUPPRESSION for one in own.unmet):
        return " ".join([*_remedies(own), *warnings])
    others = [within_sentence(one.title) for one in own.unmet if one.metric != SUPPRESSION]
    remedy = text("decision.more_general")
    if others:
        remedy = text("decision.more_general_for_others", others=join_names(others), number=len(others))
    return " ".join([remedy, *warnings])


def _remedies(own: JudgedCandidate) -> Iterator[str]:
    """What to do about each kind of limit that is not met."""
    shown = identifiers_summary(own.card.aggregates)
    if shown is not None:
        yield shown
    no_better_than_guessing = []
    for one, attack in _below_guessing(own):
        title, limit, baseline = within_sentence(one.title), float(one.limit), attack.basic_rate.baseline
        yield text("decision.below_guessing", title=title, limit=limit, baseline=baseline)
        if attack.max_success - baseline < NOTICEABLE:
            no_better_than_guessing.append(one.metric)
    if any(one.metric not in (DIRECT_IDENTIFIERS, *no_better_than_guessing) for one in own.result.failed):
        yield text("decision.generalize")
    elif own.result.not_measured:
        titles = [within_sentence(one.title) for one in own.result.not_measured]
        names, number = join_names(titles), len(titles)
        if own.card.aggregates.roles.sensitive:
            yield text("decision.provide", limits=names, number=number)
        else:
            yield text("decision.tag_or_provide", limits=names, number=number)


def _below_guessing(own: JudgedCandidate) -> Iterator[tuple[LimitResult, RatedAttack]]:
    """The failed limits on attacks that guessing exceeds already, and the attacks."""
    for one in own.result.failed:
        result = own.card[one.metric].result if one.metric in BY_ID else None
        if isinstance(result, RatedAttack) and one.limit < result.basic_rate.baseline:
            yield one, result


def decision(judged: Mapping[str, JudgedCandidate]) -> tuple[str, ...]:
    """Say which candidate to choose, in one sentence; then what it lacks, and what the alternatives give."""
    if len(judged) < 2:
        return (text("decision.one_candidate"),)
    best, total = best_of(judged), len(judged)
    if best is None and any(one.status is Status.FAILS for one in judged.values()):
        nearest = min(judged.values(), key=lambda one: (len(one.unmet), -(one.information or 0.0)))
        return (
            text("decision.none_meets", candidates=total),
            text("decision.nearest", nearest=nearest.label, limits=len(nearest.unmet)),
        )
    if best is None:
        return (_without_limits(judged),)
    meeting = [one for one in judged.values() if one.status is Status.MEETS]
    return (
        _chosen(best, judged),
        *_lost_groups(best),
        *_by_granularity(best, meeting),
        *_alternative(best, meeting),
        *_unranked_candidates(best, meeting),
    )


def _chosen(best: JudgedCandidate, judged: Mapping[str, JudgedCandidate]) -> str:
    """Why this candidate is chosen among all."""
    meeting = sum(one.status is Status.MEETS for one in judged.values())
    label, information = best.label, best.information
    if meeting == 1:
        return text("decision.only_meeting", best=label, candidates=len(judged))
    if information is None:
        return text("decision.lowest_risk", best=label, meeting=meeting)
    known = sum(one.status is Status.MEETS and one.information is not None for one in judged.values())
    if known == meeting:
        return text("decision.most_information", best=label, meeting=meeting, information=information)
    if known == 1:
        return text("decision.only_known", best=label, meeting=meeting, information=information)
    return text("decision.most_of_known", best=label, meeting=meeting, information=information, known=known)


def _lost_groups(best: JudgedCandidate) -> list[str]:
    """Name the quasi-identifiers of which the candidate leaves no information, and the values it removes altogether."""
    aggregates = best.card.aggregates
    names, before = aggregates.roles.quasi_identifiers, aggregates.original
    emptied = [
        visible(name)
        for name in names
        if (released := set(aggregates.anonymized[name].labels)) <= {SUPPRESSED}
        or (len(released - {SUPPRESSED}) == 1 and before is not None and len(before[name].labels) > 1)
    ]
    removed = removed_summary(removed_from(aggregates))
    lost = [] if removed is None else [removed]
    if emptied:
        number, columns = len(emptied), len(names)
        lost.insert(0, text("decision.emptied", emptied=number, columns=columns, names=join_names(emptied)))
    return lost


def _alternative(best: JudgedCandidate, meeting: list[JudgedCandidate]) -> list[str]:
    """Describe the costs and gains of the safest of the others that meet the policy."""
    others = [one for one in meeting if one is not best and one.risk is not None and one.information is not None]
    if not others or best.risk is None or best.information is None:
        return []
    safest = min(others, key=lambda one: (one.risk or 0.0, one.average_risk))
    points = round(100 * (best.information - (safest.information or 0.0)))
    before, after = best.risk, safest.risk or 0.0
    if after < before:
        return [text("decision.lower_highest_risk", safest=safest.label, before=before, after=after, points=points)]
    before, after = best.average_risk, safest.average_risk
    if after < before:
        return [text("decision.lower_average_risk", safest=safest.label, before=before, after=after, points=points)]
    return []


def _by_granularity(best: JudgedCandidate, meeting: list[JudgedCandidate]) -> list[str]:
    """The candidate that preserves more by granularity, which weighs every column equally."""
    most = max(meeting, key=lambda one: share_of(one.card, "granularity") or 0.0)
    before, after = share_of(best.card, "granularity"), share_of(most.card, "granularity")
    if most.overstated or best.overstated or before is None or after is None or after - before < _NOTICEABLE:
        return []
    return [text("decision.more_by_granularity", most=most.label, after=after, before=before)]


def _unranked_candidates(best: JudgedCandidate, meeting: list[JudgedCandidate]) -> list[str]:
    """The candidates that could not be ranked by their information, if another was."""
    others = [one for one in meeting if one.information is None and one is not best]
    if not others or best.information is None:
        return []
    names = join_names([visible(one.label) for one in others])
    ambiguous = list(dict.fromkeys(name for one in others for name in columns_of_ambiguous_labels(one.card)))
    remedy = [text("decision.unranked_labels", columns=ambiguous)] if ambiguous else []
    return [text("decision.unranked", candidates=names, number=len(others)), *remedy]


def _without_limits(judged: Mapping[str, JudgedCandidate]) -> str:
    """The safest against the most informative, where no limit decides."""
    known = [one for one in judged.values() if one.risk is not None and one.information is not None]
    if len(known) < 2:
        return text("decision.no_preference")
    safest = min(known, key=lambda one: (one.risk, -(one.information or 0.0)))
    most = max(known, key=lambda one: one.information or 0.0)
    if safest is most:
        return text("decision.best_in_both", most=most.label)
    points = round(100 * ((most.information or 0.0) - (safest.information or 0.0)))
    risk = safest.risk or 0.0
    return text("decision.safest_and_most", safest=safest.label, risk=risk, most=most.label, points=points)
