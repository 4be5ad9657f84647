"""What must hold of any formula and sentence, whatever cells a table has."""

import re
import unicodedata

from metrics.explanations.workings import Working

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
