"""Learn: the measures by small examples that change under the reader's hands."""

from typing import Any

import streamlit as st

from dashboard.components.working import draw_step, draw_working
from dashboard.text import metric_help, plain
from metrics.config.parameters import P29Parameters
from metrics.errors import InputError
from metrics.explanations.example import Example
from metrics.explanations.examples import EXAMPLES, NOTEBOOK, P_29
from metrics.scoring.scorecard import Scorecard
from metrics.scoring.working import score_step
from metrics.texts import text
from pages.learn.example import edit_example, generation, reset_button
from pages.learn.randomized_response import ID as RANDOMIZED
from pages.learn.randomized_response import randomized_response

_BY_ID = {example.id: example for example in EXAMPLES}
_TITLES = {**{name: example.title for name, example in _BY_ID.items()}, RANDOMIZED: text("learn_randomized.title")}

st.title("Learn", anchor=False)
st.markdown("Change a cell and see how the measure reacts. Each table is small enough to check by hand.")
chosen = st.segmented_control(
    "Example",
    list(_TITLES),
    format_func=_TITLES.__getitem__,
    default=EXAMPLES[0].id,
    required=True,
    key="example",
    bind="query-params",
    persist_state="session",
)


@st.fragment
def example_section(example: Example) -> None:
    """One example: what it is about, its table, the values, what to try, the working."""
    st.header(plain(example.title), anchor=False)
    st.markdown(plain(example.story))
    left, right = st.columns(2, gap="large")
    with left:
        rows, hierarchies, settings = edit_example(example)
        reset_button(example.id)
    with right:
        card = _scorecard_or_warning(example, rows, hierarchies, settings)
        if card is not None:
            _values(example, card)
        st.markdown("**What to try**\n" + "".join(f"\n- {plain(trial.say)}" for trial in example.trials))
    if card is not None:
        st.subheader("The working")
        if example.note is not None:
            st.caption(plain(example.note))
        draw_working(card, example.metric_id, f"learn_{generation(example.id)}")
    if example is P_29:
        _notebook()


def _value_text(value: float | bool | None) -> str:
    """A value for reading."""
    if value is None or isinstance(value, bool):
        return {True: "yes", False: "no", None: "—"}[value]
    return f"{value:,.4f}".rstrip("0").rstrip(".")


def _values(example: Example, card: Scorecard) -> None:
    """The values to watch, with what has changed against the example as it came."""
    values, spec = example.figures(card), card[example.metric_id].metric
    tiles = st.columns(3 if len(values) % 2 else 2)
    for number, (name, value) in enumerate(values.items()):
        expected = example.expected.get(name)
        change = None
        if isinstance(expected, bool):
            change = None if value is expected else f"was {_value_text(expected)}"
        elif expected is not None and value is not None and abs(value - expected) > 1e-9:
            change = f"{value - expected:+.4f}"
        help_text = metric_help(spec) if name == example.metric_id else "Derived in the working below."
        with tiles[number % len(tiles)]:
            st.metric(plain(example.chart_title(name)), _value_text(value), change, delta_color="off", help=help_text)


def _notebook() -> None:
    """The P_29 score from its components, without a table."""
    st.header("The notebook's results", anchor=False)
    st.markdown(text("p29.example.notebook"))
    fields = st.columns(3)
    name = f"learn_notebook_{generation('notebook')}"
    k_min = fields[0].number_input("Smallest class", 1, 10**6, NOTEBOOK.k_min, key=f"{name}_k")
    Nl, Nt = (
        field.number_input(f"Mean {letter} (N{letter}′)", 0.0, 1.0, mean, 0.01, format="%.6f", key=f"{name}_{letter}")
        for field, letter, mean in zip(fields[1:], "lt", (NOTEBOOK.Nl, NOTEBOOK.Nt), strict=True)
    )
    step = score_step(k_min, Nl, Nt, P29Parameters(), {"k": k_min > 1, "l": Nl > 0, "t": True})
    st.metric("P_29 of the notebook", f"{step.number:.6f}", help=text("p29.example.notebook_score_help"))
    draw_step(step)
    reset_button("notebook")


def _scorecard_or_warning(example: Example, *edited: Any) -> Scorecard | None:
    """The scores of the edited example; where it has none, one sentence says why."""
    try:
        card = example.card(*edited)
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/warning:")
        return None
    reason = card[example.metric_id].unavailable
    if reason is not None:
        st.warning(f"{plain(reason[:1].upper() + reason[1:])}.", icon=":material/warning:")
        return None
    return card


if chosen == RANDOMIZED:
    st.fragment(randomized_response)()
else:
    example_section(_BY_ID[chosen])
