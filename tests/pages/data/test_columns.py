"""The controls of the columns' roles, and the notice of columns that identify people."""

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.workspace import Workspace
from metrics.config.roles import Role
from metrics.config.roles_file import parse_roles
from metrics.policy.policy import Policy, Status
from pages.data.columns import apply_roles
from tests.dashboard.application import app_of_part, csv, go, loaded, opened, press, sample_workspace, state_of, tag
from tests.dashboard.reading_requests import reading_requests
from tests.identifiers.generated import columns


def test_a_roles_file_is_parsed_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    state, asked = loaded(None, csv(["a"], ["1"])), reading_requests(monkeypatch)
    apply_roles(state, "r.yaml", b"quasi_identifiers: [a]")
    assert state.chosen_roles().quasi_identifiers == ("a",)
    assert asked == [parse_roles]


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


RECORDS = [
    (f"+49 30 {1234560 + i % 30}", f"19{50 + i % 20}-0{1 + i % 9}-1{i % 10}", 30_000 + 7 * (i % 40), "red")
    for i in range(240)
]
TABLE = csv(["note", "c7", "pay", "colour"], *RECORDS)


def notice(app: AppTest) -> str:
    """The lines of the notice; empty where there is none."""
    return "\n".join(found.proto.body for found in app.get("html") if 'class="identifiers"' in found.proto.body)


def column_examples(app: AppTest) -> str:
    """The rows of the table of columns."""
    return "\n".join(found.proto.body for found in app.get("html") if 'class="column"' in found.proto.body)


def part() -> None:
    """What the data page says of columns that look like direct identifiers."""
    import streamlit as st

    from pages.data.columns import column_table, identifier_notice

    with st.container():
        identifier_notice(st.session_state["workspace"])
    column_table(st.session_state["workspace"])


def test_a_column_is_named_with_what_it_looks_like_and_no_value_until_its_role_is_changed() -> None:
    app = opened(loaded(TABLE))
    state = state_of(app)
    assert [state.roles[name] for name in ("note", "c7")] == [Role.IDENTIFIER, Role.QUASI_IDENTIFIER]
    assert notice(app) == ""
    tag(app, {"note": "insensitive"})
    assert "<b>note</b> looks like telephone numbers" in notice(app)
    assert "c7" not in notice(app)
    tag(app, {"c7": "insensitive"})
    assert "<b>c7</b> looks like full dates" in notice(app)
    assert "<code>+•• •• •••••••</code>" in notice(app)
    assert "1234560" not in notice(app)
    assert "pay" not in notice(app)
    assert "colour" not in notice(app)
    tag(app, {"note": "identifier"})
    assert "note" not in notice(app)
    assert "c7" in notice(app)
    tag(app, {"note": "quasi-identifier", "c7": "sensitive"})
    assert "<b>note</b>" in notice(app)
    assert "c7" not in notice(app)


def test_one_button_tags_what_must_go_and_what_can_be_generalized() -> None:
    app = app_of_part(part, loaded(TABLE, note="insensitive", c7="insensitive"))
    for role in ("identifier", "quasi-identifier"):
        assert notice(app).count(f"Suggested role: {role}<") == 1
    app = press(app, "tag_identifiers")
    roles = state_of(app).roles
    assert (roles["note"], roles["c7"], roles["pay"]) == (Role.IDENTIFIER, Role.QUASI_IDENTIFIER, Role.INSENSITIVE)
    assert notice(app) == ""


def test_the_sample_as_suggested_has_no_notice() -> None:
    assert notice(app_of_part(part, sample_workspace())) == ""


def test_names_and_values_in_the_notice_are_shown_as_plain_text() -> None:
    cells = [(f"<b>{i}</b>@example.org",) for i in range(30)]
    name = "<script>alert(1)</script>"
    app = app_of_part(part, loaded(csv([name], *cells), **{name: "insensitive"}))
    assert "example" not in notice(app)
    assert "<script>" not in notice(app)


NAMES = csv(["full_name", "sex", "illness"], *[(name, "mf"[i % 2], "flu") for i, name in enumerate(columns(0)["c34"])])


def test_the_proposed_role_of_names_is_the_suggested_one_and_confirming_keeps_it() -> None:
    app = press(opened(loaded(NAMES, NAMES)), "confirm_roles")
    assert state_of(app).roles["full_name"] is Role.IDENTIFIER
    assert notice(app) == ""


def test_a_column_fails_the_policy_until_it_is_stated_to_identify_nobody() -> None:
    state = loaded(NAMES, NAMES, full_name="insensitive", sex="quasi-identifier", illness="sensitive")
    state.policy.choose(Policy("Ours", {"k_anonymity": 2}))
    status = lambda: state.policy.current.check(state.card("c0.csv")).status  # noqa: E731
    app = opened(state)
    assert status() is Status.FAILS
    app = press(app, "not_identifying_full_name")
    assert "You stated that it identifies nobody" in notice(app)
    assert status() is Status.MEETS
    assert state.chosen_roles().not_identifying == ("full_name",)
    press(app, "identifying_full_name")
    assert status() is Status.FAILS
    state.not_identifying = {"full_name"}
    tag(app, {"full_name": "identifier"})
    assert state.chosen_roles().not_identifying == ()


def test_the_verdict_names_the_column_first() -> None:
    state = loaded(NAMES, NAMES, full_name="insensitive", sex="quasi-identifier", illness="sensitive")
    state.policy.choose(Policy("Ours", {"k_anonymity": 2}))
    app = opened(state, "verdict")
    assert [title.value for title in app.title] == ["Fails the policy · c0\\.csv"]
    said = [text.value.replace("\\", "") for text in app.markdown if "full" in text.value]
    assert said[0].startswith("The values of full_name look like names or addresses")


def test_examples_of_a_column_are_masked_as_in_the_notice() -> None:
    state = loaded(NAMES, full_name="insensitive")
    first = columns(0)["c34"][0]
    for role in ("insensitive", "identifier", "sensitive", "quasi-identifier"):
        state.roles["full_name"] = Role(role)
        shown = column_examples(app_of_part(part, state))
        assert first not in shown
        assert first[0] + "•" in shown
    state.not_identifying = {"full_name"}
    state.roles["full_name"] = Role.INSENSITIVE
    assert first[:12] in column_examples(app_of_part(part, state))
