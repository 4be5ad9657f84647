"""Former and unknown names of metrics.

Whatever takes a metric's name also takes its former one, and `score --json` has both keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Final, TypeVar

from metrics.errors import InputError

FORMER_NAMES: Final = {"squared_error": "variance_preserved", "linkability_attack": "two_source_linkage_attack"}
"""The name of today by the former one."""

V = TypeVar("V")


class ByName(Mapping[str, V]):
    """What belongs to each metric by its name of today, and also found by the former one; it cannot be changed."""

    def __init__(self, values: Mapping[str, V]) -> None:
        self._values = {current_name(name): value for name, value in values.items()}

    def __getitem__(self, name: str) -> V:
        return self._values[current_name(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return repr(self._values)


def current_name(name: str) -> str:
    """The name of today, for a former one; any other name as it is."""
    return FORMER_NAMES.get(name, name)


def all_names(name: str) -> Iterator[str]:
    """A name of today and its former ones."""
    yield name
    yield from (former for former, current in FORMER_NAMES.items() if current == name)


def unknown_metric(name: str, known: Iterable[str], purpose: str = "") -> InputError:
    """The error for a name that no metric has; it proposes one by its beginning, a word of it or its spelling."""
    lowered, names = name.lower().replace("-", "_"), list(known)
    proposals = [
        *(proposed for proposed in names if proposed.startswith(lowered)),
        *(proposed for proposed in names if lowered in proposed.split("_")),
        *get_close_matches(lowered, names, n=1),
    ]
    proposal = f"did you mean {proposals[0]}? " if lowered and proposals else ""
    return InputError(f'there is no metric "{name}"{purpose}', remedy=f"{proposal}`quasi metrics` lists all")
