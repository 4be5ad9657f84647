"""The controls of the columns' roles."""

import pytest

from dashboard.workspace import Workspace
from metrics.config.roles import parse_roles_file
from pages.data.columns import apply_roles
from tests.dashboard.application import csv, go, loaded, opened, state_of, tag
from tests.dashboard.reading_requests import reading_requests


def test_a_roles_file_is_parsed_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    state, asked = loaded(None, csv(["a"], ["1"])), reading_requests(monkeypatch)
    apply_roles(state, "r.yaml", b"quasi_identifiers: [a]")
    assert state.chosen_roles().quasi_identifiers == ("a",)
    assert asked == [parse_roles_file]


def test_the_loaded_columns_are_collected_once_and_not_for_each_column_of_a_roles_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [f"c{number}" for number in range(30)]
    state = loaded(None, csv(names, ["1"] * 30))
    collected = []
    collect = Workspace.columns.fget
    assert collect is not None
    monkeypatch.setattr(Workspace, "columns", property(lambda self: collected.append(1) or collect(self)))
    apply_roles(state, "r.yaml", f"quasi_identifiers: [{', '.join(names)}]".encode())
    assert len(collected) < 10


def test_many_columns_are_found_by_a_part_of_their_name() -> None:
    names = [*(f"column {number}" for number in range(50)), "filter"]
    app = opened(loaded(None, csv(names, *([str(n)] * len(names) for n in range(3)))))
    assert len(app.segmented_control) == 40
    app.get_by_key("find_column").set_value("FILT").run()
    assert [control.key for control in app.segmented_control] == ["role_filter"]
    tag(app, {"filter": "quasi-identifier"})
    assert state_of(app).chosen_roles().quasi_identifiers == ("filter",)
    go(app, "verdict")
    assert go(app, "data").get_by_key("find_column").value == "FILT"
