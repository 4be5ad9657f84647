"""Docstrings of what `import metrics` exports: in NumPy's form, with an entry for every parameter, field and result."""

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from enum import Enum
from pkgutil import resolve_name
from typing import Any

import pytest

import metrics
from dashboard.environment import ROOT
from metrics.tables.matching_rule import MatchingRule

_SECTION = re.compile(r"^(\w+)\n-{3,}\n(.*?)(?=^\w+\n-{3,}\n|\Z)", re.MULTILINE | re.DOTALL)


def of_the_reference() -> Iterator[Any]:
    """What the API reference shows: members by their names, and of modules what they define or export."""
    pages = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").glob("api*.md")))
    for name in dict.fromkeys(re.findall(r"^::: (\S+)$", pages, re.MULTILINE)):
        found = resolve_name(name)
        if not inspect.ismodule(found):
            yield found
            continue
        own = [key for key, one in vars(found).items() if getattr(one, "__module__", None) == name and key[0] != "_"]
        yield from (getattr(found, key) for key in getattr(found, "__all__", own))


_EXPORTED = [getattr(metrics, name) for name in metrics.__all__]
CLASSES = {
    one.__qualname__: one for one in (*_EXPORTED, MatchingRule) if inspect.isclass(one) and not issubclass(one, Enum)
}
METHODS = [
    method
    for kind in CLASSES.values()
    for name in vars(kind)
    if name[0] != "_" and name not in inspect.get_annotations(kind)
    if inspect.isfunction(method := getattr(kind, name)) or inspect.ismethod(method)
]
FUNCTIONS = {one.__qualname__: one for one in _EXPORTED if inspect.isfunction(one)}
FUNCTIONS |= {one.__qualname__: one for one in METHODS if set(inspect.signature(one).parameters) - {"self"}}


def sections(documented: Any) -> dict[str, str]:
    """The sections of a docstring, by title."""
    text = inspect.getdoc(documented) or ""
    assert all(set(line) == {"-"} for line in text.splitlines() if "----" in line)
    return dict(_SECTION.findall(text))


def entries(section: str) -> list[str]:
    """The names in a section of parameters or attributes."""
    heads = [line.partition(" : ")[0] for line in section.splitlines() if line and not line[0].isspace()]
    return [name.lstrip("*") for head in heads for name in head.split(", ")]


def test_the_checker_reads_the_sections_of_a_docstring() -> None:
    def documented(first: int, *others: int) -> None:
        """Do something.

        Parameters
        ----------
        first, second : int
            Text: with a colon.
        *others
            More.

        Returns
        -------
        int
        """

    found = sections(documented)
    assert entries(found["Parameters"]) == ["first", "second", "others"]
    assert set(found) == {"Parameters", "Returns"}


def test_everything_in_the_reference_says_what_it_is() -> None:
    named = [one for one in of_the_reference() if inspect.isfunction(one) or inspect.isclass(one)]
    assert len(named) > len(_EXPORTED) / 2
    assert [one for one in named if not inspect.getdoc(one)] == []


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=list(FUNCTIONS))
def test_every_public_function_and_method_documents_its_parameters_and_result(function: Callable[..., Any]) -> None:
    found, signature = sections(function), inspect.signature(function)
    assert sorted(entries(found.get("Parameters", ""))) == sorted(set(signature.parameters) - {"self"})
    assert signature.return_annotation == "None" or {"Returns", "Yields"} & set(found)


def test_every_section_of_parameters_names_those_of_its_function() -> None:
    different = {}
    for file in (ROOT / "metrics").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                section = dict(_SECTION.findall(ast.get_docstring(node) or "")).get("Parameters")
                names = {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)} - {"self", "cls"}
                if section is not None and set(entries(section)) != names:
                    different[f"{file.relative_to(ROOT)}:{node.lineno}"] = names.symmetric_difference(entries(section))
    assert different == {}


@pytest.mark.parametrize("kind", CLASSES.values(), ids=list(CLASSES))
def test_every_public_class_documents_its_fields(kind: type) -> None:
    found = sections(kind)
    documented = entries(found.get("Parameters", "")) + entries(found.get("Attributes", ""))
    has_fields = "__init__" in vars(kind) and not getattr(kind, "_is_protocol", False)
    assert sorted(documented) == (sorted(inspect.signature(kind).parameters) if has_fields else [])
