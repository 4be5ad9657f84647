"""The sentences of texts.toml: each is used, and each use gives it what it needs."""

import ast
import inspect
import re
from functools import cache
from pathlib import Path

import pytest

from dashboard.environment import ROOT
from metrics import METRICS, Parameters
from metrics.policy.limitable_measures import LIMITABLE_MEASURES
from metrics.scoring.catalog import BY_ID
from metrics.texts import TEMPLATES, placeholders, text
from metrics.working import two_step_measures

DESCRIPTIONS = {f"{metric.id}.{name}" for metric in METRICS for name in ("title", "unit", "meaning", "good")}
DESCRIPTIONS |= {f"{name}.{part}" for name in {*LIMITABLE_MEASURES} - {*BY_ID} for part in ("title", "short")}
SETTINGS = {f"{group}.settings.{name}" for group, values in Parameters().to_dict().items() for name in values}
LABELS = {f"{setting}.label" for setting in SETTINGS}
TWO_STEPS = {
    f"{metric_id}.working.{name}"
    for metric_id in re.findall(r'_two_steps\(\s*"(\w+)"', inspect.getsource(two_step_measures))
    for name in ("table_step_title", "table_step", "table_step_columns", "formula_step_title", "formula_step")
}
SAMPLES = {"": 8274.5, "name": "age", "names": ["age", "sex", "zip", "job", "job2"], "names or": ["age", "sex"]}


def called(node: ast.AST) -> str | None:
    """The name of the function that a node calls."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None


@cache
def uses() -> list[tuple[str, str, set[str]]]:
    """Every call that takes a text: where it is, the template it names, and the names it gives values for."""
    found = []
    for folder in ("metrics", "dashboard", "pages"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            source = file.read_text(encoding="utf-8")
            if not re.search("from metrics.texts import|import .*step_of|    step_of,", source):
                continue
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.Call) and called(node) in ("text", "step_of"):
                    path = node.args[0]
                    assert isinstance(path, ast.Constant), f"{file}:{node.lineno} does not name its template"
                    assert path.value in TEMPLATES, f"{file}:{node.lineno} names no template of texts.toml"
                    where, given = f"{file.relative_to(ROOT)}:{node.lineno}", {str(k.arg) for k in node.keywords}
                    if called(node) == "step_of":
                        found.append((where, f"{path.value}_title", set()))
                        found += [(where, f"{path.value}_columns", set())] if "rows" in given else []
                        given -= {"rows", "table", "number"}
                    found.append((where, path.value, given))
    return found


def test_every_use_gives_a_value_for_each_placeholder_and_no_other() -> None:
    wrong = {where: path for where, path, given in uses() if given != set(placeholders(path))}
    assert wrong == {}


def test_every_template_is_used() -> None:
    optional = {
        f"{metric.id}.{name}"
        for metric in METRICS
        for name in ("short", "needs", "notes", "of_attribute", "known_quantity.title")
    }
    optional |= {f"{setting}.meaning" for setting in SETTINGS}
    assert set(TEMPLATES) - optional == {path for _, path, _ in uses()} | DESCRIPTIONS | LABELS | TWO_STEPS


def test_texts_named_by_their_metric_are_complete_without_a_figure() -> None:
    assert [path for path in TWO_STEPS if placeholders(path) or "{" in TEMPLATES[path]] == []


def written(node: ast.AST) -> str:
    """The text of a literal, with … for what it fills in; empty for a LaTeX formula and for all else."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node] if isinstance(node, ast.Constant) else []
    found = "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in parts)
    return "" if "\\" in found else found


WITHOUT_SENTENCES = [
    file
    for part in (
        "candidates/compare/*.py",
        "candidates/limits/of_classes.py",
        "candidates/limits/of_nodes.py",
        "candidates/repair/*.py",
        "explanations/**/*.py",
        "policy/policy.py",
        "report/svg.py",
    )
    for file in sorted((ROOT / "metrics").glob(part))
    # Their axes and column headings are written where they are drawn.
    if file.name not in ("class_map.py", "example.py", "loss_tables.py", "parallel_chart.py", "trade_off_chart.py")
]


@pytest.mark.parametrize("file", WITHOUT_SENTENCES, ids=lambda file: file.stem)
def test_no_working_or_decision_holds_a_sentence_of_its_own(file: Path) -> None:
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    steps = [node for node in nodes if isinstance(node, ast.Call) and called(node) == "Step"]
    assert [written(message) for step in steps for message in step.args[:2] if written(message)] == []
    # Docstrings, errors that only a programmer sees, and messages about what a user wrote.
    errors = ("IndexError", "InputError", "KeyError")
    unseen = [node for node in nodes if isinstance(node, ast.Expr) or called(node) in errors]
    left_out = {part for node in unseen for part in ast.walk(node)}
    word_counts = {
        written(node): len(re.findall(r"(?<!\S)[^\W\d_]+(?!\w)", written(node))) for node in {*nodes} - left_out
    }
    assert [one for one, words in word_counts.items() if words >= 4] == []


def filled(path: str, number: int, figure: float) -> str:
    """A template with a value for each placeholder."""
    values: dict[str, object] = {}
    for name, formats in placeholders(path).items():
        plural = any("|" in one for one in formats)
        known = [SAMPLES[one] for one in formats if one in SAMPLES and not plural]
        values[name] = number if plural else known[0] if known else figure
    return text(path, **values)


@pytest.mark.parametrize(("number", "figure"), [(1, 0.04131), (2218, 0.04131), (2218, 2e-5), (2218, 1_234_567.8)])
def test_every_template_can_be_filled(number: int, figure: float) -> None:
    texts = {path: filled(path, number, figure) for path in TEMPLATES}
    odd = {path: one for path, one in texts.items() if not one or re.search(r"\{|  |e[+-]\d", one)}
    assert odd == {}


# A noun that follows its number, then a verb in the plural.
FIXED_PLURAL = re.compile(r"\{[^{}]*\|[^{}]*\}( [a-z]+){0,2} (are|have|were|do|meet|fail|make|remain|contain|differ)\b")


def test_no_verb_is_plural_whatever_its_number() -> None:
    assert [path for path, template in TEMPLATES.items() if FIXED_PLURAL.search(template)] == []


def test_nouns_and_verbs_agree_with_their_number() -> None:
    one, many = (text("k_anonymity.weakness", unique=number, share=0.1) for number in (1, 2218))
    assert one.startswith("1 record (10%) is unique")
    assert many.startswith("2,218 records (10%) are unique")
