"""The sample beside or in place of what is loaded."""

from contextlib import suppress
from pathlib import Path

import pytest

from dashboard.sample import load_sample
from dashboard.workspace import Workspace
from metrics.interruption import interruptible
from tests.dashboard.application import FEW, LIGHT, ORIGINAL, go, loaded, opened, press, shorten_sample, state_of


def test_the_sample_replaces_another_original_and_all_that_belongs_to_it_once_confirmed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shorten_sample(monkeypatch, tmp_path, FEW)
    app = press(opened(loaded(ORIGINAL, LIGHT, age="quasi-identifier")), "load_sample")
    original = state_of(app).tables.original
    assert original is not None
    assert original.name == "original.csv"
    assert "would replace original" in app.info[0].value
    app = press(app, "load_sample")
    go(app, "data")
    assert app.get_by_key("role_diagnosis").value == "sensitive"
    assert "illness" not in state_of(app).roles
    assert "c0.csv" not in state_of(app).tables.versions
    assert "candidate_light.csv" in state_of(app).tables.versions


def test_the_sample_is_loaded_whole_or_not_at_all_and_needs_no_reading_process(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Left(BaseException):
        """Raised where the visitor has moved on."""

    def refuse(*_: object, **__: object) -> None:
        raise Left

    shorten_sample(monkeypatch, tmp_path, FEW)
    monkeypatch.setattr("dashboard.serving.reading_process.READING.call", refuse)
    left, stayed = Workspace(), Workspace()
    with suppress(Left), interruptible(refuse):
        load_sample(left)
    assert load_sample(stayed)
    for state in (left, stayed):
        assert len(state.tables.versions) == 3
        assert state.tables.holdout is not None
        assert len(state.hierarchies) == 7
        assert not state.unconfirmed_roles
