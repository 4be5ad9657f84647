"""A table made on a page: its values compared with the current version's, and keeping or downloading it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.components.recipe_section import recipe_button
from dashboard.components.release_file import release_button
from dashboard.navigation import COMPARE
from dashboard.session import choose_version, chosen_version
from dashboard.text import metric_help, plain
from dashboard.workspace import Workspace
from metrics.errors import InputError
from metrics.formatting import join_names, visible
from metrics.policy.limitable_measures import LIMITABLE_MEASURES, change_text, measure_text
from metrics.recipes.recipe import Recipe
from metrics.scoring.catalog import BY_ID
from metrics.scoring.scorecard import Scorecard
from metrics.tables.matching_rule import MatchingRule
from metrics.tables.table import Table
from metrics.texts import text
from metrics.utility.analyses import ANALYSES
from metrics.utility.cells.removed_values import RemovedValues, removed_summary

LEAST_CHANGE = 5e-4
"""A smaller difference of two values is not shown."""


def scores_of(state: Workspace, label: str) -> Scorecard | None:
    """The scores of the version that a table made here is compared with, where it has some."""
    if not state.ready or label not in state.tables.versions:
        return None
    try:
        return state.card(label)
    except InputError:
        return None


def tile_columns(number: int, widths: Sequence[int]) -> list[DeltaGenerator]:
    """Columns for tiles, in rows of these widths; on a small screen two to a row."""
    with st.container(key="change_tiles"):
        return [column for _ in range(0, number, len(widths)) for column in st.columns(widths, gap="small")]


def change_tile(
    column: Any,
    title: str,
    name: str,
    now: float | bool | None,
    before: float | None,
    *,
    limit: float | bool | None,
    lower_is_better: bool,
    shown: str | None = None,
    bound: str | None = None,
) -> None:
    """A value, by the metric's name, with its change against another version; `shown` is its text.

    `limit` is the policy's, which the title says to be met or not. The `bound` on the other
    version's value stands in place of the change where no more is known.
    """
    delta, color = _change(name, now, before, lower_is_better) if bound is None else (f"from {bound}", "off")
    description = metric_help(BY_ID[name]) if name in BY_ID else text("suppression.help")
    meets_limit = None if limit is None else LIMITABLE_MEASURES[name].is_met(now, limit)
    column.metric(
        title if meets_limit is None else f"{'✓' if meets_limit else '✗'} {title}",
        measure_text(name, now) if shown is None else shown,
        delta=delta,
        delta_color=color,
        delta_arrow="off" if color == "off" else "auto",
        help=f"{description} pp: percentage points. ✓ meets and ✗ fails the policy's limit.",
    )


def _change(
    name: str, now: float | bool | None, before: float | None, lower_is_better: bool
) -> tuple[str | None, Literal["normal", "inverse", "off"]]:
    """The change of a value as text, and how it is coloured; None where it is unknown."""
    if before is None or now is None:
        return None, "off"
    change = change_text(name, now, before)
    if not change:
        return "same", "off"
    if name == ANALYSES.id:  # it can be less than the uncertainty of the original's estimates
        return change, "off"
    return change.replace("−", "-"), "inverse" if lower_is_better else "normal"  # st.metric looks for a hyphen


def kept_notice(label: str) -> str:
    """Say that a table was kept, and that every page now shows it."""
    return f"Kept as {visible(label)}; all pages now show it."


def compared_with(label: str) -> None:
    """Say which version the changes on the tiles are relative to."""
    st.caption(plain(f"Changes compared with {visible(label)}:"))


def warn_removed(removed: Iterable[RemovedValues]) -> None:
    """Warn that a table leaves out all records with some values."""
    sentence = removed_summary(removed)
    if sentence is not None:
        st.warning(plain(sentence), icon=":material/warning:")


def offer_version(
    state: Workspace,
    name: str,
    prefix: str,
    table: Callable[[], Table],
    recipe: Callable[[], Recipe],
    kept: str | None,
    remember: Callable[[str], None],
    removed: Iterable[RemovedValues],
    actions: DeltaGenerator,
    *,
    recommended: bool = True,
) -> None:
    """Keep the table and go on to compare it, in the place for `actions`; download it or its recipe.

    `prefix` begins the keys of the controls; `remember` takes the label of a table that is kept, `kept` is that of this
    one. The page also says what values are `removed`, and which columns are suppressed. Keeping is the next step only
    for a `recommended` table.
    """
    warn_removed(removed)
    identifiers = [visible(name) for name in state.search_inputs().roles.identifiers]
    if identifiers:
        st.caption(plain(f"Columns tagged as identifiers ({join_names(identifiers)}) contain only * in this table."))

    def keep() -> None:
        """Add the table to the versions, as the current one; it has the original's records in their order."""
        label = state.keep(name, table(), MatchingRule(), recipe())
        choose_version(label)
        remember(label)

    is_kept = kept in state.tables.labels
    with actions.container(horizontal=True, vertical_alignment="center"):
        if st.button(
            "Keep as a version",
            key=f"{prefix}_keep",
            type="primary" if recommended and not is_kept else "secondary",
            on_click=keep,
            icon=":material/bookmark_add:",
        ):
            st.rerun()
        if is_kept and len(state.tables.labels) > 1:
            st.page_link(COMPARE.page(), label="Compare now", icon=":material/compare_arrows:")
        if is_kept:
            notice = kept_notice(str(kept)) if kept == chosen_version(state) else f"Kept as {visible(str(kept))}."
            st.caption(plain(notice))
    with st.container(horizontal=True, vertical_alignment="center"):
        release_button(table, name, f"{prefix}_download")
        recipe_button(recipe, name, f"{prefix}_recipe")
