"""The browser of classes in a notebook: what it refuses, lists and shows as text."""

import sys

import pytest

import metrics
from metrics.errors import InputError
from tests.notebook.widgets import ROLES, widgets_of


def test_without_the_extra_one_sentence_names_it(card: metrics.Scorecard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    with pytest.raises(InputError, match=r"run pip install 'quasi\[notebook\]'"):
        metrics.classes_browser(card)


def test_a_table_without_classes_is_refused() -> None:
    import pandas as pd

    empty = metrics.score(pd.DataFrame({"age": ["*"], "illness": ["a"]}), ROLES)
    with pytest.raises(InputError, match="no equivalence class"):
        metrics.classes_browser(empty)


def test_values_of_the_table_are_text(card: metrics.Scorecard) -> None:
    import pandas as pd

    hostile = pd.DataFrame({"age": ["<img src=x onerror=alert(1)>"] * 3, "illness": ["<b>a</b>"] * 3})
    browser = metrics.classes_browser(metrics.score(hostile, ROLES))
    said = "".join(part.value for part in widgets_of(browser, "HTML"))
    assert "&lt;img src=x" in said
    assert "<img" not in said


def test_where_no_class_fails_a_limit_all_are_listed() -> None:
    import pandas as pd

    fine = pd.DataFrame({"age": ["30-39"] * 6 + ["40-49"] * 6, "illness": ["a", "b"] * 6})
    (listed,) = widgets_of(metrics.classes_browser(metrics.score(fine, ROLES)), "Select")
    assert [label.rpartition("age = ")[2] for label, _ in listed.options] == ["30-39", "40-49"]
