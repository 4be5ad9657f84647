"""Names and cells that try to be something else stay text on every page; the same is seen in a browser."""

import re
from collections.abc import Iterator

from streamlit.testing.v1 import AppTest

from dashboard.text import plain
from tests.dashboard import hostile
from tests.dashboard.application import SCRIPTS, choose, choose_all, csv, go, loaded, opened, state_of, tag


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
    state = hostile.workspace()
    # Further columns make the work of the attacks long, and no text more.
    state.parameters = state.parameters.with_settings({"attack.known": hostile.QUASI_IDENTIFIERS[:2]})
    app = opened(state)
    assert not app.error
    seen = 0
    for script in SCRIPTS:
        go(app, script)
        if script == "classes":
            choose_all(app, {"class_order": f"{hostile.SENSITIVE[0]}.t", "class_filter": "violating P_29"})
            assert not app.info
        for text in markdown_of(app):
            without_escaped = re.sub(r"\\.", "", text)
            for sign in ("<script", "<img", "](javascript", "\\href", ":red[", "outside.invalid", "\u202e", "{{"):
                assert sign not in without_escaped, (script, text)
            seen += any(plain(name) in text for name in hostile.NAMES)
    assert seen > len(hostile.NAMES)


def test_names_of_our_own_widgets_and_columns_are_harmless() -> None:
    names = ["size", "reasons", "filter", "order", "sizes", "table", "by position", "size.t", "limit", "reach", "k"]
    content = csv(names, *([f"{name}{record // 2 % 3}" for name in names] for record in range(12)))
    state = loaded(content, content, **dict.fromkeys(names, "quasi-identifier"))
    state.parameters = state.parameters.with_settings({"attack.known": ("k", "limit")})
    app = opened(state)
    for script in SCRIPTS:
        go(app, script)
    tag(go(app, "data"), dict.fromkeys(("filter", "sizes", "size", "limit"), "sensitive"))
    for script in ("scorecard", "t_closeness", "report", "classes"):
        go(app, script)
    for by in ("size", "size.t", "sizes.t"):
        choose(app, "class_order", by)


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
