"""Controls of the explore page: levels by hand, what to search for, and limits that filter what was found."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboard.search import Inputs, SearchState
from dashboard.session import controlled
from dashboard.text import plain
from metrics.candidates.constraints import ABOVE_ZERO
from metrics.candidates.exploration import Exploration
from metrics.candidates.figures import FIGURES, SENSITIVE_FIGURES
from metrics.errors import InputError
from metrics.specification import Direction
from metrics.wording import visible

MEASURES = [name for name, figure in FIGURES.items() if figure.direction is not Direction.TRUE]
_A_ROW = 4


def level_sliders(search: SearchState, inputs: Inputs) -> None:
    """A level per quasi-identifier, with what a value becomes there."""
    columns = {of.column.name: of for of in search.evaluation(inputs).columns}
    levels = search.chosen_levels(inputs)
    names = list(columns)
    for start in range(0, len(names), _A_ROW):
        for place, name in zip(st.columns(_A_ROW), names[start : start + _A_ROW], strict=False):
            of, level = columns[name], levels[name]
            with place:
                if of.height:
                    st.slider(
                        plain(name),
                        0,
                        of.height,
                        value=level,
                        key=controlled(f"level_{name}", level),
                        on_change=_set_level,
                        args=(search, name),
                    )
                else:
                    st.markdown(f"{plain(name)}: one level")
                example = of.labels[level][int(of.codes[level][0])]
                st.caption(f"{len(of.labels[level]):,} values, such as {plain(visible(example)[:40])}")


def _set_level(search: SearchState, name: str) -> None:
    search.levels[name] = int(st.session_state[f"level_{name}"])


def k_slider(search: SearchState) -> None:
    """The smallest class kept: records of smaller ones are suppressed."""
    st.slider(
        "Suppress classes below k",
        1,
        100,
        value=search.k,
        key=controlled("explore_k", search.k),
        on_change=_set,
        args=(search, "k", "explore_k"),
    )


def search_controls(search: SearchState, sensitive: bool) -> None:
    """The share that may be suppressed, and the figure that decides what is best."""
    st.slider(
        "Records that may be suppressed (share)",
        0.0,
        1.0,
        value=search.max_suppression,
        step=0.01,
        key=controlled("max_suppression", search.max_suppression),
        on_change=_set,
        args=(search, "max_suppression", "max_suppression"),
    )
    measures = [name for name in MEASURES if sensitive or name not in SENSITIVE_FIGURES]
    chosen = search.measure if search.measure in measures else "loss"
    st.selectbox(
        "Best by",
        measures,
        index=measures.index(chosen),
        key=controlled("explore_measure", chosen),
        format_func=lambda name: FIGURES[name].title,
        on_change=_set,
        args=(search, "measure", "explore_measure"),
    )


def limit_sliders(search: SearchState, found: Exploration) -> None:
    """Limits on what was found: they filter at once, nothing is searched again."""
    limits = search.limits
    left, middle, right = st.columns(3)
    with left:
        _limit(search, "k", "k at least", "limit_found_k", limits.k or 1, (1, 100, 1), lambda value: value)
        _limit(
            search,
            "max_suppression",
            "suppressed at most (share)",
            "limit_found_suppression",
            1.0 if limits.max_suppression is None else limits.max_suppression,
            (0.0, 1.0, 0.01),
            lambda value: None if value == 1 else value,
        )
    with middle:
        if "t_closeness" in found.figures:
            _limit(
                search,
                "l",
                "different sensitive values at least (l)",
                "limit_found_l",
                limits.l or 1,
                (1, 20, 1),
                lambda value: None if value == 1 else value,
            )
            _limit(
                search,
                "t",
                "t at most",
                "limit_found_t",
                1.0 if limits.t is None else limits.t,
                (0.0, 1.0, 0.01),
                lambda value: None if value == 1 else value,
            )
        else:
            st.caption("Tag a sensitive column, then search again, for limits on l, t and P_29.")
    with right:
        if "p29" in found.figures:
            _limit(
                search,
                "p29",
                "P_29 at least",
                "limit_found_p29",
                0.0 if limits.p29 is None else limits.p29,
                (0.0, 1.0, 0.01),
                lambda value: None if value == 0 else max(value, ABOVE_ZERO),
            )
        st.toggle(
            "No attack pays",
            value=limits.no_attack,
            key=controlled("limit_found_no_attack", limits.no_attack),
            on_change=_filter,
            args=(search, "no_attack", "limit_found_no_attack", bool),
        )
        st.toggle(
            "Publishing pays for every record",
            value=limits.profitable,
            key=controlled("limit_found_profitable", limits.profitable),
            on_change=_filter,
            args=(search, "profitable", "limit_found_profitable", bool),
        )


def _limit(
    search: SearchState, name: str, label: str, key: str, value: Any, span: tuple[Any, Any, Any], read: Any
) -> None:
    low, high, step = span
    st.slider(
        label,
        low,
        high,
        value=value,
        step=step,
        key=controlled(key, value),
        on_change=_filter,
        args=(search, name, key, read),
    )


def _filter(search: SearchState, name: str, key: str, read: Any) -> None:
    try:
        search.limited(**{name: read(st.session_state[key])})
    except InputError as error:
        st.toast(plain(str(error)))


def _set(search: SearchState, name: str, key: str) -> None:
    setattr(search, name, st.session_state[key])
