"""Lets the API reference show the functions for one metric, which are made when their module is imported."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import griffe

_MODULE = "metrics.scoring.every_metric"
_ROOT = Path(__file__).resolve().parents[1]


class MetricFunctions(griffe.Extension):
    """Takes signatures and docstrings from the imported module, where the source has assignments only."""

    def on_module(self, *, mod: griffe.Module, **kwargs: Any) -> None:
        """Replace the assignments by functions, and read the library's names, which name every metric."""
        if mod.path == "metrics":
            mod.exports = [*griffe.dynamic_import("metrics.__all__", [_ROOT, *sys.path])]
        if mod.path != _MODULE:
            return
        imported = griffe.inspect(
            mod.name, parent=mod.parent, import_paths=[_ROOT, *sys.path], docstring_parser="numpy"
        )
        for name, member in imported.members.items():
            if isinstance(member, griffe.Function) and isinstance(mod.members.get(name), griffe.Attribute):
                mod.set_member(name, member)
