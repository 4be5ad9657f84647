"""The working of a metric as a page shows it: closed it costs nothing, open it follows what is picked."""

from streamlit.testing.v1 import AppTest

from tests.dashboard.application import sound

SCRIPT = """
import streamlit as st
from dashboard.components import working as module
from metrics import Roles, score
from tests.support.small_tables import table

rows = st.session_state.get("rows", 300)
ages = [str(record % (rows // 2)) for record in range(rows)]
cells = {"age": ages, "s": [str(record % 7) for record in range(rows)], "S": ["a", "b"] * (rows // 2)}
roles = Roles(quasi_identifiers=["age"], sensitive=st.session_state.get("sensitive", ["s", "S"]))
card = score(table(cells), roles)
derived = st.session_state.setdefault("derived", [])
module.working = lambda *arguments: derived.append(arguments) or original(*arguments)
for metric_id in ("k_anonymity", "t_closeness", "ambiguity"):
    module.show_working(card, metric_id)
"""
SCRIPT = SCRIPT.replace(
    "from metrics import", "from metrics.scoring.working import working as original\nfrom metrics import"
)


def page(**state: object) -> AppTest:
    app = AppTest.from_string(SCRIPT, default_timeout=60)
    for key, value in state.items():
        app.session_state[key] = value
    return sound(app.run())


def test_a_closed_working_derives_nothing() -> None:
    app = page()
    assert [box.label for box in app.expander] == ["Show the working"] * 3
    assert not app.latex
    assert app.session_state["derived"] == []


def test_an_open_working_shows_its_steps() -> None:
    app = page(working_k_anonymity=True)
    assert len(app.session_state["derived"]) == 1
    assert [text.value.split("**")[1] for text in app.markdown] == [
        r"1\. Form the equivalence classes",
        r"2\. The smallest class decides",
    ]
    assert len(app.latex) == 2


def test_any_class_can_be_picked_from_the_list_or_by_number() -> None:
    app = page(rows=600, working_t_closeness=True)
    picker = app.get_by_key("working_t_closeness_class")
    assert len(picker.options) == 201
    assert picker.options[0] == "age = 0 (2 records)"
    sound(picker.set_value(7).run())
    assert any("age \\= 7" in text.value for text in app.markdown)
    sound(app.get_by_key("working_t_closeness_class").set_value(-1).run())
    sound(app.get_by_key("working_t_closeness_number").set_value(300).run())
    assert any("age \\= 299" in text.value for text in app.markdown)
    app.session_state["rows"] = 500
    sound(app.run())
    assert not any("age \\= 299" in text.value for text in app.markdown)
    assert app.get_by_key("working_t_closeness_number").value <= 250
    app.session_state["rows"] = 10
    sound(app.run())
    assert len(app.get_by_key("working_t_closeness_class").options) == 5


def test_the_column_can_be_picked() -> None:
    app = page(working_t_closeness=True)
    sound(app.get_by_key("working_t_closeness_column").set_value("S").run())
    assert any("values of S in" in text.value for text in app.markdown)
    app.session_state["sensitive"] = ["s"]
    sound(app.run())
    assert any("values of s in" in text.value for text in app.markdown)


def test_a_metric_without_a_figure_says_why() -> None:
    app = page(working_ambiguity=True, working_t_closeness=True, sensitive=[])
    assert [caption.value for caption in app.caption] == [
        "There is no value to derive: no column is tagged as sensitive.",
        'There is no value to derive: "age" has no hierarchy, and without the original its domain is unknown.',
    ]
