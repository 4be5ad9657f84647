"""What does not fit between loaded tables is told, once, without a cell's value; columns that identify people, too."""

from streamlit.testing.v1 import AppTest

from dashboard.workspace import Slot, Workspace
from metrics.config.roles import Role
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.policy.policy import Policy, Status
from metrics.tables.matching_rule import MatchingRule
from pages.data.notices import problems
from tests.dashboard.application import app_of_part, csv, loaded, opened, press, sample_workspace, state_of, tag
from tests.identifiers.generated import columns

QUASI, SENSITIVE = Role.QUASI_IDENTIFIER, Role.SENSITIVE


def state(original: bytes | None, *candidates: bytes, **roles: Role) -> Workspace:
    made = Workspace()
    if original is not None:
        made.tables.add(Slot.ORIGINAL, "original.csv", original)
    for number, candidate in enumerate(candidates, 1):
        made.tables.add(Slot.ANONYMIZED, f"candidate{number}.csv", candidate)
    made.roles |= roles
    return made


def test_tables_that_fit_have_no_problems() -> None:
    table = csv(["q", "s"], ["secret", "x"])
    assert problems(state(table, table, q=QUASI, s=SENSITIVE)) == []
    assert problems(Workspace()) == []


def test_different_numbers_of_records_are_reported_without_a_value() -> None:
    (sentence,) = problems(state(csv(["q"], ["secret"], ["b"]), csv(["q"], ["secret"]), q=QUASI))
    assert "candidate1.csv" in sentence
    assert "original.csv" in sentence
    assert "secret" not in sentence


def test_columns_that_only_one_of_two_tables_has_are_named() -> None:
    made = state(csv(["q", "a"], ["1", "2"]), csv(["q", "b"], ["1", "2"]), q=QUASI)
    made.roles |= {"a": Role.INSENSITIVE, "b": Role.INSENSITIVE}
    (sentence,) = problems(made)
    assert sentence == (
        'candidate1.csv: its columns differ from those of original.csv: it lacks "a" and also has "b"; '
        "load matching tables, or continue if this is intended."
    )


def test_an_original_with_suppressed_cells_that_no_candidate_has_may_be_swapped() -> None:
    generalized, exact = csv(["q"], ["*"], ["secret"]), csv(["q"], ["other"], ["secret"])
    (sentence,) = problems(state(generalized, exact, q=QUASI))
    assert sentence.startswith(
        'original.csv: the original has suppressed cells (*) in "q", and candidate1.csv has none'
    )
    assert "swapped" in sentence
    assert problems(state(exact, generalized, q=QUASI)) == problems(state(generalized, generalized, q=QUASI)) == []


def test_problems_are_reported_per_candidate_and_equal_ones_once() -> None:
    made = state(csv(["q"], ["1"]), csv(["q"], ["1"], ["2"]), csv(["q"], ["1"], ["2"], ["3"]), q=QUASI)
    assert len(problems(made)) == 2
    assert len(set(problems(made))) == 2


def test_a_quasi_identifier_that_a_table_lacks_is_reported() -> None:
    (sentence,) = problems(state(csv(["q", "r"], ["1", "2"]), csv(["q"], ["1"]), q=QUASI, r=QUASI))
    assert sentence.startswith('candidate1.csv, column "r": the table has no such column')


def test_an_extra_column_is_reported_for_its_candidate_alone() -> None:
    table = csv(["q"], ["1"])
    made = state(table, table, csv(["q", "extra"], ["1", "2"]), q=QUASI, extra=Role.INSENSITIVE)
    (sentence,) = problems(made)
    assert sentence.startswith("candidate2.csv: its columns differ")
    assert [made.card(label)["k_anonymity"].value for label in made.tables.versions] == [1, 1]


def test_a_hierarchy_that_misses_values_names_the_line_and_not_the_value() -> None:
    made = state(csv(["q"], ["a"], ["secret"]), csv(["q"], ["*"], ["*"]), q=QUASI)
    made.hierarchies["q"] = Hierarchy([["a", "*"], ["b", "*"]], name="q.csv")
    (sentence,) = problems(made)
    assert sentence.startswith('original.csv, line 3, column "q": the hierarchy q.csv lacks a value of this row')
    assert "secret" not in sentence


def test_a_repeated_key_is_reported_with_its_column_and_line() -> None:
    made = state(csv(["id", "q"], ["7", "1"], ["7", "2"]), csv(["id", "q"], ["7", "1"], ["8", "2"]), q=QUASI)
    made.matching.choose_for_all(MatchingRule(("id",)))
    (sentence,) = problems(made)
    assert 'column "id"' in sentence
    assert "line 3" in sentence


def test_without_a_quasi_identifier_there_is_nothing_to_check() -> None:
    table = csv(["q"], ["1"])
    made = state(table, csv(["r"], ["1"], ["2"]))
    made.roles = dict.fromkeys(made.roles, Role.INSENSITIVE)
    assert problems(made) == []


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

    from pages.data.columns import column_table
    from pages.data.notices import identifier_notice

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
