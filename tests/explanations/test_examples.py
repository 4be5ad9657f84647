"""The worked examples: their figures come out, and so does what each suggestion promises."""

from typing import Any

import pytest

from metrics import InputError, Parameters
from metrics.config.parameters import P29Parameters
from metrics.explanations.example import Example, Trial
from metrics.explanations.examples import EXAMPLES, NOTEBOOK
from metrics.scoring.catalog import BY_ID
from metrics.scoring.working import Subject, score_step, subject_columns, subject_count, working
from tests.working.formulas import assert_sound

examples = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.id)
trials = pytest.mark.parametrize(
    ("example", "trial"),
    [
        pytest.param(example, trial, id=f"{example.id}-{number}")
        for example in EXAMPLES
        for number, trial in enumerate(example.trials, 1)
    ],
)


def with_cell(example: Example, record: int, heading: str, cell: str) -> list[list[str]]:
    rows = [list(row) for row in example.rows]
    rows[record - 1][example.headings.index(heading)] = cell
    return rows


def assert_figures(found: Any, wanted: Any) -> None:
    for name, figure in wanted.items():
        if isinstance(figure, bool):
            assert found[name] is figure, name
        else:
            assert found[name] == pytest.approx(figure, abs=1e-7), name


@examples
def test_the_expected_figures_come_out(example: Example) -> None:
    card = example.card()
    found = example.figures(card)
    assert list(found) == list(example.expected)
    assert_figures(found, example.expected)


@trials
def test_each_suggested_edit_has_the_effect_it_describes(example: Example, trial: Trial) -> None:
    rows = [list(row) for row in example.rows]
    for (record, heading), cell in trial.cells.items():
        rows[record - 1][example.headings.index(heading)] = cell
    assert rows != [list(row) for row in example.rows] or trial.settings
    card = example.card(rows, settings=trial.settings)
    assert_figures(example.figures(card), trial.figures)


@examples
def test_every_example_has_its_working(example: Example) -> None:
    assert example.metric_id in BY_ID
    card = example.card()
    for index in range(subject_count(card, example.metric_id)):
        for column in subject_columns(card, example.metric_id):
            made = working(card, example.metric_id, Subject(index, column))
            assert made.result == pytest.approx(card[example.metric_id].value, abs=1e-12)
            assert_sound(made)


@examples
def test_parameters_are_settings_of_the_metric(example: Example) -> None:
    card = example.card()
    for setting, largest in example.parameters.items():
        group, _, name = setting.partition(".")
        assert group == example.metric_id
        value = getattr(getattr(card.parameters, group), name)
        assert largest is None or 0 <= value <= largest
    assert Parameters().with_settings(example.settings) == card.parameters


@examples
def test_a_blank_cell_is_reported_in_one_sentence(example: Example) -> None:
    for heading in example.headings:
        with pytest.raises(InputError, match="record 2 has a blank cell") as caught:
            example.card(with_cell(example, 2, heading, " "))
        assert caught.value.column == heading
    with pytest.raises(InputError, match="no record"):
        example.card([])


def test_a_salary_without_digits_is_reported_without_repeating_it() -> None:
    example = next(example for example in EXAMPLES if example.id == "t-closeness")
    with pytest.raises(InputError, match='column "Salary": record 3 does not contain a number') as caught:
        example.card(with_cell(example, 3, "Salary", "a lot"))
    assert "a lot" not in str(caught.value)


def test_a_broken_hierarchy_is_reported() -> None:
    example = next(example for example in EXAMPLES if example.id == "t-closeness")
    levels = [list(row) for row in example.hierarchies["Disease"]]
    with pytest.raises(InputError, match="row 3 of its hierarchy has a blank cell"):
        example.card(hierarchies={"Disease": [*levels[:2], ["gastritis", "", "disease"]]})
    with pytest.raises(InputError, match="the hierarchy is empty"):
        example.card(hierarchies={"Disease": []})
    card = example.card(hierarchies={"Disease": levels[:2]})
    assert "hierarchy" in (card["t_closeness"].unavailable or "")
    assert example.figures(card) == {}


def test_the_example_gives_the_p29_of_the_notebook() -> None:
    conditions = dict.fromkeys("klt", True)
    step = score_step(NOTEBOOK.k_min, NOTEBOOK.Nl, NOTEBOOK.Nt, P29Parameters(), conditions)
    assert step.number == pytest.approx(NOTEBOOK.expected, abs=1e-15)
    assert step.formula is not None
    assert "0.646885" in step.formula
    assert "0.269914" in step.formula
    assert r"\approx 0.805781" in step.formula
