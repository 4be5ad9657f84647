"""Information loss: which columns paid for anonymity, which values became what, how vague the records are."""

from collections.abc import Mapping
from functools import partial
from typing import TypeAlias

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

from dashboard.components.chart import chart_data, data_table, draw, mark
from dashboard.components.fragments import show_view
from dashboard.components.guard import require_card, stop_without_original
from dashboard.components.limits import page_title
from dashboard.components.working import show_working
from dashboard.navigation import DATA
from dashboard.text import metric_help, plain
from metrics.drawing.theme import categories
from metrics.errors import Unavailable
from metrics.explanations.bounds import as_bound
from metrics.explanations.checked_rows import title_of
from metrics.explanations.findings import findings, said
from metrics.explanations.information_notes import information_notes
from metrics.explanations.loss_tables import change_table, column_loss_table, combination_table, flow_table, level_table
from metrics.formatting import format_number, percent, pluralize, visible, within_sentence
from metrics.metric import FindingKind
from metrics.policy.limitable_measures import measure_text
from metrics.privacy.local_dp.chart import frequency_chart
from metrics.privacy.local_dp.measure import LOCAL_DP, LocalDP, RandomizedColumn
from metrics.scoring.compared_records import as_read
from metrics.texts import text
from metrics.utility.ambiguity.chart import combination_distribution
from metrics.utility.ambiguity.measure import Ambiguity, format_power
from metrics.utility.cells.caveats import caveat
from metrics.utility.cells.changes import PairChanges, cells_changed, changes_by_column, flow
from metrics.utility.cells.changes_chart import MEANINGS, changed_cells
from metrics.utility.cells.flow_chart import band_colour, value_flow
from metrics.utility.non_uniform_entropy.chart import loss_by_column
from metrics.utility.non_uniform_entropy.measure import NonUniformEntropy

_MAX_CHOICES = 200
_EVERY = ("every", "")
_VALUES = "Which values became what"
Changes: TypeAlias = Mapping[str, PairChanges]

card = require_card()
entropy, ambiguity = card["non_uniform_entropy"], card["ambiguity"]


def show_loss() -> None:
    """What was lost, in a sentence, numbers and charts; then details, workings and definitions."""
    changes = measured_changes()
    page_title("Information loss")
    if card.aggregates.original is None and entropy.result is None and ambiguity.result is None:
        stop_without_original(text("loss.without_original"))
    if isinstance(changes, str):
        loss_summary()  # otherwise the charts say it
    show_warnings()
    loss_numbers(changes)
    information_remarks()
    column_charts(changes)
    show_details(changes)
    for score in (entropy, ambiguity):
        show_working(card, score.metric.id, label=f"Show the working of {within_sentence(score.metric.title)}")
    with st.expander("The definitions"):
        show_definitions()


def measured_changes() -> Changes | str:
    """Return the changes of every quasi-identifier, or why they are not known."""
    try:
        return changes_by_column(as_read(card.aggregates))
    except Unavailable as reason:
        return str(reason)


def loss_summary() -> None:
    """Say what was lost, in one sentence."""
    if isinstance(entropy.result, NonUniformEntropy):
        st.markdown(plain(entropy.result.brief()))
        return
    unavailable = text("charts.unavailable", title=title_of(entropy.metric.id), reason=entropy.unavailable)
    st.markdown(plain(f"{unavailable}."))


def show_warnings() -> None:
    """Say which records no measure of loss counts, and what misleads in the values of loss."""
    left_out = said(card, FindingKind.RECORDS_LEFT_OUT)
    if left_out:
        st.caption(plain(left_out))
    if isinstance(entropy.result, NonUniformEntropy) and entropy.result.not_generalized:
        st.warning(plain(caveat(entropy.result.not_generalized)), icon=":material/warning:")
    for finding in findings(card, kinds=(FindingKind.MISFIT_LABELS, FindingKind.UNEVEN_SUPPRESSION)):
        st.warning(plain(finding.sentence), icon=":material/warning:")


def missing_data_notice(subject: str, reason: str | None) -> None:
    """Say why a part of the page has no value, and link to the page where that is put right."""
    st.info(f"{subject} unavailable: {plain(reason)}.", icon=":material/info:")
    st.page_link(DATA.page(), label="Go to the data")


def loss_numbers(changes: Changes | str) -> None:
    """The information kept, the combinations per record, and the share of cells that were changed."""
    tiles = st.columns(3)
    missing_because = "" if entropy.value is not None else f"\n\n{plain(entropy.unavailable)}"
    tiles[0].metric(
        entropy.metric.title,
        as_bound(entropy, measure_text(entropy.metric.id, entropy.value)),
        help=f"{metric_help(entropy.metric)}{missing_because}",
    )
    result = ambiguity.result
    mean = format_power(result.log10_mean_combinations) if isinstance(result, Ambiguity) else format_number(None)
    missing_because = "" if isinstance(result, Ambiguity) else f"\n\n{plain(ambiguity.unavailable)}"
    tiles[1].metric(ambiguity.metric.shown.title, mean, help=f"{text('ambiguity.mean_help')}{missing_because}")
    if isinstance(changes, str):
        help_text = f"{text('loss.cells_help_unavailable')}\n\n{plain(changes)}"
        tiles[2].metric("Cells changed", format_number(None), help=help_text)
        return
    changed, cells = cells_changed(changes)
    tiles[2].metric(
        "Cells changed",
        percent(changed / cells) if cells else format_number(None),
        help=text("loss.cells_help", changed=changed, cells=cells),
    )


def information_remarks() -> None:
    """Say below the scores what a sign before one means, and which generalized columns it does not count."""
    notes = [plain(note) for note in information_notes(card)]
    if notes:
        st.caption("  \n".join(notes))


def column_charts(changes: Changes | str) -> None:
    """Show what each column lost, and how its cells changed, side by side."""
    if isinstance(changes, str):
        missing_data_notice("Information lost and cells changed are", changes)
        return
    left, right = st.columns(2)
    with left:
        if isinstance(entropy.result, NonUniformEntropy):
            result = entropy.result
            draw(
                loss_by_column(result),
                "loss_by_column",
                lambda: level_table(result),
                on_select=partial(_follow_column, result),
                selection_mode="points",
            )
        else:
            missing_data_notice(f"{entropy.metric.title} is", entropy.unavailable)
    with right:
        draw(
            changed_cells({name: change.totals for name, change in changes.items()}),
            "changed_cells",
            lambda: change_table(changes),
        )


def _follow_column(result: NonUniformEntropy) -> None:
    """Show what became of the values of the column whose bar was selected."""
    points = st.session_state["loss_by_column"]["selection"]["points"]
    names = sorted(result.columns, key=lambda name: -result.columns[name].loss)
    by_bar = dict(zip(categories([visible(name) for name in names]), names, strict=True))
    if points and points[0]["y"] in by_bar:
        st.session_state["loss_column"] = by_bar[points[0]["y"]]
        st.session_state["loss_view"] = _VALUES


@st.fragment
def show_details(changes: Changes | str) -> None:
    """Values, combinations and columns, one at a time."""
    parts = {"Combinations per record": lambda: combinations_chart(), "Column by column": lambda: loss_table(changes)}
    if _estimated_columns():
        parts["Estimated frequencies"] = lambda: frequencies()
    if not isinstance(changes, str):
        parts = {_VALUES: lambda: column_flow(changes), **parts}
    show_view("loss", parts)


def column_flow(changes: Changes) -> None:
    """The choice of a column, and which of its values became which."""
    left, right = st.columns([1, 2], gap="medium")
    with left:
        name = _choice_of_column(changes)
        chosen = _choice_of_value(changes[name])
        totals = chosen.totals
        st.html(
            "<br>".join(
                f"{mark('■', band_colour(kind))} <b>{totals.count(kind):,}</b> {kind.value}: {meaning}"
                for kind, meaning in MEANINGS.items()
                if totals.count(kind)
            )
        )
        if chosen.why_indistinct is not None:
            st.caption(f"Generalized and perturbed cells cannot be distinguished: {plain(chosen.why_indistinct)}.")
    with right:
        draw(value_flow(flow(chosen), legend=False), "value_flow", lambda: flow_table(chosen))


def _choice_of_column(changes: Changes) -> str:
    """The column to follow; at first the one that lost most."""
    result = entropy.result
    options = list(changes)
    if isinstance(result, NonUniformEntropy):
        options.sort(key=lambda name: -result.columns[name].loss)
    if st.session_state.get("loss_column") not in options:
        st.session_state["loss_column"] = options[0]
    st.selectbox("Column", options, key="loss_column", format_func=visible, persist_state="session")
    return str(st.session_state["loss_column"])


def _choice_of_value(changes: PairChanges) -> PairChanges:
    """All of the column's records, or only those with one anonymized value."""
    pair, column = changes.pair, changes.pair.columns[1]
    records = np.bincount(pair.codes[1], weights=pair.counts, minlength=column.distinct).astype(np.int64)
    names: dict[tuple[str, str | None], str] = {_EVERY: "all values"}
    for code in np.argsort(-records, kind="stable")[:_MAX_CHOICES].tolist():
        label = column.labels[code]
        names["one", label] = f"{visible(label)} ({pluralize(int(records[code]), 'record')})"
    options = list(names)
    if st.session_state.get("loss_value") not in options:
        st.session_state["loss_value"] = _EVERY
    chosen = st.selectbox(
        "Anonymized value",
        options,
        key="loss_value",
        format_func=names.__getitem__,
        persist_state="session",
        help="Choose one value to see which original values it covers.",
    )
    return changes if chosen == _EVERY else changes.restricted_to(column.code_of[chosen[1]])


def combinations_chart() -> None:
    """How many combinations the records are consistent with."""
    result = ambiguity.result
    if not isinstance(result, Ambiguity):
        missing_data_notice(f"{ambiguity.metric.title} is", ambiguity.unavailable)
        return
    draw(combination_distribution(result), "combinations", lambda: combination_table(result))


def _estimated_columns() -> dict[str, RandomizedColumn]:
    """The randomized columns whose cells tell something of the true frequencies."""
    result = card[LOCAL_DP.id].result
    return {name: each for name, each in result.columns.items() if each.shares} if isinstance(result, LocalDP) else {}


def frequencies() -> None:
    """The true shares of a randomized column's values, as estimated from the released ones."""
    columns = _estimated_columns()
    name = st.selectbox("Randomized column", list(columns), key="frequencies_column", format_func=visible)
    table = pd.DataFrame(columns[name].shares).assign(true=columns[name].true).dropna(axis=1, how="all")
    draw(frequency_chart(name, columns[name]), "frequencies", lambda: pa.Table.from_pandas(table))
    st.caption(plain(text("local_dp.frequencies")))


def loss_table(changes: Changes | str) -> None:
    """Every value of every column, to check and to download; nothing if there is none."""
    table = column_loss_table(
        {} if isinstance(changes, str) else changes,
        entropy.result if isinstance(entropy.result, NonUniformEntropy) else None,
        ambiguity.result if isinstance(ambiguity.result, Ambiguity) else None,
    )
    if table.num_columns == 1:
        st.markdown("No measure of loss is available.")
        return
    data_table(table.to_pandas(), "Losses, changes and domain of each quasi-identifier", key="loss_table")
    chart_data(table, "information_loss", "Download columns (CSV)")


def show_definitions() -> None:
    """Both scores in full, and how cells are counted."""
    st.markdown(f"**{entropy.metric.title}.** {entropy.metric.meaning} {entropy.metric.good}")
    st.latex(entropy.metric.formula)
    st.markdown(text("non_uniform_entropy.definition"))
    st.markdown(plain(entropy.metric.reference))
    st.markdown(f"**{ambiguity.metric.title}.** {ambiguity.metric.meaning} {ambiguity.metric.good}")
    st.latex(ambiguity.metric.formula)
    st.markdown(text("ambiguity.definition"))
    st.markdown(plain(ambiguity.metric.reference))
    st.markdown(text("loss.cells_definition"))


show_loss()
