"""What the server minds beyond Streamlit's settings: logs without texts, uploads in memory, documented options."""

import inspect
import logging
import re
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from starlette.formparsers import MultiPartParser
from streamlit import config
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.state.session_state import SessionState

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


def test_the_private_names_of_streamlit_that_are_used_are_there() -> None:
    """Without the first nobody who has logged in can upload; without the second forgotten tables stay in memory."""
    assert "_user_info" in inspect.getsource(AppSession.__init__)
    assert SessionState()._new_widget_state.widget_metadata == {}
    assert isinstance(inspect.getattr_static(AppSession, "session_state"), property)


def test_streamlit_collects_no_garbage_by_itself() -> None:
    import tomllib

    settings = tomllib.loads(Path(environment.ROOT / "dashboard" / ".streamlit" / "config.toml").read_text("utf-8"))
    assert settings["runner"]["postScriptGC"] is False
    assert "runner.postScriptGC" in config.get_config_options()
