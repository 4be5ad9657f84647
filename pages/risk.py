"""Re-identification risk: how likely a record is found, in the table and in its population, and by which columns."""

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

from dashboard.components.assumptions import population_size
from dashboard.components.chart import chart_data, data_table, draw, draw_with_data, first_rows
from dashboard.components.fragments import Work, computing, metrics_above_charts, on_demand
from dashboard.components.guard import require_card, unavailable
from dashboard.components.limits import slider_label, what_if_buttons, what_if_title
from dashboard.components.measures_table import Cell, Row, measures_table
from dashboard.components.release_file import order_in_short, release_button
from dashboard.components.working import show_working
from dashboard.session import bound, chosen_version, exact_step, fragment, workspace
from dashboard.state.analyses_state import kept_by_group
from dashboard.text import file_stem, metric_help, plain
from metrics.aggregates.comparison import NO_ORIGINAL
from metrics.attacks.key_sets import KeySets
from metrics.candidates.repair import repair_items
from metrics.config.roles import Role
from metrics.counting.share_interval import wilson
from metrics.errors import Unavailable
from metrics.formatting import format_number, join_names, percent, pluralize, sentence_case, short_percent, visible
from metrics.identifiers.column_names import says_age, says_sex
from metrics.privacy.km_anonymity.measure import KmAnonymity
from metrics.privacy.minimal_sample_uniques.measure import MinimalSampleUniques
from metrics.privacy.population.uniqueness_models import MODEL_NAMES
from metrics.privacy.population_uniqueness.measure import PopulationUniqueness
from metrics.privacy.quasi_identifier_ranking.chart import ranked_subsets
from metrics.privacy.quasi_identifier_ranking.measure import QuasiIdentifierRanking
from metrics.privacy.reidentification_risk.chart import risk_curve_chart
from metrics.privacy.reidentification_risk.measure import ReidentificationRisk
from metrics.scoring.attributes_chart import chart_by_attribute
from metrics.scoring.by_group import MIN_PEOPLE, Groups, by_group
from metrics.scoring.by_group_chart import chart_by_group
from metrics.scoring.scorecard import Score, Scorecard
from metrics.scoring.working import rescored
from metrics.tables.table import Integers, Table
from metrics.texts import text
from metrics.utility.analyses import Analyses

_OF_POPULATION = ("delta_presence", "k_map")

card = require_card()
state = workspace()
base = card["reidentification_risk"]
if base.unavailable is not None:
    what_if_title(state, "Re-identification risk", base.metric.id)
    unavailable(base.unavailable)


def show_risk() -> None:
    """The verdict, and how many records are at risk at any threshold."""
    what_if_title(state, "Re-identification risk", base.metric.id)
    order_in_short(state, card)
    parameters = state.policy.what_if(base.metric.id).parameters
    result = rescored(card, base.metric.id, parameters)[base.metric.id].result
    assert isinstance(result, ReidentificationRisk)
    left, right = st.columns([1, 2], gap="medium")
    with left:
        risk_threshold()
        what_if_buttons(state, base.metric.id)
        tiles = [column for _ in range(2) for column in st.columns(2)]
    summary = result.prosecutor
    tiles[0].metric("Highest risk", short_percent(summary.highest), help=metric_help(base.metric))
    average_help = text("reidentification_risk.average_help")
    tiles[1].metric("Average risk", short_percent(summary.average), help=average_help)
    tiles[2].metric(
        "Records at risk",
        short_percent(summary.records_at_risk) if result.threshold < 1 else "no limit",
        help=text("reidentification_risk.at_risk_help"),
    )
    uniqueness = card["sample_uniqueness"]
    tiles[3].metric("Unique records", short_percent(float(uniqueness.value or 0)), help=metric_help(uniqueness.metric))
    metrics_above_charts()
    with left:
        if result.journalist is not None:
            st.metric(
                "Highest risk in the population",
                short_percent(result.journalist.highest),
                help=text("reidentification_risk.journalist_help"),
            )
        if result.individual is not None:
            st.metric(
                "Expected re-identifications (survey weights)",
                format_number(result.individual.expected),
                help=text("reidentification_risk.expected_help"),
            )
    with right:
        chart = risk_curve_chart({chosen_version(state): result}, result.threshold)
        draw_with_data(chart, "risk_curve", [base.metric.id])
        if result.classes.suppressed:
            st.caption(text("reidentification_risk.not_counted", suppressed=result.classes.suppressed))
    for identifier in ("people_k_anonymity", "km_anonymity", "household_risk"):
        score = rescored(card, identifier, parameters)[identifier]
        if score.result is not None:
            st.markdown(f"**{score.metric.title}:** {plain(score.summary())}")
    if isinstance(card["km_anonymity"].result, KmAnonymity):
        item_combinations(card["km_anonymity"].result)
    show_working(card, base.metric.id, parameters)
    show_groups(rescored(card, base.metric.id, parameters))


def item_combinations(result: KmAnonymity) -> None:
    """The curve over the number of items, and the combinations that fewest people share."""
    with st.expander(text("km_anonymity.curve"), key="item_combinations"):
        curve = pd.DataFrame(result.details()["curve"]).rename(
            columns={"value": "fewest people", "people_below": "below k", "unique_people": "unique"}
        )
        data_table(curve, text("km_anonymity.curve"), key="km_curve", width="content")
        rarest = pd.DataFrame(
            {"people": people, "items": " · ".join(map(visible, items))} for items, people in result.rarest
        )
        if len(rarest):
            st.caption(text("km_anonymity.rarest"))
            data_table(first_rows(rarest), "Items that fewest people share", key="km_rarest", width="content")
            chart_data(rarest, "rarest_items", "Download items (CSV)", confidential=True)
            if isinstance(released := card.aggregates.anonymized, Table):
                release_button(
                    lambda: (
                        repair_items(
                            released, card.aggregates.roles, state.hierarchies, card.parameters.km_anonymity
                        ).table
                    ),
                    file_stem(chosen_version(state)),
                    "download_items_changed",
                    "tertiary",
                    label=text("repair.items.download"),
                    about=text("repair.items.about", k=result.of_m.limit, m=result.m),
                )


def show_groups(scored: Scorecard) -> None:
    """Whom the protection burdens: suppression and risk by the values that a column has in the original."""
    st.header("By group", anchor=False)
    original, roles = card.aggregates.original, card.aggregates.roles
    if original is None:
        st.caption(plain(sentence_case(f"{NO_ORIGINAL}.")))
        return
    names = [name for name in original.names if name not in roles.identifiers]
    names.sort(key=lambda name: (0 if says_sex(name) else 1 if says_age(name) else 2, list(Role).index(roles.of(name))))
    column = st.selectbox("Column", names, format_func=visible, key="group_column", persist_state="session", width=360)
    try:
        found = by_group(scored, str(column))
    except Unavailable as reason:
        st.caption(plain(sentence_case(f"{reason}.")))
        return
    has_few = any(group.is_small for group in found.groups)
    measures = found.measures
    for place, measure in zip(st.columns(len(measures)), measures, strict=True):
        with place:
            draw(chart_by_group(found, measure), f"by_group_{measure}", found.to_arrow, confidential=has_few)
    st.caption(text("by_group.about", least=MIN_PEOPLE))
    with st.expander(text("by_group.analyses"), key="analyses_by_group", on_change="rerun") as of_groups:
        if of_groups.open:
            _show_analyses(scored, found)


def _show_analyses(scored: Scorecard, found: Groups) -> None:
    """What each group keeps of the analyses."""
    kept, rows = kept_by_group(scored.aggregates, found.column, state.policy.parameters.analyses), []
    for group in found.groups:
        score, mark = kept[group.label], "○ " if group.is_small else ""
        result = score.result
        cells = [Cell("—", score.unavailable or ""), Cell("—")]
        if isinstance(result, Analyses):
            low, high = wilson(result.survivors, result.estimates)
            survive = text("by_group.survive", survivors=result.survivors, results=result.estimates)
            cells = [
                Cell(survive, text("by_group.interval", share=result.surviving, low=low, high=high)),
                Cell(percent(result.value)),
            ]
        rows.append(Row(f"{mark}{visible(group.label)}", pluralize(group.people, "record"), None, cells))
    headings = [text("by_group.survive_or_agree"), text("by_group.kept")]
    measures_table(headings, rows, text("by_group.analyses"), "group_analyses", first="group")
    st.caption(text("by_group.about_analyses"))


def risk_threshold() -> None:
    """The limit on the highest risk that the page tries, above which a record counts as at risk."""
    current = state.policy.what_if("reidentification_risk").parameters.reidentification_risk.threshold

    def try_limit(limit: float) -> None:
        """Show what the limit makes of the table."""
        state.policy.try_limit("reidentification_risk", float(limit) if limit < 1 else None)

    st.slider(
        slider_label(state, "highest risk", "reidentification_risk"),
        0.0,
        1.0,
        value=current,
        step=exact_step(current, 0.01),
        format="percent",
        help=text("reidentification_risk.threshold_help"),
        **bound("risk_threshold", current, try_limit),
    )


def key_set_table(score: Score) -> None:
    """Show how far each attacker succeeds, the weakest key set first."""
    if not isinstance(score.result, KeySets):
        return
    st.header("By key set", anchor=False)
    st.markdown(plain(score.summary()))
    rows = [
        {
            "key set": visible(risk.name),
            "knows": join_names([visible(column) for column in risk.columns]),
            "k": risk.k,
            "unique records": risk.unique,
            "highest risk": 1 / risk.k,
            "average risk": risk.average_risk,
            "record linkage": risk.linkage,
        }
        for risk in score.result.risks
    ]
    shares = ("highest risk", "average risk", "record linkage")
    data_table(pd.DataFrame(rows), "Risk by key set", shares=shares, key="key_sets", height="content")
    st.caption(text("key_set_k_anonymity.linkage"))


def show_population() -> None:
    """How many of the people behind the sample are unique, for the population chosen."""
    st.header("In the population", anchor=False)
    left, right = st.columns([1, 2])
    with left:
        population_size(state)
    with right:
        population_models(rescored(card, "population_uniqueness", state.policy.parameters)["population_uniqueness"])
    population_table_measures()


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
        title = MODEL_NAMES[name].removeprefix("the ")
        rows.append((sentence_case(title), people, None if share is None else f"{share:.3%}", note))
    columns = ["model", "unique people", "share of people", "note"]
    frame = pd.DataFrame(rows, columns=pd.Index(columns)).astype({"unique people": "Int64"})
    data_table(frame, "Unique people by model")


def population_table_measures() -> None:
    """The measures that need a population table; a hint if there is none."""
    if card.aggregates.population is None:
        st.caption("Load a population table on the Data page to measure δ-presence and k-map here.")
        return
    for column, identifier in zip(st.columns(2), _OF_POPULATION, strict=True):
        score = card[identifier]
        with column:
            st.metric(score.metric.title, format_number(score.value), help=metric_help(score.metric))
            st.caption(plain(score.summary()))


def column_ranking(score: Score) -> Work | None:
    """Which columns distinguish records, on demand."""
    result = score.result
    if not isinstance(result, QuasiIdentifierRanking):
        st.caption(score.metric.meaning if score.metric.on_demand else plain(score.summary()))
        return on_demand(state, score)
    draw_with_data(ranked_subsets(result), "column_ranking")
    shown = ", ".join(f"m = {m}: {format_number(k)}" for m, k in result.fewest.items())
    st.caption(f"{text('km_anonymity.flat')} {shown}.")
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
    chart_data(rows, "quasi_identifier_ranking", "Download subsets (CSV)")
    return None


def sample_uniques(score: Score) -> Work | None:
    """Records that a few columns single out, with their SUDA scores, on demand."""
    result = score.result
    if not isinstance(result, MinimalSampleUniques):
        st.caption(score.metric.meaning)
        return on_demand(state, score)
    st.markdown(plain(result.summary()))
    if not result.records:
        return None
    draw_with_data(chart_by_attribute(score.metric, result), "suda_contributions")
    index = np.argsort(-result.scores, kind="stable")[: result.records]
    st.caption("Records with the highest scores; each is alone in its class.")
    data_table(
        _scores(result, first_rows(index)).to_pandas(), "Singled-out records with their scores", key="suda_table"
    )
    chart_data(lambda: _scores(result, index), "sample_uniques", "Download records (CSV)", confidential=True)
    show_working(card, score.metric.id)
    return None


def _scores(result: MinimalSampleUniques, index: Integers) -> pa.Table:
    """Quasi-identifiers of the classes, with SUDA and DIS-SUDA scores."""
    classes = card.classes.to_arrow(index).select(range(len(card.aggregates.classes.columns)))
    scores = {"SUDA score": result.scores[index], "DIS-SUDA score": result.dis_scores[index]}
    for name, values in scores.items():
        classes = classes.append_column(name, pa.array(values))
    return classes


fragment(show_risk, busy=computing())()
key_set_table(card["key_set_k_anonymity"])
fragment(show_population, busy=computing())()
st.header("Which columns distinguish records", anchor=False)
work = column_ranking(card["quasi_identifier_ranking"])
st.header("Minimal sample uniques", anchor=False)
work = sample_uniques(card["minimal_sample_uniques"]) or work
if work is not None:
    work()
