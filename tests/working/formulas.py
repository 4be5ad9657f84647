"""What must hold of any derivation, its formulas and its sentences, whatever cells a table has."""

import re
import unicodedata
from collections.abc import Iterator

import pytest

from metrics import Scorecard
from metrics.errors import Unavailable
from metrics.scoring.working import (
    Subject,
    Working,
    subject_columns,
    subject_count,
    working,
)
from tests.working.own_figures import assert_own_figures, close

_TEXT = re.compile(r"\\text\{((?:\\[{}$%&#_]|\\text\w+\{\}|\{-\}|[^\\{}])*)\}")
_COMMANDS = {
    "Bigl", "Bigr", "bigl", "bigr", "Bigl\\lfloor", "alpha", "approx", "bar", "begin", "beta", "cdot", "delta", "chi",
    "Delta", "dots", "end", "eta", "frac", "ge", "infty", "le", "left", "lfloor", "ln", "log", "mathit", "mathrm",
    "max", "min", "overline", "prod", "qquad", "quad", "rfloor", "right", "sqrt", "sum", "tfrac", "theta", "Gamma",
    "times",
}  # fmt: skip


def unescaped(formula: str) -> str:
    """What is left of a formula without its texts: only our own commands and numbers."""
    return _TEXT.sub("", formula)


def assert_safe(formula: str) -> None:
    """Braces match, and no sign of a cell takes effect."""
    assert not any(unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") for character in formula)
    bare = unescaped(formula)
    assert set(re.findall(r"\\([A-Za-z]+)", bare)) <= _COMMANDS, formula
    assert not re.search(r"[$%#~]", bare), formula
    depth = 0
    for sign in re.sub(r"\\[{}]", "", bare):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0, formula
    assert depth == 0, formula
    assert formula.count(r"\begin{aligned}") == formula.count(r"\end{aligned}") <= 1


def assert_sound(made: Working) -> None:
    """Every step says something, safely."""
    for step in made.steps:
        assert step.title
        assert step.sentence.endswith("."), step.sentence
        assert step.formula is not None or step.table is not None
        if step.formula is not None:
            assert_safe(step.formula)
        if step.table is not None:
            assert all(len(row) == len(step.table.columns) for row in step.table.rows)
            for cells in zip(*step.table.rows, strict=True):
                assert len({type(cell) for cell in cells}) == 1, step.table.columns


def subjects(card: Scorecard, metric_id: str) -> Iterator[Subject]:
    for index in range(subject_count(card, metric_id)):
        for column in subject_columns(card, metric_id):
            yield Subject(index, column)


def assert_derives(card: Scorecard, metric_id: str) -> None:
    """All workings of a metric end in its figure; where it has none, they say why."""
    if card[metric_id].result is None:
        with pytest.raises(Unavailable) as caught:
            working(card, metric_id)
        assert str(caught.value) == card[metric_id].unavailable
        return
    every = list(subjects(card, metric_id))
    assert every
    for subject in [None, *every]:
        made = working(card, metric_id, subject)
        assert close(made.result, card[metric_id].value), (metric_id, subject)
        assert made.metric_id == metric_id
        assert_sound(made)
    for subject in every:
        assert_own_figure(card, metric_id, subject, working(card, metric_id, subject))


def assert_own_figure(card: Scorecard, metric_id: str, subject: Subject, made: Working) -> None:
    """What the steps find for the subject alone is what the metric's result holds for it."""
    result = card[metric_id].result
    if metric_id == "k_anonymity":
        assert made.steps[0].number == card.aggregates.classes.sizes[subject.index]
    elif metric_id == "population_uniqueness":
        assert close(made.steps[1].number, result.sample.fraction)
        assert close(made.steps[-2 if result.chosen else -1].number, result.uniques)
    else:
        assert_own_figures(metric_id, result, subject.index, subject.column, made)
