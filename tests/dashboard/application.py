"""The dashboard in this process, as Streamlit's AppTest runs it, in the terms of its users."""

import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cache
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.config import set_option
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, local_script_runner

from dashboard import environment
from dashboard import sample as sample_files
from dashboard.navigation import PAGES
from dashboard.sample import load_sample
from dashboard.workspace import Slot, Workspace
from metrics.config.roles import Role
from metrics.tables.randomization import k_rr
from tests.report.reading import read

SAMPLE_DATA = environment.ROOT / "sample_data"
SCRIPTS = {spec.script.removesuffix("/page"): f"../pages/{spec.script}.py" for spec in PAGES}
"""By the name of a page the path of its script from main.py, by which AppTest knows it."""
FEW = 300
"""Records of the sample, for tests that need its columns and not its figures."""


# AppTest does not read the dashboard's own settings. It compiles every script for every run, and looks through the
# metadata of all installed packages for components in every session: here once. It looks a thousand times a second
# whether the script has ended, which holds the script up: here it waits for the thread.
set_option("runner.magicEnabled", False)
set_option("browser.gatherUsageStats", False)
_COMPILED = ScriptCache()


def _wait(runner: local_script_runner.LocalScriptRunner, timeout: float) -> None:
    assert runner._script_thread is not None
    runner._script_thread.join(timeout)
    if not runner.script_stopped():
        runner.request_stop()
        raise TimeoutError(f"the script takes longer than {timeout} seconds")


local_script_runner.ScriptCache = lambda: _COMPILED  # type: ignore[assignment,misc]
local_script_runner.require_widgets_deltas = _wait
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def start() -> AppTest:
    """A fresh session on the first page."""
    return sound(_new().run())


def _new() -> AppTest:
    return AppTest.from_file(environment.ROOT / "dashboard" / "main.py", default_timeout=60)


def sound(app: AppTest) -> AppTest:
    """The app, if its last run met no exception."""
    assert not app.exception, app.exception[0].stack_trace
    return app


def go(app: AppTest, script: str) -> AppTest:
    """Switch to a page by its name under pages/."""
    app.switch_page(SCRIPTS[script])
    return sound(app.run())


def loaded(original: bytes | None, *candidates: bytes, **roles: str) -> Workspace:
    """A workspace with original.csv, c0.csv, c1.csv, …, as if they had been uploaded and their columns tagged."""
    state = Workspace()
    if original is not None:
        state.tables.add(Slot.ORIGINAL, "original.csv", original)
    for number, content in enumerate(candidates):
        state.tables.add(Slot.ANONYMIZED, f"c{number}.csv", content)
    state.roles |= {column: Role(role) for column, role in roles.items()}
    return state


def randomized(state: Workspace, **values: Sequence[str]) -> Workspace:
    """The workspace where these columns of its versions, of these values, are known to be drawn with ε = 1."""
    by = {name: k_rr(each, 1) for name, each in values.items()}
    for label, version in state.tables.versions.items():
        state.tables.replace_table(Slot.ANONYMIZED, label, replace(version, table=version.table.randomized(by)))
    return state


def opened(state: Workspace, script: str = "data") -> AppTest:
    """A session with a workspace, on a page."""
    app = _new()
    state.link_read = True  # the first run would take its parameters from the address
    app.session_state["workspace"] = state
    # AppTest learns the pages from a run, which would draw the first one.
    app._registered_pages = _first_page()._registered_pages
    return go(app, script)


_first_page = cache(start)


def app_of_part(part: Callable[[], None], state: Workspace, **chosen: object) -> AppTest:
    """A session that draws a part of a page alone, by a function that imports what it needs.

    `chosen` are the values of widgets by their keys, as a session keeps them.
    """
    app = AppTest.from_function(part, default_timeout=60)
    for key, value in {"workspace": state, **chosen}.items():
        app.session_state[key] = value
    return sound(app.run())


def sample(script: str = "data", records: int | None = None) -> AppTest:
    """A session with the sample loaded and scored, or with its first records only, on a page."""
    return opened(sample_workspace(records), script)


def sample_workspace(records: int | None = None) -> Workspace:
    """A workspace of its own with the sample; its tables and scores are the same for all, as nothing changes them."""
    state = _sample(records)
    cards = state.cards()[0].values()
    shared: list[object] = [loaded for _, _, loaded in state.tables.loaded()]
    shared += [*state.hierarchies.values(), *cards, *(card.aggregates for card in cards)]
    return deepcopy(state, {id(one): one for one in shared})


@cache
def _sample(records: int | None) -> Workspace:
    """The sample, read once."""
    state = Workspace()
    if records is None:
        load_sample(state)
        return state
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        shorten_sample(patch, Path(folder), records)
        load_sample(state)
    return state


def shorten_sample(patch: pytest.MonkeyPatch, folder: Path, records: int) -> None:
    """Let the button load the sample's first records."""
    shutil.copytree(SAMPLE_DATA, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.py"))
    for path in folder.glob("*.csv"):
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[: records + 1]))
    patch.setattr(sample_files, "_SAMPLE", folder)


def press(app: AppTest, key: str) -> AppTest:
    """Press the button with a key."""
    app.get_by_key(key).click()
    return sound(app.run())


def choose(app: AppTest, key: str, value: object) -> AppTest:
    """Set the widget with a key."""
    return choose_all(app, {key: value})


def choose_all(app: AppTest, values: Mapping[str, object]) -> AppTest:
    """Set several widgets by their keys before the page is drawn again."""
    for key, value in values.items():
        app.get_by_key(key).set_value(value)
    return sound(app.run())


def upload(app: AppTest, key: str, files: Mapping[str, bytes]) -> AppTest:
    """Give files, by their names, to the uploader with a key."""
    uploader = next(found for found in app.file_uploader if found.key == key)
    for name, content in files.items():
        uploader.upload(name, content, "application/octet-stream")
    return sound(app.run())


def tag(app: AppTest, roles: Mapping[str, str]) -> AppTest:
    """Tag columns by their controls, all before the page is drawn again."""
    return choose_all(app, {f"role_{column}": role for column, role in roles.items()})


def state_of(app: AppTest) -> Workspace:
    """What the session holds."""
    found = app.session_state["workspace"]
    assert isinstance(found, Workspace)
    return found


def metric(app: AppTest, label: str) -> str:
    """The value of the card, or of the verdict's row, with a label; "—" where the verdict has no such row.

    A card's label may begin with whether the figure meets the policy.
    """
    rows = [(row["title"], row["value"]) for row in verdict_rows(app)]
    if rows and label not in dict(rows):
        return "—"
    (value,) = [
        value
        for title, value in [*((card.label.lstrip("✓✗ "), card.value) for card in app.metric), *rows]
        if title == label
    ]
    return str(value)


def figure(app: AppTest, label: str) -> float:
    """The number on a card, or in the verdict's row, with a label."""
    return float(metric(app, label).replace(",", ""))


def class_count(app: AppTest) -> int:
    """The number of equivalence classes that the verdict page states."""
    (found,) = re.findall(r"in ([\d,]+) equivalence", "\n".join(caption.value for caption in app.caption))
    return int(found.replace(",", ""))


def verdict_rows(app: AppTest) -> list[dict[str, Any]]:
    """The rows of metrics on the verdict page, as they are sent to the browser; none on another page."""
    sent = [found.proto for found in app.get("bidi_component") if found.proto.component_name == "metric_rows"]
    return [row for proto in sent for family in json.loads(proto.json)["families"] for row in family["rows"]]


def figures(app: AppTest, label: str) -> dict[str, list[str]]:
    """The cells of the table of figures with a label, by their row; under "metric" the full names of the columns."""
    (table,) = (block.proto.body for block in app.get("html") if f'aria-label="{label}"' in block.proto.body)
    rows: list[list[str]] = []
    for element in read(table):
        if element.tag == "tr":
            rows.append([])
        elif element.tag in ("th", "td"):
            rows[-1].append(element.attributes.get("title", element.text))
        elif element.tag == "small":
            rows[-1][-1] += f" ({element.text})"
        elif element.tag == "span":
            rows[-1][-1] += element.text
    return {title: cells for title, *cells in rows}


def csv(columns: Sequence[str], *records: Iterable[object], delimiter: str = ",") -> bytes:
    """A small CSV file, every cell in quotes."""
    rows = [columns, *records]
    lines = (delimiter.join('"' + str(cell).replace('"', '""') + '"' for cell in row) for row in rows)
    return ("\n".join(lines) + "\n").encode("utf-8")


SMALL_COLUMNS = ("age", "zip", "illness")
ORIGINAL = csv(SMALL_COLUMNS, (31, 1, "flu"), (32, 1, "cold"), (45, 2, "flu"), (47, 3, "cold"))
LIGHT = csv(SMALL_COLUMNS, ("3*", 1, "flu"), ("3*", 1, "cold"), ("4*", 2, "flu"), ("4*", 3, "cold"))
STRICT = csv(SMALL_COLUMNS, ("3*", 1, "flu"), ("3*", 1, "cold"), ("4*", "*", "flu"), ("4*", "*", "cold"))
"""A small original and two candidates."""


def captions(app: AppTest) -> list[str]:
    """The texts of the captions."""
    return [caption.value for caption in app.caption]


def cells(app: AppTest, label: str) -> dict[str, dict[str, str]]:
    """The cells of a table by its accessible name: by the words of the row's heading and by version."""
    found = [part.proto.body for part in app.get("html") if f'aria-label="{escape(label)}"' in part.proto.body]
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall("<tr>(.*?)</tr>", found[0])]
    plain = [[re.sub("<.*?>", " ", cell).removesuffix(" ✗").strip() for cell in row] for row in rows]
    return {name: dict(zip(plain[0][1:], values, strict=True)) for name, *values in plain[1:]}


def titles(app: AppTest) -> list[str]:
    """The accessible names of the figures."""
    return [chart.proto.alt.replace("\u00a0", " ") for chart in app.get("plotly_chart")]


def markdown_of(app: AppTest) -> Iterator[str]:
    """Every text of a page that Streamlit reads as Markdown."""
    for kind in ("markdown", "caption", "info", "warning", "error", "title", "header", "subheader"):
        yield from (element.value for element in getattr(app, kind))
    for element in app.metric:
        yield from (element.label, element.value, element.help)
    yield from (box.label for box in app.expander)
    for kind in (
        "slider",
        "selectbox",
        "button",
        "segmented_control",
        "toggle",
        "number_input",
        "multiselect",
        "radio",
    ):
        for widget in getattr(app, kind):
            yield from (widget.label, getattr(widget, "help", "") or "")
