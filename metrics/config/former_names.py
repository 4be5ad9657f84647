"""Former names of metrics: whatever takes a metric's name also takes these, and `score --json` has both keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeVar

FORMER_NAMES: Final = {
    "squared_error": "variance_preserved",
    "linkability_attack": "two_source_linkage_attack",
}
"""The name of today by the former one."""

V = TypeVar("V")


class ByName(dict[str, V]):
    """What belongs to each metric by its name, which is also found by the former name."""

    def __getitem__(self, name: str) -> V:
        return super().__getitem__(current_name(name))

    def __contains__(self, name: object) -> bool:
        return super().__contains__(FORMER_NAMES.get(str(name), name))


def current_name(name: str) -> str:
    """The name of today, for a former one; any other name as it is."""
    return FORMER_NAMES.get(name, name)


def all_names(name: str) -> Iterator[str]:
    """A name of today and its former ones."""
    yield name
    yield from (former for former, current in FORMER_NAMES.items() if current == name)
