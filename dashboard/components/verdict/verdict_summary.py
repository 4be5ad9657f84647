"""The answer of the verdict page: the status, the headline, the few values behind it, and the classes most exposed."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from html import escape

import streamlit as st

from dashboard.components.order_notice import order_notice
from dashboard.components.people.class_browser import select_class
from dashboard.components.policy_panel import limit_summary, outcome_words
from dashboard.navigation import CLASSES
from dashboard.session import chosen_candidate
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.aggregates.comparison import NO_ORIGINAL
from metrics.explanations.bounds import as_bound, bound_reason
from metrics.explanations.changed_settings import marked_title
from metrics.explanations.findings import BEFORE_RELEASE, LEADING, findings, said
from metrics.explanations.judged_candidate import information_measure
from metrics.explanations.judged_rows import title_of
from metrics.explanations.recommendation import Recommendation
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
from metrics.policy.limitable_measures import LIMITABLE_MEASURES
from metrics.policy.policy import Outcome, PolicyResult, Status
from metrics.scoring.catalog import RISK
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.scoring.scorecard import Score, Scorecard, format_number
from metrics.texts import text

_TILES = (
    "k_anonymity",
    "distinct_l_diversity",
    "t_closeness",
    RISK,
    "suppression",
)
"""What is shown as a tile besides the information kept, six in a row."""
_NAME = 24
"""Letters of a column's name before its value, which must not be what is cut off."""
_BELOW = (FindingKind.FALSE_INTERVALS, FindingKind.PERTURBED, FindingKind.ASSUMPTIONS)
_MARKS = {Outcome.MET: "meets", Outcome.FAILED: "fails", Outcome.NOT_MEASURED: "unknown"}


def status_and_finding(state: Workspace, card: Scorecard, judged: PolicyResult, label: str) -> None:
    """Whether the policy is met, by which table, and the finding in a few short sentences."""
    with st.container(key="verdict_status", horizontal=True, vertical_alignment="center"):
        with st.container(key=f"status_{judged.status.name.lower()}", gap="small", width="content"):
            st.title(f"{judged.status.heading} · {plain(label)}", anchor=False)
        order_notice(state, card)
    identifying, leading = said(card, FindingKind.IDENTIFIERS), said(card, *LEADING)
    to_settle = said(card, *BEFORE_RELEASE)  # the order has a notice of its own
    if to_settle and judged.status is Status.MEETS:
        st.markdown(f"{plain(f'{identifying} {leading}')} **Before you release, consider:** {plain(to_settle)}")
    else:
        st.markdown(plain(" ".join(filter(None, (identifying, *_unmet(judged), to_settle, leading)))))
    sizes, removed = card.aggregates.class_sizes, card.aggregates.comparison.removed
    classes = pluralize(sizes.count, "equivalence class", "equivalence classes")
    parts = [
        f"{pluralize(sizes.kept, 'record')} in {classes}",
        f"{pluralize(sizes.suppressed, 'record')} suppressed",
        *([] if removed is None else [f"{removed:,} removed"]),
        f"assessed against the policy “{visible(state.policy.name)}”",
    ]
    uneven = said(card, FindingKind.UNEVEN_SUPPRESSION)
    st.caption("  \n".join([plain(" · ".join(parts)), *([plain(uneven)] if uneven else [])]))
    for finding in findings(card, kinds=_BELOW):
        show, icon = (st.warning, "warning") if finding.severity is Severity.SETTLE else (st.info, "info")
        show(plain(finding.sentence), icon=f":material/{icon}:")


def _unmet(judged: PolicyResult) -> Iterator[str]:
    """Name the limits that fail, a single one with its value, and those that are not measured."""
    failed, not_measured = (
        [within_sentence(limit.title) for limit in limits] for limits in (judged.failed, judged.not_measured)
    )
    if len(failed) == 1:
        yield f"Failed limit: {within_sentence(judged.failed[0].summary())}."
    elif failed:
        yield f"Failed limits: {join_names(failed)}."
    if not_measured:
        yield f"Not measured: {join_names(not_measured)}."


def tiles_section(state: Workspace, card: Scorecard, judged: PolicyResult) -> None:
    """The few values that most policies limit, and those that this one limits, each against its limit."""
    outcomes = {result.metric: result.outcome for result in judged.limits}
    parts = []
    limits = {result.metric: result.limit for result in judged.limits}
    perturbed = bool(perturbed_columns_of(card.aggregates))
    for identifier in _shown_tiles(card, limits):
        limitable = LIMITABLE_MEASURES[identifier]
        score = card.scores.get(identifier)
        value = limitable.measure(card).value if score is None else score.figure
        outcome = outcomes.get(identifier)
        as_number = not limitable.is_share and not isinstance(value, bool)
        figure = format_number(value) if as_number else limitable.measure_text(value, short_percent)
        figure = figure if score is None else as_bound(score, figure, perturbed=perturbed)
        limit = ("" if score is None else _remark(score, identifier in limits)) or limit_summary(limits, identifier)
        status_text = "" if outcome is None else f" <span>{outcome_words(outcome)}</span>"
        mark = "" if outcome is None else _MARKS[outcome]
        title = marked_title(title_of(identifier), identifier, card.parameters)
        parts.append(
            f'<div class="tile {mark}">'
            f"<b>{escape(title)}</b><strong>{escape(figure)}</strong><small>{escape(limit)}{status_text}</small></div>"
        )
    st.html(f'<div class="tiles">{"".join(parts)}</div>')


def _remark(score: Score, is_limited: bool) -> str:
    """Why a value is a mere bound, or that there is none; empty if there is nothing to remark."""
    if score.unavailable == NO_ORIGINAL:
        return text("unavailable.no_original_in_brief")
    return "not measured" if score.unavailable and not is_limited else bound_reason(score)


def _shown_tiles(card: Scorecard, limits: Mapping[str, float | bool]) -> list[str]:
    """Choose the tiles: what has a limit, what is kept, then what has none while there is room."""
    kept = information_measure(card)
    names = dict.fromkeys((*_TILES, kept, *limits))
    order = sorted(names, key=lambda name: 0 if name in limits else 1 if name == kept else 2)
    return order[: max(len(_TILES) + 1, len(limits) + 1)]


def worst_classes_section(state: Workspace, card: Scorecard) -> None:
    """The five classes that expose people most, failing ones first; each opens on the page of classes."""
    with st.container(key="groups", gap="xxsmall"):
        labels = said(card, FindingKind.LABELS)
        if labels:
            st.caption(plain(labels))
        st.html('<div class="group head"><b>Class</b><b>Records</b><b>Most frequent value</b></div>')
        for number, group in enumerate(worst_groups(card, class_limits(state.policy))):
            _group(state, group, number)


def _revealed(group: WorstClass, longest_name: int) -> str:
    """Say what most records of a class have, with their share: what does not fit in the row is cut off."""
    return ", ".join(
        f"{shortened(visible(name), longest_name)}: {visible(value)}{'' if group.size == 1 else f' ({percent(share)})'}"
        for name, (value, share) in group.revealed.items()
    )


def _group(state: Workspace, group: WorstClass, number: int) -> None:
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
        select_class(chosen_candidate(state), group.index, most_certain)
        st.switch_page(CLASSES.page())
    right.html(
        f'<div class="group"><span>{group.size:,}</span>'
        f'<span title="{escape(revealed)}">{escape(_revealed(group, _NAME) or "no sensitive column")}</span></div>'
    )


def policy_heading(recommended: Recommendation, label: str) -> str:
    """How many candidates meet the policy, as a heading; of one alone, or without limits, the chosen one's figures."""
    candidates, number = recommended.candidates, len(recommended.meeting)
    if len(candidates) == 1 or any(candidate.status is Status.NO_LIMITS for candidate in candidates.values()):
        measure, chosen = recommended.measure, candidates[label]
        score = chosen.card[measure]
        kept = "" if score.value is None else as_bound(score, percent(float(score.value)))
        information = f", {within_sentence(title_of(measure))} {kept}" if kept else ""
        return f"Highest risk {percent(chosen.risk or 0.0)}{information}"
    return f"{number} of {pluralize(len(candidates), 'candidate')} {'meets' if number == 1 else 'meet'} the policy"
