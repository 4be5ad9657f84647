"""The controls of the columns' roles."""

from tests.dashboard.application import csv, go, loaded, opened, state_of, tag


def test_many_columns_are_found_by_a_part_of_their_name() -> None:
    names = [*(f"column {number}" for number in range(50)), "filter"]
    app = opened(loaded(None, csv(names, *([str(n)] * len(names) for n in range(3)))))
    assert len(app.segmented_control) == 40
    app.get_by_key("find_column").set_value("FILT").run()
    assert [control.key for control in app.segmented_control] == ["role_filter"]
    tag(app, {"filter": "quasi-identifier"})
    assert state_of(app).chosen_roles().quasi_identifiers == ("filter",)
    go(app, "scorecard")
    assert go(app, "data").get_by_key("find_column").value == "FILT"
