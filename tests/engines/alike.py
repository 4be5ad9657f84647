"""Scorecards of an engine beside those of the same tables in memory."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from metrics.config.former_names import all_names
from metrics.metric import Family
from metrics.scoring.catalog import BY_ID
from metrics.scoring.scorecard import Scorecard

NEED_RECORDS = "the records must be in memory, but they stay in the engine that holds them"
_OF_ATTACKS = {spec.id for spec in BY_ID.values() if spec.family is Family.ATTACKS}
COUNTED = sorted(set(BY_ID) - _OF_ATTACKS - {"classification_accuracy", "eigenvalue_difference", "pmse"})
"""Every metric that is made of counts alone."""
_OF_RECORDS = ("record_level_squared_error", "record_level_raw")


def differences(in_memory: Scorecard, in_engine: Scorecard) -> list[str]:
    """Where the two cards say different things, except of attacks; figures may be 1e-9 apart."""
    mine, theirs = in_memory.to_dict(), in_engine.to_dict()
    for card in (mine, theirs):
        # Attacks need the records.
        for identifier in _OF_ATTACKS:
            for name in all_names(identifier):
                card["metrics"].pop(name, None)
    for identifier, score in mine["metrics"].items():
        # Which of several reasons is told depends on the order in which values are met.
        if score["unavailable"] is not None and theirs["metrics"][identifier]["unavailable"] is not None:
            theirs["metrics"][identifier]["unavailable"] = score["unavailable"]
    for card in (mine, theirs):
        # Frames are read by another plan than the files that they come from.
        for table in filter(None, card["tables"].values()):
            del table["reading"]
        # Pairs that changed equally stand in the order of rounding.
        pairs = card["metrics"]["association_change"]["details"].get("pairs", [])
        pairs.sort(key=lambda pair: pair["columns"])
    for identifier, score in theirs["metrics"].items():
        arx = score["details"].get("arx")
        for name in _OF_RECORDS if arx else ():
            assert arx[name] is None
            mine["metrics"][identifier]["details"]["arx"][name] = None
    _without_copula(mine, theirs)
    return list(apart(mine, theirs, ""))


def _without_copula(mine: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Where a partition of the classes is held at a time there is no Gaussian copula."""
    found = [card["metrics"].get("population_uniqueness", {}).get("details", {}) for card in (mine, theirs)]
    if not all(found) or found[1]["models"]["copula"]["unavailable"] is None:
        return
    for details in found:
        del details["models"]["copula"]


def apart(mine: Any, theirs: Any, place: str) -> Iterator[str]:
    """Where two objects as JSON has them differ; figures may be 1e-9 apart."""
    if isinstance(mine, dict) and isinstance(theirs, dict) and mine.keys() == theirs.keys():
        for key in mine:
            yield from apart(mine[key], theirs[key], f"{place}/{key}")
    elif isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        for position, (one, other) in enumerate(zip(mine, theirs, strict=True)):
            yield from apart(one, other, f"{place}/{position}")
    elif isinstance(mine, float) and isinstance(theirs, float | int):
        if not math.isclose(mine, theirs, rel_tol=1e-9, abs_tol=1e-9):
            yield f"{place}: {mine} and {theirs}"
    elif mine != theirs:
        yield f"{place}: {mine} and {theirs}"
