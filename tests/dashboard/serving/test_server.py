"""What the server minds beyond Streamlit's settings: logs without texts, uploads in memory, documented options."""

import asyncio
import logging
import re
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from uuid import uuid4

import pytest
from starlette.formparsers import MultiPartParser
from streamlit import config
from streamlit.runtime.runtime import RuntimeState
from streamlit.runtime.scriptrunner_utils.script_run_context_attr import SCRIPT_RUN_CONTEXT_ATTR_NAME

from dashboard import environment
from dashboard.serving import server

SECRET = "Kolophonium"


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What `keep_cells_out_of_the_log` changes, changed for one test."""
    factory = logging.getLogRecordFactory()
    for owner, name in (
        (sys, "excepthook"),
        (sys, "unraisablehook"),
        (threading, "excepthook"),
        (warnings, "formatwarning"),
    ):
        monkeypatch.setattr(owner, name, getattr(owner, name))
    server.keep_cells_out_of_the_log()
    yield
    logging.setLogRecordFactory(factory)


def fail() -> None:
    try:
        raise KeyError(SECRET)
    except KeyError as error:
        raise ValueError(f"the cell {SECRET}") from error


@pytest.mark.usefixtures("quiet")
def test_the_log_states_place_and_kind_of_an_error_but_not_its_text(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("any")
    try:
        fail()
    except ValueError as error:
        logger.exception("Uncaught app execution")
        logger.error("it failed: %s", error)
    assert SECRET not in caplog.text
    assert "Traceback (most recent call last)" in caplog.text
    assert "in fail" in caplog.text
    assert caplog.text.index("KeyError (its") < caplog.text.index("This led to") < caplog.text.index("ValueError (its")
    assert caplog.text.rstrip().endswith("it failed: ValueError")


@pytest.mark.usefixtures("quiet")
def test_the_log_does_not_name_the_session_that_a_client_could_join(caplog: pytest.LogCaptureFixture) -> None:
    session, logger = str(uuid4()), logging.getLogger("streamlit.runtime.websocket_session_manager")
    logger.warning("Session with id %s is already connected! Reconnecting to existing session.", session)
    logger.error(f"Dropped {session}")
    assert session not in caplog.text
    assert "Session with id (a session) is already connected!" in caplog.text


@pytest.mark.usefixtures("quiet")
def test_uncaught_errors_and_warnings_do_not_print_their_text(capsys: pytest.CaptureFixture[str]) -> None:
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    try:
        fail()
    except ValueError as error:
        sys.excepthook(ValueError, error, error.__traceback__)
    message = capsys.readouterr().err
    assert message.count("ValueError (its text is not logged)") == 2
    assert SECRET not in message
    assert SECRET not in warnings.formatwarning(SECRET, UserWarning, "file.py", 3)


def test_uploads_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MultiPartParser, "spool_max_size", MultiPartParser.spool_max_size)
    server.keep_uploads_in_memory()
    from tempfile import SpooledTemporaryFile

    with SpooledTemporaryFile(max_size=MultiPartParser.spool_max_size) as file:
        file.write(b"x" * 5_000_000)
        assert file.name is None  # it has no file on disk yet


def test_a_session_stays_known_until_its_page_has_stopped_computing() -> None:
    """What a page holds is collected after it ends: a release before that would freeze it, and never come again."""
    computed = threading.Event()
    page = threading.Thread(target=computed.wait)
    setattr(page, SCRIPT_RUN_CONTEXT_ATTR_NAME, SimpleNamespace(session_id="closed"))
    loop = asyncio.new_event_loop()
    serving = threading.Thread(target=loop.run_forever)
    visitors: list[str] = []
    running = SimpleNamespace(
        _session_mgr=SimpleNamespace(list_sessions=lambda: [SimpleNamespace(session=SimpleNamespace(id="open"))]),
        _get_async_objs=lambda: SimpleNamespace(eventloop=loop, need_send_data=threading.Event()),
        connect_session=lambda *_: "visitor",
        close_session=visitors.append,
        state=RuntimeState.ONE_OR_MORE_SESSIONS_CONNECTED,
    )
    page.start()
    serving.start()
    try:
        assert server.connected_sessions(running, {"open", "closed"}) == {"open", "closed"}  # type: ignore[arg-type]
        assert visitors == []
        computed.set()
        page.join()
        assert server.connected_sessions(running, {"open", "closed"}) == {"open"}  # type: ignore[arg-type]
        assert visitors == ["visitor"]
        running.state = RuntimeState.STOPPING  # it takes no visitor any more
        assert server.connected_sessions(running, {"open", "closed"}) == {"open"}  # type: ignore[arg-type]
        assert visitors == ["visitor"]
    finally:
        computed.set()
        loop.call_soon_threadsafe(loop.stop)
        serving.join()
        loop.close()


def test_pages_in_tests_change_no_process() -> None:
    factory = logging.getLogRecordFactory()
    assert not server.prepare()
    assert logging.getLogRecordFactory() is factory


def test_the_options_documented_for_a_team_are_streamlits() -> None:
    page = (environment.ROOT / "docs" / "serving.md").read_text(encoding="utf-8")
    named = set(re.findall(r"STREAMLIT_[A-Z_]*[A-Z]", page))
    assert len(named) > 6
    assert named <= {option.env_var for option in config.get_config_options().values()}


def test_the_server_settings_prevent_tables_from_leaving_the_machine() -> None:
    import tomllib

    settings = tomllib.loads(Path(environment.ROOT / "dashboard" / ".streamlit" / "config.toml").read_text("utf-8"))
    assert settings["server"]["address"] == "127.0.0.1"
    assert settings["server"]["disconnectedSessionTTL"] <= 60
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["client"]["showErrorDetails"] == "type"
    assert settings["client"]["disableDataExport"] is True
    assert settings["logger"]["enableRich"] is False
    for option in ("enableCORS", "enableXsrfProtection"):
        assert settings["server"].get(option, True) is True


def test_garbage_is_collected_at_most_every_two_seconds_and_none_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, collected = [100.0], []
    monkeypatch.setattr("dashboard.serving.server.time.monotonic", lambda: clock[0])
    monkeypatch.setattr("dashboard.serving.server.gc.collect", lambda generation: collected.append(clock[0]) or 0)
    collector = server.Collector()
    for seconds in (0.0, 0.5, 1.0, 0.6):
        clock[0] += seconds
        collector.collect(2)
    assert collected == [100.0, 102.1]
    clock[0] += 1
    collector.collect(2)
    clock[0] += 5
    collector.catch_up()
    collector.catch_up()
    assert collected == [100.0, 102.1, 108.1]
