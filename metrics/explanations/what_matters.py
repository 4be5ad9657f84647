"""Which columns the user keeps and weighs, in words."""

from __future__ import annotations

from metrics.config.roles import DEFAULT_WEIGHT, Roles
from metrics.formatting import join_names
from metrics.texts import text


def what_matters(roles: Roles) -> str:
    """Which columns may be generalized only so far, and which count more or less in the loss; empty where none."""
    kept = [
        text("what_matters.up_to", column=name, level=level) if level else text("what_matters.as_it_is", column=name)
        for name, level in roles.highest_levels.items()
    ]
    weighted = [
        text("what_matters.weight", column=name, weight=weight)
        for name, weight in roles.column_weights.items()
        if weight != DEFAULT_WEIGHT
    ]
    sentences = [text("what_matters.kept", columns=join_names(kept))] if kept else []
    sentences += [text("what_matters.weighted", columns=join_names(weighted))] if weighted else []
    return " ".join(sentences)
