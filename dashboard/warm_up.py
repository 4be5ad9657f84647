"""Preparation of what pages need besides their tables, before anybody waits for it."""

from __future__ import annotations

import gc
import importlib
import pkgutil

_FURTHER = (
    "metrics.report.html",
    "metrics.candidates.repair.to_limits",
    "altair",
    "scipy.optimize",
    "scipy.sparse",
    "statsmodels.genmod.generalized_linear_model",
)


def warm_up() -> None:
    """Import what pages import at their first visit, and draw each kind of value once, of an example's records.

    The collector is then kept off all that: it would walk it after every run of a page.
    """
    for name in (*_FURTHER, *_modules("dashboard.components")):
        importlib.import_module(name)
    _draw_all()
    gc.collect()
    gc.freeze()


def _modules(package: str) -> list[str]:
    imported = importlib.import_module(package)
    return [f"{package}.{module.name}" for module in pkgutil.iter_modules(imported.__path__)]


def _draw_all() -> None:
    """The charts of a small card."""
    import pandas as pd

    import metrics

    original = pd.DataFrame({"age": ["31", "32", "47", "48"], "illness": ["flu", "cold", "flu", "ulcer"]})
    anonymized = original.assign(age=["30-39", "30-39", "40-49", "40-49"])
    roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])
    card = metrics.score(anonymized, roles, original=original)
    for score in card:
        card.chart(score.metric.id).to_json()
