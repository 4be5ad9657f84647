"""Verdict: whether a table meets the policy, and why."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from html import escape

import streamlit as st

from dashboard.components.assumptions import assumptions
from dashboard.components.guard import require_card
from dashboard.components.limits import limit_summary, outcome_words
from dashboard.components.release_file import order_notice, order_warning
from dashboard.components.verdict_chart import policy_heading, verdict_chart
from dashboard.navigation import CLASSES, COMPARE, DATA, EXPLORE, REPAIR, REPORT
from dashboard.repairs import limits_on, starting_levels_summary, why_unrepairable
from dashboard.session import chosen_version, open_class, workspace
from dashboard.text import plain
from metrics.aggregates.comparison import NO_ORIGINAL
from metrics.candidates.limits.enforced import not_enforced
from metrics.candidates.repair.by_policy import merge_to_policy
from metrics.candidates.repair.summary import information_change
from metrics.candidates.repair.to_limits import LimitedRepair
from metrics.errors import InputError
from metrics.explanations.bounds import as_bound, bound_reason
from metrics.explanations.changed_settings import marked_title
from metrics.explanations.checked_rows import title_of
from metrics.explanations.checked_version import information_measure
from metrics.explanations.direct_identifiers import hiding_summary
from metrics.explanations.findings import BEFORE_RELEASE, LEADING, findings, said
from metrics.explanations.recommendation import Recommendation, recommend
from metrics.explanations.worst_groups import WorstClass, worst_groups
from metrics.formatting import (
    class_in_short,
    join_names,
    percent,
    pluralize,
    short_percent,
    shortened,
    visible,
    within_sentence,
)
from metrics.metric import FindingKind, Severity
from metrics.policy.class_limits import class_limits
from metrics.policy.limitable_measures import LIMITABLE_MEASURES, Outcome, identifiers_in_release, measured
from metrics.policy.policy import Policy, Status
from metrics.scoring.catalog import RISK
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.scoring.scorecard import Score, Scorecard, format_number
from metrics.texts import text
from pages.verdict.metric_rows import metric_rows, not_measured

_TILES = ("k_anonymity", "distinct_l_diversity", "t_closeness", RISK, "suppression")
"""What is shown as a tile besides the information kept, six in a row."""
_MAX_RECORDS = 500_000
"""Records of all versions together up to which all are scored for the chart without being asked."""
_NAME = 24
"""Letters of a column's name before its value, which must not be what is cut off."""
_BELOW = (FindingKind.FALSE_INTERVALS, FindingKind.PERTURBED, FindingKind.ASSUMPTIONS)
_MARKS = {Outcome.MET: "meets", Outcome.FAILED: "fails", Outcome.NOT_MEASURED: "unknown"}

state = workspace()
card = state.attacks.with_singling_out(require_card())
label = chosen_version(state)
checked = state.policy.current.check(card)


def show_verdict() -> None:
    """The answer, its chart, the next step, every metric as a row, and what all that assumes."""
    doubtful = state.doubtful_matching(label)
    if doubtful is not None:
        st.warning(plain(doubtful), icon=":material/warning:")
    status_and_finding()
    show_tiles()
    cards = all_cards()
    recommended = recommend(cards, state.policy.current)
    repair = None
    if card.class_count:
        left, right = st.columns(2, gap="medium")
        with left:
            verdict_chart(state, recommended, label, policy_heading(recommended, label))
        with right:
            st.header("Most exposed classes", anchor=False)
            most_exposed_classes()
            st.page_link(CLASSES.page(), label="All classes", icon=":material/arrow_forward:")
        repair = cheapest_repair(recommended)
    metric_rows(state, card, checked, {name: other for name, other in cards.items() if name != label})
    work = not_measured(state, card)
    assumptions(state, card)
    if repair is not None:
        repair()
    if work is not None:
        work()


def status_and_finding() -> None:
    """Whether the policy is met, by which table, and the finding in a few short sentences."""
    with st.container(key="verdict_status", horizontal=True, vertical_alignment="center"):
        with st.container(key=f"status_{checked.status.name.lower()}", gap="small", width="content"):
            st.title(f"{checked.status.heading} · {plain(label)}", anchor=False)
        order_notice(state, card)
    identifying, leading = said(card, FindingKind.IDENTIFIERS), said(card, *LEADING)
    to_settle = said(card, *BEFORE_RELEASE)  # the order has a notice of its own
    if to_settle and checked.status is Status.MEETS:
        st.markdown(f"{plain(f'{identifying} {leading}')} **Before you release, consider:** {plain(to_settle)}")
    else:
        st.markdown(plain(" ".join(filter(None, (identifying, *_unmet(), to_settle, leading)))))
    sizes, removed = card.aggregates.class_sizes, card.aggregates.comparison.removed
    classes = pluralize(sizes.count, "equivalence class", "equivalence classes")
    parts = [
        f"{pluralize(sizes.kept, 'record')} in {classes}",
        f"{pluralize(sizes.suppressed, 'record')} suppressed",
        *([] if removed is None else [f"{removed:,} removed"]),
        f"assessed against the policy “{visible(state.policy.current.name)}”",
    ]
    uneven = said(card, FindingKind.UNEVEN_SUPPRESSION)
    st.caption("  \n".join([plain(" · ".join(parts)), *([plain(uneven)] if uneven else [])]))
    for finding in findings(card, kinds=_BELOW):
        show, icon = (st.warning, "warning") if finding.severity is Severity.SETTLE else (st.info, "info")
        show(plain(finding.sentence), icon=f":material/{icon}:")


def _unmet() -> Iterator[str]:
    """Name the limits that fail, a single one with its value, and those that are not measured."""
    failed, not_measured = (
        [within_sentence(limit.title) for limit in limits] for limits in (checked.failed, checked.not_measured)
    )
    if len(failed) == 1:
        yield f"Failed limit: {within_sentence(checked.failed[0].summary())}."
    elif failed:
        yield f"Failed limits: {join_names(failed)}."
    if not_measured:
        yield f"Not measured: {join_names(not_measured)}."


def show_tiles() -> None:
    """The few values that most policies limit, and those that this one limits, each against its limit."""
    outcomes = {result.metric: result.outcome for result in checked.limits}
    parts = []
    limits = {result.metric: result.limit for result in checked.limits}
    perturbed = bool(perturbed_columns_of(card.aggregates))
    for identifier in _shown_tiles(limits):
        limitable = LIMITABLE_MEASURES[identifier]
        score = card.scores.get(identifier)
        value = measured(identifier, card).value if score is None else score.figure
        outcome = outcomes.get(identifier)
        as_number = not limitable.is_share and not isinstance(value, bool)
        shown = format_number(value) if as_number else limitable.measure_text(value, short_percent)
        shown = shown if score is None else as_bound(score, shown, perturbed=perturbed)
        limit = ("" if score is None else _remark(score, identifier in limits)) or limit_summary(limits, identifier)
        status_text = "" if outcome is None else f" <span>{outcome_words(outcome)}</span>"
        mark = "" if outcome is None else _MARKS[outcome]
        title = marked_title(title_of(identifier), identifier, card.parameters)
        parts.append(
            f'<div class="tile {mark}">'
            f"<b>{escape(title)}</b><strong>{escape(shown)}</strong><small>{escape(limit)}{status_text}</small></div>"
        )
    st.html(f'<div class="tiles">{"".join(parts)}</div>')


def _remark(score: Score, is_limited: bool) -> str:
    """Why a value is a mere bound, or that there is none; empty if there is nothing to remark."""
    if score.unavailable == NO_ORIGINAL:
        return text("unavailable.no_original_in_brief")
    return "not measured" if score.unavailable and not is_limited else bound_reason(score)


def _shown_tiles(limits: Mapping[str, float | bool]) -> list[str]:
    """Choose the tiles: what has a limit, what is kept, then what has none while there is room."""
    kept = information_measure(card)
    names = dict.fromkeys((*_TILES, kept, *limits))
    order = sorted(names, key=lambda name: 0 if name in limits else 1 if name == kept else 2)
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


def most_exposed_classes() -> None:
    """The five classes that expose people most, failing ones first; each opens on the page of classes."""
    with st.container(key="groups", gap="xxsmall"):
        labels = said(card, FindingKind.LABELS)
        if labels:
            st.caption(plain(labels))
        st.html('<div class="group head"><b>Class</b><b>Records</b><b>Most frequent value</b></div>')
        for number, group in enumerate(worst_groups(card, class_limits(state.policy.current))):
            _group(group, number)


def _revealed(group: WorstClass, longest_name: int) -> str:
    """Say what most records of a class have, with their share: what does not fit in the row is cut off."""
    return ", ".join(
        f"{shortened(visible(name), longest_name)}: {visible(value)}{'' if group.size == 1 else f' ({percent(share)})'}"
        for name, (value, share) in group.revealed.items()
    )


def _group(group: WorstClass, number: int) -> None:
    """One class: who it is, as a button, how many, and what it reveals."""
    labels = [(visible(name), visible(label)) for name, label in group.labels.items() if label != "*"]
    revealed = _revealed(group, sys.maxsize)
    left, right = st.columns([5, 4], gap="small")
    if left.button(
        plain(class_in_short(group.labels.values())),
        key=f"group_{number}",
        type="tertiary",
        help=plain(", ".join(f"{name} = {label}" for name, label in labels)) or None,
    ):
        most_certain = max(group.revealed, key=lambda name: group.revealed[name][1], default=None)
        open_class(label, group.index, most_certain)
        st.switch_page(CLASSES.page())
    right.html(
        f'<div class="group"><span>{group.size:,}</span>'
        f'<span title="{escape(revealed)}">{escape(_revealed(group, _NAME) or "no sensitive column")}</span></div>'
    )


def cheapest_repair(recommended: Recommendation) -> Callable[[], None] | None:
    """Show what to do next: pass on a table that meets the policy, repair or replace one that fails.

    Where another version should be chosen instead, the line names it. Computing the cost of
    merging classes, which usually keeps the most information, takes about a second: the function returned, called once
    the rest of the page is drawn, adds it to the line. None if there is nothing to add.
    """
    version = recommended.versions[label]
    card, result = version.card, version.result
    if result.status is Status.NO_LIMITS:
        return None
    meets = result.status is Status.MEETS
    unrepairable = None if meets else why_unrepairable(result)
    other = recommended.instead_of(label)
    alternative = "" if other is None else f" {plain(other)}"
    step = unrepairable or (_after_meeting(card) if meets else text("repair.next_repair"))
    with st.container(horizontal=True, vertical_alignment="center", border=True, key="verdict_repair"):
        placeholder = st.empty()
        placeholder.markdown(f"**Next:** {plain(step)}{alternative}")
        with st.container(horizontal=True, width="content"):
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
            placeholder.markdown(
                f"{plain_cost(state.policy.current, repair, hiding_summary(card.aggregates))}{alternative}"
            )

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
        st.page_link(COMPARE.page(), label="Compare candidates", icon=":material/compare_arrows:")
    if state.searchable and not meets:
        st.page_link(EXPLORE.page(), label="Search for a better table", icon=":material/explore:")
    elif not state.searchable and not repairable:
        st.page_link(DATA.page(), label="Load the original", icon=":material/upload_file:")
    st.page_link(REPORT.page(), label="Report", icon=":material/description:")


def plain_cost(policy: Policy, repair: LimitedRepair, hidden: str | None = None) -> str:
    """Say what merging costs and which limits it meets, as Markdown; `hidden`: that it suppresses identifiers."""
    changes = text("repair.changed", records=repair.records_changed)
    costs = ", ".join(filter(None, (information_change(repair), changes)))
    if repair.unmet:
        return f"**{text('repair.merging_not_enough')}** {plain(f'{repair.unmet[0]}; {costs}.')}"
    if not len(repair.violating):
        return (
            f"**{text('repair.no_repair_helps')}** {text('repair.rest_met_in_brief')}"
            if hidden is None
            else f"**Repair:** {plain(hidden)}"
        )
    limits = limits_on(policy, repair.limits)
    if not_enforced(policy, repair.limits, repair.aggregates.roles):
        return f"**Repair:** {plain(text('repair.merging_meets_some', limits=limits, costs=costs))}"
    return f"**Repair:** {plain(text('repair.merging_meets', limits=limits, costs=costs))}"


show_verdict()
