"""The worked examples on their page: figures, edits, broken edits, reset."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.environment import ROOT
from dashboard.text import plain
from metrics.explanations.example import Example
from metrics.explanations.examples import EXAMPLES, NOTEBOOK
from tests.dashboard.application import LIGHT, choose, choose_all, go, loaded, metric, opened, press, sound

ENTROPY, AMBIGUITY, CLOSENESS, PROFIT, LEARNING, JOINT = EXAMPLES
examples = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.id)


def learn(example: Example) -> AppTest:
    """The page alone, on an example."""
    app = sound(AppTest.from_file(ROOT / "pages" / "learn" / "page.py", default_timeout=60).run())
    return app if example is ENTROPY else choose(app, "example", example.id)


def edit(
    app: AppTest, example: Example, cells: dict[int, dict[str, Any]], sheet: str = "table", **more: Any
) -> AppTest:
    """Change cells of a table, by row from 0 and heading, as the editor in the browser reports it."""
    state = {"edited_rows": cells, "added_rows": [], "deleted_rows": [], **more}
    app.session_state[f"learn_{example.id}_{generation(app, example)}_{sheet}"] = state
    return sound(app.run())


def generation(app: AppTest, example: Example) -> int:
    return int(app.session_state[f"learn_edits_{example.id}"].generation)


def figure(app: AppTest, name: str) -> str:
    return metric(app, plain(name))


@examples
def test_an_example_opens_without_data_and_shows_its_figures(example: Example) -> None:
    app = learn(example)
    assert not app.warning
    for name, expected in example.expected.items():
        shown = figure(app, example.chart_title(name))
        assert shown == (
            ("yes" if expected else "no") if isinstance(expected, bool) else f"{expected:,.4f}".rstrip("0").rstrip(".")
        )
    assert all(card.delta == "" for card in app.metric)
    assert app.latex
    assert app.markdown[1].value == plain(example.story)
    assert plain(example.trials[0].say) in app.markdown[2].value


def test_randomized_response_is_asked_again_and_estimated() -> None:
    app = choose(learn(ENTROPY), "example", "randomized-response")
    assert not app.exception
    assert figure(app, "True answers published") == "73.1%"
    assert r"p = 0.1252 \; (d = 20)" in app.latex[1].value
    before = figure(app, "Estimated “yes”")
    press(app, "learn_randomized_again")
    assert figure(app, "Estimated “yes”") != before
    choose(app, "learn_randomized_epsilon", 6.0)
    choose(app, "learn_randomized_people", 10_000)
    assert 38 < float(figure(app, "Estimated “yes”").removesuffix("%")) < 42


def test_an_edit_moves_the_figure_and_its_working() -> None:
    app = learn(ENTROPY)
    edit(app, ENTROPY, {1: {"Year of birth": "1975", "Published as": "197*"}})
    assert figure(app, "Information kept") == "0.5"
    assert app.metric[0].delta == "+0.0944"
    assert r"1 - \frac{4}{8}" in app.latex[-1].value
    edit(app, ENTROPY, {i: {"Published as": "*"} for i in range(4)})
    assert figure(app, "Information kept") == "0"


def test_the_working_follows_the_record_that_is_picked() -> None:
    app = learn(ENTROPY)
    assert r"\frac{1}{3}" in app.latex[0].value
    choose(app, "learn_0_non_uniform_entropy_number", 1)
    assert app.latex[0].value.split("$$")[1].strip() == r"-\log_2 1 = 0"
    assert any("In record 1, 1970 became" in text.value for text in app.markdown)


def test_class_and_column_can_be_picked() -> None:
    app = learn(CLOSENESS)
    choose(app, "learn_0_t_closeness_class", 1)
    choose(app, "learn_0_t_closeness_column", "Disease")
    assert any(r"\frac{1}{10} = 0.1" in formula.value for formula in app.latex)


def test_an_invalid_cell_is_reported_in_one_sentence_without_its_value() -> None:
    app = learn(CLOSENESS)
    for blank in (None, "", "  "):
        edit(app, CLOSENESS, {2: {"Disease": blank}})
        assert [warning.value for warning in app.warning] == [
            plain('column "Disease": record 3 has a blank cell; fill it in.')
        ]
        assert not app.metric
        assert not app.latex
    edit(app, CLOSENESS, {0: {"Salary": "3k"}})
    (warning,) = app.warning
    assert "record 1 does not contain a number" in warning.value
    assert "3k" not in warning.value
    edit(app, CLOSENESS, {})
    assert figure(app, "Salary, 197*") == "0.375"
    edit(app, CLOSENESS, {0: {"Disease": "measles"}})
    assert [warning.value for warning in app.warning] == [
        plain('Not all values of "Disease" are leaves of its hierarchy; add them, or choose another distance') + "."
    ]
    edit(app, CLOSENESS, {}, "Disease", added_rows=[{"Value": "measles", "Level 1": "rash", "Level 2": "disease"}])
    assert not app.warning
    assert figure(app, "Salary, 197*") == "0.375"


def test_a_broken_hierarchy_is_reported_in_one_sentence() -> None:
    app = edit(learn(CLOSENESS), CLOSENESS, {0: {"Level 2": "other"}}, "Disease")
    assert not app.warning
    edit(app, CLOSENESS, {0: {"Level 1": "stomach disease", "Level 2": "other"}}, "Disease")
    (warning,) = app.warning
    assert "has a different parent" in warning.value
    edit(app, CLOSENESS, {}, "Disease", deleted_rows=[0, 1, 2])
    (warning,) = app.warning
    assert "hierarchy is empty" in warning.value


def test_records_can_be_added_and_deleted() -> None:
    app = edit(learn(PROFIT), PROFIT, {}, deleted_rows=[0, 1, 2])
    (warning,) = app.warning
    assert "the table has no record" in warning.value
    edit(app, PROFIT, {}, added_rows=[{"Born": "197*"}])
    assert figure(app, "Publisher's payout") == "4,200"


def test_parameters_move_the_figures() -> None:
    app = choose(learn(PROFIT), "learn_profitability_0_allow_attack", False)
    assert (figure(app, "Profitability"), app.metric[0].delta) == ("no", "was yes")
    choose(app, "learn_profitability_0_publisher_benefit", 300.0)
    assert figure(app, "Publisher's payout") == "300"


def test_weights_are_scaled_to_the_sum_1() -> None:
    app = learn(JOINT)
    weights = [f"learn_p29_0_{name}" for name in ("w_k", "w_l", "w_t")]
    choose_all(app, dict(zip(weights, (0.0, 1.0, 0.0), strict=True)))
    assert figure(app, "P_29") == "0.9728"
    choose(app, weights[0], 1.0)
    assert any("0.5, 0.5, 0" in caption.value.replace("\\", "") for caption in app.caption)
    choose_all(app, dict.fromkeys(weights, 0.0))
    (warning,) = app.warning
    assert "sum 1" in warning.value


def test_the_figures_of_the_notebook_can_be_moved() -> None:
    app = learn(JOINT)
    assert metric(app, "P_29 of the notebook") == f"{NOTEBOOK.expected:.6f}" == "0.805781"
    choose(app, "learn_notebook_0_k", 1)
    assert metric(app, "P_29 of the notebook") == "0.000000"
    press(app, "learn_reset_notebook")
    assert metric(app, "P_29 of the notebook") == "0.805781"


def test_reset_puts_cells_and_parameters_back() -> None:
    app = edit(learn(PROFIT), PROFIT, {0: {"Born": "198*"}})
    choose(app, "learn_profitability_0_publisher_benefit", 300.0)
    press(app, "learn_reset_profitability")
    for name, expected in PROFIT.expected.items():
        shown = figure(app, PROFIT.chart_title(name))
        assert shown == (("yes" if expected else "no") if isinstance(expected, bool) else f"{expected:,}")
    edit(app, PROFIT, {0: {"Born": "198*"}})
    assert figure(app, "Publisher's payout") == "3,300"


def test_edits_survive_page_switches_until_all_is_forgotten() -> None:
    app = edit(opened(loaded(None, LIGHT), "learn"), ENTROPY, {3: {"Published as": "1988"}})
    assert figure(app, "Information kept") == "0.75"
    choose(app, "example", "ambiguity")
    choose(app, "example", "entropy")
    assert figure(app, "Information kept") == "0.75"
    go(go(app, "data"), "learn")
    assert figure(app, "Information kept") == "0.75"
    edit(app, ENTROPY, {1: {"Published as": "1981"}})
    assert figure(app, "Information kept") == "1"
    choose(app, "example", "ambiguity")
    press(go(app, "data"), "forget_data")
    go(app, "learn")
    assert figure(app, "Information kept") == "0.4056"


def test_markup_in_an_edited_cell_is_shown_as_plain_text() -> None:
    nasty = "[x](javascript:x) $x^2$ :red[y] <b>"
    app = edit(learn(CLOSENESS), CLOSENESS, {0: {"Born": nasty}, 1: {"Born": nasty}})
    assert figure(app, f"Salary, {nasty}") == "0.375"
    choose(app, "learn_0_t_closeness_class", 1)
    assert any(plain(nasty) in text.value for text in app.markdown)
