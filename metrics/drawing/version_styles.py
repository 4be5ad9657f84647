"""Marks of versions: one colour, dash and symbol each, identical in every figure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import takewhile
from statistics import mode
from typing import Final

from metrics.formatting import isolated, printable, without_isolates

COLOURS: Final = ("#964A8B", "#999933", "#785EF0", "#117733", "#3F90DA", "#EE6677")
"""From palettes for colour-blind readers: of Petroff (https://doi.org/10.48550/arXiv.2107.02270), Tol and IBM.

None of them means anything elsewhere. Contrast above 3:1 on white and on dark pages, and every two at least 20 apart in
CIE L*a*b*, also without red or green cones.
"""
DASHES: Final = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SYMBOLS: Final = ("circle", "square", "diamond", "triangle-up", "cross", "star")

TABLE_FILE: Final = re.compile(r"\.(csv|tsv|txt|parquet|xlsx|sav|dta)(\.gz)?$", re.IGNORECASE)
"""The ending of the name of a file that holds a table."""
_AFTER_MARK = re.compile(r"(?<=[_.-])")
"""Between the words of a name."""
_MAX_NAME_LENGTH = 30
_LEGEND_LINE = 19
_LINES_THAT_FIT = 3


@dataclass(frozen=True)
class VersionStyle:
    """A version's colour, and its dash and symbol for those who do not see colours."""

    colour: str
    dash: str
    symbol: str


Styles = Mapping[str, VersionStyle]


def short_name(label: str, max_length: int = _MAX_NAME_LENGTH) -> str:
    """A version's name, shortened in its middle where it is long: names of one origin differ at their ends."""
    return isolated(_shortened_in_the_middle(label, max_length))


def _shortened_in_the_middle(label: str, max_length: int) -> str:
    name = printable(without_isolates(label))
    if len(name) <= max_length:
        return name
    tail = (max_length - 1) * 2 // 3
    return f"{name[: max_length - 1 - tail]}…{name[-tail:]}"


def name_ending(name: str, max_length: int) -> str:
    """The last words of a name that fit, or it shortened in its middle if not even the last word does."""
    words = _AFTER_MARK.split(_shortened_in_the_middle(name, _MAX_NAME_LENGTH))
    fitting = ["".join(words[first:]) for first in range(len(words))]
    endings = [fitting[0], *(f"…{ending}" for ending in fitting[1:])]
    fitting_ending = next((ending for ending in endings if len(ending) <= max_length), None)
    return short_name(name, max_length) if fitting_ending is None else isolated(fitting_ending)


def short_names(labels: Iterable[str]) -> dict[str, str]:
    """Each label with a name for where there is little room: without the words and the ending that say nothing.

    Words with which most names begin and the ending of the file are left out, unless two would then be called the same.
    """
    words = {label: _AFTER_MARK.split(TABLE_FILE.sub("", label)) for label in labels}
    first = mode(parts[0] for parts in words.values()) if words else ""
    alike = [parts for parts in words.values() if parts[0] == first]
    shared = [*takewhile(lambda one_each: len(set(one_each)) == 1, zip(*alike, strict=False))]
    n_shared = len(shared) if len(alike) > 1 else 0
    names = {label: "".join(parts[n_shared if parts in alike else 0 :]) for label, parts in words.items()}
    differ = all(names.values()) and len(set(names.values())) == len(names)
    return names if differ else {label: label for label in names}


def breakable(name: str, max_length: int) -> list[str]:
    """The parts of a name between which it may go on in another line, after a mark between its words."""
    return _AFTER_MARK.split(short_name(name, max_length))


def legend_room(versions: int) -> int:
    """Pixels by which a plot must be higher to lose nothing to its legend: on a narrow page a line per version."""
    return _LEGEND_LINE * max(0, versions - _LINES_THAT_FIT)


def version_styles(labels: Iterable[str]) -> dict[str, VersionStyle]:
    """A style for each version by its position: 36 different ones, then from the first again.

    Pass all versions, even where a figure draws only some, so that each keeps its style.
    """
    styles = {}
    for index, label in enumerate(labels):
        variant = (index + index // len(COLOURS)) % len(DASHES)
        styles[label] = VersionStyle(COLOURS[index % len(COLOURS)], DASHES[variant], SYMBOLS[variant])
    return styles
