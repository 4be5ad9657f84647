"""What to do with the versions under a policy: which to choose, and whether to release, repair or replace each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

from metrics.attacks.rates import NOTICEABLE, RatedAttack
from metrics.explanations.checked_version import CheckedVersion, information_measure, share_of
from metrics.explanations.findings import BEFORE_RELEASE, findings, said
from metrics.explanations.release_checks import deciding_distance
from metrics.explanations.released_values import columns_of_ambiguous_labels
from metrics.explanations.repair_offer import RepairOffer, repair_offer
from metrics.formatting import first_sentence, join_names, percent, percentage_points, visible, within_sentence
from metrics.metric import FindingKind
from metrics.policy.limitable_measures import DIRECT_IDENTIFIERS, SUPPRESSION, LimitResult
from metrics.policy.policy import Policy, Status
from metrics.scoring.catalog import BY_ID, GRANULARITY, INFORMATION
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import SUPPRESSED
from metrics.texts import text
from metrics.utility.analyses import ANALYSES, Analyses
from metrics.utility.cells.removed_values import removed_from, removed_summary

_NOTICEABLE = 0.005
"""Smallest difference in granularity for which it is mentioned that another version is better by it."""


def recommend(cards: Mapping[str, Scorecard], policy: Policy) -> Recommendation:
    """Check every version against the policy, and say which to choose and what to do with each.

    The versions with their results under the policy, the best of them, and sentences.
    """
    applied = {label: policy.apply_to(card) for label, card in cards.items()}
    return Recommendation({label: CheckedVersion(label, card, policy.check(card)) for label, card in applied.items()})


@dataclass(frozen=True)
class Recommendation:
    """The versions under the policy; the choice among them, and what to do with each, in sentences."""

    versions: Mapping[str, CheckedVersion]
    """Every version with its result, by label."""

    @cached_property
    def meeting(self) -> list[CheckedVersion]:
        """The versions that meet the policy, in their order."""
        return [version for version in self.versions.values() if version.status is Status.MEETS]

    @cached_property
    def measure(self) -> str:
        """The measure of information by which versions are ranked: that of those that meet the policy, if any."""
        return information_measure(*(version.card for version in self.meeting or self.versions.values()))

    @cached_property
    def best(self) -> CheckedVersion | None:
        """The version that meets the policy and keeps the most information; None where none meets it.

        Those whose information is not known come last, the one with the lowest risk first.
        """

        def preference(version: CheckedVersion) -> tuple[float, float]:
            kept = version.kept(self.measure)
            return -1.0 if kept is None else kept, -(version.risk or 0.0)

        return max(self.meeting, key=preference, default=None)

    @cached_property
    def offer(self) -> RepairOffer | None:
        """The repair that keeps the most information; None where none keeps more than the best version as it is."""
        best = self.best
        if best is not None and (best.information is None or self.measure != INFORMATION):
            return None
        offers = [offer for version in self.versions.values() if (offer := repair_offer(version)) is not None]
        offer = max(offers, key=attrgetter("information"), default=None)
        if offer is None or (best is not None and offer.information <= (best.information or 0.0)):
            return None
        return offer

    def choice(self) -> tuple[str, ...]:
        """Say which version to choose; then what it lacks, what is to be settled, and what other tables give."""
        if len(self.versions) < 2:
            return (text("decision.one_version"),)
        best, repair = self.best, [] if self.offer is None else [self.offer.summary]
        if best is None and any(version.status is Status.FAILS for version in self.versions.values()):
            return (*self._none_meets(), *repair)
        if best is None:
            return (_without_limits(self.versions),)
        alternatives = [
            *repair,
            *_by_granularity(best, self.meeting),
            *(_alternative(best, self.meeting) if self.measure == INFORMATION and not repair else []),
            *_unranked(best, self.meeting, self.measure),
        ]
        to_settle = [*_to_settle(best), *_by_both_distances(best, self.meeting)]
        points = ([*_lost_groups(best), *_analyses(best)], to_settle, alternatives)
        return (self._chosen(best), *(" ".join(point) for point in points if point))

    def of(self, label: str, *, is_sorted: bool = False) -> tuple[str, ...]:
        """Say what to do with a version, then why and what else there is.

        `is_sorted`: whether it is given out in another order than its own.
        """
        version, best = self.versions[label], self.best
        if version.status is Status.NO_LIMITS:
            return (text("decision.choose_policy"),)
        if version.status is Status.MEETS:
            return tuple(self._for_release(version, is_sorted))
        repair = [] if self.offer is None else [self.offer.summary]
        if best is not None:
            others = [*_warnings(version), self._chosen(best), *_but(best, _drawbacks(best))]
        else:
            others = [*(self._none_meets() if len(self.versions) > 1 else ()), *_next_step(version)]
        return (text("decision.do_not_release"), *others, *repair)

    def instead_of(self, label: str) -> str | None:
        """Name the version to choose instead of one, in a sentence; None if there is none."""
        if self.best is None or self.best.label == label:
            return None
        if self.versions[label].status is Status.MEETS:
            return self._better_than(self.versions[label])
        return self._chosen(self.best)

    def _none_meets(self) -> tuple[str, str]:
        """That none meets the policy, and the one that misses the fewest limits or, of several, keeps the most."""
        versions = self.versions.values()
        nearest = min(versions, key=lambda version: (len(version.unmet), -(version.information or 0.0)))
        limits = len(nearest.unmet)
        tied = sum(len(version.unmet) == limits for version in versions)
        named = (
            text("decision.nearest", nearest=nearest.label, limits=limits)
            if tied == 1
            else text("decision.nearest_of_tied", nearest=nearest.label, tied=tied, limits=limits)
        )
        return text("decision.none_meets", versions=len(versions)), named

    def _chosen(self, best: CheckedVersion) -> str:
        """Why this version is chosen among all."""
        label, share, n_meeting = best.label, best.kept(self.measure), len(self.meeting)
        if n_meeting == 1:
            return text("decision.only_meeting", best=label, versions=len(self.versions))
        if share is None:
            return text("decision.lowest_risk", best=label, meeting=n_meeting)
        n_known = sum(version.kept(self.measure) is not None for version in self.meeting)
        kept = _share_by(self.measure, share)
        if n_known == n_meeting:
            return text("decision.most_information", best=label, kept=kept, meeting=n_meeting)
        if n_known == 1:
            return text("decision.only_known", best=label, meeting=n_meeting, kept=kept)
        return text("decision.most_of_known", best=label, meeting=n_meeting, kept=kept, known=n_known)

    def _for_release(self, version: CheckedVersion, is_sorted: bool) -> Iterator[str]:
        """What speaks for and against the release of a version that meets the policy."""
        best, better = self.best, self._better_than(version)
        if best is None or better is None:
            kept = (*_lost_groups(version), *_analyses(version))
            yield from (_advice(version, is_sorted), *kept, *self._perhaps_better(version))
            return
        shared = _drawbacks(version)
        lacking = [*(one for one in _drawbacks(best) if one not in shared), *_by_granularity(best, [best, version])]
        if not lacking:
            yield better
            return
        yield from (_advice(version, is_sorted), *_lost_groups(version), better, *_but(best, lacking))

    def _better_than(self, version: CheckedVersion) -> str | None:
        """Name the best version if it certainly keeps more of the information than this one."""
        best, measure = self.best, self.measure
        kept, instead = None if best is None else best.kept(measure), share_of(version.card, measure)
        if best is None or kept is None or instead is None or kept <= instead:
            return None
        overstated = version.is_overstated(measure)
        in_words = text("loss.at_most", share=instead) if overstated else _share_by(measure, instead)
        return text("decision.consider", best=best.label, kept=percent(kept), instead=in_words)

    def _perhaps_better(self, version: CheckedVersion) -> list[str]:
        """That the best version meets the policy, too, where it is unknown which of the two keeps more."""
        best, measure = self.best, self.measure
        kept = None if best is None else best.kept(measure)
        if best is None or kept is None or version.kept(measure) is not None:
            return []
        return [text("decision.perhaps_better", best=best.label, kept=_share_by(measure, kept))]


def _advice(version: CheckedVersion, is_sorted: bool) -> str:
    """Whether a version that meets the policy may be released."""
    false_intervals = said(version.card, FindingKind.FALSE_INTERVALS)
    if false_intervals:
        return text("decision.not_yet", wrong=false_intervals)
    if not is_sorted and said(version.card, FindingKind.ORDER):
        return text("decision.release_shuffled")
    return text("decision.release")


def _analyses(version: CheckedVersion) -> list[str]:
    """What the version is still good for: how many results of the analyses survive."""
    found = version.card[ANALYSES.id].result
    return [first_sentence(found.summary())] if isinstance(found, Analyses) else []


def _share_by(measure: str, share: float) -> str:
    """The share of the information kept, with the name of the measure where it is not the usual one."""
    return text("decision.share_by_granularity", share=share) if measure == GRANULARITY else percent(share)


def _by_both_distances(best: CheckedVersion, meeting: list[CheckedVersion]) -> list[str]:
    """Where the best one meets its limit on t with one ground distance only, those that meet it with both."""
    if not any(deciding_distance(best.card)):
        return []
    others = [
        visible(version.label)
        for version in meeting
        if version.card["p29"].result is not None and not any(deciding_distance(version.card))
    ]
    return [text("decision.by_both_distances", versions=join_names(others), number=len(others))] if others else []


def _but(best: CheckedVersion, lacking: Sequence[str]) -> list[str]:
    """What the version to choose lacks, after its name."""
    return [" ".join([text("decision.but", best=best.label), *lacking])] if lacking else []


def _drawbacks(best: CheckedVersion) -> tuple[str, ...]:
    """What the version lacks, and what must be done before it is released in another order."""
    return (*_lost_groups(best), *_to_settle(best))


def _to_settle(best: CheckedVersion) -> list[str]:
    """What must be settled before the version is released."""
    return [finding.sentence for finding in findings(best.card, kinds=BEFORE_RELEASE)]


def _lost_groups(best: CheckedVersion) -> list[str]:
    """Name the quasi-identifiers of which the version leaves no information, and the values it removes altogether."""
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
        sentences.insert(0, text("decision.emptied", names=join_names(emptied)))
    return sentences


def _alternative(best: CheckedVersion, meeting: list[CheckedVersion]) -> list[str]:
    """Describe the costs and gains of the safest of the others that meet the policy; of several, the most detailed."""
    others = [version for version in _with_both_known(meeting) if version is not best]
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


def _safest(others: list[CheckedVersion], risk: float) -> CheckedVersion:
    """The version with the lowest highest risk; of equals the most detailed, or the lowest average if not below."""
    by_information = min(others, key=lambda version: (version.risk or 0.0, -(version.information or 0.0)))
    if (by_information.risk or 0.0) < risk:
        return by_information
    return min(others, key=lambda version: (version.risk or 0.0, version.average_risk))


def _by_granularity(best: CheckedVersion, meeting: list[CheckedVersion]) -> list[str]:
    """The version that preserves more by granularity, which weighs every column equally."""
    most_detailed = max(meeting, key=lambda version: version.kept(GRANULARITY) or 0.0)
    before, after = best.kept(GRANULARITY), most_detailed.kept(GRANULARITY)
    if before is None or after is None or after - before < _NOTICEABLE:
        return []
    return [text("decision.more_by_granularity", most=most_detailed.label, after=after, before=before)]


def _unranked(best: CheckedVersion, meeting: list[CheckedVersion], measure: str) -> list[str]:
    """The versions that could not be ranked by their information, if another was."""
    unranked = [version for version in meeting if version.kept(measure) is None and version is not best]
    if not unranked or best.kept(measure) is None:
        return []
    names = join_names([visible(version.label) for version in unranked])
    ambiguous_columns = list(
        dict.fromkeys(name for version in unranked for name in columns_of_ambiguous_labels(version.card))
    )
    remedy = [text("decision.unranked_labels", columns=ambiguous_columns)] if ambiguous_columns else []
    return [text("decision.unranked", versions=names, number=len(unranked)), *remedy]


def _with_both_known(versions: Iterable[CheckedVersion]) -> list[CheckedVersion]:
    """The versions whose risk and information are both known."""
    return [version for version in versions if None not in (version.risk, version.information)]


def _without_limits(versions: Mapping[str, CheckedVersion]) -> str:
    """The safest against the most informative, where no limit decides."""
    known = _with_both_known(versions.values())
    if len(known) < 2:
        return text("decision.no_preference")
    safest = min(known, key=lambda version: (version.risk, -(version.information or 0.0)))
    most_informative = max(known, key=lambda version: version.information or 0.0)
    if safest is most_informative:
        return text("decision.best_in_both", most=most_informative.label)
    points = percentage_points(most_informative.information or 0.0, safest.information or 0.0)
    risk = safest.risk or 0.0
    return text("decision.safest_and_most", safest=safest.label, risk=risk, most=most_informative.label, points=points)


def _next_step(version: CheckedVersion) -> Iterator[str]:
    """How to make a better table than one that fails."""
    others = [within_sentence(limit.title) for limit in version.unmet if limit.metric != SUPPRESSION]
    if len(others) == len(version.unmet):
        yield from _remedies(version)
    elif others:
        yield text("decision.more_general_for_others", others=join_names(others), number=len(others))
    else:
        yield text("decision.more_general")
    yield from _warnings(version)


def _warnings(version: CheckedVersion) -> list[str]:
    """Values that are wrong, so that the making of the table, or its hierarchies, must be checked."""
    changed = perturbed_columns_of(version.card.aggregates)
    false_intervals = said(version.card, FindingKind.FALSE_INTERVALS)
    return [
        *([text("decision.check_making", columns=[*changed], number=len(changed))] if changed else []),
        *([false_intervals] if false_intervals else []),
    ]


def _remedies(version: CheckedVersion) -> Iterator[str]:
    """What to do about each kind of limit that is not met."""
    identifiers = said(version.card, FindingKind.IDENTIFIERS)
    if identifiers:
        yield identifiers
    below_baseline = []
    for limit, attack in _below_baseline(version):
        title, baseline = within_sentence(limit.title), attack.basic_rate.baseline
        yield text("decision.below_baseline", title=title, limit=float(limit.limit), baseline=baseline)
        if attack.max_success - baseline < NOTICEABLE:
            below_baseline.append(limit.metric)
    if any(limit.metric not in (DIRECT_IDENTIFIERS, *below_baseline) for limit in version.result.failed):
        yield text("decision.generalize")
    elif version.result.not_measured:
        titles = [within_sentence(limit.title) for limit in version.result.not_measured]
        names, number = join_names(titles), len(titles)
        if version.card.aggregates.roles.sensitive:
            yield text("decision.provide", limits=names, number=number)
        else:
            yield text("decision.tag_or_provide", limits=names, number=number)


def _below_baseline(version: CheckedVersion) -> Iterator[tuple[LimitResult, RatedAttack]]:
    """The failed limits on attacks that an attacker without the table exceeds already, and the attacks."""
    for limit in version.result.failed:
        attack = version.card[limit.metric].attack if limit.metric in BY_ID else None
        if attack is not None and limit.limit < attack.basic_rate.baseline:
            yield limit, attack
