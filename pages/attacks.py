"""Attacks: how far somebody who knows some columns succeeds with the table, compared with an attacker without it."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from operator import itemgetter

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.components.assumptions import known_columns, learning_model
from dashboard.components.chart import chart_data, data_table, draw_with_data, first_rows
from dashboard.components.fragments import Work, computing, metrics_above_charts, on_demand_row, show_view
from dashboard.components.guard import require_card, stop_without_original, unavailable
from dashboard.components.limits import limit_field, outcome_words, page_title
from dashboard.components.release_file import order_in_short
from dashboard.components.working import show_working
from dashboard.navigation import CLASSES
from dashboard.session import fragment, workspace
from dashboard.text import plain, with_symbols
from metrics.aggregates.agreement import is_drawn, tells
from metrics.attacks.analyses.exposed_people import ExposedPeople
from metrics.attacks.analyses.success_by_columns import KnowledgeGrowth
from metrics.attacks.attribute_inference.measure import ATTRIBUTE_INFERENCE_ATTACK
from metrics.attacks.chart import attack_chart, growth_chart
from metrics.attacks.record_linkage.measure import RECORD_LINKAGE_ATTACK
from metrics.attacks.singling_out.measure import SINGLING_OUT_ATTACK
from metrics.config.parameters import Parameters
from metrics.errors import Unavailable
from metrics.explanations.attack_questions import is_noticeable, leading_attack, table_adds
from metrics.explanations.attack_rows import ATTACKS, attack_rows, model_adds
from metrics.explanations.findings import findings, said
from metrics.formatting import class_in_short, join_names
from metrics.metric import FindingKind
from metrics.scoring.class_filter import Violation
from metrics.scoring.scorecard import Score, Scorecard
from metrics.tables.table import Integers
from metrics.texts import text

_WORK: list[Work | None] = []

card = require_card()
state = workspace()
aggregates = card.aggregates
page_title("Attacks")
order_in_short(state, card)
identifiers = said(card, FindingKind.IDENTIFIERS)
if identifiers:
    st.warning(plain(text("direct_identifiers.not_attacked", identifiers=identifiers)), icon=":material/warning:")
if aggregates.original is None:
    stop_without_original(text("attack.without_original"))
missing = card["record_linkage_attack"].unavailable
if missing is not None and aggregates.comparison.refusal is None:
    unavailable(missing)


def show_attacks() -> None:
    """Show what is known, and all that follows from it."""
    parameters = state.policy.parameters_for(aggregates)
    scores = {**card.scores, **_outdated(parameters), **state.attacks.scores(aggregates, parameters)}
    state.score_cache.keep(aggregates, scores[SINGLING_OUT_ATTACK.id], parameters)  # for the other pages
    shown_card = replace(card, parameters=parameters, scores=scores)
    left, right = st.columns([5, 2], gap="medium", vertical_alignment="bottom")
    with left:
        known_columns(state, aggregates)
    with right:
        policy_limits(shown_card)
    metrics_above_charts()
    rows, finding = attack_rows(shown_card), heading(shown_card)
    if rows:
        draw_with_data(attack_chart(rows, finding, _limits_by_row(shown_card)), "attacks", revision=str(len(rows)))
    for understated in findings(card, kinds=[FindingKind.UNDERSTATED_ATTACKS]):
        st.caption(plain(understated.sentence))
    if adds := model_adds(shown_card):
        st.markdown(plain(adds))
    if aggregates.roles.sensitive:
        learning_model(state)
    limits_and_missing(shown_card)
    attack_details(shown_card, parameters)


def _outdated(parameters: Parameters) -> dict[str, Score]:
    """The attacks on request that were computed with other settings, without their results."""
    return {
        score.metric.id: replace(score, result=None, unavailable=text("unavailable.on_demand"))
        for score in _scores(card)
        if score.metric.on_demand
        and any(getattr(card.parameters, group) != getattr(parameters, group) for group in score.metric.settings)
    }


def _limits_by_row(card: Scorecard) -> dict[str, float]:
    """The policy's limits by the rows of the chart; that on singling out is of descriptions, which it does not show."""
    limits = state.policy.limits
    return {
        row.attacker: float(limits[score.metric.id])
        for score in _scores(card)
        if score.metric.id in limits and score.metric is not SINGLING_OUT_ATTACK
        for row in score.attack_rows
    }


def heading(card: Scorecard) -> str:
    """What the table adds for an attacker; where that is little for most people, who is exposed all the same."""
    attack = leading_attack(card.scores)
    if not is_noticeable(attack):
        with suppress(Unavailable):  # the section about the people says why
            exposed = state.attacks.people(card.aggregates, card.parameters)
            if any(exposed.totals.values()):
                return people_summary(exposed, 1)
    return text("attack.adds.unknown") if attack is None else table_adds(attack)


def limits_and_missing(card: Scorecard) -> None:
    """Whether the policy's limits on the attacks are met, and why an attack has no result."""
    for result in state.policy.current.check(card).limits:
        if result.metric in ATTACKS:
            st.caption(plain(f"{result.title}: {outcome_words(result.outcome)} ({with_symbols(result.requirement)})"))
    for score in _scores(card):
        if score.result is None and not score.metric.needs_role:
            if score.metric.on_demand:
                _WORK.append(on_demand_row(state, score))
            else:
                st.caption(plain(f"{score.metric.title}: not available, because {score.unavailable}."))


def attack_details(card: Scorecard, parameters: Parameters) -> None:
    """Show who is exposed, how success grows with what is known, and how each attack works: one at a time."""
    attacks, aggregates = state.attacks, card.aggregates

    def people() -> None:
        """Show who is exposed."""
        people_section(card, attacks.people(aggregates, parameters))

    def growth() -> None:
        """Show how success grows."""
        with st.spinner("Computing the success rates by number of known columns…"):
            result = attacks.growth(aggregates, parameters)
        growth_section(result)

    def available(part: Callable[[], None]) -> Callable[[], None]:
        """Return a function that shows the part, or why it is not available."""

        def draw() -> None:
            try:
                part()
            except Unavailable as reason:
                st.caption(plain(f"Not available: {reason}."))

        return draw

    show_view(
        "attacks",
        {
            "People exposed": available(people),
            "Success by columns known": available(growth),
            "How each attack works": lambda: explanations(card),
        },
    )


def policy_limits(card: Scorecard) -> None:
    """The policy's limits on the attacks."""
    with st.popover("Limits of the policy", icon=":material/edit:", key="attack_limits"):
        st.caption("An empty field sets no limit.")
        for score in _scores(card):
            if score.result is not None or not score.metric.needs_role:
                limit_field(state, score.metric.id, f"attack_limit_{score.metric.id}")


def explanations(card: Scorecard) -> None:
    """How one attack works, and its steps for one person."""
    scores = {score.metric.title: score for score in _scores(card) if score.result is not None}
    if not scores:
        return
    chosen = st.segmented_control(
        "Attack", list(scores), default=next(iter(scores)), key="attack_explained", required=True, wrap=True,
        label_visibility="collapsed",
    )  # fmt: skip
    metric = scores[str(chosen)].metric
    st.markdown(metric.notes)
    if metric.working is not None:
        show_working(card, metric.id)


def _scores(card: Scorecard) -> list[Score]:
    return [card[metric_id] for metric_id in ATTACKS]


def people_summary(exposed: ExposedPeople, max_attributes: int | None = None) -> str:
    """How many people are identified, and of how many a sensitive value is certain; of the most exposed attributes."""
    certain = [(people, name) for name, people in exposed.totals.items() if name and people]
    most = sorted(certain, key=itemgetter(0), reverse=True)[:max_attributes]
    values = [_certain(name, people, exposed.misled.get(name, 0)) for people, name in most]
    achieves = [text("attack.people.certain", disclosed=join_names(values))] if values else []
    if exposed.totals[""]:
        achieves.append(text("attack.people.identifies", identified=exposed.totals[""]))
    sentence = (
        text("attack.people.attacker", achieves=", and ".join(achieves)) if achieves else text("attack.people.nobody")
    )
    if exposed.exact:
        return sentence
    return text("attack.people.of_drawn", sentence=sentence, targets=exposed.targets)


def _certain(column: str, people: int, misled: int) -> str:
    """Of how many people the value is certain, and of how many others an attacker is certain of a wrong one."""
    if not misled:
        return text("attack.people.of_people", column=column, people=people)
    return text("attack.people.of_people_misled", column=column, people=people, wrong=misled)


def people_section(card: Scorecard, exposed: ExposedPeople) -> None:
    """How many people are exposed, their classes, and the way to one of them."""
    drawn = [name for name in card.aggregates.roles.sensitive if is_drawn(card.aggregates, name)]
    if drawn:
        st.caption(plain(text("attack.people.randomized", columns=drawn)))
    order, classes = exposed.worst_first, card.aggregates.classes
    if not any(exposed.totals.values()):
        _nobody_exposed(card, exposed)
        return
    st.markdown(plain(f"{people_summary(exposed)}."))
    sentences = [text("attack.people.two_attackers", suppressed=exposed.ruled_out)] if exposed.ruled_out else []
    if exposed.suppressed:
        sentences.append(text("attack.people.in_no_class", suppressed=exposed.suppressed))
    if sentences:
        st.caption(" ".join(sentences))
    if not len(order):
        return

    def frame(index: Integers) -> pd.DataFrame:
        """The classes with the numbers of people exposed in each."""
        columns = {"records": classes.sizes[index]}
        if exposed.identified.any():
            columns["people identified"] = exposed.identified[index]
        columns |= {f"{name} certain": numbers[index] for name, numbers in exposed.disclosed.items()}
        return pd.DataFrame(columns)

    def shown() -> pd.DataFrame:
        """The worst classes, each in one column."""
        index = first_rows(order)
        return frame(index).assign(**{"class": [class_in_short(classes.labels(at).values()) for at in index.tolist()]})

    def in_full() -> pd.DataFrame:
        """All classes, with one column for each quasi-identifier."""
        counts = frame(order)
        labels: pd.DataFrame = card.classes.to_arrow(order).select(range(len(classes.columns))).to_pandas()
        return pd.concat([counts, labels.rename(columns={name: f"{name} (column)" for name in counts})], axis=1)

    event = data_table(
        shown(),
        "Equivalence classes with the people exposed in each",
        on_select="rerun",
        selection_mode="single-row",
        key="attack_classes",
    )
    rows = event.selection.rows
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Open this class", key="open_class", disabled=not rows, icon=":material/arrow_forward:"):
            _open_class(card, int(order[rows[0]]))
        st.caption(text("attack.people.classes", exposed=len(order), classes=classes.count))
    chart_data(in_full, "exposed_classes", "Download classes (CSV)", confidential=True)


def _nobody_exposed(card: Scorecard, exposed: ExposedPeople) -> None:
    """Explain what it means that the attacks expose nobody, and what it does not mean."""
    st.markdown(text("attack.people.nobody_exposed", nobody=people_summary(exposed)))
    table = card.classes
    telling = [distinct == 1 for name, distinct in table.distinct.items() if tells(card.aggregates, name)]
    uniform = np.any(telling, axis=0) & np.ones(len(table), dtype=bool)
    if uniform.any():
        number, records = int(uniform.sum()), int(table.classes.sizes[uniform].sum())
        warning = text("attack.people.no_all_clear", uniform=number, classes=len(table), records=records)
        st.warning(warning, icon=":material/warning:")


def _open_class(card: Scorecard, index: int) -> None:
    """The page of classes with this class alone."""
    st.session_state["class_filter"] = str(Violation.NOTHING)
    for name, label in card.aggregates.classes.labels(index).items():
        st.session_state[f"class_value_{name}"] = [label]
    st.switch_page(CLASSES.page())


def growth_section(growth: KnowledgeGrowth) -> None:
    """How success grows with the number of known columns, for the record and each sensitive attribute."""
    st.caption(text("attack.growth.strongest"))
    options, linkage = [*growth.attributes, ""], RECORD_LINKAGE_ATTACK.title
    chosen = st.segmented_control(
        "Success of",
        options,
        default=options[0],
        key="attack_growth",
        format_func=lambda name: plain(f"{ATTRIBUTE_INFERENCE_ATTACK.title}: {name}" if name else linkage),
        required=True,
        label_visibility="collapsed",
    )
    notes = [] if growth.exact else [text("attack.growth.people_drawn", targets=growth.targets)]
    notes += [] if growth.complete else [text("attack.growth.choices_drawn")]
    if notes:
        st.caption(text("attack.growth.estimated", sample=join_names(notes)))
    draw_with_data(growth_chart(growth, str(chosen)), "attack_growth_figure")


fragment(show_attacks, busy=computing())()
for work in _WORK:
    if work is not None:
        work()
