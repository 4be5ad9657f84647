"""A session to one file and back: its settings, and the versions made in it with their recipes. No Streamlit."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

import numpy as np

from dashboard.file_reviews import Slot
from dashboard.loading import Bytes, load_table, parse_document
from dashboard.settings import SETTINGS_FILE, original_order_file, restore, settings_of
from dashboard.text import file_stem
from dashboard.workspace import Workspace
from metrics.config.parameters import GROUPS
from metrics.config.roles import Roles
from metrics.errors import InputError
from metrics.policy.limitable_measures import check_limit
from metrics.policy.settings import Settings
from metrics.policy.settings_file import parse_settings
from metrics.recipes.parsing import parse_recipe
from metrics.tables.randomization import Redrawn

SESSION_FILE: Final = "confidential-session.zip"
_VERSIONS, _PAGES, _TRIED = "versions.json", "pages.json", "confidential-tried.json"


def session_file(state: Workspace, chosen: str = "") -> bytes:
    """Settings, versions made here, recipes and what pages show as a ZIP file; not the tables loaded from files.

    `chosen` is the label of the version that the pages speak of.
    """
    content, versions = BytesIO(), list[dict[str, Any]]()
    with ZipFile(content, "w") as archive:
        archive.writestr(SETTINGS_FILE, settings_of(state).to_json())
        for label, loaded in state.tables.versions.items():
            recipe = state.recipe_of(label)
            if recipe is None:
                continue
            folder = f"{len(versions) + 1}-{file_stem(label)}"
            table, steps = f"{folder}/{original_order_file(label)}", f"{folder}/confidential-recipe.yaml"
            archive.writestr(table, loaded.file.unpacked())
            archive.writestr(steps, recipe.to_yaml())
            known = loaded.table.randomization.items()
            drawn = {name: _drawn_to_dict(by) for name, by in known if isinstance(by, Redrawn)}
            source = state.source_of(label)
            versions.append({"table": table, "recipe": steps, "source": source, "randomization": drawn})
        archive.writestr(_VERSIONS, json.dumps(versions, ensure_ascii=False))
        archive.writestr(_PAGES, json.dumps(_pages(state, chosen), ensure_ascii=False))
        tried = replace(state.policy.parameters, **state.policy.tried_settings)
        archive.writestr(_TRIED, Settings(Roles(), replace(tried, analyses={})).to_json())
    return content.getvalue()


def restore_session(state: Workspace, name: str, content: bytes) -> None:
    """Restore a session's file, or the settings alone, whole or not at all. Raises InputError."""
    if not content.startswith(b"PK"):
        restore(state, parse_document(parse_settings, name, content))
        return
    files = _files(name, content)
    try:
        settings = parse_document(parse_settings, SETTINGS_FILE, files[SETTINGS_FILE])
        saved = {table.sha256: table for table in settings.anonymized}
        made = []
        for version in json.loads(files[_VERSIONS]):
            file = Bytes.from_content(files[version["table"]])
            loaded = load_table(version["table"].split("/")[-1], file, saved[file.sha256].reading)
            drawn = {name: _drawn(by) for name, by in version.get("randomization", {}).items()}
            recipe = parse_document(parse_recipe, name, files[version["recipe"]])
            loaded = replace(loaded, table=replace(loaded.table.randomized(drawn), sampled=recipe.sampling))
            made.append((loaded, recipe, version["source"]))
        show_pages = _restored_pages(state, files)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise _not_a_session(name) from None
    restore(state, settings)
    show_pages()
    for loaded, recipe, source in made:
        state.tables.take(Slot.ANONYMIZED, loaded)
        label = next(label for label, other in state.tables.versions.items() if other.digest == loaded.digest)
        state.matching.choose(label, saved[loaded.sha256].matching or settings.roles.matching)
        state.recipes.made[loaded.digest] = recipe
        if isinstance(source, str):
            state.recipes.sources[loaded.digest] = source


def _pages(state: Workspace, chosen: str) -> dict[str, Any]:
    """What pages show: the version, those compared, the currency, and of which metrics they try settings and limits."""
    return {
        "version": chosen,
        "compared": state.compared,
        "currency": state.currency,
        "tried_settings": list(state.policy.tried_settings),
        "tried_limits": state.policy.tried_limits,
    }


def _restored_pages(state: Workspace, files: dict[str, bytes]) -> Callable[[], None]:
    """Let pages show again what `_pages` says; nothing of it is in files saved by earlier versions."""
    if _PAGES not in files:
        return lambda: None
    pages, tried = json.loads(files[_PAGES]), parse_document(parse_settings, _TRIED, files[_TRIED])
    version, currency, compared = (
        str(pages["version"]),
        str(pages["currency"])[:8],
        [str(one) for one in pages["compared"]],
    )
    settings = {name: getattr(tried.parameters, name) for name in GROUPS if name in pages["tried_settings"]}
    limits = {
        name: None if limit is None else check_limit(name, limit) for name, limit in pages["tried_limits"].items()
    }

    def show() -> None:
        state.restored_version, state.currency, state.compared = version, currency, compared
        state.policy.tried_settings.update(settings)
        state.policy.tried_limits.update(limits)

    return show


def _drawn_to_dict(by: Redrawn) -> dict[str, Any]:
    """The probabilities that a column's cells were drawn with."""
    return {"values": by.values, "kept": by.kept, "drawn": by.drawn.tolist(), "from_data": by.from_data}


def _drawn(written: dict[str, Any]) -> Redrawn:
    values, drawn = tuple(written["values"]), np.array(written["drawn"], dtype=float)
    if drawn.shape != (len(values),):
        raise ValueError("there is not one probability for each value")
    return Redrawn(values, float(written["kept"]), drawn, bool(written["from_data"]))


def _files(name: str, content: bytes) -> dict[str, bytes]:
    """The files in a session's file. They are stored as they are: none grows in memory when it is read."""
    try:
        with ZipFile(BytesIO(content)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > len(content):
                raise _not_a_session(name)
            return {entry.filename: archive.read(entry) for entry in archive.infolist()}
    except (BadZipFile, NotImplementedError, RuntimeError, EOFError):
        raise _not_a_session(name) from None


def _not_a_session(name: str) -> InputError:
    return InputError("the file holds no saved session", remedy="choose a file saved by “Save session”", file=name)
