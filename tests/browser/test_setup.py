"""The fixtures themselves, on a small script: they must see what they are there to see."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from dashboard import environment
from tests.browser.actions import metric_value, open_page, rerun, screenshot, settled, upload
from tests.browser.conftest import new_context, watched_page
from tests.browser.serving import Server, start_server

SCRIPT = """
import plotly.graph_objects as go
import streamlit as st

def first():
    files = st.file_uploader("Files", key="upload_files", accept_multiple_files=True)
    st.metric("Files loaded", len(files))
    st.metric("Bytes", sum(len(file.getvalue()) for file in files))
    st.metric("Presses", st.session_state.get("presses", 0))
    if st.button("Press"):
        st.session_state["presses"] = st.session_state.get("presses", 0) + 1
        st.rerun()
    if st.button("Fail"):
        raise ValueError("cell-value-of-the-table")
    if st.button("Ask outside"):
        st.html("<img src='http://outside.invalid/pixel.png'>")
    for option in ("client.showErrorDetails", "server.address", "theme.light.primaryColor"):
        st.text(f"{option}={st.get_option(option)}")
    st.plotly_chart(go.Figure(go.Bar(x=["a", "b"], y=[1, 2])))
    st.dataframe({"column": ["a", "b"]})

def second():
    st.metric("Presses here", st.session_state.get("presses", 0))

st.navigation([
    st.Page(first, title="First", default=True), st.Page(second, title="Second", url_path="second")
]).run()
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The small script, with the dashboard's settings beside it."""
    folder = tmp_path_factory.mktemp("script")
    (folder / "script.py").write_text(SCRIPT, encoding="utf-8")
    shutil.copytree(environment.ROOT / "dashboard" / ".streamlit", folder / ".streamlit")
    with start_server(folder / "script.py", folder / "log.txt") as running:
        yield running


@pytest.fixture(scope="module")
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """Pages on the small script."""
    with new_context(browser, server) as opened:
        opened.new_page()  # keeps the process between tests
        yield opened


def test_settings_apply_and_actions_wait_for_the_value_they_caused(page: Page, tmp_path: Path) -> None:
    open_page(page, "/")
    for line in (
        "client.showErrorDetails=type",
        "server.address=127.0.0.1",
        "theme.light.primaryColor=#0067A3",
    ):
        expect(page.get_by_text(line, exact=True)).to_be_visible()
    for press in range(5):
        assert metric_value(page, "Presses") == str(press)
        with rerun(page):
            page.get_by_role("button", name="Press", exact=True).click()
        expect(page.get_by_test_id("stMetricValue").nth(2)).to_have_text(str(press + 1))
    for number in (1, 2):
        (tmp_path / f"{number}.csv").write_bytes(b"x" * 1_000_000 * number)
    upload(page, "upload_files", [tmp_path / "1.csv", tmp_path / "2.csv"])
    assert metric_value(page, "Files loaded") == "2"
    assert metric_value(page, "Bytes") == "3000000"
    upload(page, "upload_files", [tmp_path / "1.csv", tmp_path / "2.csv"])
    assert metric_value(page, "Files loaded") == "4"
    open_page(page, "/second")
    assert metric_value(page, "Presses here") == "5"
    open_page(page, "/")
    assert metric_value(page, "Presses") == "5"
    assert screenshot(page, tmp_path / "page.png").stat().st_size > 1000


def test_what_users_must_not_meet_fails_the_test(context: BrowserContext, server: Server) -> None:
    def visit() -> None:
        with watched_page(context, server) as page:
            open_page(page, "/")
            with page.expect_request("http://outside.invalid/**"):
                page.get_by_role("button", name="Ask outside").click()
            with page.expect_event("pageerror"):
                page.evaluate("() => { setTimeout(() => { throw new Error('uncaught') }) }")
            settled(page)
            with rerun(page):
                page.get_by_role("button", name="Fail").click()
            expect(page.get_by_test_id("stException")).to_contain_text("ValueError")
            assert "cell-value" not in page.content()

    with pytest.raises(AssertionError, match=r"(?s)outside\.invalid.*uncaught.*logged a traceback"):
        visit()
    server.log.write_bytes(b"")  # otherwise the server's end fails, too
