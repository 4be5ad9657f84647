"""Hierarchies made, looked at, edited and completed on the data page."""

import re

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from dashboard.workspace import Workspace
from metrics.hierarchies.builders import to_csv
from metrics.hierarchies.files import read_hierarchy
from metrics.hierarchies.hierarchy import Hierarchy
from tests.dashboard import hostile
from tests.dashboard.application import (
    app_of_part,
    choose,
    choose_all,
    csv,
    go,
    loaded,
    markdown_of,
    opened,
    press,
    sample_workspace,
    sound,
    state_of,
    upload,
)

COLUMNS = ("zip", "age", "city", "born")
ORIGINAL = csv(
    COLUMNS,
    *(["47677", age, city, f"{1 + age % 28}/2/19{age}"] for age, city in zip(range(20, 60), "abcd" * 10, strict=True)),
)
CANDIDATE = csv(
    COLUMNS,
    *(["476**", f"{age // 10}0-{age // 10}9", city, "*"] for age, city in zip(range(20, 60), "abcd" * 10, strict=True)),
)


def pair() -> Workspace:
    return loaded(ORIGINAL, CANDIDATE, **dict.fromkeys(COLUMNS, "quasi-identifier"))


def parts() -> None:
    """What the data page says of hierarchies."""
    import streamlit as st

    from pages.data.hierarchies import hierarchy_list
    from pages.data.hierarchy_maker import hierarchy_maker

    hierarchy_maker(st.session_state["workspace"])
    hierarchy_list(st.session_state["workspace"])


def maker(column: str, state: Workspace | None = None) -> AppTest:
    """The maker, opened for a column."""
    return app_of_part(parts, state or pair(), maker_open=True, maker_column=column)


def make(app: AppTest, column: str, way: str | None = None, **options: object) -> AppTest:
    """Choose a way for a column, and its options."""
    if way is not None:
        choose(app, f"maker_way_{column}", way)
    return choose_all(app, {f"maker_{option}_{column}": value for option, value in options.items()}) if options else app


def used(app: AppTest, column: str) -> dict[str, tuple[str, ...]]:
    """Press the button; the rows of the hierarchy in use, by leaf."""
    press(app, "maker_use")
    return {row[0]: row[1:] for row in state_of(app).hierarchies[column].rows}


@pytest.mark.parametrize(
    ("column", "way", "options", "leaf", "labels"),
    [
        ("age", None, {}, "34", ("[34, 36[", "[30, 40[", "[20, 40[", "*")),
        ("age", None, {"width": "5", "join_width": "2", "written": "a-b"}, "34", ("30-34", "30-39", "*")),
        ("age", None, {"width": "10", "join_width": "", "lowest": "25", "highest": "45"}, "20", ("<25", "*")),
        ("age", "intervals of equally many records", {"number": 4}, "34", ("[30, 40[", "[20, 40[", "*")),
        ("age", "intervals between given bounds", {"bounds": "30, 50"}, "34", ("[30, 50[", "*")),
        ("zip", None, {}, "47677", ("4767*", "476**", "47***", "4****", "*")),
        ("zip", None, {"steps": "2, 1", "side": "prefix"}, "47677", ("**677", "***77", "*")),
        ("born", None, {}, "7/2/1934", ("1930-1939", "*")),
        ("born", None, {"form": "3/31/2024", "periods": ["month"], "keep_dates": True}, "7/2/1934", ("1934-07", "*")),
        ("city", None, {}, "a", ("*",)),
        (
            "city",
            "groups of neighbours in an ordered list",
            {"order": "d\nc\nb\na", "join_ordered": ""},
            "a",
            ("b - a", "*"),
        ),
        ("city", "groups made by hand", {}, "a", ("a", "*")),
        ("age", "derived from an anonymized table", {}, "34", ("30-39", "*")),
    ],
)
def test_a_hierarchy_made_is_drawn_counted_by_level_and_used_on_a_click(
    column: str, way: str | None, options: dict[str, object], leaf: str, labels: tuple[str, ...]
) -> None:
    app = make(maker(column), column, way, **options)
    assert not app.info
    (tree,) = app.get("plotly_chart")
    assert tree.proto.alt.startswith(f"{column}: ")
    levels = list(app.dataframe[-1].value["distinct values"])
    assert column not in state_of(app).hierarchies
    assert used(app, column)[leaf] == labels
    made = state_of(app).hierarchies[column]
    assert levels == [len(made.labels(level)) for level in range(made.height + 1)]
    assert not made.missing_leaves(state_of(app).columns[column][column])
    assert any("in use" in caption.value for caption in app.caption)


@pytest.mark.parametrize(
    ("way", "options", "sentence"),
    [
        (None, {"width": "0"}, "the width is not above 0"),
        (None, {"join_width": "2, two"}, "not a list of whole numbers"),
        ("intervals between given bounds", {"bounds": "30, 50", "open": False}, "19 of its numbers lie outside"),
        ("groups of neighbours in an ordered list", {"order": "20"}, "the order lacks 39 values"),
    ],
)
def test_options_that_make_no_hierarchy_are_reported_with_the_column(
    way: str | None, options: dict[str, object], sentence: str
) -> None:
    app = make(maker("age"), "age", way, **options)
    (message,) = [info.value.replace("\\", "") for info in app.info]
    assert sentence in message
    assert 'column "age"' in message
    assert not any(button.key == "maker_use" for button in app.button)


def test_groups_are_made_by_hand() -> None:
    app = maker("city")
    used(app, "city")
    choose(app, "hierarchy_view_city", "Edit")
    press(app, "edit_add_level_1_city")
    choose_all(app, {"edit_members_1_city": ["a", "b"], "edit_group_1_city": "north"})
    press(app, "edit_put_city")
    assert app.get_by_key("edit_members_1_city").value == []
    choose(app, "edit_members_1_city", ["c"])
    press(app, "edit_put_city")
    assert [error.value.replace("\\", "") for error in app.error] == ["city.csv: the group has no name; name it."]
    choose(app, "edit_group_1_city", "south")
    press(app, "edit_put_city")
    assert not app.error
    rows = (("a", "north", "*"), ("b", "north", "*"), ("c", "south", "*"), ("d", "d", "*"))
    assert state_of(app).hierarchies["city"].rows == rows
    press(app, "edit_add_level_2_city")
    choose(app, "edit_level_city", 2)
    choose_all(app, {"edit_members_2_city": ["south", "d"], "edit_group_2_city": "low"})
    press(app, "edit_put_city")
    assert state_of(app).hierarchies["city"].rows[3] == ("d", "d", "low", "*")
    press(app, "edit_drop_level_2_city")
    assert state_of(app).hierarchies["city"].rows == rows


def test_rows_are_edited_as_text() -> None:
    app = maker("city")
    used(app, "city")
    choose(app, "hierarchy_view_city", "Edit")
    (area,) = [area for area in app.text_area if area.key.startswith("edit_text")]
    area.set_value("a;x;*\nb;x;*\nc;y;*\nd;y;z;*")
    (button,) = [button for button in app.button if button.form_id == "edit_form_city"]
    button.click().run()
    (error,) = app.error
    assert error.value.replace("\\", "").startswith("city.csv, line 4: the row has 4 levels")
    assert state_of(app).hierarchies["city"].height == 1
    area.set_value("a;x;*\nb;x;*\nc;y;*\nd;y;*")
    button.click().run()
    assert not app.error
    assert state_of(app).hierarchies["city"].rows[-1] == ("d", "y", "*")


def test_missed_values_are_added_like_their_match_and_under_the_root() -> None:
    state = pair()
    state.hierarchies["city"] = Hierarchy([["a", "x", "*"], ["B", "x", "*"], ["d", "y", "*"]], name="city.csv")
    app = app_of_part(parts, state)
    frame = next(table.value for table in app.dataframe if "nearest match" in table.value)
    found = {
        row["missing value"]: (row["records"], row["nearest match"])
        for _, row in frame.iterrows()
        if pd.notna(row["records"])
    }
    assert found == {"b": (10, "B"), "c": (10, "")}
    press(app, "add_alike_city")
    press(app, "add_alone_city")
    rows = {row[0]: row[1:] for row in state.hierarchies["city"].rows}
    assert rows["b"] == rows["B"]
    assert rows["c"] == ("c", "*")
    assert not app.warning


def test_views_follow_a_hierarchy_that_is_replaced_or_removed() -> None:
    app = make(maker("city"), "city", "groups made by hand")
    used(app, "city")
    for view in ("Edit", "Tree", "Rows", "Edit"):
        choose(app, "hierarchy_view_city", view)
    choose(app, "edit_members_1_city", ["a"])
    state_of(app).hierarchies["city"] = Hierarchy([["a", "x", "y", "*"], ["b", "x", "y", "*"]], name="other.csv")
    choose(sound(app.run()), "edit_level_city", 2)
    choose(app, "edit_members_2_city", ["x"])
    state_of(app).hierarchies["city"] = Hierarchy([["p", "*"], ["q", "*"]], name="other.csv")
    sound(app.run())
    press(app, "remove_hierarchy_city")
    assert not state_of(app).hierarchies


def test_a_downloaded_hierarchy_reads_back_as_the_same_hierarchy() -> None:
    app = app_of_part(parts, sample_workspace())
    for name, hierarchy in state_of(app).hierarchies.items():
        assert read_hierarchy(to_csv(hierarchy), name=f"{name}.csv").rows == hierarchy.rows
        assert app.get_by_key(f"download_hierarchy_{name}")


def test_markup_in_names_and_values_is_shown_as_plain_text() -> None:
    name = hostile.NAMES[5]
    app = maker(hostile.NAMES[0], hostile.workspace())
    steps = [("maker_column", other) for other in hostile.NAMES[1:6]]
    steps += [(f"hierarchy_view_{name}", view) for view in ("Tree", "Edit")]
    for key, value in steps:
        choose(app, key, value)
        assert_text(app)
    for way in app.get_by_key(f"maker_way_{name}").options:
        choose(app, f"maker_way_{name}", way)
        assert_text(app)


def assert_text(app: AppTest) -> None:
    """Nothing that Streamlit reads as Markdown holds a sign of a name or a cell."""
    for text in markdown_of(app):
        without_escaped = re.sub(r"\\.", "", text)
        for sign in ("<script", "<img", "](javascript", "\\href", ":red[", "\u202e"):
            assert sign not in without_escaped, text


def test_choices_survive_page_switches_and_the_removal_of_their_table() -> None:
    app = choose(choose(opened(pair()), "maker_open", True), "maker_column", "age")
    make(app, "age", "derived from an anonymized table")
    go(go(app, "verdict"), "data")
    assert app.get_by_key("maker_column").value == "age"
    assert app.get_by_key("maker_way_age").value == "derived from an anonymized table"
    upload(app, "upload_anonymized", {"other.csv": CANDIDATE.replace(b"476**", b"47***")})
    choose(app, "maker_pair_age", "other.csv")
    press(app, "remove_anonymized_other.csv")
    assert app.get_by_key("maker_pair_age").value == "c0.csv"
    press(app, "remove_anonymized_c0.csv")
    assert app.get_by_key("maker_way_age").value == "intervals of equal width"
    assert used(app, "age")["34"][0] == "[34, 36["
    press(app, "remove_original_original.csv")


def test_a_column_without_a_value_is_reported() -> None:
    app = maker("q", loaded(csv(["q"], ["*"], ["*"])))
    assert [info.value.replace("\\", "") for info in app.info] == [
        'column "q": the column has no values; choose another column.'
    ]
