"""Decision of a report: the status under the policy, the reasons for it, and what to do next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from metrics.config.parameters import ProfitabilityParameters
from metrics.explanations.bounds import as_bound
from metrics.explanations.false_intervals import false_intervals_summary
from metrics.explanations.identifying import identifiers_summary
from metrics.explanations.judged_candidate import JudgedCandidate, judge_all, share_of
from metrics.explanations.uneven_suppression import uneven_suppression
from metrics.explanations.verdict import lost_records, verdict
from metrics.metric import Direction
from metrics.policy.policy import LimitResult, Outcome, Policy, Status
from metrics.policy.thresholds import CRITERIA, DIRECT_IDENTIFIERS, NO_ATTACK, SUPPRESSION
from metrics.privacy.judgement import kept_records
from metrics.scoring.basis import perturbed_columns_of
from metrics.scoring.catalog import BY_ID, HEADLINES
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import SUPPRESSED
from metrics.texts import text
from metrics.utility.cells import perturbed_columns
from metrics.utility.removed_values import removed_from, removed_summary
from metrics.wording import join_names, percent, pluralize, sentence_case, visible, within_sentence

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
        return "The policy has no limits, so the figures below are not assessed."
    count = own.result.count_summary()
    return f"{sentence_case(count)}."


def reasons(own: JudgedCandidate) -> list[str]:
    """List at most three findings behind the status: where it fails, the limits not met; else those that are."""
    if own.status is Status.NO_LIMITS or not own.card.aggregates.class_sizes.count:
        return list(verdict(own.card)[:_MAX_REASONS])
    judged = _in_order(own)
    found = [_reason(one, own.card) for one in judged[:_MAX_REASONS]]
    if len(judged) > _MAX_REASONS:
        more = join_names([within_sentence(one.title) for one in judged[_MAX_REASONS:]])
        found[-1] = f"{found[-1]} Also {'not ' if own.unmet else ''}met: {more}."
    return found


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
    found = [f"{_TITLES.get(metric.id, metric.title)}: {metric.meaning}" for metric in shown]
    meeting = [one for one in judged.values() if one.status is Status.MEETS]
    if "p29" not in limited and any(one.card["p29"].value == 0 for one in meeting):
        found.append(text("p29.beside_limits"))
    return found


def _reason(one: LimitResult, card: Scorecard) -> str:
    requirement = one.requirement
    if one.outcome is Outcome.NOT_MEASURED:
        why = f" {card[one.metric].summary()}" if one.metric in BY_ID else ""
        return f"{one.title} is not measured; the policy requires {requirement}.{why}"
    is_number = CRITERIA[one.metric].direction is not Direction.TRUE
    but = ", but" if one.outcome is Outcome.FAILED else ";"
    requires = "allows" if requirement.startswith("at most") else "requires"
    figure = figure_text(one.metric, one.value)
    sentence = f"{one.title}{' is' if is_number else ':'} {figure}{but} the policy {requires} {requirement}."
    if one.metric == DIRECT_IDENTIFIERS:
        return identifiers_summary(card.aggregates) or sentence
    if one.metric == SUPPRESSION:
        return " ".join(filter(None, [sentence, lost_records(card), uneven_suppression(card.aggregates)]))
    if one.outcome is Outcome.MET or one.metric not in BY_ID:
        return sentence
    return f"{sentence} {failing_summary(one, card) or card[one.metric].summary()}"


def failing_summary(one: LimitResult, card: Scorecard) -> str | None:
    """How many classes, with how many records, fail a limit; None where its metric does not judge every class."""
    failing = _failing(one, card)
    if failing is None or not failing[0]:
        return None
    number, records = failing
    classes = pluralize(card.aggregates.classes.count, "class", "classes")
    sizes = card.aggregates.class_sizes
    of_unsuppressed = f" of the {kept_records(sizes)}" if sizes.suppressed else ""
    part = f"{pluralize(records, 'record')}, {percent(records / sizes.kept)}{of_unsuppressed}"
    return f"{number:,} of {classes} ({part}) {'fails' if number == 1 else 'fail'} this limit."


def _failing(one: LimitResult, card: Scorecard) -> tuple[int, int] | None:
    """How many classes, with how many records, fail a limit, where its metric judges every class."""
    if one.metric not in BY_ID or card.aggregates.divided:
        return None
    sizes = card.aggregates.classes.sizes
    of, result = card[one.metric].metric.per_class, card[one.metric].result
    if one.metric == "k_anonymity":
        flags = sizes < one.limit
    elif of is not None and of.limit_applies and result is not None:
        sign = -1 if CRITERIA[one.metric].direction is Direction.LOWER else 1
        flags = np.logical_or.reduce([sign * figure < sign * one.limit for figure in of.figures(result).values()])
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
        yield limit.title, limit.requirement, [(of, str(one.outcome)) for of, one in zip(texts, results, strict=True)]
    limited = {one.metric for one in limits}
    amounts = {one.card.parameters.profitability for one in judged.values()}
    if amounts == {ProfitabilityParameters()}:
        limited.add(NO_ATTACK)  # the amounts are nobody's
    for identifier in (*HEADLINES, NO_ATTACK):
        if identifier not in limited:
            criterion = CRITERIA[identifier]
            texts = [_cell(one, identifier, criterion.measure(one.card).value) for one in judged.values()]
            yield _TITLES.get(identifier, criterion.title), "—", [(of, "") for of in texts]


def _cell(one: JudgedCandidate, metric_id: str, value: float | bool | None) -> str:
    """A figure ready for display."""
    shown = figure_text(metric_id, value)
    return shown if metric_id not in BY_ID or value is None else as_bound(one.card[metric_id], shown)


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
        return "Choose a policy first: without limits, it cannot be said whether the table may be released."
    best = best_of(judged)
    if own.status is Status.MEETS:
        better = _better(best, own)
        lost = [] if best is None or better is None else [*_lost_groups(best), *_by_granularity(best, [best, own])]
        if better is not None and not lost:
            return better
        can = (
            "The table can be released under this policy, provided that the assumptions to confirm, listed below, hold."
        )
        wrong = false_intervals_summary(own.card.aggregates)
        if wrong is not None:
            can = f"Do not release this table yet, although it meets the policy: {wrong}"
        if better is not None:
            return " ".join(
                [can, *_lost_groups(own), better.replace("Prefer ", "Consider ", 1), "But in that table:", *lost]
            )
        return " ".join([can, *_lost_groups(own), *_perhaps_better(best, own)])
    if best is not None:
        return " ".join(["Do not release this table.", _chosen(best, judged), *_lost_groups(best)])
    again = _next_step(own)
    if len(judged) > 1:
        nearest = min(judged.values(), key=lambda one: len(one.unmet))
        return (
            f"Do not release this table. None of the {len(judged)} candidates meets the policy; "
            f"{visible(nearest.label)} comes closest, with {pluralize(len(nearest.unmet), 'limit')} not met. {again}"
        )
    return f"Do not release this table. {again}"


def _better(best: JudgedCandidate | None, own: JudgedCandidate) -> str | None:
    """Say that another candidate also meets the policy and certainly preserves more information; else None."""
    most = own.apparent_information
    if best is None or best.information is None or most is None or best.information <= most:
        return None
    instead = f"{'at most ' if own.overstated else ''}{percent(most)}"
    return (
        f"Prefer {visible(best.label)}: it also meets the policy and preserves {percent(best.information)} of the "
        f"information instead of {instead}."
    )


def _perhaps_better(best: JudgedCandidate | None, own: JudgedCandidate) -> list[str]:
    """Say that another candidate meets the policy, where it is unknown which of the two preserves more information."""
    if best is None or best.information is None or own.information is not None:
        return []
    return [
        f"{visible(best.label)} also meets the policy and preserves {percent(best.information)} of the information; "
        "how much this table preserves is not known."
    ]


def _next_step(own: JudgedCandidate) -> str:
    """How to make a better table than one that fails."""
    replaced = perturbed_columns_of(own.card.aggregates)
    warning = f" {perturbed_columns(replaced)}: check how the table was made." if replaced else ""
    warning += f" {wrong}" if (wrong := false_intervals_summary(own.card.aggregates)) else ""
    if all(one.metric != SUPPRESSION for one in own.unmet):
        return f"{' '.join(_remedies(own))}{warning}"
    others = [within_sentence(one.title) for one in own.unmet if one.metric != SUPPRESSION]
    also = f" and the limits on {join_names(others)} are met" if others else ""
    return (
        "Make a new table from the original with more general values, so that fewer records are suppressed"
        f"{also}.{warning}"
    )


def _remedies(own: JudgedCandidate) -> Iterator[str]:
    """What to do about each kind of limit that is not met."""
    shown = identifiers_summary(own.card.aggregates)
    if shown is not None:
        yield shown
    if any(one.metric != DIRECT_IDENTIFIERS for one in own.result.failed):
        yield "Generalize further or suppress the classes that fail, then score the result again."
    elif own.result.not_measured:
        names = join_names([within_sentence(one.title) for one in own.result.not_measured])
        tag = "" if own.card.aggregates.roles.sensitive else "tag a sensitive column, or "
        yield f"{sentence_case(f'{tag}provide what the limits on {names} require, or remove these limits.')}"


def decision(judged: Mapping[str, JudgedCandidate]) -> tuple[str, ...]:
    """Say which candidate to choose, in one sentence; then what it lacks, and what the alternatives give."""
    if len(judged) < 2:
        return ("Only one candidate was scored, so there is nothing to compare it with.",)
    best, total = best_of(judged), len(judged)
    if best is None and any(one.status is Status.FAILS for one in judged.values()):
        nearest = min(judged.values(), key=lambda one: (len(one.unmet), -(one.information or 0.0)))
        return (
            f"None of the {total} candidates meets the policy.",
            f"{visible(nearest.label)} comes closest, with {pluralize(len(nearest.unmet), 'limit')} not met.",
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
    if meeting == 1:
        return f"Choose {visible(best.label)}: it is the only one of {len(judged)} candidates that meets the policy."
    if best.information is None:
        return (
            f"Choose {visible(best.label)}: of the {meeting} candidates that meet the policy, it has the lowest risk; "
            "how much information each preserves is not known."
        )
    known = sum(one.status is Status.MEETS and one.information is not None for one in judged.values())
    choice = f"Choose {visible(best.label)}: of the {meeting} candidates that meet the policy,"
    kept = percent(best.information)
    if known == meeting:
        return f"{choice} it preserves the most information ({kept})."
    if known == 1:
        return f"{choice} it is the only one whose preserved information is known ({kept})."
    return f"{choice} it preserves the most information ({kept}) of the {known} for which this is known."


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
        has = "has" if len(emptied) == 1 else "have"
        columns = pluralize(len(names), "quasi-identifier")
        lost.insert(0, f"{len(emptied)} of its {columns} ({join_names(emptied)}) {has} no information left.")
    return lost


def _alternative(best: JudgedCandidate, meeting: list[JudgedCandidate]) -> list[str]:
    """Describe the costs and gains of the safest of the others that meet the policy."""
    others = [one for one in meeting if one is not best and one.risk is not None and one.information is not None]
    if not others or best.risk is None or best.information is None:
        return []
    safest = min(others, key=lambda one: (one.risk or 0.0, one.average_risk))
    which, before, after = "highest", best.risk, safest.risk or 0.0
    if after >= before:
        which, before, after = "average", best.average_risk, safest.average_risk
    if after >= before:
        return []
    points = round(100 * (best.information - (safest.information or 0.0)))
    return [
        f"{visible(safest.label)} lowers the {which} risk from {percent(before)} to {percent(after)} "
        f"and preserves {pluralize(points, 'percentage point')} less of the information."
    ]


def _by_granularity(best: JudgedCandidate, meeting: list[JudgedCandidate]) -> list[str]:
    """The candidate that preserves more by granularity, to which a suppressed cell is lost altogether."""
    most = max(meeting, key=lambda one: share_of(one.card, "granularity") or 0.0)
    before, after = share_of(best.card, "granularity"), share_of(most.card, "granularity")
    if most.overstated or best.overstated or before is None or after is None or after - before < _NOTICEABLE:
        return []
    return [
        f"{visible(most.label)} preserves more by granularity ({percent(after)} compared with {percent(before)}), "
        "which counts a suppressed cell as lost altogether."
    ]


def _unranked_candidates(best: JudgedCandidate, meeting: list[JudgedCandidate]) -> list[str]:
    """The candidates that could not be ranked by their information, if another was."""
    names = [visible(one.label) for one in meeting if one.information is None and one is not best]
    if not names or best.information is None:
        return []
    one = len(names) == 1
    return [
        f"{join_names(names)} also {'meets' if one else 'meet'} the policy, but how much information "
        f"{'it preserves' if one else 'they preserve'} is not known."
    ]


def _without_limits(judged: Mapping[str, JudgedCandidate]) -> str:
    """The safest against the most informative, where no limit decides."""
    known = [one for one in judged.values() if one.risk is not None and one.information is not None]
    if len(known) < 2:
        return "The policy has no limits, so no candidate is preferred."
    safest = min(known, key=lambda one: (one.risk, -(one.information or 0.0)))
    most = max(known, key=lambda one: one.information or 0.0)
    if safest is most:
        return f"{visible(most.label)} has the lowest risk and preserves the most information."
    points = round(100 * ((most.information or 0.0) - (safest.information or 0.0)))
    return (
        f"{visible(safest.label)} has the lowest re-identification risk ({percent(safest.risk or 0.0)}); "
        f"{visible(most.label)} preserves {pluralize(points, 'percentage point')} more of the information."
    )
