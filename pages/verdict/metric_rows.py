"""Every metric: those with a value as rows, each of which opens in full in a dialog, and those without."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from dashboard.components.chart import draw
from dashboard.components.fragments import Work, computing, on_demand_row
from dashboard.components.limits import limit_field, limit_summary
from dashboard.components.working import draw_working
from dashboard.navigation import DATA
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.config.parameters import CellReading, Parameters
from metrics.config.setting_texts import setting_label
from metrics.explanations.attack_rows import guessed_attributes
from metrics.explanations.bounds import as_bound, shown_first
from metrics.explanations.changed_settings import marked_title
from metrics.explanations.checked_version import information_measure
from metrics.explanations.findings import said
from metrics.explanations.reasons import failing_summary
from metrics.formatting import exact_number, format_number, join_names, short_percent, visible
from metrics.metric import Direction, Family, FindingKind, Metric
from metrics.policy.limitable_measures import LIMITABLE_MEASURES, LimitResult, Outcome, measured
from metrics.policy.policy import PolicyResult
from metrics.scoring.bullet_chart import bullet
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.scoring.scorecard import Score, Scorecard
from metrics.texts import text

_HEADINGS = {
    Family.PRIVACY: "Privacy: what the table reveals",
    Family.ATTACKS: "Attacks: what an attacker achieves with the table",
    Family.UTILITY: "Utility: what the table keeps",
    Family.ECONOMICS: "Economics: whether publishing and attacks are profitable",
}
_STATUS = {Outcome.MET: "meets", Outcome.FAILED: "fails", Outcome.NOT_MEASURED: "not measured"}
_ATTACKS = 2
"""Attacks that the page shows at once."""
# Text goes in as text, never as markup. A row is a button: the keyboard reaches it, and it opens the metric's details.
_SCRIPT = """
export default function ({ parentElement, data, setTriggerValue }) {
    const root = parentElement.querySelector('.metric-rows');
    const search = parentElement.querySelector('.metric-search');
    search.hidden = !data.searchable;
    search.oninput = () => {
        const words = search.value.toLowerCase().split(/\\s+/);
        for (const list of root.querySelectorAll('ul')) {
            for (const item of list.children)
                item.hidden = !words.every((word) => item.textContent.toLowerCase().includes(word));
            list.hidden = list.previousElementSibling.hidden = !list.querySelector('li:not([hidden])');
        }
        parentElement.querySelector('output').textContent =
            `${root.querySelectorAll('li:not([hidden])').length} of ${root.querySelectorAll('li').length} metrics`;
    };
    const drawn = JSON.stringify(data.families);
    if (root.dataset.drawn === drawn) return;
    root.dataset.drawn = drawn;
    const focused = document.activeElement?.dataset?.metric;
    root.replaceChildren();
    parentElement.querySelector('.metric-key .others').hidden = !data.families.some(
        (family) => family.rows.some((row) => row.bar && row.bar.others.length));
    const make = (tag, name, text, into) => {
        const made = document.createElement(tag);
        made.className = name;
        if (text !== null) made.textContent = text;
        into.append(made);
        return made;
    };
    for (const family of data.families) {
        if (family.title) make('h3', 'metric-family', family.title, root);
        const list = make('ul', 'metric-list', null, root);
        for (const row of family.rows) {
            const button = make('button', `metric-row ${row.family} ${row.mark}`, null, make('li', '', null, list));
            button.type = 'button';
            button.dataset.metric = row.id;
            button.title = row.meaning;
            button.setAttribute('aria-haspopup', 'dialog');
            make('span', 'metric-name', row.title, button);
            const bar = make('span', 'metric-bar', null, button);
            bar.setAttribute('aria-hidden', 'true');
            if (row.bar) {
                make('i', 'fill', null, bar).style.width = `${100 * row.bar.value}%`;
                for (const at of row.bar.others) make('i', 'other', null, bar).style.left = `${100 * at}%`;
                if (row.bar.limit !== null) make('i', 'limit', null, bar).style.left = `${100 * row.bar.limit}%`;
            } else bar.classList.add('none');
            make('span', `metric-value ${row.better}`, row.value, button);
            const finding = make('span', 'metric-finding', null, button);
            make('span', 'metric-status', row.status, finding);
            make('span', 'metric-sentence', row.sentence, finding);
            button.onclick = () => setTriggerValue('chosen', row.id);
            if (row.id === focused) button.focus({ preventScroll: true });
        }
    }
    if (search.value) search.oninput();
}
"""


_KEY = (
    '<span><i class="metric-bar"><i class="fill" style="width: 60%"></i></i>this table</span>',
    '<span><i class="metric-bar tick"><i class="limit"></i></i>limit</span>',
    '<span class="others"><i class="metric-bar tick"><i class="other"></i></i>other versions</span>',
    "<span>↑↓ better</span>",
)
_ROWS = st.components.v2.component(
    "metric_rows",
    html=f"""<div class="metric-key">{"".join(_KEY)}</div>
        <input class="metric-search" type="search" placeholder="Search metrics" aria-label="Search metrics" hidden>
        <output class="metric-count"></output><div class="metric-rows"></div>""",
    js=_SCRIPT,
    isolate_styles=False,
)

_READINGS = {CellReading.VALUE: "only itself", CellReading.WILDCARD: "any value"}


def leading_metrics(card: Scorecard, checked: PolicyResult) -> list[str]:
    """The metrics that the page shows at once: those with a limit, P_29, the information kept and two attacks."""
    attacks = sorted(
        (score for score in card if score.attack is not None),
        key=lambda score: -(0.0 if score.attack is None else score.attack.gain),
    )
    strongest = [score.metric.id for score in attacks[:_ATTACKS]]
    limited = [limit.metric for limit in checked.stated]
    wanted = (*limited, "p29", information_measure(card), *strongest)
    return [name for name in dict.fromkeys(wanted) if name in card.scores]


def metric_rows(state: Workspace, card: Scorecard, groups: list[dict[str, Any]], key: str) -> None:
    """Rows of metrics; selecting one opens its definition, parameters, limit and working in a dialog."""

    @st.fragment
    def rows() -> None:
        data = {"families": groups, "searchable": len(groups) > 1}
        chosen = _ROWS(key=key, data=data, on_chosen_change=lambda: None).chosen
        if chosen in card.scores:
            metric_detail(state, card, str(chosen))

    rows()


def leading_rows(card: Scorecard, checked: PolicyResult, others: Mapping[str, Scorecard]) -> list[dict[str, Any]]:
    """The metrics that the page shows at once, as the rows are drawn, without a heading."""
    return [
        {"title": "", "rows": _rows([card[name] for name in leading_metrics(card, checked)], card, checked, others)}
    ]


def families(card: Scorecard, checked: PolicyResult, others: Mapping[str, Scorecard]) -> list[dict[str, Any]]:
    """Every other metric with a result, by family, as the rows are drawn."""
    leading = leading_metrics(card, checked)
    groups = []
    for family, heading in _HEADINGS.items():
        scores = [score for score in card if score.metric.family is family and score.metric.id not in leading]
        if rows := _rows(scores, card, checked, others):
            if family is Family.ATTACKS and (understated := said(card, FindingKind.UNDERSTATED_ATTACKS)):
                heading = f"{heading}. {understated}"
            groups.append({"title": heading, "rows": rows})
    return groups


def _rows(
    scores: Iterable[Score], card: Scorecard, checked: PolicyResult, others: Mapping[str, Scorecard]
) -> list[dict[str, Any]]:
    limits = {result.metric: result for result in checked.limits}
    return [_row(score, card, limits.get(score.metric.id), others) for score in scores if score.result is not None]


def _row(score: Score, card: Scorecard, checked: LimitResult | None, others: Mapping[str, Scorecard]) -> dict[str, Any]:
    spec = score.metric
    limit, outcome = (None, None) if checked is None else (checked.limit, checked.outcome)
    values = [value for other in others.values() if (value := other[spec.id].figure) is not None]
    # A share of a few trials is said in words only.
    limitable = LIMITABLE_MEASURES[spec.id]
    bar = bullet(spec, measured(spec.id, card).value, limit, values) if score.is_reliable else None
    status = "" if outcome is None else _STATUS[outcome]
    randomized = (f"{guessed}." for guessed in guessed_attributes(score, card.aggregates)[1:])
    failing = failing_summary(checked, card) if checked is not None and outcome is Outcome.FAILED else None
    perturbed = bool(perturbed_columns_of(card.aggregates))
    # A limit is on the metric's own value, which then stands beside it.
    measure, shown = spec.shown, shown_first(score, short_percent, perturbed=perturbed, with_class=False)
    if limit is not None:
        own = limitable.measure_text(None if checked is None else checked.value, short_percent, limit)
        measure, shown = spec, as_bound(score, own, perturbed=perturbed, with_class=False)
    bar = bar if measure is spec else None
    return {
        "id": spec.id,
        "title": marked_title(measure.title, spec.id, card.parameters),
        "meaning": spec.meaning,
        "family": spec.family.value,
        "value": shown,
        "mark": {Outcome.MET: "meets", Outcome.FAILED: "fails"}.get(outcome, "") if outcome else "",
        "better": {Direction.HIGHER: "higher", Direction.LOWER: "lower"}.get(measure.direction, ""),
        "status": status,
        "sentence": visible(" ".join([failing or score.brief(), *randomized])),
        "bar": None if bar is None else {"value": bar.value, "limit": bar.limit, "others": list(bar.others)},
    }


def metric_detail(state: Workspace, card: Scorecard, metric_id: str) -> None:
    """Open the dialog of one metric."""
    spec = card[metric_id].metric

    @st.dialog(plain(marked_title(spec.title, spec.id, card.parameters)), width="large")
    def detail() -> None:
        score = card[metric_id]
        left, right = st.columns([3, 1], vertical_alignment="bottom")
        with left:
            shown = as_bound(score, LIMITABLE_MEASURES[metric_id].measure_text(score.shown))
            st.markdown(f"**{plain(shown)}** · {plain(score.summary())}")
            st.caption(
                plain(f"Limit: {limit_summary(state.policy.limits, metric_id)}. Range: {spec.range}; {spec.direction}.")
            )
        with right:
            limit_field(state, metric_id, f"detail_limit_{metric_id}")
        st.subheader("Definition", anchor=False)
        st.latex(spec.formula)
        st.markdown(f"{spec.meaning} {spec.good} {spec.notes}")
        st.caption(plain(spec.reference))
        if spec.charts:
            draw(card.chart(metric_id), f"detail_chart_{metric_id}")
        parameters = parameter_labels(card.parameters, spec)
        if parameters:
            st.markdown(f"**Parameters:** {plain('; '.join(parameters))}")
        with st.expander("Working", key="detail_working", on_change="rerun", icon=":material/calculate:") as working:
            if working.open:
                draw_working(card, metric_id, key="detail")

    detail()


def parameter_labels(parameters: Parameters, spec: Metric) -> list[str]:
    """Each parameter that a metric uses, by its label, with its value."""
    values = parameters.to_dict()
    return [
        f"{setting_label(f'{group}.{name}')}: {_cell_text(value)}"
        for group in spec.settings
        for name, value in values.get(group, {}).items()
    ]


def _cell_text(value: object) -> str:
    """A parameter's value in words; an empty one leaves the choice to the metric."""
    if isinstance(value, CellReading):
        return _READINGS[value]
    if isinstance(value, Mapping):
        value = tuple(f"{visible(name)} {item}" for name, item in value.items())
    if isinstance(value, tuple):
        value = ", ".join(map(visible, value))
    if isinstance(value, str):
        return visible(value) if value else "automatic"
    if isinstance(value, bool):
        return format_number(value)
    return exact_number(value) if isinstance(value, float) else str(value)


def all_metrics(state: Workspace, card: Scorecard, groups: list[dict[str, Any]]) -> Work | None:
    """All other metrics, and why some have no result; returns the work asked for, see `on_demand_row`."""
    unsaved = text("analyses.unavailable.no_analysis")  # those that the columns suggest stand in the tile
    missing = [score for score in card if score.result is None and score.unavailable != unsaved]
    on_demand_scores = [score for score in missing if score.unavailable == text("unavailable.on_demand")]
    unavailable = [score for score in missing if score not in on_demand_scores]
    work = None
    with st.expander(f"All metrics ({len(card.scores)})", expanded=computing(), key="all_metrics"):
        metric_rows(state, card, groups, "other_metrics")
        if missing:
            st.subheader("Not measured", anchor=False)
        for reason, titles in _by_reason(unavailable).items():
            st.markdown(f"**{plain(join_names(titles))}**: {plain(reason)}.")
        if unavailable:
            st.page_link(DATA.page(), label="Add tables, roles or hierarchies", icon=":material/upload_file:")
        for score in on_demand_scores:
            work = on_demand_row(state, score) or work
    return work


def _by_reason(scores: list[Score]) -> dict[str, list[str]]:
    titles: dict[str, list[str]] = {}
    for score in scores:
        titles.setdefault(score.unavailable or "", []).append(score.metric.title)
    return titles
