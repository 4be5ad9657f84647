"""A search as it runs: the generalizations found, the best and the bound so far, and a button that stops it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from threading import Lock
from typing import Any

import streamlit as st

from dashboard.components.chart import draw
from dashboard.state.search_state import Inputs, SearchState
from dashboard.text import plain
from metrics.candidates.limits.measures import KEPT
from metrics.candidates.search.exploration import Exploration
from metrics.candidates.search.lattice_chart import node_cloud
from metrics.candidates.search.progress_chart import search_progress
from metrics.errors import InputError
from metrics.scoring.catalog import INFORMATION, RISK

_MAX_SECONDS = 120.0
_MAP_PX, _SEARCH_PX = 540, 370


@dataclass(frozen=True)
class Places:
    """Places where a running search draws. Their height is fixed, so that nothing moves while it goes on."""

    nodes: Any
    search: Any
    marked: Mapping[str, tuple[float | None, float | None]]
    """Points that the map shows until the search has found something."""

    @staticmethod
    def reserve(marked: Mapping[str, tuple[float | None, float | None]]) -> Places:
        """Places at the present position of the page."""
        return Places(
            st.container(height=_MAP_PX, border=False, key="live_map").empty(),
            st.container(height=_SEARCH_PX, border=False, key="live_search").empty(),
            marked,
        )

    def draw(self, exploration: Exploration | None, limit: float | None, number: int = 0) -> None:
        """Draw what the search has found so far in place of the last values; `number` differs each time."""
        best, marked = (None, self.marked) if exploration is None else (exploration.best, None)
        up = exploration.measure if exploration is not None and exploration.measure in KEPT else INFORMATION
        with self.nodes.container():
            draw(node_cloud(exploration, RISK, up, best=best, marked=marked, limit=limit), f"live_map_{number}")
        if exploration is not None:
            with self.search.container():
                draw(search_progress(exploration), f"live_search_{number}")


def _lock() -> Lock:
    """Held while this session's search runs."""
    lock: Lock = st.session_state.setdefault("search_at_work", Lock())
    return lock


def wait_for_search() -> None:
    """Wait until an interrupted search has kept its best: Streamlit starts the next run before the last has ended."""
    with _lock():
        pass


def running_search(
    search: SearchState, inputs: Inputs, container: Any, places: Places, risk_limit: float | None
) -> None:
    """Search, with the progress in `container`; anything pressed meanwhile ends it and keeps what was found."""
    with container.container(horizontal=True, vertical_alignment="bottom", wrap=False):
        bar = st.progress(0.0, text="Searching…", width="stretch")
        st.button("Stop", key="stop_search", on_click=_stop, args=(search,))
    last_drawn = search.found(inputs)
    with _lock():
        try:
            with closing(search.search(inputs, _MAX_SECONDS)) as steps:
                for number, progress in enumerate(steps, 1):
                    bar.progress(progress.share, text=f"{progress.nodes_evaluated:,} evaluated")
                    exploration = search.found(inputs)
                    if exploration is not last_drawn:
                        last_drawn = exploration
                        places.draw(exploration, risk_limit, number)
        except InputError as error:
            container.error(plain(str(error)), icon=":material/error:")
            return
        finally:
            search.searching = False
            search.propose_best(inputs)
    st.rerun()


def _stop(search: SearchState) -> None:
    search.searching = False
