"""Attacks: how far somebody who knows some columns succeeds with the table, compared with an attacker without it."""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.components.assumptions import known_columns
from dashboard.components.chart import chart_data, data_table, draw_with_data, first_rows, mark
from dashboard.components.fragments import Work, computing, metrics_above_charts, on_demand, show_view
from dashboard.components.guard import require_card, stop_without_original, unavailable
from dashboard.components.limits import limit_field, outcome_words, page_title
from dashboard.components.release_file import order_in_short
from dashboard.components.working import show_working
from dashboard.navigation import CLASSES
from dashboard.session import fragment, workspace
from dashboard.text import plain, with_symbols
from metrics.attacks.analyses.exposed_people import ExposedPeople
from metrics.attacks.analyses.success_by_columns import KnowledgeGrowth
from metrics.attacks.attribute_inference.measure import ATTRIBUTE_INFERENCE_ATTACK
from metrics.attacks.chart import attack_dumbbell, growth_chart
from metrics.attacks.membership.measure import MEMBERSHIP_ATTACK, Membership
from metrics.attacks.record_linkage.measure import RECORD_LINKAGE_ATTACK
from metrics.attacks.singling_out.measure import SINGLING_OUT_ATTACK, SinglingOut
from metrics.config.parameters import Parameters
from metrics.drawing.theme import NEUTRAL, PRIVACY, UTILITY
from metrics.errors import Unavailable
from metrics.explanations.attack_questions import (
    ATTACKS_BY_QUESTION,
    AttackCriterion,
    criteria,
    exceeds_baseline,
    largest_risk,
)
from metrics.explanations.attack_rows import attack_rows, attacker_terms
from metrics.explanations.findings import findings, said
from metrics.formatting import class_in_short, join_names, percent, pluralize, sentence_case, visible
from metrics.metric import AttackRow, FindingKind
from metrics.scoring.class_filter import Violation
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.scoring.scorecard import Score, Scorecard
from metrics.tables.table import Integers
from metrics.texts import text

_WORK: list[Work | None] = []
_FIRST_ROWS = 10
"""Rows of the table of attackers that are shown at once."""

card = require_card()
state = workspace()
aggregates = card.aggregates
page_title("Attacks")
if aggregates.roles.person is None:
    st.caption(text("attack.people.record_is_person"))
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
    parameters = state.parameters_for(aggregates)
    scores = {**card.scores, **state.attacks.scores(aggregates, parameters)}
    state.score_cache.keep(aggregates, scores[SINGLING_OUT_ATTACK.id], parameters)  # for the other pages
    shown_card = replace(card, parameters=parameters, scores=scores)
    attack_criteria = criteria(scores)
    strongest, headlines, exposed = largest_risk(attack_criteria), list[str](), None
    with suppress(Unavailable):  # the section about the people says why
        exposed = state.attacks.people(aggregates, parameters)
        headlines.append(people_headline(card, exposed, scores[SINGLING_OUT_ATTACK.id].result))
    if strongest is not None:
        headlines.insert(0 if exceeds_baseline(attack_criteria) else len(headlines), strongest)
    if headlines:
        st.markdown(f"## {plain(headlines[0].removesuffix('.'))}")
    left, right = st.columns([5, 3], gap="medium")
    with right:
        known_columns(state, aggregates)
        policy_limits(shown_card)
        for finding in findings(card, kinds=[FindingKind.UNDERSTATED_ATTACKS]):
            st.caption(plain(finding.sentence))
    with left:
        attackers_table(shown_card, exposed)
    metrics_above_charts()
    marks_explained(attack_criteria)
    rows = max(len(criterion.rates) for criterion in attack_criteria)
    with st.container(key="criteria"):
        for column, criterion in zip(st.columns(3, gap="medium"), attack_criteria, strict=True):
            with column:
                _WORK.append(criterion_column(criterion, shown_card, rows))
    membership_section(shown_card)
    attack_details(shown_card, attack_criteria, parameters)


def attackers_table(card: Scorecard, exposed: ExposedPeople | None) -> None:
    """The attacks beside success without the table and the hold-out table, the first ones at once."""
    rows = attack_rows(card)
    if not rows:
        return
    st.table(_attackers_frame(rows[:_FIRST_ROWS]), hide_index=True, alt="Attackers")
    if rows[_FIRST_ROWS:]:
        with st.expander(pluralize(len(rows) - _FIRST_ROWS, "further row")):
            st.table(_attackers_frame(rows[_FIRST_ROWS:]), hide_index=True, alt="Further attackers")
    misled = [score.attack.below_baseline for score in card if score.attack is not None]
    nearest = [] if exposed is None else [exposed.nearest]
    explained = (*misled, text("attack.row.certain_help"), *nearest, *attacker_terms(card))
    st.caption(plain(" ".join(filter(None, explained))))


def _attackers_frame(rows: Sequence[AttackRow]) -> pd.DataFrame:
    """Rows of the table of attackers; people who are not in the original have a column if any were attacked."""

    def shares(of_row: Callable[[AttackRow], float | None]) -> list[str]:
        return ["—" if (share := of_row(row)) is None else percent(share) for row in rows]

    columns = {
        "attack": [row.attacker for row in rows],
        "people answered": shares(lambda row: row.answered),
        "success": shares(lambda row: row.success),
        "without the table": shares(lambda row: row.baseline),
    }
    if any(row.holdout is not None for row in rows):
        columns["hold-out"] = shares(lambda row: row.holdout)
    return pd.DataFrame(columns)


def marks_explained(attack_criteria: Sequence[AttackCriterion]) -> None:
    """The marks of the three charts, once for all."""
    rates = [rate for criterion in attack_criteria for rate in criterion.rates.values()]
    marks = [("❘", NEUTRAL, "without the table"), ("●", PRIVACY, "attack")]
    if any(rate.control is not None for rate in rates):
        marks.insert(1, ("◆", UTILITY, text("attack.people.same_attack")))
    if any(rate.interval is not None for rate in rates):
        marks.append(("├┤", PRIVACY, "95% interval"))
    st.html(" &ensp; ".join(f"{mark(symbol, colour)} {name}" for symbol, colour, name in marks))


def criterion_column(criterion: AttackCriterion, card: Scorecard, rows: int) -> Work | None:
    """One criterion: the success rates, the baseline and the control, or why there are none, and the limits on it.

    `rows` is the largest number of rates of a criterion: charts side by side are equally high.
    """
    work = None
    if criterion.rates:
        identifiers = {name: criterion.metrics[name] for name in criterion.rates}
        limits = {
            name: float(state.policy.limits[identifier])
            for name, identifier in identifiers.items()
            if identifier in state.policy.limits
        }
        title = criterion.title if criterion.leading is None else f"{criterion.title}: {criterion.leading.in_title}"
        chart = attack_dumbbell(criterion.rates, visible(title), limits, legend=False, rows=rows)
        draw_with_data(chart, f"attack_{criterion.id}")
    else:
        st.header(criterion.title, anchor=False)
        for sentence in criterion.sentences:
            st.markdown(plain(sentence))
    if SINGLING_OUT_ATTACK.id in ATTACKS_BY_QUESTION[criterion.id] and not criterion.rates:
        work = on_demand(state, card[SINGLING_OUT_ATTACK.id])
    _limits(card, ATTACKS_BY_QUESTION[criterion.id])
    return work


def membership_section(card: Scorecard) -> None:
    """The attack that answers none of the three questions: its finding, or what it needs, and the limit on it."""
    score, title = card[MEMBERSHIP_ATTACK.id], MEMBERSHIP_ATTACK.title
    if isinstance(score.result, Membership):
        st.header(f"{title}: {percent(score.result.value)}", anchor=False)
        st.markdown(plain(score.result.summary()))
    else:
        st.caption(plain(f"{title}: not measured, because {score.unavailable}."))
    _limits(card, [MEMBERSHIP_ATTACK.id])


def _limits(card: Scorecard, identifiers: Collection[str]) -> None:
    """Whether the policy's limits on these attacks are met."""
    for result in state.policy.current.check(card).limits:
        if result.metric in identifiers:
            st.caption(plain(f"{result.title}: {outcome_words(result.outcome)} ({with_symbols(result.requirement)})"))


def attack_details(card: Scorecard, attack_criteria: Sequence[AttackCriterion], parameters: Parameters) -> None:
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
            "How each attack works": lambda: explanations(card, attack_criteria),
        },
    )


def policy_limits(card: Scorecard) -> None:
    """The policy's limits on the attacks."""
    with st.popover("Limits of the policy", icon=":material/edit:", key="attack_limits"):
        st.caption("An empty field sets no limit.")
        for score in _attack_scores(card):
            if score.result is not None or not score.metric.needs_role:
                limit_field(state, score.metric.id, f"attack_limit_{score.metric.id}")


def explanations(card: Scorecard, attack_criteria: Sequence[AttackCriterion]) -> None:
    """What each chart means, and each attack step by step for one person."""
    for column, criterion in zip(st.columns(len(attack_criteria), gap="medium"), attack_criteria, strict=True):
        with column:
            st.header(criterion.title, anchor=False)
            for sentence in criterion.sentences:
                st.markdown(plain(sentence))
    for score in _attack_scores(card):
        if score.result is not None and score.metric.working is not None:
            show_working(card, score.metric.id, label=score.metric.title)


def _attack_scores(card: Scorecard) -> list[Score]:
    return [
        card[identifier] for identifier in (*chain.from_iterable(ATTACKS_BY_QUESTION.values()), MEMBERSHIP_ATTACK.id)
    ]


def people_headline(card: Scorecard, exposed: ExposedPeople, singling_out: object) -> str:
    """Of how many people all possible records are right, as the finding of the page; who is singled out."""
    if not any(exposed.totals.values()):
        return _nobody_exposed(card, exposed, singling_out)
    correct = {name: number for name, number in exposed.totals.items() if name and number}
    identified = exposed.totals[""]
    identification = (
        text("attack.people.identified", identified=identified)
        if identified
        else text("attack.people.nobody_identified")
    )
    if not correct:
        if exposed.exact:
            return text("attack.people.only_identified", identified=identified)
        return text("attack.people.only_identified_of_drawn", identified=identified, targets=exposed.targets)
    disclosed = join_names(
        [_people_disclosed(name, number, exposed.misled.get(name, 0)) for name, number in correct.items()]
    )
    if exposed.exact:
        return text("attack.people.disclosed", disclosed=disclosed, identified=identification)
    return text(
        "attack.people.disclosed_of_drawn", disclosed=disclosed, identified=identification, targets=exposed.targets
    )


def _people_disclosed(column: str, people: int, misled: int) -> str:
    """Of how many people the attribute is disclosed, of how many others all possible records agree on a wrong one."""
    if not misled:
        return text("attack.people.of_people", column=column, people=people)
    return text("attack.people.of_people_misled", column=column, people=people, wrong=misled)


def _nobody_exposed(card: Scorecard, exposed: ExposedPeople, singling_out: object) -> str:
    """Say that nobody is exposed, and why this is no all-clear."""
    nobody = (
        text("attack.people.nobody")
        if exposed.exact
        else text("attack.people.nobody_of_drawn", targets=exposed.targets)
    )
    description = singling_out.in_short if isinstance(singling_out, SinglingOut) else None
    if description is not None:
        return text("attack.people.nobody_but_described", described=sentence_case(description), nobody=nobody)
    perturbed = bool(perturbed_columns_of(card.aggregates))
    return text("attack.people.nobody_but_perturbed", nobody=nobody) if perturbed else nobody


def people_section(card: Scorecard, exposed: ExposedPeople) -> None:
    """How many people are exposed, their classes, and the way to one of them."""
    order, classes = exposed.worst_first, card.aggregates.classes
    sentences = [text("attack.people.two_attackers", suppressed=exposed.ruled_out)] if exposed.ruled_out else []
    if not any(exposed.totals.values()):
        st.caption(" ".join(sentences))
        _nobody_disclosed(card)
        return
    st.markdown(plain(f"{people_headline(card, exposed, None).removesuffix('.')}."))
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
            columns["right on the record"] = exposed.identified[index]
        columns |= {f"right on {name}": numbers[index] for name, numbers in exposed.disclosed.items()}
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
    chart_data(in_full, "exposed_classes", "All of them as CSV", confidential=True)


def _nobody_disclosed(card: Scorecard) -> None:
    """Explain what it means that the attacks expose nobody, and what it does not mean."""
    st.markdown(text("attack.people.nobody_exposed", nobody=text("attack.people.nobody")))
    table = card.classes
    uniform = np.any([distinct == 1 for distinct in table.distinct.values()], axis=0) & np.ones(len(table), dtype=bool)
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
