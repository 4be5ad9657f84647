"""The data page shows what does not fit between tables, and lets the user decide about records that do not match."""

from streamlit.testing.v1 import AppTest

import metrics
from dashboard.settings import restore, settings_of
from dashboard.text import plain
from dashboard.workspace import Slot, Workspace
from metrics.config.roles import Role
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.policy.settings_file import parse_settings
from metrics.tables.matching_rule import Duplicates, MatchingRule, Unmatched
from pages.data.columns import absent_columns
from pages.data.matching import problems
from tests.dashboard.application import app_of_part, choose, csv, go, loaded, metric, opened, press, state_of

COLUMNS = ["id", "visit", "zip", "illness"]
BEFORE = [[i // 2, i % 2, 100 + i, "flu" if i % 3 else "cold"] for i in range(40)]
ORIGINAL = csv(["nr", *COLUMNS], *([f"n{i}", *row] for i, row in enumerate(BEFORE)))
AFTER = [[f"n{i}", *row[:2], f"1{row[2] // 10 % 10}*", row[3]] for i, row in enumerate(BEFORE)]
FEWER = csv(["nr", *COLUMNS], *AFTER[:30])
TURNED = csv(["nr", *COLUMNS], *AFTER[::-1])
SPOILT = csv(["nr", *COLUMNS], *AFTER[:35], AFTER[0], ["n1", 0, 1, "<b>x</b>", "flu"], ["=1+1", 9, 9, "10*", "flu"])
ROLES = {"id": "insensitive", "visit": "insensitive", "zip": "quasi-identifier", "illness": "sensitive"}


def state(**candidates: bytes) -> Workspace:
    made = Workspace()
    made.tables.add(Slot.ORIGINAL, "original.csv", ORIGINAL)
    for name, content in candidates.items():
        made.tables.add(Slot.ANONYMIZED, f"{name}.csv", content)
    made.roles = {name: Role(role) for name, role in {"nr": "identifier", **ROLES}.items()}
    return made


def draw_matching() -> None:
    """What the data page says of matching."""
    import streamlit as st

    from pages.data.matching import record_matching

    record_matching(st.session_state["workspace"])


def page_text(app: AppTest) -> str:
    """All text of the page, as it is read."""
    found = (element.value for element in (*app.markdown, *app.caption, *app.warning))
    return "\n".join(found).replace("\\", "").replace("*", "")


def keys(app: AppTest, start_of_key: str) -> list[str]:
    return [str(element.key) for element in app.button if str(element.key).startswith(start_of_key)]


def test_without_an_original_there_is_nothing_to_match() -> None:
    assert not app_of_part(draw_matching, loaded(None, FEWER)).header


def test_records_in_their_order_match_by_position() -> None:
    app = opened(state(same=csv(["nr", *COLUMNS], *AFTER)))
    assert "Matching records" in [header.value for header in app.header]
    assert "same.csv · all 40 records matched by position" in page_text(app)
    assert not app.warning
    assert not keys(app, "offer_key")
    assert not app.radio


def test_a_key_is_offered_where_lengths_differ_and_taken_on_a_click() -> None:
    app = opened(state(fewer=FEWER))
    assert "30 anonymized records and 40 original ones cannot be matched by position" in page_text(app)
    assert len(app.warning) == 1
    assert state_of(app).card("fewer.csv")["non_uniform_entropy"].value is None
    assert app.get_by_key("offer_key_fewer.csv_0").label == "Match by “nr”"
    assert "30 of 30 anonymized records matched with an original" in page_text(app)
    press(app, "offer_key_fewer.csv_0")
    assert not app.warning
    assert "10 of 40 original records without a counterpart: suppressed" in page_text(app)
    assert metric(go(app, "verdict"), "Information kept") != "—"
    assert go(app, "data").get_by_key("match_by_fewer.csv").value == ["nr"]


def test_records_that_disagree_although_they_match_are_reported() -> None:
    turned = state(turned=TURNED)
    app = app_of_part(draw_matching, turned)
    (warning,) = app.warning
    assert warning.value == plain(turned.doubtful_matching("turned.csv"))
    press(app, "offer_key_turned.csv_0")
    assert not app.warning
    assert "turned.csv · all 40 records matched by the column nr" in page_text(app)


def test_the_user_decides_on_records_that_do_not_match() -> None:
    app = choose(opened(state(spoilt=SPOILT)), "match_by_spoilt.csv", ["nr"])
    assert "spoilt.csv · not matched yet by the column nr" in page_text(app)
    assert "33 of 38 anonymized records matched with their original" in page_text(app)
    assert "2 keys occur more than once, in 4 anonymized records" in page_text(app)
    assert "1 anonymized record without an original" in page_text(app)
    undecided = state_of(app).card("spoilt.csv")
    assert undecided["non_uniform_entropy"].value is None
    choose(app, "duplicates_spoilt.csv", Duplicates.FIRST)
    assert len(app.warning) == 1
    choose(app, "unmatched_spoilt.csv", Unmatched.LEAVE_OUT)
    assert not app.warning
    assert "3 anonymized records are excluded from the utility metrics." in page_text(app)
    tables = [metrics.read_table(content, name="t.csv") for content in (SPOILT, ORIGINAL)]
    roles = metrics.Roles(["zip"], ["illness"], key="nr", duplicates="first", unmatched="leave_out")
    expected = metrics.score(tables[0], roles, original=tables[1])
    card = state_of(app).card("spoilt.csv")
    assert card.to_dict()["matching"] == expected.to_dict()["matching"]
    for identifier in ("non_uniform_entropy", "discernibility", "k_anonymity", "p29"):
        assert card[identifier].value == expected[identifier].value
    assert card["k_anonymity"].value == undecided["k_anonymity"].value
    assert "3 anonymized records are excluded from the utility metrics." in page_text(go(app, "information_loss"))
    choose(go(app, "data"), "duplicates_spoilt.csv", Duplicates.LEAVE_OUT)
    assert "2 original records and 5 anonymized records are excluded from the utility metrics." in page_text(app)
    choose(app, "match_by_spoilt.csv", [])
    assert "cannot be matched by position" in page_text(app)


def test_a_further_column_is_offered_for_repeated_keys() -> None:
    app = app_of_part(draw_matching, state(same=csv(["nr", *COLUMNS], *AFTER[::-1])))
    choose(app, "match_by_same.csv", ["id"])
    labels = [app.get_by_key(key).label for key in keys(app, "offer_key_same.csv")]
    assert labels == ["Match by “id” and “nr”", "Match by “id” and “visit”"]
    press(app, "offer_key_same.csv_1")
    assert "same.csv · all 40 records matched by the columns id and visit" in page_text(app)


def test_a_choice_is_for_one_candidate_or_for_all() -> None:
    app = app_of_part(draw_matching, state(fewer=FEWER, turned=TURNED))
    press(app, "offer_key_fewer.csv_0")
    matching = state_of(app).matching
    assert matching.rule_for("fewer.csv") == MatchingRule(("nr",))
    assert matching.rule_for("turned.csv") == MatchingRule()
    press(app, "match_all_fewer.csv")
    assert state_of(app).chosen_roles().key == "nr"
    assert "turned.csv · all 40 records matched by the column nr" in page_text(app)


def test_the_records_concerned_are_listed_as_text() -> None:
    made = state(spoilt=SPOILT)
    made.matching.choose("spoilt.csv", MatchingRule(("nr",)))
    assert made.tables.original is not None
    found = made.matched("spoilt.csv", made.tables.original.table)
    app = app_of_part(draw_matching, made)
    app.session_state["unmatched_records_spoilt.csv"] = True
    app.run()
    (shown,) = [element.value for element in app.dataframe if "finding" in element.value]
    assert list(shown.columns) == ["table", "record", "finding", "nr", "id", "visit", "zip", "illness"]
    assert shown["finding"].tolist() == ["repeated key"] * 6 + ["not in the original"] + ["suppressed: no match"] * len(
        found.records.original.unmatched
    )
    assert shown["record"].tolist()[:3] == [1, 1, 36]
    assert shown["zip"].tolist()[5] == "<b>x</b>"


def test_a_hostile_column_is_offered_as_text() -> None:
    name = "[x](javascript:alert(1)) :red[y]"
    contents = (csv([name, "zip"], *([number, 1] for number in range(records))) for records in (4, 3))
    app = app_of_part(draw_matching, loaded(*contents))
    assert app.get_by_key("offer_key_c0.csv_0").label == f"Match by “{plain(name)}”"
    assert plain(name) != name
    press(app, "offer_key_c0.csv_0")
    assert any(plain(name) in element.value for element in app.markdown)


def test_choices_come_back_from_a_settings_file() -> None:
    before = state(fewer=FEWER, spoilt=SPOILT)
    own = MatchingRule(("nr", "id"), Duplicates.LEAVE_OUT, Unmatched.LEAVE_OUT)
    before.matching.choose_for_all(MatchingRule(("nr",)))
    before.matching.choose("spoilt.csv", own)
    after = state(spoilt=SPOILT, fewer=FEWER)
    settings = parse_settings(settings_of(before).to_json().encode(), "settings.json")
    restore(after, settings)
    assert after.matching.rule_for("fewer.csv") == MatchingRule(("nr",))
    assert after.matching.rule_for("spoilt.csv") == own
    assert after.card("spoilt.csv").to_dict() == before.card("spoilt.csv").to_dict()


def test_removing_a_candidate_removes_its_choice_of_matching() -> None:
    made = state(fewer=FEWER)
    made.matching.choose("fewer.csv", MatchingRule(("nr",)))
    made.remove(Slot.ANONYMIZED, "fewer.csv")
    made.tables.add(Slot.ANONYMIZED, "fewer.csv", TURNED)
    assert made.matching.rule_for("fewer.csv") == MatchingRule()


def test_a_table_made_here_is_matched_as_it_was_made() -> None:
    made = state(fewer=FEWER)
    made.matching.choose_for_all(MatchingRule(("nr",)))
    assert made.tables.original is not None
    label = made.keep("made", made.tables.original.table, MatchingRule())
    assert made.roles_for(label).matching == MatchingRule()
    assert made.roles_for("fewer.csv").key == "nr"


def test_matching_results_are_cached_until_the_tables_change() -> None:
    made = state(fewer=FEWER)
    assert made.tables.original is not None
    found = made.matched("fewer.csv", made.tables.original.table)
    assert made.matched("fewer.csv", made.tables.original.table) is found
    made.matching.choose("fewer.csv", MatchingRule(("nr",)))
    again = made.matched("fewer.csv", made.tables.original.table)
    assert again is not found
    assert again.records.tally.matched == 30


QUASI, SENSITIVE = Role.QUASI_IDENTIFIER, Role.SENSITIVE


def tagged(original: bytes | None, *candidates: bytes, **roles: Role) -> Workspace:
    made = Workspace()
    if original is not None:
        made.tables.add(Slot.ORIGINAL, "original.csv", original)
    for number, candidate in enumerate(candidates, 1):
        made.tables.add(Slot.ANONYMIZED, f"candidate{number}.csv", candidate)
    made.roles |= roles
    return made


def test_tables_that_fit_have_no_problems() -> None:
    table = csv(["q", "s"], ["secret", "x"])
    assert problems(tagged(table, table, q=QUASI, s=SENSITIVE)) == []
    assert problems(Workspace()) == []


def test_different_numbers_of_records_are_reported_without_a_value() -> None:
    (sentence,) = problems(tagged(csv(["q"], ["secret"], ["b"]), csv(["q"], ["secret"]), q=QUASI))
    assert "candidate1.csv" in sentence
    assert "original.csv" in sentence
    assert "secret" not in sentence


def test_columns_that_only_one_of_two_tables_has_are_named() -> None:
    made = tagged(csv(["q", "a"], ["1", "2"]), csv(["q", "b"], ["1", "2"]), q=QUASI)
    made.roles |= {"a": Role.INSENSITIVE, "b": Role.INSENSITIVE}
    assert absent_columns(made) == ["a"]  # said of all versions at once
    (sentence,) = problems(made)
    assert sentence == (
        'candidate1.csv: its columns differ from those of original.csv: it also has "b"; '
        "load matching tables, or continue if this is intended."
    )


def test_an_original_with_suppressed_cells_that_no_candidate_has_may_be_swapped() -> None:
    generalized, exact = csv(["q"], ["*"], ["secret"]), csv(["q"], ["other"], ["secret"])
    (sentence,) = problems(tagged(generalized, exact, q=QUASI))
    assert sentence.startswith(
        'original.csv: the original has suppressed cells (*) in "q", and candidate1.csv has none'
    )
    assert "swapped" in sentence
    assert problems(tagged(exact, generalized, q=QUASI)) == problems(tagged(generalized, generalized, q=QUASI)) == []


def test_problems_are_reported_per_candidate_and_equal_ones_once() -> None:
    made = tagged(csv(["q"], ["1"]), csv(["q"], ["1"], ["2"]), csv(["q"], ["1"], ["2"], ["3"]), q=QUASI)
    assert len(problems(made)) == 2
    assert len(set(problems(made))) == 2


def test_a_quasi_identifier_that_a_table_lacks_is_reported() -> None:
    original, lacking = csv(["q", "r"], ["1", "2"]), csv(["q"], ["1"])
    (sentence,) = problems(tagged(original, lacking, original, q=QUASI, r=QUASI))
    assert sentence.startswith('candidate1.csv, column "r": the table has no such column')


def test_columns_that_no_version_has_are_one_line_with_one_button() -> None:
    made = tagged(csv(["q", "name"], ["1", "Ann"]), csv(["q"], ["1"]), csv(["q"], ["1"]), q=QUASI, name=QUASI)
    assert problems(made) == []
    app = opened(made, "data")
    assert any('No anonymized table has "name".' in shown.value.replace("\\", "") for shown in app.markdown)
    app.button(key="tag_absent").click().run()
    assert made.roles["name"] is Role.IDENTIFIER
    assert absent_columns(made) == []


def test_an_extra_column_is_reported_for_its_candidate_alone() -> None:
    table = csv(["q"], ["1"])
    made = tagged(table, table, csv(["q", "extra"], ["1", "2"]), q=QUASI, extra=Role.INSENSITIVE)
    (sentence,) = problems(made)
    assert sentence.startswith("candidate2.csv: its columns differ")
    assert [made.card(label)["k_anonymity"].value for label in made.tables.versions] == [1, 1]


def test_a_hierarchy_that_misses_values_names_the_line_and_not_the_value() -> None:
    made = tagged(csv(["q"], ["a"], ["secret"]), csv(["q"], ["*"], ["*"]), q=QUASI)
    made.hierarchies["q"] = Hierarchy([["a", "*"], ["b", "*"]], name="q.csv")
    (sentence,) = problems(made)
    assert sentence.startswith('original.csv, line 3, column "q": the hierarchy q.csv lacks a value of this row')
    assert "secret" not in sentence


def test_a_repeated_key_is_reported_with_its_column_and_line() -> None:
    made = tagged(csv(["id", "q"], ["7", "1"], ["7", "2"]), csv(["id", "q"], ["7", "1"], ["8", "2"]), q=QUASI)
    made.matching.choose_for_all(MatchingRule(("id",)))
    (sentence,) = problems(made)
    assert 'column "id"' in sentence
    assert "line 3" in sentence


def test_without_a_quasi_identifier_there_is_nothing_to_check() -> None:
    table = csv(["q"], ["1"])
    made = tagged(table, csv(["r"], ["1"], ["2"]))
    made.roles = dict.fromkeys(made.roles, Role.INSENSITIVE)
    assert problems(made) == []
