"""The parts of the risk page: the limit, the population, and which columns single people out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

from dashboard.components.figure import data_table, draw_with_data, figure_data, first_rows
from dashboard.components.on_demand import Work, on_demand
from dashboard.components.policy_panel import slider_label
from dashboard.components.working import show_working
from dashboard.session import exact_step, synced_key
from dashboard.text import metric_help, plain
from dashboard.workspace import Workspace
from metrics.figures.attributes import figure_by_attribute
from metrics.figures.ranking import ranked_subsets
from metrics.formatting import format_number, join_names, sentence_case
from metrics.privacy.minimal_sample_uniques import MinimalSampleUniques
from metrics.privacy.population_uniqueness import NAMES, PopulationUniqueness
from metrics.privacy.quasi_identifier_ranking import QuasiIdentifierRanking
from metrics.scoring.scorecard import Score, Scorecard
from metrics.tables.table import Integers
from metrics.texts import text

_OF_POPULATION = ("delta_presence", "k_map")


def risk_threshold(state: Workspace) -> None:
    """The limit on the highest risk that the page tries, above which a record counts as at risk."""
    current = state.what_if("reidentification_risk").parameters.reidentification_risk.threshold

    def try_limit() -> None:
        """Show what the limit makes of the table."""
        limit = float(st.session_state["risk_threshold"])
        state.try_limit("reidentification_risk", limit if limit < 1 else None)

    st.slider(
        slider_label(state, "highest risk", "reidentification_risk"),
        0.0,
        1.0,
        value=current,
        step=exact_step(current, 0.01),
        format="percent",
        key=synced_key("risk_threshold", current),
        on_change=try_limit,
        help=text("reidentification_risk.threshold_help"),
    )


def population_models(score: Score) -> None:
    """The number of unique people by each model, and why a model has no estimate."""
    result = score.result
    if not isinstance(result, PopulationUniqueness):
        st.caption(plain(text("population_uniqueness.refused", reason=score.unavailable)))
        return
    st.markdown(plain(result.summary()))
    rows = []
    for name, model in result.models.items():
        people = None if model.number is None else round(model.number)
        share = result.shares.get(name)
        uses = {result.advised: "limits are judged by it", result.chosen: "Dankar's choice"}
        note = model.unavailable or uses.get(name, "")
        title = NAMES[name].removeprefix("the ")
        rows.append((sentence_case(title), people, None if share is None else f"{share:.3%}", note))
    columns = ["model", "unique people", "share of people", "note"]
    frame = pd.DataFrame(rows, columns=pd.Index(columns)).astype({"unique people": "Int64"})
    data_table(frame, "Unique people by model")
    st.caption(text("population_uniqueness.no_confidence_interval"))


def population_table_figures(card: Scorecard) -> None:
    """The measures that need a population table; a hint if there is none."""
    if card.aggregates.population is None:
        st.caption("Load a population table on the Data page to measure δ-presence and k-map here.")
        return
    for column, identifier in zip(st.columns(2), _OF_POPULATION, strict=True):
        score = card[identifier]
        with column:
            st.metric(score.metric.title, format_number(score.value), help=metric_help(score.metric))
            st.caption(plain(score.summary()))


def column_ranking(state: Workspace, score: Score) -> Work | None:
    """Which columns distinguish records, on demand."""
    result = score.result
    if not isinstance(result, QuasiIdentifierRanking):
        st.caption(score.metric.meaning if score.metric.on_demand else plain(score.summary()))
        return on_demand(state, score)
    draw_with_data(ranked_subsets(result), "column_ranking")
    rows = pa.table(
        {
            "columns": [join_names(subset.columns) for subset in result.ranking],
            "k": [subset.k for subset in result.ranking],
            "combinations": [subset.combinations for subset in result.ranking],
            "distinction": [subset.distinction for subset in result.ranking],
            "separation": [subset.separation for subset in result.ranking],
        }
    )
    data_table(first_rows(rows).to_pandas(), "Subsets of quasi-identifiers", key="ranking_table")
    figure_data(rows, "quasi_identifier_ranking", "All subsets as CSV")
    return None


def sample_uniques(state: Workspace, card: Scorecard, score: Score) -> Work | None:
    """Records that a few columns single out, with their SUDA scores, on demand."""
    result = score.result
    if not isinstance(result, MinimalSampleUniques):
        st.caption(score.metric.meaning)
        return on_demand(state, score)
    st.markdown(plain(result.summary()))
    if not result.records:
        return None
    draw_with_data(figure_by_attribute(score.metric, result), "suda_contributions")
    index = np.argsort(-result.scores, kind="stable")[: result.records]
    st.caption("Records with the highest scores; each is alone in its class.")
    data_table(
        _scores(card, result, first_rows(index)).to_pandas(),
        "Singled-out records with their scores",
        key="suda_table",
    )
    figure_data(lambda: _scores(card, result, index), "sample_uniques", "All of them as CSV", confidential=True)
    show_working(card, score.metric.id)
    return None


def _scores(card: Scorecard, result: MinimalSampleUniques, index: Integers) -> pa.Table:
    """Quasi-identifiers of the classes, with SUDA and DIS-SUDA scores."""
    classes = card.classes.to_arrow(index).select(range(len(card.aggregates.classes.columns)))
    scores = {"SUDA score": result.scores[index], "DIS-SUDA score": result.dis_scores[index]}
    for name, values in scores.items():
        classes = classes.append_column(name, pa.array(values))
    return classes
