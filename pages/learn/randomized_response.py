"""Randomized response to play with: answers that may be false, and what they still tell of all people together."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dashboard.components.chart import draw_with_data
from dashboard.text import plain
from metrics.formatting import format_number, percent
from metrics.privacy.local_dp.chart import frequency_chart
from metrics.privacy.local_dp.measure import RandomizedColumn
from metrics.tables.randomization import k_rr
from metrics.texts import text

ID = "randomized-response"
_KEY = "learn_randomized"


def randomized_response() -> None:
    """The people, ε and a draw; what is published, what it tells of all, and what of one."""
    st.header(plain(text("learn_randomized.title")), anchor=False)
    st.markdown(plain(text("learn_randomized.story")))
    left, right = st.columns(2, gap="large")
    with left:
        people = st.slider("People", 100, 10_000, 1_000, step=100, key=f"{_KEY}_people")
        share = st.slider("True answers “yes” (%)", 0, 100, 40, key=f"{_KEY}_share")
        epsilon = float(st.slider("ε", 0.1, 6.0, 1.0, step=0.1, key=f"{_KEY}_epsilon"))
        st.button("Ask again", key=f"{_KEY}_again", on_click=_ask_again, icon=":material/casino:")
    by, counts = k_rr(["yes", "no"], epsilon), np.array([round(people * share / 100), 0])
    counts[1] = people - counts[0]
    # Anybody may know the numbers drawn here: nobody gave these answers.
    chance = np.random.default_rng(st.session_state.get(f"{_KEY}_draw", 0))
    stays, other = by.kept + float(by.drawn[0]), float(by.drawn[1])
    published = int(chance.binomial(counts, (stays, other)).sum())
    column = RandomizedColumn(by, np.array([published, people - published], dtype=float), counts / people)
    yes = column.shares[0]
    with right:
        tiles = st.columns(2)
        tiles[0].metric("True answers published", percent(stays))
        tiles[1].metric("Estimated “yes”", f"{format_number(100 * yes['estimated'])}%")
        guessing, success = column.guessing or 0.0, column.success or 0.0
        words = text("learn_randomized.found", factor=float(np.exp(epsilon)), success=success, guessing=guessing)
        st.markdown(plain(words))
        draw_with_data(frequency_chart("answers", column), f"{_KEY}_chart")
    trials = (text("learn_randomized.try_people"), text("learn_randomized.try_epsilon"))
    st.markdown("**What to try**\n" + "".join(f"\n- {plain(trial)}" for trial in trials))
    st.subheader("The working")
    st.latex(rf"p = \frac{{e^\varepsilon}}{{e^\varepsilon + 1}} = {stays:.4f}, \qquad q = 1 - p = {other:.4f}")
    of_more = r",\ ".join(rf"p = {1 / (1 + (d - 1) * np.exp(-epsilon)):.4f} \; (d = {d})" for d in (2, 5, 20))
    st.markdown(plain(text("learn_randomized.of_more")))
    st.latex(rf"p = \frac{{e^\varepsilon}}{{e^\varepsilon + d - 1}}: \quad {of_more}")
    numbers = rf"\frac{{{yes['released']:.4f} - {other:.4f}}}{{{by.kept:.4f}}} = {yes['estimated']:.4f}"
    st.latex(rf"\hat f = \frac{{n_\text{{yes}} / n - q}}{{p - q}} = {numbers}")


def _ask_again() -> None:
    st.session_state[f"{_KEY}_draw"] = st.session_state.get(f"{_KEY}_draw", 0) + 1
