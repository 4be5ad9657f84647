"""Files of a version's scores to take away; each file is made when its button is pressed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial

import streamlit as st

from dashboard.components.recipe_section import ABOUT_RECIPES
from dashboard.components.release_file import ABOUT_RELEASE, RELEASE_FILE, for_release, release_name, without_suppressed
from dashboard.loading import LoadedTable
from dashboard.settings import ORIGINAL_ORDER, SETTINGS_FILE, original_order_file, settings_of
from dashboard.text import file_stem
from dashboard.workspace import Workspace
from metrics.aggregates import Aggregates
from metrics.explanations.findings import said
from metrics.formatting import pluralize
from metrics.metric import FindingKind
from metrics.policy.policy import Status
from metrics.report import FileDigests, appendix_html, report_html, technical_html
from metrics.scoring.scorecard import Scorecard
from metrics.tables.export import to_csv, to_parquet
from metrics.tables.table import Table

_REPORT = "The answer on page one, the details on the next; opens in any browser. It lists no class and no record."
_SETTINGS = (
    "Roles, parameters, limits and hierarchies, for the Data page and for `python -m metrics --settings`. A hierarchy "
    "lists values of the original."
)


@dataclass(frozen=True)
class _File:
    """One file to take away."""

    title: str
    key: str
    name: str
    mime: str
    make: Callable[[], str | bytes]
    about: str


def downloads(state: Workspace, label: str, card: Scorecard, report: str) -> None:
    """Buttons for what can be passed on."""
    stem = file_stem(label)
    if state.unconfirmed_roles:
        roles = pluralize(len(state.unconfirmed_roles), "column role is", "column roles are")
        st.warning(f"{roles} proposed, not confirmed: check them on the Data page before you pass on the report.")
    _buttons(
        _File("Report", "report_download", f"report_{stem}.html", "text/html", lambda: report, _REPORT),
        _File(
            "Technical appendix",
            "download_technical",
            f"technical-appendix_{stem}.html",
            "text/html",
            lambda: technical_html(
                card, label=label, policy=state.policy.current, sha256=_compared_hashes(state, label, card), date=_now()
            ),
            "Definitions and every result in full. It lists no class.",
        ),
        _File(
            "Scores as JSON",
            "download_scores_json",
            f"scores_{stem}.json",
            "application/json",
            lambda: json.dumps(card.to_dict(), ensure_ascii=False, indent=1),
            "Every result in full.",
        ),
        *_without_suppressed(state, label, card),
        *_release_file(state, label, stem),
    )


def _without_suppressed(state: Workspace, label: str, card: Scorecard) -> Iterator[_File]:
    """The version's table without its suppressed records, sorted by its values, if these disclose something."""
    if label in state.tables.versions and _leaves_out_suppressed(state, card):
        about = (
            f"The table without its {pluralize(card.aggregates.class_sizes.suppressed, 'suppressed record')}, sorted "
            "by its values. Figures of classes do not change; the report gives the checksum of this file."
        )
        table = state.tables.versions[label].table
        yield _File(
            "Without suppressed records (CSV)",
            "download_kept",
            f"{file_stem(label)}_without_suppressed.csv",
            "text/csv",
            lambda: without_suppressed(table, card.aggregates),
            about,
        )


def _release_file(state: Workspace, label: str, stem: str) -> Iterator[_File]:
    """The version's table, sorted by its values, if it was made in this session."""
    if state.recipe_of(label) is not None:
        version = state.tables.versions[label]
        content = partial(for_release, version.table)
        yield _File(RELEASE_FILE, "download_made", release_name(stem), "text/csv", content, ABOUT_RELEASE)


def _original_order_file(state: Workspace, label: str) -> Iterator[_File]:
    """The version's table in the original's order, to be loaded here again, if it was made in this session."""
    if state.recipe_of(label) is not None:
        version, mime = state.tables.versions[label], "application/vnd.apache.parquet"
        about = (
            "The anonymized table in the order of the original, to be loaded here again. Do not release it: the order "
            "links every record to its original."
        )
        name = original_order_file(label)
        yield _File(ORIGINAL_ORDER, "download_original_order", name, mime, version.file.unpacked, about)


def _recipe(state: Workspace, label: str, stem: str) -> Iterator[_File]:
    """How the version was made, if it was made in this session."""
    recipe = state.recipe_of(label)
    if recipe is not None:
        yield _File(
            "Recipe",
            "download_recipe",
            f"confidential-recipe_{stem}.yaml",
            "application/yaml",
            recipe.to_yaml,
            ABOUT_RECIPES,
        )


def confidential_downloads(state: Workspace, label: str, card: Scorecard) -> None:
    """Buttons, under a warning, for the files that name classes."""
    stem = file_stem(label)
    st.warning(
        "**Confidential.** These files list values of the original or describe equivalence classes by their "
        "quasi-identifiers, with figures that can reveal the sensitive values of individual people. Protect them like "
        "the original table.",
        icon=":material/lock:",
    )
    _buttons(
        _File(
            "Confidential appendix",
            "appendix_download",
            f"confidential-appendix_{stem}.html",
            "text/html",
            lambda: appendix_html(
                card,
                label=label,
                policy=state.policy.current,
                sha256=_compared_hashes(state, label, card).anonymized,
                date=_now(),
            ),
            "The failing classes with their reasons; opens in any browser.",
        ),
        _File(
            "Classes as CSV",
            "download_classes_csv",
            f"confidential-classes_{stem}.csv",
            "text/csv",
            lambda: to_csv(card.classes.to_arrow()),
            "All equivalence classes.",
        ),
        _File(
            "Classes as Parquet",
            "download_classes_parquet",
            f"confidential-classes_{stem}.parquet",
            "application/vnd.apache.parquet",
            lambda: to_parquet(card.classes.to_arrow()),
            "All equivalence classes.",
        ),
        _File(
            "Settings",
            "download_settings_json",
            SETTINGS_FILE,
            "application/json",
            lambda: settings_of(state).to_json(),
            _SETTINGS,
        ),
        *_original_order_file(state, label),
        *_recipe(state, label, stem),
    )


def report_of(state: Workspace, label: str, card: Scorecard) -> str:
    """The report on one version, compared with all others that have scores."""
    cards, _ = state.cards()
    return report_html(
        card,
        {**cards, label: card},
        label=label,
        policy=state.policy.current,
        sha256=_compared_hashes(state, label, card),
        date=_now(),
        shown=state.compared,
    )


def _buttons(*files: _File) -> None:
    with st.container(horizontal=True):
        for file in files:
            st.download_button(
                file.title,
                file.make,
                file_name=file.name,
                mime=file.mime,
                key=file.key,
                help=file.about,
                on_click="ignore",
                type="primary" if file.key == "report_download" else "secondary",
                icon=":material/download:",
            )


def _compared_hashes(state: Workspace, label: str, card: Scorecard) -> FileDigests:
    loaded = state.tables.versions.get(label)  # there is none where the table stays on the server
    original = None if loaded is None or state.tables.original is None else state.tables.original.sha256
    settings = hashlib.sha256(settings_of(state).to_json().encode()).hexdigest()
    recipe = state.recipe_of(label)
    recipe_lines = () if recipe is None else recipe.brief(suppressed=bool(card.aggregates.class_sizes.suppressed))
    if loaded is None:
        anonymized = None
    elif recipe is None:
        anonymized = loaded.sha256
    else:
        anonymized = hashlib.sha256(for_release(loaded.table)).hexdigest()
    return FileDigests(
        anonymized,
        original,
        settings,
        recipe_lines,
        state.source_of(label),
        _hash_without_suppressed(state, loaded, card),
    )


def _leaves_out_suppressed(state: Workspace, card: Scorecard) -> bool:
    """Whether the file for release has no suppressed records: the table meets the policy, but they disclose a value."""
    return state.policy.current.check(card).status is Status.MEETS and bool(said(card, FindingKind.SUPPRESSED_GROUP))


def _hash_without_suppressed(state: Workspace, loaded: LoadedTable | None, card: Scorecard) -> str | None:
    if loaded is None or not _leaves_out_suppressed(state, card):
        return None
    return card.aggregates.memoize(_hash_of, loaded.table)


def _hash_of(aggregates: Aggregates, table: Table) -> str:
    return hashlib.sha256(without_suppressed(table, aggregates)).hexdigest()


def _now() -> str:
    return datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")
