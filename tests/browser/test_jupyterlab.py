"""Controls and class browser in a real JupyterLab: what a user moves there changes finding, figure and list."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from dashboard.environment import ROOT
from tests.browser.actions import prepare
from tests.browser.conftest import OWN_HOSTS
from tests.browser.serving import end, free_port

CELLS = (
    f"""import sys
sys.path.insert(0, {str(ROOT)!r})
import metrics
from pathlib import Path
data = Path({str(ROOT / "sample_data")!r})
card = metrics.score(
    metrics.read_table(data / "candidate_balanced.csv"),
    metrics.read_roles(data / "roles.yaml").roles,
    original=metrics.read_table(data / "hospital.csv"),
    hierarchies=metrics.read_hierarchies(data / "hierarchies"),
)""",
    'card.controls("profitability")',
    'card.controls("p29")',
    """light = metrics.score(metrics.read_table(data / "candidate_light.csv"), card.aggregates.roles)
metrics.classes_browser(light)""",
)
# Asking Jupyter's makers for news and newer versions is not part of the test.
SETTINGS = {
    "LabApp": {"news_url": None, "check_for_updates_class": "jupyterlab.handlers.announcements.NeverCheckForUpdate"},
    "IdentityProvider": {"token": ""},
    "ServerApp": {"password_required": False, "open_browser": False, "port_retries": 0},
}
# Otherwise cells outside the window are drawn when they are scrolled into it.
DRAW_EVERY_CELL = {"@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"}}


@pytest.fixture(scope="module")
def jupyterlab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a JupyterLab that has one notebook, with folders of its own."""
    folder = tmp_path_factory.mktemp("jupyter")
    work = folder / "work"
    work.mkdir()
    variables = {name: str(folder / name) for name in ("JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR")}
    kernel = Path(variables["JUPYTER_DATA_DIR"], "kernels", "python3")
    kernel.mkdir(parents=True)
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    written = {"argv": command, "display_name": "Python", "language": "python"}
    (kernel / "kernel.json").write_text(json.dumps(written), encoding="utf-8")
    Path(variables["JUPYTER_CONFIG_DIR"]).mkdir()
    for name in ("jupyter_server_config.json", "jupyter_lab_config.json"):
        Path(variables["JUPYTER_CONFIG_DIR"], name).write_text(json.dumps(SETTINGS), encoding="utf-8")
    overrides = Path(variables["JUPYTER_CONFIG_DIR"], "labconfig", "default_setting_overrides.json")
    overrides.parent.mkdir()
    overrides.write_text(json.dumps(DRAW_EVERY_CELL), encoding="utf-8")
    cells = [
        {
            "cell_type": "code",
            "id": f"c{number}",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": source,
        }
        for number, source in enumerate(CELLS)
    ]
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python"}}
    book = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    (work / "controls.ipynb").write_text(json.dumps(book), encoding="utf-8")
    port = free_port()
    url = f"http://localhost:{port}"
    with (folder / "log.txt").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", "--allow-root", f"--port={port}", f"--notebook-dir={work}"],
            env=os.environ | variables | {"IPYTHONDIR": str(folder / "ipython")},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait_until_it_answers(url, process, folder / "log.txt")
            yield url
        finally:
            end(process)


def _wait_until_it_answers(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        assert process.poll() is None, log.read_text(encoding="utf-8")
        try:
            with urllib.request.urlopen(f"{url}/api", timeout=5):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    raise AssertionError(log.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def notebook(browser: Browser, jupyterlab: str) -> Iterator[Page]:
    """The notebook with all cells run; nothing was requested from another host."""
    with browser.new_context(viewport={"width": 1400, "height": 1600}) as context:
        outside: list[str] = []
        context.on("request", lambda request: outside.append(request.url))
        prepare(context)
        page = context.new_page()
        page.goto(f"{jupyterlab}/lab/tree/controls.ipynb")
        page.locator(".jp-Notebook .jp-CodeCell").first.wait_for()
        expect(page.get_by_role("button", name=re.compile(r"\| Idle$"))).to_be_visible()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        expect(output(page, 3).locator("select[size]")).to_be_visible()
        yield page
        hosts = {re.sub(r"^\w+://([^:/]+).*", r"\1", url) for url in outside if re.match("(http|ws)s?://", url)}
        assert hosts <= set(OWN_HOSTS)


def output(page: Page, cell: int) -> Locator:
    """What a cell shows."""
    return page.locator(".jp-Notebook .jp-CodeCell").nth(cell).locator(".jp-OutputArea")


def slider(place: Locator, label: str) -> Locator:
    """The handle of the slider with a label."""
    row = place.locator(".widget-slider").filter(has=place.page.get_by_text(label, exact=True))
    return row.locator(".noUi-handle")


def title(place: Locator) -> Locator:
    """The title of a figure."""
    return place.locator(".js-plotly-plot .gtitle")


def test_an_amount_changes_the_finding_and_the_figure(notebook: Page) -> None:
    place = output(notebook, 1)
    expect(place).to_contain_text("Attacks pay for: ")
    before, finding = title(place).text_content() or "", place.locator(".widget-html").first.inner_text()
    slider(place, "Attacker's gain").press("Home")
    expect(title(place)).not_to_have_text(before)
    expect(place.locator(".widget-html").first).not_to_have_text(finding)
    place.get_by_role("button", name="Reset").click()
    expect(title(place)).to_have_text(before)


def test_the_weights_of_p29_keep_their_sum(notebook: Page) -> None:
    place = output(notebook, 2)
    before = title(place).text_content() or ""
    slider(place, "Weight of k").press("End")
    for label, value in (("Weight of k", "1"), ("Weight of l", "0"), ("Weight of t", "0")):
        expect(slider(place, label)).to_have_attribute("aria-valuenow", re.compile(rf"^{value}(\.0+)?$"))
    expect(title(place)).not_to_have_text(before)
    slider(place, "Condition: t at most").press("End")
    expect(place.locator(".widget-html").first).to_contain_text("P_29: 0.")


def test_a_class_is_listed_selected_and_drawn(notebook: Page) -> None:
    place = output(notebook, 3)
    count, detail = place.locator(".widget-html").nth(0), place.locator(".widget-html").nth(1)
    expect(count).to_contain_text("2,204 classes, 8,079 records; the first 500 are listed. Policy: Internal sharing.")
    expect(detail).to_contain_text("Selected class: 1 record")
    place.get_by_label("Show").select_option("all")
    expect(count).to_contain_text("2,293 classes, 10,000 records")
    expect(detail).to_contain_text("exceeds the t-closeness limit (0.5)")
    before, drawn = detail.inner_text(), title(place).last.text_content() or ""
    place.locator("select[size]").focus()
    notebook.keyboard.press("End")
    expect(title(place).last).not_to_have_text(drawn)
    expect(detail).not_to_have_text(before)
    chosen = title(place).last.text_content() or ""
    place.get_by_label("Attribute").select_option("length_of_stay")
    expect(title(place).last).not_to_have_text(chosen)
