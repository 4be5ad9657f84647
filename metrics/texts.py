"""The sentences about metrics, read from texts.toml, with the figures of a table filled in.

The file explains its placeholders at its beginning. Whoever corrects a sentence needs to read nothing else.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from string import Formatter
from types import MappingProxyType
from typing import Any, Final

from metrics.formatting import (
    exact_number,
    format_number,
    isolated,
    join_names,
    percent,
    pluralize,
    sentence_case,
    visible,
)


def _templates_by_path(section: Mapping[str, Any], path: str = "") -> dict[str, str]:
    """The templates of nested sections, by the path of their names."""
    templates: dict[str, str] = {}
    for name, content in section.items():
        if isinstance(content, Mapping):
            templates |= _templates_by_path(content, f"{path}{name}.")
        else:
            templates[f"{path}{name}"] = content
    return templates


TEMPLATES: Final[Mapping[str, str]] = MappingProxyType(
    _templates_by_path(
        tomllib.loads(files(__name__.partition(".")[0]).joinpath("texts.toml").read_text(encoding="utf-8"))
    )
)
"""Every template by its path, such as "k_anonymity.unique"."""


MAX_NAMES: Final = 3
"""Names that are written out where there are many."""


class _Sentences(Formatter):
    """Formatter of placeholders with the format words that texts.toml explains; another word raises ValueError."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" in format_spec:
            singular, plural = format_spec.removeprefix("-").split("|")
            if format_spec.startswith("-"):
                return singular if value == 1 else plural
            return pluralize(value, singular, plural)
        if format_spec == "":
            return isolated(value) if isinstance(value, str) else format_number(value)
        return str(_FORMATS[format_spec](value))


def abbreviated_names(names: Sequence[str], last: str = "and", *, noun: str | None = None) -> str:
    """The first few of some names, and how many more, with their `noun`: "age, sex, race and 4 more columns"."""
    n_more = len(names) - MAX_NAMES
    others = f"{n_more:,} more" if noun is None else pluralize(n_more, f"more {noun}")
    return join_names(names if n_more <= 0 else [*names[:MAX_NAMES], others], last)


_FORMATS: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "percent": percent,
        "as set": exact_number,
        "name": visible,
        "names": lambda names: abbreviated_names([visible(name) for name in names], noun="column"),
        "names or": lambda names: abbreviated_names([visible(name) for name in names], "or", noun="column"),
    }
)
_SENTENCES: Final = _Sentences()


_SHARE_FIRST = ("{share:percent}", "{value:percent}", "{low:percent}")


def text(path: str, /, **values: object) -> str:
    """Return the sentence of that path, with its placeholders filled in.

    The sentence, with numbers formatted for reading. Raises KeyError if there is no such template, or a placeholder has
    no value.
    """
    template = TEMPLATES[path]
    sentence = _SENTENCES.vformat(template, (), values)
    # A share may be written in words, such as "less than 0.1%", where a sentence begins.
    return sentence_case(sentence) if template.startswith(_SHARE_FIRST) else sentence


def placeholders(path: str) -> dict[str, set[str]]:
    """The names of a template's placeholders, each with the formats it is used in. Raises KeyError."""
    formats: dict[str, set[str]] = {}
    for _, name, spec, _ in _SENTENCES.parse(TEMPLATES[path]):
        if name is not None:
            formats.setdefault(name, set()).add(spec or "")
    return formats
