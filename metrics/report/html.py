"""The report: about three printed pages about one anonymized table, for people who were not there.

Page one is the answer; then follow the versions side by side if there are several, the attacks and the risk before
and after, limits and assumptions, the variables with their treatment, and room for signatures, as the report template
that EMA (Policy 0070) and Health Canada share asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from metrics.aggregates.agreement import tells
from metrics.attacks.rates import RatedAttack
from metrics.attacks.singling_out.measure import SINGLING_OUT_ATTACK
from metrics.candidates.compare.summary import different_epsilon
from metrics.config.parameters import Parameters
from metrics.drawing.version_styles import short_names
from metrics.estimates.result import outcome_terms
from metrics.explanations.attack_rows import attacker_terms
from metrics.explanations.bounds import as_bound, bound_reason, with_assumption
from metrics.explanations.changed_settings import marked_title
from metrics.explanations.checked_rows import checked_rows, compared_terms, title_of
from metrics.explanations.checked_version import CheckedVersion, information_measure, share_of
from metrics.explanations.findings import BEFORE_RELEASE, LEADING, said
from metrics.explanations.ignoring_changes import ignoring_changes
from metrics.explanations.reasons import limits_summary, reasons, term_explanations
from metrics.explanations.recommendation import Recommendation, recommend
from metrics.explanations.suppression import cells_beyond_records
from metrics.explanations.what_matters import what_matters
from metrics.formatting import percent, short_percent, visible
from metrics.metric import Family, FindingKind
from metrics.policy.built_in_policies import DEFAULT_POLICY, source_of
from metrics.policy.limitable_measures import LIMITABLE_MEASURES, SUPPRESSION, measure_text, measured
from metrics.policy.policy import Policy, Status
from metrics.privacy.alpha_k_anonymity.measure import AlphaKAnonymity
from metrics.privacy.classes.worst_class import kept_records
from metrics.privacy.local_dp.measure import LOCAL_DP, LocalDP
from metrics.privacy.reidentification_risk.measure import ReidentificationRisk
from metrics.privacy.safepub.measure import SAFEPUB, SafePub
from metrics.report.facts import (
    FileDigests,
    compared_tables,
    identifying_columns,
    matching_summary,
    parameter_rows,
    stated_columns,
)
from metrics.report.groups import uneven_groups
from metrics.report.rendering import render
from metrics.report.svg import Bars, Point, Scatter, cost_bars, scatter, share_bars, size_bars
from metrics.report.variables import key_sets, risks, variables
from metrics.report.violating import violations
from metrics.scoring.catalog import BY_ID, GRANULARITY, HEADLINES, INFORMATION, METRICS, RISK
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import Table
from metrics.texts import text
from metrics.utility.analyses import ANALYSES, Analyses, all_answers
from metrics.utility.count_queries.queries import Answer

_MAX_VERSIONS = 4
"""Most versions on page two: more columns do not fit the paper."""
_MAX_VARIABLES = 40
"""Most columns in the table of variables; those with a role come first."""
_MAX_COSTS = 5
"""Most of the attacker's costs beside the chosen one."""
_INFORMATION = (INFORMATION, GRANULARITY)
_ATTACKS = ("record_linkage_attack", "attribute_inference_attack", "singling_out_attack")
"""Attacks whose success the first page names."""


class _Tile(NamedTuple):
    """A figure of page one."""

    title: str
    value: str
    limit: str
    outcome: str


def report_html(
    card: Scorecard,
    versions: Mapping[str, Scorecard] | None = None,
    *,
    label: str | None = None,
    policy: Policy = DEFAULT_POLICY,
    sha256: FileDigests | None = None,
    date: str | None = None,
    shown: Sequence[str] = (),
) -> str:
    """A self-contained page: the status under the policy with its reasons, the versions compared, the assumptions.

    It holds counts and the distribution of class sizes. No class is named, and no figure of a single class is given but
    the worst of all; `appendix_html` makes the confidential page that names classes, `technical_html` the one with
    every figure. There is no script, and nothing is fetched; whatever comes from tables and files is text on the page.

    Parameters
    ----------
    card : Scorecard
        The version that the report is about.
    versions : mapping of str to Scorecard, optional
        All versions by label, this one included; by default it is the only one.
    label : str, optional
        The version's label, by default its table's name.
    policy : Policy
        The limits to check.
    sha256 : FileDigests, optional
        Digests of the files.
    date : str, optional
        Shown as given.
    shown : sequence of str
        Labels of the versions to set beside each other, in this order; by default at most four.

    Returns
    -------
    str
        HTML.
    """
    name = label or card.aggregates.anonymized.name
    recommendation = recommend({name: card} if versions is None else versions, policy)
    version = recommendation.versions[name]
    card = version.card
    columns = list(variables(card))
    shown_versions = _versions_to_show(recommendation, name, shown)
    digests = sha256 or FileDigests()
    recommended = recommendation.of(name, is_sorted=bool(digests.made))
    said_before, given_reasons = " ".join(recommended), reasons(version)
    drawn = card[LOCAL_DP.id].result
    order = () if digests.made else (FindingKind.ORDER,)  # the file for release of a table made here is sorted
    warnings, meets = said(card, *order, *BEFORE_RELEASE), version.status is Status.MEETS
    analyses = _analyses(card)
    answer = [
        said(card, FindingKind.IDENTIFIERS),
        limits_summary(version),
        "" if meets else warnings,
        said(card, *LEADING),
    ]
    return render(
        "report.html",
        name=name,
        date=date,
        headline=version.result.title,
        meets=meets,
        fails=version.status is Status.FAILS,
        answer=" ".join(filter(None, answer)),
        before_release=warnings if meets else "",
        tiles=list(_tiles(version)),
        reasons=given_reasons,
        attacks=list(_sentences_on_attacks(card)),
        terms=term_explanations(version),
        costs=cost_bars(card.aggregates.class_sizes, card.parameters.profitability, _MAX_COSTS),
        about_attacks=list(_about_attacks(version)),
        scatter=_scatter(shown_versions, name, recommendation.measure),
        bars=_bars(version),
        analyses=analyses,
        about_outcomes=" ".join(outcome_terms(analyses.results.values())).replace("**", "") if analyses else "",
        counts=dict(_counts(card)),
        promises=list(_promises(version)),
        recommendation=[*recommended, *([drawn.in_brief] if isinstance(drawn, LocalDP) else [])],
        decision=" ".join(sentence for sentence in recommendation.choice() if sentence not in said_before),
        columns=short_names(shown_versions),
        left_out=[visible(label) for label in recommendation.versions if label not in shown_versions],
        compared_terms=compared_terms(shown_versions),
        overstated=_bound_legend(shown_versions),
        noisy="".join(different_epsilon(one.card[LOCAL_DP.id].value for one in shown_versions.values())),
        rows=list(checked_rows(shown_versions)),
        limited=bool(version.result.limits),
        source=source_of(policy),
        p29=violations(card) if version.limit_on("p29") else None,
        tables=list(compared_tables(card, digests, name)),
        without_suppressed=digests.without_suppressed,
        quasi_identifiers=card.aggregates.roles.quasi_identifiers,
        known=_known_in_attacks(card),
        roles_tell_people=card.aggregates.roles.person is not None,
        identifying=identifying_columns(card),
        not_identifying=stated_columns(card),
        what_matters=what_matters(card.aggregates.roles),
        matching=matching_summary(card, warns_of_order=text("verdict.in_order") not in warnings),
        labels=said(card, FindingKind.LABELS),
        changed=_changed_parameters(card, policy),
        variables=columns[:_MAX_VARIABLES],
        more_variables=len(columns[_MAX_VARIABLES:]),
        uneven=_uneven_suppression(card, [*recommended, *given_reasons]),
        risks=risks(card),
        groups=uneven_groups(card),
        threshold=card.parameters.reidentification_risk.threshold,
        suppressed=card.aggregates.class_sizes.suppressed,
        key_sets=key_sets(card),
        settings=None if sha256 is None else sha256.settings,
        unmeasured=sum(score.result is None for score in card),
    )


def _analyses(card: Scorecard) -> Analyses | None:
    """What is left of the saved analyses, where there are any."""
    found = card[ANALYSES.id].result
    return found if isinstance(found, Analyses) else None


def _counts(card: Scorecard) -> Iterator[tuple[str, str]]:
    """By name what the release says of the saved counts: no true count, which may be of few people."""
    for name, found in all_answers(card.aggregates, card.parameters.analyses):
        if isinstance(found, Answer):
            yield name, found.by_the_release


def _promises(version: CheckedVersion) -> Iterator[str]:
    """What randomized columns promise, and what a table made by sampling would."""
    drawn, sampled = version.card[LOCAL_DP.id].result, version.card[SAFEPUB.id].result
    table = version.card.aggregates.anonymized
    if isinstance(drawn, LocalDP):
        yield drawn.promise
    elif isinstance(table, Table) and table.randomization:
        yield text("local_dp.promise.no_promise", reason=version.card[LOCAL_DP.id].unavailable)
    made = isinstance(sampled, SafePub) and sampled.sampled is not None
    if isinstance(sampled, SafePub) and (
        made or sampled.value <= sampled.parameters.delta or version.limit_on(SAFEPUB.id)
    ):
        yield sampled.summary()
    if (made or isinstance(drawn, LocalDP)) and version.card.aggregates.original is not None:
        yield text("safepub.keep_report")


def _uneven_suppression(card: Scorecard, statements: Sequence[str]) -> str:
    """Whom suppression hits most, unless the page has said so already."""
    uneven = said(card, FindingKind.UNEVEN_SUPPRESSION)
    return "" if any(uneven in statement for statement in statements) else uneven


def _versions_to_show(recommendation: Recommendation, name: str, shown: Sequence[str]) -> dict[str, CheckedVersion]:
    """The versions of page two: those wanted, or the best four: the report's own, the one to choose, those that meet.

    The report's own is always among them.
    """
    checked, best = recommendation.versions, recommendation.best
    if shown:
        return {label: checked[label] for label in (shown if name in shown else (name, *shown)) if label in checked}
    preferred = [checked[name], *([] if best is None else [best])]
    ordered = {version.label: version for version in (*preferred, *recommendation.meeting, *checked.values())}
    return dict(list(ordered.items())[:_MAX_VERSIONS])


def _tiles(version: CheckedVersion) -> Iterator[_Tile]:
    """The figures behind the status: every limit, or the usual figures without any; then what is kept."""
    for limit in version.result.stated:
        value = LIMITABLE_MEASURES[limit.metric].measure_text(limit.value, short_percent, limit.limit)
        if limit.metric in BY_ID:
            value = with_assumption(version.card[limit.metric], value)
        title = marked_title(limit.title, limit.metric, version.card.parameters)
        yield _Tile(title, value, limit.requirement, str(limit.outcome))
    if version.status is Status.NO_LIMITS:
        for score in map(version.card.__getitem__, HEADLINES):
            if score.metric.family is Family.PRIVACY:
                title = marked_title(score.metric.title, score.metric.id, version.card.parameters)
                yield _Tile(title, measure_text(score.metric.id, score.shown, short_percent), "", "")
    measure = information_measure(version.card)
    kept, score = share_of(version.card, measure), version.card[measure]
    if kept is not None and version.limit_on(measure) is None:
        yield _Tile(title_of(measure), as_bound(score, percent(kept)), bound_reason(score), "")
    suppression = LIMITABLE_MEASURES[SUPPRESSION]
    share = measured(SUPPRESSION, version.card).value
    if version.limit_on(SUPPRESSION) is None and share is not None:
        yield _Tile(suppression.title, suppression.measure_text(share, short_percent), "", "")
    cell_share = cells_beyond_records(version.card)
    if cell_share is not None:
        title = version.card["suppressed_cells"].metric.title
        yield _Tile(title, short_percent(cell_share), text("suppressed_cells.in_brief"), "")


def _known_in_attacks(card: Scorecard) -> tuple[str, ...]:
    """The columns that attackers are assumed to know; empty where they are the quasi-identifiers."""
    known_columns = card.parameters.attack.known
    return () if set(known_columns) == set(card.aggregates.roles.quasi_identifiers) else known_columns


def _attacks(card: Scorecard) -> list[RatedAttack]:
    return [attack for metric_id in _ATTACKS if (attack := card[metric_id].attack) is not None]


def _sentences_on_attacks(card: Scorecard) -> Iterator[str]:
    """Describe the success of each attack, and say why others were not measured; singling out is on request."""
    attacks, refused = _attacks(card), [card[metric_id].unavailable for metric_id in _ATTACKS[:2]]
    yield from (result.brief for result in attacks)
    if card.aggregates.original is not None and all(refused):
        yield text("attack.not_measured", reason=refused[0])
    ignoring = ignoring_changes(card) if attacks and perturbed_columns_of(card.aggregates) else None
    if ignoring is not None:
        yield ignoring
    if attacks and card[SINGLING_OUT_ATTACK.id].result is None:
        yield text("attack.singling_out.not_measured")


def _about_attacks(version: CheckedVersion) -> Iterator[str]:
    """Say whether the policy limits attacks, why they and the risk differ, and what stronger attackers know."""
    card = version.card
    risk = card[RISK].result
    limits = version.result.limits
    if _attacks(card) and limits and not any(version.limit_on(metric_id) for metric_id in _ATTACKS):
        yield text("attack.not_limited")
    if card[_ATTACKS[0]].attack is not None and isinstance(risk, ReidentificationRisk):
        yield text("attack.beside_risk", highest=risk.prosecutor.highest, average=risk.prosecutor.average)
    yield from attacker_terms(card)


def _bound_legend(shown_versions: Mapping[str, CheckedVersion]) -> str:
    """What the sign of a bound means, where the information kept has one."""
    overstated = (one.is_overstated(measure) for one in shown_versions.values() for measure in _INFORMATION)
    return text("bounds.legend") if any(overstated) else ""


def _scatter(shown_versions: Mapping[str, CheckedVersion], name: str, measure: str) -> Scatter | None:
    points = [
        Point(label, kept, other.risk, label == name, str(other.status), other.is_overstated(measure))
        for label, other in shown_versions.items()
        if (kept := share_of(other.card, measure)) is not None and other.risk is not None
    ]
    return scatter(points, _bound(shown_versions[name], RISK), title_of(measure)) if points else None


def _bars(version: CheckedVersion) -> Bars | None:
    """Records by class size, or by what their class reveals where that fails a limit and the size does not."""
    aggregates = version.card.aggregates
    sizes, unmet = aggregates.class_sizes, {limit.metric for limit in version.unmet}
    if not sizes.count:
        return None
    revealing = any(metric in BY_ID and "sensitive" in BY_ID[metric].settings for metric in unmet)
    result = version.card["alpha_k_anonymity"].result
    if (
        revealing
        and "k_anonymity" not in unmet
        and isinstance(result, AlphaKAnonymity)
        and not aggregates.is_partitioned
    ):
        class_sizes = aggregates.classes.sizes
        telling = [name for name in result.per_class if tells(aggregates, name)]
        if telling:
            attribute = max(telling, key=lambda name: float(result.per_class[name] @ class_sizes))
            return share_bars(result.per_class[attribute], class_sizes, attribute, kept_records(sizes))
    return size_bars(sizes, _bound(version, "k_anonymity"))


def _bound(version: CheckedVersion, metric_id: str) -> float | None:
    limit = version.limit_on(metric_id)
    return None if limit is None else float(limit.limit)


def _changed_parameters(card: Scorecard, policy: Policy) -> list[tuple[str, str, str, str]]:
    """Parameters with another value than the default, each with its metric; the policy's limits are not among them."""
    defaults = dict(parameter_rows(policy.limit_parameters(Parameters())))
    rows = [(key, value, defaults.get(key, "")) for key, value in parameter_rows(card.parameters)]
    without_limit = {
        metric.limit_setting: f"{metric.maximum:g}"
        for metric in METRICS
        if metric.limit_setting and metric.id not in policy.limits
    }
    titles = {key: BY_ID[group].title for key, *_ in rows if (group := key.partition(".")[0]) in BY_ID}
    return [
        (f" of {titles[key]}" if key in titles else "", key, value, default or "none")
        for key, value, default in rows
        if value not in (default, without_limit.get(key))
    ]
