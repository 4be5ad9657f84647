"""Verdict: whether a table meets the policy, and why."""

import math
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.components.assumptions import assumptions
from dashboard.components.guard import require_card
from dashboard.components.limits import outcome_words
from dashboard.components.release_file import order_notice, order_warning
from dashboard.components.scripts import version_script
from dashboard.components.verdict_chart import verdict_chart
from dashboard.navigation import COMPARE, DATA, EXPLORE, REPAIR, REPORT
from dashboard.navigation import RISK as RISK_PAGE
from dashboard.repairs import limits_on, starting_levels_summary, why_unrepairable
from dashboard.session import chosen_version, workspace
from dashboard.text import plain
from metrics.aggregates.comparison import NO_ORIGINAL
from metrics.candidates.limits.enforced import not_enforced
from metrics.candidates.repair.by_policy import merge_to_policy
from metrics.candidates.repair.summary import information_kept, unmet_summary
from metrics.candidates.repair.to_limits import LimitedRepair
from metrics.errors import InputError
from metrics.explanations.attack_rows import guessed_attributes
from metrics.explanations.bounds import as_bound, bound_reason
from metrics.explanations.changed_settings import marked_title
from metrics.explanations.checked_rows import title_of
from metrics.explanations.checked_version import information_measure
from metrics.explanations.direct_identifiers import hiding_summary
from metrics.explanations.findings import BEFORE_RELEASE, LEADING, findings, said
from metrics.explanations.recommendation import Recommendation, recommend
from metrics.formatting import pluralize, sentence_case, short_percent
from metrics.metric import FindingKind, Severity
from metrics.policy.limitable_measures import LIMITABLE_MEASURES, LimitResult, Outcome, identifiers_in_release, measured
from metrics.policy.policy import Policy, Status
from metrics.privacy.local_dp.measure import LOCAL_DP
from metrics.scoring.catalog import RISK
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.scoring.scorecard import Score, Scorecard
from metrics.texts import text
from metrics.utility.analyses import ANALYSES, Analyses
from pages.verdict.exposed import exposed_people
from pages.verdict.metric_rows import all_metrics, families, leading_rows, metric_rows

_TILES = ("k_anonymity", "distinct_l_diversity", "t_closeness", RISK, "suppression")
"""What is shown as a tile besides the information kept, six in a row."""
_NOT_YET = "…"
_MAX_RECORDS = 500_000
"""Records of all versions together up to which all are scored for the chart without being asked."""
_BELOW = (FindingKind.FALSE_INTERVALS, FindingKind.PERTURBED, FindingKind.ASSUMPTIONS)
_MARKS = {Outcome.MET: "meets", Outcome.FAILED: "fails", Outcome.NOT_MEASURED: "unknown"}

state = workspace()
card = state.with_singling_out(require_card())
label = chosen_version(state)
checked = state.policy.current.check(card)


def show_verdict() -> None:
    """The answer, its chart and whom it exposes, the next step, eight rows, and all else on request."""
    doubtful = state.doubtful_matching(label)
    if doubtful is not None:
        st.warning(plain(doubtful), icon=":material/warning:")
    status_and_finding()
    tiles, complete = st.empty(), analyses_known()
    show_tiles(tiles, card, complete=complete)
    cards = all_cards()
    recommended = recommend(cards, state.policy.current)
    repair = None
    if card.class_count:
        left, right = st.container(key="exposure").columns(2, gap="medium")
        with left:
            verdict_chart(state, recommended, label)
        with right:
            st.header("Who is exposed", anchor=False)
            exposed_people(state, card)
        repair = cheapest_repair(recommended)
    others = {name: other for name, other in cards.items() if name != label}
    metric_rows(state, card, leading_rows(card, checked, others), "metric_rows")
    known = card if complete else state.with_analyses(card)
    if not complete:
        show_tiles(tiles, known)
    work = all_metrics(state, known, families(known, checked, others))
    assumptions(state, card)
    version_script(state, label)
    if repair is not None:
        repair()
    if work is not None:
        work()


def status_and_finding() -> None:
    """Whether the policy is met, by which table; why, in one sentence; and what must be settled before a release."""
    with st.container(key="verdict_status"), st.container(key=f"status_{checked.status.name.lower()}"):
        st.title(f"{checked.status.heading} · {plain(label)}", anchor=False)
    sentence, *remarks = _sentences()
    st.markdown(plain(sentence))
    if remarks:
        st.markdown("\n".join(f"- {plain(remark)}" for remark in remarks))
    order_notice(state, card)
    for finding in findings(card, kinds=_BELOW):
        show, icon = (st.warning, "warning") if finding.severity is Severity.SETTLE else (st.info, "info")
        show(plain(finding.sentence), icon=f":material/{icon}:")
    sizes, removed = card.aggregates.class_sizes, card.aggregates.comparison.removed
    classes = pluralize(sizes.count, "equivalence class", "equivalence classes")
    parts = [f"{pluralize(sizes.kept, 'record')} in {classes}"]
    parts += [
        f"{number:,} {name}" for name, number in (("suppressed", sizes.suppressed), ("removed", removed)) if number
    ]
    st.caption(plain(" · ".join(parts)))


def _sentences() -> list[str]:
    """What leads the page, then what else is to be known; the groups say whose sensitive values are revealed."""
    # The line above the tiles says how many records are lost.
    kinds = [FindingKind.IDENTIFIERS, *(kind for kind in LEADING if kind is not FindingKind.LOST_RECORDS)]
    found = findings(card, kinds=kinds)
    if any(finding.kind is FindingKind.IDENTITY_DISCLOSURE for finding in found):
        found = tuple(finding for finding in found if finding.kind is not FindingKind.ATTRIBUTE_DISCLOSURE)
    leading = [finding.sentence for finding in found]
    if checked.status is Status.MEETS:
        leading = [finding.sentence for finding in found if finding.severity is not Severity.STRENGTH]
        leading.insert(0, f"{sentence_case(checked.count_summary())}.")
    elif not found or found[0].severity is not Severity.RISK:
        leading.insert(0, checked.summary())
    settle = findings(card, kinds=(*BEFORE_RELEASE, FindingKind.UNEVEN_SUPPRESSION))
    return [*leading, *(finding.sentence for finding in settle)]


def analyses_known() -> bool:
    """Whether the tile on analyses has its value; it is computed once what leads the page is drawn."""
    return card[ANALYSES.id].result is not None or card.aggregates.original is None


def show_tiles(place: DeltaGenerator, card: Scorecard, *, complete: bool = True) -> None:
    """The few values that most policies limit, and those that this one limits, each against its limit.

    Unless `complete`, analyses are still to be run.
    """
    stated = {result.metric: result for result in checked.stated}
    tiles = [
        _tile(identifier, card, stated.get(identifier), is_pending=identifier == ANALYSES.id and not complete)
        for identifier in _shown_tiles(stated)
        if identifier != ANALYSES.id or identifier in stated or not complete or card[identifier].result is not None
    ]
    place.html(f'<div class="tiles">{"".join(tiles)}</div>')


def _tile(identifier: str, card: Scorecard, result: LimitResult | None, *, is_pending: bool) -> str:
    """A value with its title, and what is said of it: its limit, why it is a bound, or that it is being computed."""
    score = card.scores.get(identifier)
    value = score.shown if score is not None and result is None else measured(identifier, card).value
    shown = LIMITABLE_MEASURES[identifier].measure_text(
        value, short_percent, math.nan if result is None else result.limit
    )
    shown = shown if score is None else as_bound(score, shown, perturbed=bool(perturbed_columns_of(card.aggregates)))
    about = ("" if score is None else _remark(score, result is not None)) or (
        "" if result is None else result.requirement
    )
    further = "".join(f" · {one}" for one in ([] if score is None else _further(score, result is not None)))
    if is_pending:
        shown, about = _NOT_YET, "computing"
    status_text = "" if result is None else f" <span>{outcome_words(result.outcome)}</span>"
    title = marked_title(title_of(identifier) if result is None else result.title, identifier, card.parameters)
    return (
        f'<div class="tile {"" if result is None else _MARKS[result.outcome]}">'
        f"<b>{escape(title)}</b><strong>{escape(shown)}</strong><small>{escape(about)}{status_text}{escape(further)}</small></div>"
    )


def _further(score: Score, is_limited: bool) -> Iterator[str]:
    """What else a value says: results that survive, and attributes that are guessed."""
    if is_limited and isinstance(score.result, Analyses):
        yield score.result.in_short
    yield from guessed_attributes(score, card.aggregates)


def _remark(score: Score, is_limited: bool) -> str:
    """Why a value is a mere bound, or that there is none; empty if there is nothing to remark."""
    if score.unavailable == NO_ORIGINAL:
        return text("unavailable.no_original_in_brief")
    if isinstance(score.result, Analyses) and not is_limited:
        return score.result.in_short
    if score.metric.id == information_measure(card) and card[LOCAL_DP.id].result is not None:
        return "of the quasi-identifiers"  # what is randomized usually is another column
    return "not measured" if score.unavailable and not is_limited else bound_reason(score)


def _shown_tiles(limits: Collection[str]) -> list[str]:
    """Choose the tiles: what has a limit, what is kept, then what has none while there is room."""
    kept = information_measure(card)
    analyses = [] if card.aggregates.original is None else [ANALYSES.id]
    told = [limit.also.metric for limit in checked.stated if limit.also is not None]
    names = [name for name in dict.fromkeys((*_TILES, kept, *analyses, *limits)) if name not in told]
    order = sorted(names, key=lambda name: 0 if name in limits else 1 if name in (kept, ANALYSES.id) else 2)
    return order[: max(len(_TILES) + 1, len(limits) + 1)]


def all_cards() -> dict[str, Scorecard]:
    """The scores of every version in memory; of the chosen one alone if together they are large."""
    cards = {label: card}
    if sum(loaded.table.rows for loaded in state.tables.versions.values()) > _MAX_RECORDS:
        return cards
    for other in state.tables.versions:
        with suppress(InputError):  # the page Data says what is wrong with it
            cards[other] = state.card(other)
    return cards


def cheapest_repair(recommended: Recommendation) -> Callable[[], None] | None:
    """Show what to do next: pass on a table that meets the policy, repair or replace one that fails.

    Computing the cost of merging classes, which usually keeps the most information, takes about a second: the function
    returned, called once the rest of the page is drawn, adds it to the line. None if there is nothing to add.
    """
    version = recommended.versions[label]
    card, result = version.card, version.result
    if result.status is Status.NO_LIMITS:
        return None
    meets = result.status is Status.MEETS
    unrepairable = None if meets else why_unrepairable(result)
    step = unrepairable or (_after_meeting(card) if meets else text("repair.next_repair"))
    other = recommended.instead_of(label)
    repairable = not meets and unrepairable is None
    best = recommended.best
    if other is not None and repairable and best is not None and best.information is not None:
        other = text("decision.otherwise", best=best.label, kept=best.information)
    alternative = "" if other is None else f" {plain(other)}"
    with st.container(border=True, key="verdict_repair"):
        placeholder = st.empty()
        placeholder.markdown(f"**Next:** {plain(step)}{alternative}")
        with st.container(horizontal=True):
            if identifiers_in_release(card.aggregates):
                st.page_link(DATA.page(), label="Check the roles", icon=":material/badge:")
            _links(meets=meets, repairable=unrepairable is None)
    if meets:
        return None

    def complete() -> None:
        """Add what merging costs, or that other levels meet the policy."""
        if unrepairable is not None:
            better = starting_levels_summary(state, label)
            if better is not None:
                placeholder.markdown(f"**Next:** {plain(f'{step} {better}')}{alternative}")
            return
        repair = merge_to_policy(card.aggregates, state.policy.current, card.parameters)
        if repair is not None:
            offer = merging_offer(state.policy.current, repair, hiding_summary(card.aggregates))
            placeholder.markdown(f"{offer}{alternative}")

    return complete


def _after_meeting(card: Scorecard) -> str:
    """The next step with a table that meets the policy."""
    if said(card, FindingKind.FALSE_INTERVALS):
        return text("repair.next_hierarchy")
    if said(card, FindingKind.SUPPRESSED_GROUP):
        return text("repair.next_without_suppressed")
    return text("repair.next_reordered") if order_warning(state, card) else text("repair.next_report")


def _links(*, meets: bool, repairable: bool) -> None:
    """The pages on which the next step is done."""
    if not meets and repairable:
        st.page_link(REPAIR.page(), label="Repair this table", icon=":material/build:")
    if len(state.tables.labels) > 1:
        st.page_link(COMPARE.page(), label="Compare versions", icon=":material/compare_arrows:")
    if state.searchable and not meets:
        st.page_link(EXPLORE.page(), label="Find a better table", icon=":material/explore:")
    elif not state.searchable and not repairable:
        st.page_link(DATA.page(), label="Load the original", icon=":material/upload_file:")
    if said(card, FindingKind.UNEVEN_SUPPRESSION):
        st.page_link(RISK_PAGE.page(), label="Suppression and risk by group", icon=":material/person_search:")
    st.page_link(REPORT.page(), label="Report", icon=":material/description:")


def merging_offer(policy: Policy, repair: LimitedRepair, hidden: str | None = None) -> str:
    """Say what merging classes meets and costs, as Markdown; `hidden`: that it suppresses identifiers."""
    costs, kept = text("repair.changes", records=repair.records_changed), information_kept(repair)
    if kept is not None:
        costs = f"{costs} {text('repair.keeps', after=kept[1])}"
    if repair.unmet:
        return f"**{text('repair.merging_not_enough')}** {plain(f'{unmet_summary(repair)}. {costs}')}"
    if not len(repair.violating):
        return (
            f"**{text('repair.no_repair_helps')}** {text('repair.rest_met_in_brief')}"
            if hidden is None
            else f"**Repair:** {plain(hidden)}"
        )
    if not not_enforced(policy, repair.limits, repair.aggregates.roles):
        return f"**Repair:** {plain(text('repair.merging_meets_policy', costs=costs))}"
    met = text("repair.merging_meets", limits=limits_on(policy, repair.limits), costs=costs)
    return f"**Repair:** {plain(met)}"


show_verdict()
