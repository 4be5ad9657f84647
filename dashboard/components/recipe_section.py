"""A recipe applied to a loaded table: what it does, values that it lacks, and the result to keep or download."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from dashboard.components.chart import data_table
from dashboard.components.release_file import release_button
from dashboard.components.uploader import uploader_key
from dashboard.session import choose_version
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.errors import InputError
from metrics.formatting import join_names, pluralize, visible
from metrics.recipes.recipe import AppliedRecipe, Recipe
from metrics.recipes.steps import Unknown
from metrics.tables.export import to_csv
from metrics.tables.matching_rule import MatchingRule
from metrics.tables.table import Table
from metrics.texts import text

_SHOWN = 200
_TREATMENTS = {Unknown.REFUSE: "Do not apply the recipe", Unknown.SUPPRESS: "Suppress their cells"}
ABOUT_RECIPES = (
    "The steps that made this table, as a file that applies them to other tables: here, or with `python -m metrics "
    "apply`. It contains no records, but values of hierarchies and, for a repair, combinations of values that occur: "
    "keep it confidential."
)


def recipe_section(state: Workspace) -> None:
    """Upload a recipe and apply it to the original or a version."""
    with st.expander("Apply a recipe", key="section_recipe", icon=":material/receipt_long:"):
        container, key = uploader_key("upload_recipe", state.tables.uploader_generation)
        file = container.file_uploader(
            "Recipe",
            type=["yaml", "yml"],
            key=key,
            help="A YAML file saved on Explore or Repair, or by `python -m metrics explore --recipe`.",
        )
        label, table = _chosen_table(state)
        if file is None or table is None:
            return
        try:
            recipe = state.recipes.read(file.name, file.getvalue())
            unknown = recipe.unknown_values(table) if all(name in table for name in recipe.columns) else {}
            treatment = _unknown_values(unknown)
            applied = state.recipes.applied(recipe, table, treatment)
        except InputError as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        _result(state, recipe, applied, label)


def _chosen_table(state: Workspace) -> tuple[str | None, Table | None]:
    """The table to change: the original, or a version, which a recipe of a repair is for."""
    labels = list(state.tables.versions)
    # No version has an empty label.
    chosen = st.selectbox(
        "Apply to",
        ["", *labels],
        key="recipe_table",
        format_func=lambda label: visible(label) if label else "the original",
        help="A recipe is for the original, unless it repairs a version that was loaded from a file.",
    )
    if chosen in state.tables.versions:
        return chosen, state.tables.versions[chosen].table
    return None, None if state.tables.original is None else state.tables.original.table


def _unknown_values(unknown: dict[str, tuple[str | None, ...]]) -> Unknown:
    """Name the values that the recipe lacks, and ask how to treat them."""
    if not unknown:
        return Unknown.REFUSE
    rows = [(visible(column), visible(value)) for column, values in unknown.items() for value in values]
    st.warning(
        plain(
            f"The recipe lacks {pluralize(len(rows), 'value')} of "
            f"{join_names([visible(column) for column in unknown])}."
        ),
        icon=":material/warning:",
    )
    frame = pd.DataFrame(rows[:_SHOWN], columns=pd.Index(["column", "value"]))
    data_table(frame, "Values that the recipe lacks", key="recipe_unknown")
    chosen = st.radio(
        "Values that the recipe lacks",
        list(_TREATMENTS),
        key="recipe_treatment",
        format_func=lambda treatment: _TREATMENTS[treatment],
        horizontal=True,
    )
    return Unknown(chosen or Unknown.REFUSE)


def _result(state: Workspace, recipe: Recipe, applied: AppliedRecipe, label: str | None) -> None:
    """Show what the recipe does and did, and the table to keep or download."""
    st.markdown("\n".join(f"- {plain(line)}" for line in recipe.lines()))
    st.success(plain(f"Applied to {'; '.join(applied.lines())}."), icon=":material/check:")
    if applied.hidden:
        note = text("direct_identifiers.unknown", columns=applied.hidden, number=len(applied.hidden))
        st.warning(plain(note), icon=":material/warning:")
    name = f"{applied.original.name.split('.')[0]}_recipe"
    table_rule = MatchingRule() if label is None else state.matching.rule_for(label)

    def keep() -> None:
        """Add the table to the versions, as the current one."""
        earlier_recipe = None if label is None else state.recipe_of(label)
        rule = state.matching.rule if applied.deleted else table_rule
        kept_label = state.keep(
            name, applied.table, rule, recipe if earlier_recipe is None else earlier_recipe.then(recipe), label
        )
        choose_version(kept_label)
        st.toast(f"Kept as {plain(kept_label)}, now the current version.", icon=":material/check:")

    with st.container(horizontal=True):
        if st.button("Keep as a version", key="recipe_keep", on_click=keep, icon=":material/bookmark_add:"):
            st.rerun()
        release_button(lambda: applied.table, name, "recipe_csv")
        st.download_button(
            "Mapping as CSV (confidential)",
            lambda: to_csv(applied.mapping()),
            file_name=f"confidential-mapping_{name}.csv",
            mime="text/csv",
            key="recipe_mapping",
            on_click="ignore",
            icon=":material/download:",
        )


def recipe_button(recipe: Callable[[], Recipe], stem: str, key: str) -> None:
    """A download of a recipe, beside the table that it makes; it is made when it is asked for."""
    st.download_button(
        "Recipe",
        lambda: recipe().to_yaml().encode("utf-8"),
        file_name=f"confidential-recipe_{stem}.yaml",
        mime="application/yaml",
        key=key,
        help=ABOUT_RECIPES,
        on_click="ignore",
        icon=":material/receipt_long:",
    )
