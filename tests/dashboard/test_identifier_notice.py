"""Columns that look like direct identifiers are pointed out before anybody leaves them insensitive."""

from streamlit.testing.v1 import AppTest

from metrics.config.roles import Role
from tests.dashboard.application import csv, press, sample, start, state_of, tag, upload

RECORDS = [
    (f"+49 30 {1234560 + i % 30}", f"19{50 + i % 20}-0{1 + i % 9}-1{i % 10}", 30_000 + 7 * (i % 40), "red")
    for i in range(240)
]
TABLE = csv(["note", "c7", "pay", "colour"], *RECORDS)


def notice(app: AppTest) -> str:
    """The lines of the notice; empty where there is none."""
    return "\n".join(found.proto.body for found in app.get("html") if '<ul class="identifiers"' in found.proto.body)


def loaded() -> AppTest:
    return upload(start(), "upload_original", {"people.csv": TABLE})


def test_a_column_is_named_with_what_it_looks_like_and_no_value() -> None:
    app = loaded()
    state = state_of(app)
    assert [state.roles[name] for name in ("note", "c7")] == [Role.INSENSITIVE, Role.INSENSITIVE]
    assert "<b>note</b> looks like telephone numbers" in notice(app)
    assert "<b>c7</b> looks like full dates" in notice(app)
    assert "<code>+•• •• •••••••</code>" in notice(app)
    assert "1234560" not in notice(app)
    assert "pay" not in notice(app)
    assert "colour" not in notice(app)


def test_one_button_tags_what_must_go_and_what_can_be_generalized() -> None:
    app = loaded()
    assert (
        notice(app).count("Suggested role: identifier<") == notice(app).count("Suggested role: quasi-identifier<") == 1
    )
    app = press(app, "tag_identifiers")
    roles = state_of(app).roles
    assert (roles["note"], roles["c7"], roles["pay"]) == (Role.IDENTIFIER, Role.QUASI_IDENTIFIER, Role.INSENSITIVE)
    assert notice(app) == ""


def test_the_notice_follows_the_roles() -> None:
    app = tag(loaded(), {"note": "identifier"})
    assert "note" not in notice(app)
    assert "c7" in notice(app)
    app = tag(app, {"note": "quasi-identifier", "c7": "sensitive"})
    assert "<b>note</b>" in notice(app)
    assert "c7" not in notice(app)


def test_the_sample_as_suggested_has_no_notice() -> None:
    assert notice(sample()) == ""


def test_names_and_values_of_a_table_are_text() -> None:
    cells = [(f"<b>{i}</b>@example.org",) for i in range(30)]
    app = upload(start(), "upload_original", {"hostile.csv": csv(["<script>alert(1)</script>"], *cells)})
    app = tag(app, {"<script>alert(1)</script>": "insensitive"})
    assert "<script>" not in notice(app)
