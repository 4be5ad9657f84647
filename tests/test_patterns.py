"""No pattern of ours backtracks more than linearly: a cell or a name can be as long as a file."""

import ast
import importlib
import re
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import FrameType
from typing import Any

import pytest

from dashboard.environment import ROOT

PACKAGES = ("metrics", "dashboard")
LENGTH = 8_000
METHODS = ("search", "match", "fullmatch", "findall", "finditer", "split", "sub", "subn")
COMMON = "aA0 _-.,\n\"'*é"


@dataclass(frozen=True)
class Used:
    """A pattern and the methods it is called with."""

    place: str
    pattern: re.Pattern[str]
    methods: tuple[str, ...]


def sources() -> Iterator[tuple[str, str]]:
    """Every module's name with its source."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            place = path.relative_to(ROOT).with_suffix("")
            if path.name != "__main__.py" and place.name != "app":
                yield ".".join(place.parts).removesuffix(".__init__"), path.read_text(encoding="utf-8")


def patterns_in(value: object) -> Iterator[re.Pattern[str]]:
    """Compiled patterns of text in an object, or in the collections it consists of."""
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif isinstance(value, dict):
        yield from patterns_in(tuple(value.values()))
    elif isinstance(value, list | tuple | set | frozenset):
        for one in value:
            yield from patterns_in(one)


def used_methods(tree: ast.Module) -> dict[str, set[str]]:
    """The methods of patterns that a module names, by the object's name."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in METHODS and isinstance(node.value, ast.Name):
            found.setdefault(node.value.id, set()).add(node.attr)
    return found


def called_directly(name: str, tree: ast.Module) -> Iterator[Used]:
    """Patterns given as text to `re.search` and its like, or compiled, within functions."""
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        for node in ast.walk(function):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="re"), attr=method), args=[ast.Constant(value=str(text)), *_]
                ) if method in (*METHODS, "compile"):
                    methods = ("fullmatch", "search") if method == "compile" else (method,)
                    yield Used(f"{name}:{node.lineno}", re.compile(text), methods)


def all_patterns() -> list[Used]:
    """Every compiled pattern of the packages."""
    found = []
    for name, source in sources():
        patterns = [
            (key, one) for key, value in vars(importlib.import_module(name)).items() for one in patterns_in(value)
        ]
        if patterns or "import re\n" in source:
            tree = ast.parse(source)
            methods = used_methods(tree)
            for key, pattern in patterns:
                called = methods.get(key) or {"fullmatch", "search"}
                found.append(Used(f"{name}.{key}", pattern, tuple(sorted(called))))
            found += called_directly(name, tree)
    return found


def least(tree: Any) -> str:
    """A short text that a parsed pattern matches, as far as that is easily told."""
    return "".join(_least_of(str(kind), value) for kind, value in tree)


def _least_of(kind: str, value: Any) -> str:
    if kind == "LITERAL":
        return chr(value)
    if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return least(value[2]) * max(value[0], 1)
    if kind == "SUBPATTERN":
        return least(value[-1])
    if kind == "BRANCH":
        return least(value[1][0])
    if kind == "IN":
        first, what = str(value[0][0]), value[0][1]
        if first == "CATEGORY":
            return {"CATEGORY_DIGIT": "0", "CATEGORY_SPACE": " "}.get(str(what), "a")
        return {"LITERAL": lambda: chr(what), "RANGE": lambda: chr(what[0])}.get(first, lambda: "x")()
    return "x" if kind in ("ANY", "NOT_LITERAL") else ""


def beginnings(tree: Any) -> Iterator[str]:
    """What leads a pattern to each of its repeated parts."""
    for place, (kind, value) in enumerate(tree):
        before = least(tree[:place])
        if str(kind).endswith("_REPEAT"):
            yield before
        if str(kind) == "SUBPATTERN":
            yield from (before + one for one in beginnings(value[-1]))
        elif str(kind).endswith("_REPEAT"):
            yield from (before + one for one in beginnings(value[2]))
        elif str(kind) == "BRANCH":
            yield from (before + one for branch in value[1] for one in beginnings(branch))


def adversarial(pattern: re.Pattern[str]) -> Iterator[str]:
    """Long runs of each character and of each part, after each beginning, before an end that fits nothing."""
    tree = re._parser.parse(pattern.pattern, pattern.flags)  # type: ignore[attr-defined]
    starts = sorted(set(beginnings(tree)) | {""})
    letters = sorted({*COMMON, *(one for one in "".join(starts) if not one.isalnum())})
    for start in starts:
        for letter in letters:
            yield start + letter * LENGTH + "\x00"
        if start:
            yield start * (LENGTH // len(start)) + "\x00"


@cache
def limit_s() -> float:
    """Processor time for a text of that length: a third of what quadratic work takes on this machine.

    Linear work takes a hundredth of that.
    """
    begun = time.process_time()
    re.search(r"\w+,", "a" * LENGTH)
    return (time.process_time() - begun) / 3


def too_slow(pattern: re.Pattern[str], method: str, text: str) -> bool:
    """Whether a pattern takes more than its share of processor time."""

    def stop(_: int, __: FrameType | None) -> None:
        raise TimeoutError

    allowed = limit_s()
    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, allowed)
    try:
        found = getattr(pattern, method)(*(("", text) if method.startswith("sub") else (text,)))
        if method == "finditer":
            for _ in found:
                pass
    except TimeoutError:
        return True
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return False


def slow_places(used: Used) -> list[str]:
    """The first text of a pattern that is too slow, if there is one, as its place and beginning."""
    for text in adversarial(used.pattern):
        for method in used.methods:
            if too_slow(used.pattern, method, text):
                return [f"{used.place}.{method} on {text[:40]!r}…"]
    return []


def test_no_pattern_backtracks_more_than_linearly() -> None:
    found = all_patterns()
    assert len(found) > 20
    assert [line for used in found for line in slow_places(used)] == []


@pytest.mark.parametrize(
    ("pattern", "method"),
    [(r"[^\d]*[^\d]*\d", "fullmatch"), (r"\w+,", "search"), (r"(a+)+b", "fullmatch"), (r"level *( *)x", "match")],
)
def test_a_pattern_that_backtracks_is_found(pattern: str, method: str) -> None:
    assert slow_places(Used("here", re.compile(pattern), (method,)))
