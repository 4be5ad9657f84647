"""What was set and done in a session as a script: the same scores of the same files, in Python or on a command line."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pprint import pformat

from metrics.candidates.limits.enforced import K, Limits
from metrics.candidates.methods.method import CandidateMethod
from metrics.candidates.methods.pram import PRAM
from metrics.candidates.methods.randomized_response import RandomizedResponse
from metrics.candidates.methods.safepub import SafePub
from metrics.config.randomization_file import NOT_RANDOMIZED
from metrics.policy.limitable_measures import SUPPRESSION
from metrics.policy.settings import Settings, TableSettings
from metrics.recipes.recipe import Recipe
from metrics.recipes.steps import Make
from metrics.texts import text

_SETTINGS, _POLICY, _RECIPE = "settings.json", "policy.json", "recipe.yaml"
_WIDTH = 116
_INSTALLED = find_spec("quasi") is not None
"""An installed copy has the library under this name too, and a command, which no metrics.py beside a script hides."""
_IMPORT = "import quasi as metrics" if _INSTALLED else "import metrics"
_COMMAND = "quasi" if _INSTALLED else "python -P -m metrics"
_TABLES_OF_PROJECT = """import pyarrow.parquet

project = metrics.read_arx_project({project}).research_sample()
for table in (project.original, project.anonymized, project.population):
    if table is not None:
        pyarrow.parquet.write_table(table.to_arrow(), table.name)
"""


@dataclass(frozen=True)
class Search:
    """A search of generalizations: its measure, the limits on the whole table, and those on each class."""

    measure: str
    limits: Limits
    rule: Limits


@dataclass(frozen=True)
class Version:
    """A version of the table: its label, its file, and, where the session made it, its recipe and what that is for."""

    label: str
    file: str
    recipe: Recipe | None = None
    source: str | None = None

    def files(self) -> list[str]:
        """The files that it is read or made from, beside the original."""
        if self.recipe is None:
            return [self.file]
        return [] if self.source is None else [self.source]

    @property
    def methods(self) -> list[CandidateMethod]:
        """What its recipe makes it by."""
        steps = () if self.recipe is None else self.recipe.steps
        return [step.method for step in steps if isinstance(step, Make)]

    @property
    def draws_anew(self) -> list[str]:
        """A warning where no seed repeats what was drawn."""
        if all(method.takes_seed for method in self.methods):
            return []
        return ["# This draws anew, so the table differs from the session's: publish only one of the two."]

    def randomization(self, recipe_file: str) -> str:
        """The file that tells how its cells were drawn, "none" where they were not or no file can tell."""
        is_drawn = any(isinstance(method, PRAM | RandomizedResponse | SafePub) for method in self.methods)
        return recipe_file if is_drawn and self.source is None else NOT_RANDOMIZED

    def python(self, name: str) -> Iterator[str]:
        """Lines that read or make it as `name`."""
        if self.recipe is None:
            yield f"{name} = read({self.file!r})"
            return
        yield from self.draws_anew
        yield f"recipe = metrics.read_recipe({_literal(self.recipe.to_yaml())}.encode())"
        source = "original" if self.source is None else f"read({self.source!r})"
        yield f"{name} = recipe.apply({source}).table"

    def commands(self, original: str, recipe_file: str) -> Iterator[str]:
        """Lines that make it, if it is not in a file."""
        if self.recipe is not None:
            yield from self.draws_anew
            yield from _file(recipe_file, self.recipe.to_yaml())
            tables = f"--input {shlex.quote(self.source or original)} --settings {_SETTINGS}"
            yield f"{_COMMAND} apply --recipe {recipe_file} {tables} --out {shlex.quote(self.file)}"


@dataclass(frozen=True)
class Script:
    """What was done to the tables of a session, whose files lie in the folder that a script runs in."""

    settings: Settings
    version: str
    """The file name of the version, as the settings have it."""
    recipe: Recipe | None = None
    """How the version is made."""
    source: str | None = None
    """The file that the recipe is for."""
    search: Search | None = None
    project: str | None = None
    """The ARX project that the tables are from."""
    others: tuple[Version, ...] | None = None
    """The versions that a report compares it with; None where no report was shown."""
    label: str = ""
    """What the session calls the version, for a report."""

    def python(self) -> str:
        """The script in Python."""
        return "\n".join(self._python_lines()) + "\n"

    def commands(self) -> str:
        """The commands for a POSIX shell."""
        return "\n".join(self._command_lines()) + "\n"

    def files(self) -> list[str]:
        """The files that must lie in the folder."""
        if self.project is not None:
            return [self.project]
        of_versions = [file for version in self._versions for file in version.files()]
        return list(dict.fromkeys([table.name for table in self._references.values()] + of_versions))

    @property
    def _versions(self) -> list[Version]:
        return [Version(self.label, self.version, self.recipe, self.source), *(self.others or ())]

    @property
    def _references(self) -> dict[str, TableSettings]:
        settings = self.settings
        found = {"original": settings.original, "population": settings.population, "holdout": settings.holdout}
        return {name: table for name, table in found.items() if table is not None}

    def _python_lines(self) -> Iterator[str]:
        paths = "from pathlib import Path\n" if self.others is not None else ""
        package = "quasi" if _INSTALLED else "metrics"
        report = f"from {package}.report import report_html\n" if self.others is not None else ""
        yield from _not_installed()
        yield f"import json\n{paths}\n{_IMPORT}\n{report}"
        settings = _literal(json.loads(self.settings.to_json()))
        yield f"settings = metrics.read_settings(json.dumps({settings}).encode())\n\n"
        if self.project is not None:
            yield _TABLES_OF_PROJECT.format(project=repr(self.project))
        yield "def read(name):"
        yield "    saved = settings.reading_of(name, None)"
        yield "    return metrics.read_table("
        yield "        name, plan=saved.plan, renamed=saved.renamed, same_values=saved.same_values"
        yield "    )\n\n"
        for name, table in self._references.items():
            yield f"{name} = read({table.name!r})"
        if self.search is not None:
            yield "found = metrics.explore("
            yield "    original,"
            yield "    settings.roles,"
            yield "    settings.hierarchies,"
            yield "    parameters=settings.parameters,"
            yield f"    measure={self.search.measure!r},"
            yield f"    limits={dict(self.search.limits)!r},"
            yield f"    rule={dict(self.search.rule)!r},"
            yield ")"
            yield "print('best levels:', None if found.best is None else found.levels_of(found.best))"
        yield "\n\ndef score(anonymized, name):"
        yield "    return metrics.score("
        yield "        anonymized,"
        yield "        settings.roles_of(name, None),"
        yield "        hierarchies=settings.hierarchies,"
        yield "        parameters=settings.parameters,"
        yield from (f"        {name}={name}," for name in self._references)
        yield "    )\n\n"
        version, *others = self._versions
        yield from version.python("anonymized")
        yield f"card = score(anonymized, {version.file!r})"
        if self.others is not None:
            yield f"versions = {{{version.label!r}: card}}"
            for other in others:
                yield from other.python("other")
                yield f"versions[{other.label!r}] = score(other, {other.file!r})"
            yield f"page = report_html(card, versions, label={version.label!r}, policy=settings.policy)"
            yield "Path('report.html').write_text(page, encoding='utf-8')"
        yield "for result in card:"
        yield "    print(result.metric.id, result.value)"
        yield "print(settings.policy.check(card).summary())"

    def _command_lines(self) -> Iterator[str]:
        yield from _not_installed()
        yield from _file(_SETTINGS, self.settings.to_json())
        if self.project is not None:
            script = f"{_IMPORT}\n\n" + _TABLES_OF_PROJECT.format(project=repr(self.project))
            yield f"python -P -c {shlex.quote(script)}"
        limited = ""
        if self.settings.policy.limits:
            yield from _file(_POLICY, json.dumps(self.settings.policy.to_dict(), ensure_ascii=False))
            limited = f" --policy {_POLICY}"
        settings = f"--settings {_SETTINGS}"
        references = {name: f"--{name} {shlex.quote(table.name)}" for name, table in self._references.items()}
        if self.search is not None:
            limits = f"--k {self.search.rule[K]:g} --max-suppression {self.search.limits.get(SUPPRESSION, 1):g}"
            sought = f"{settings}{limited} {limits} --measure {self.search.measure}"
            yield f"{_COMMAND} explore {references['original']} {sought}"
        version, *others = self._versions
        recipes = [_RECIPE, *(f"recipe-{number}.yaml" for number in range(2, len(others) + 2))]
        original = self._references["original"].name if "original" in self._references else ""
        for one, recipe in zip(self._versions, recipes, strict=True):
            yield from one.commands(original, recipe)
        tables = " ".join([f"--anonymized {shlex.quote(version.file)}", *references.values(), settings]) + limited
        files = [one.randomization(recipe) for one, recipe in zip(self._versions, recipes, strict=True)]
        drawn = "" if files[0] == NOT_RANDOMIZED else f" --randomization {files[0]}"
        yield f"{_COMMAND} score {tables}{drawn}"
        if others:
            tables += " ".join(["", "--compared", *(shlex.quote(other.file) for other in others)])
            drawn = "" if {*files} == {NOT_RANDOMIZED} else " ".join([" --randomization", *files])
        yield f"{_COMMAND} report {tables}{drawn} --out report.html"


def _not_installed() -> Iterator[str]:
    """A comment on how a copy that is not installed is found."""
    if not _INSTALLED:
        yield f"# {text('script.not_installed')}"


def _literal(value: object) -> str:
    """A Python expression on several lines."""
    return pformat(value, width=_WIDTH, compact=True, sort_dicts=False)


def _file(name: str, content: str) -> Iterator[str]:
    """Lines that write a file; no line of its content is the one that ends it."""
    mark = "END"
    while mark in content.splitlines():
        mark += "_"
    yield f"cat > {name} <<'{mark}'"
    yield content.rstrip("\n")
    yield mark
