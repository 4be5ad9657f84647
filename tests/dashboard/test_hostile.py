"""Names and cells that try to be something else stay text on every page; the same is seen in a browser."""

import re
from collections.abc import Iterator

from streamlit.testing.v1 import AppTest

from dashboard.text import plain
from tests.dashboard import hostile
from tests.dashboard.application import SCRIPTS, choose, csv, go, press, start, state_of, tag, upload


def hostile_session() -> AppTest:
    app = upload(start(), "upload_original", {hostile.FILE: hostile.table()})
    if state_of(app).imports:
        # A backslash in a quoted cell may be an escape.
        press(app, f"import_original_{hostile.FILE}_read")
    upload(app, "upload_anonymized", {hostile.FILE: hostile.table()})
    upload(app, "upload_roles_0", {"roles.yaml": hostile.roles()})
    upload(app, "upload_hierarchies", {hostile.HIERARCHY_FILE: hostile.hierarchy()})
    return app


def markdown_of(app: AppTest) -> Iterator[str]:
    """Every text of a page that Streamlit reads as Markdown."""
    for kind in ("markdown", "caption", "info", "warning", "error", "title", "header", "subheader"):
        yield from (element.value for element in getattr(app, kind))
    for element in app.metric:
        yield from (element.label, element.value, element.help)
    yield from (box.label for box in app.expander)
    for kind in (
        "slider",
        "selectbox",
        "button",
        "segmented_control",
        "toggle",
        "number_input",
        "multiselect",
        "radio",
    ):
        for widget in getattr(app, kind):
            yield from (widget.label, getattr(widget, "help", "") or "")


def test_every_page_shows_hostile_names_escaped() -> None:
    app = hostile_session()
    assert not app.error
    assert state_of(app).chosen_roles().sensitive == hostile.SENSITIVE
    assert list(state_of(app).hierarchies) == [hostile.NAMES[5]]
    seen = 0
    for script in SCRIPTS:
        go(app, script)
        for text in markdown_of(app):
            without_escaped = re.sub(r"\\.", "", text)
            for sign in ("<script", "<img", "](javascript", "\\href", ":red[", "outside.invalid", "\u202e", "{{"):
                assert sign not in without_escaped, (script, text)
            seen += any(plain(name) in text for name in hostile.NAMES)
    assert seen > len(hostile.NAMES)


def test_a_hostile_table_can_be_sorted_filtered_and_retagged() -> None:
    app = go(hostile_session(), "classes")
    for measure in ("distinct", "normalized_entropy", "t"):
        choose(app, "class_order", f"{hostile.SENSITIVE[0]}.{measure}")
        assert not app.info
    for kind in ("violating P_29", "smaller than k", "all"):
        choose(app, "class_filter", kind)
    tag(go(app, "data"), dict.fromkeys(hostile.SENSITIVE, "quasi-identifier"))
    for script in SCRIPTS:
        go(app, script)


def test_names_of_our_own_widgets_and_columns_are_harmless() -> None:
    names = ["size", "reasons", "filter", "order", "sizes", "table", "by position", "size.t", "limit", "reach", "k"]
    records = [[f"{name}{record // 2 % 3}" for name in names] for record in range(12)]
    app = upload(start(), "upload_original", {"t.csv": csv(names, *records)})
    upload(app, "upload_anonymized", {"t.csv": csv(names, *records)})
    sensitive = ("filter", "sizes", "size", "limit")
    tag(app, {name: "sensitive" if name in sensitive else "quasi-identifier" for name in names})
    for script in SCRIPTS:
        go(app, script)
    for by in ("size", "size.t", "sizes.t", "size.distinct"):
        choose(go(app, "classes"), "class_order", by)


def test_many_columns_are_found_by_a_part_of_their_name() -> None:
    names = [*(f"column {number}" for number in range(50)), "filter"]
    app = upload(start(), "upload_anonymized", {"t.csv": csv(names, *([str(n)] * len(names) for n in range(3)))})
    assert len(app.segmented_control) == 40
    app.get_by_key("find_column").set_value("FILT").run()
    assert [control.key for control in app.segmented_control] == ["role_filter"]
    tag(app, {"filter": "quasi-identifier"})
    assert state_of(app).chosen_roles().quasi_identifiers == ("filter",)
    assert go(app, "data").get_by_key("find_column").value == "FILT"
