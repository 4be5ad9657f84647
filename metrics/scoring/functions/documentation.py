"""Docstrings of the functions for one metric, from what the catalog knows of it."""

from __future__ import annotations

from inspect import Signature
from textwrap import fill, indent

from metrics.config.setting_texts import setting_meaning
from metrics.formatting import within_sentence
from metrics.metric import Direction, Metric

_ARGUMENTS = {
    "data": "The anonymized table: a pandas, Polars or Arrow table, or one that `read_table` returned.",
    "quasi_identifiers": "Names of the quasi-identifiers.",
    "sensitive": "The sensitive attribute, or several of them.",
    "original": "The table before anonymization, with the same records in the same order.",
    "population": "The population that the records are drawn from, with the same quasi-identifiers.",
    "holdout": "People of the same population who are not in the original.",
    "hierarchies": "Generalization hierarchies, by column.",
    "analyses": "By name the analyses that the release is to serve: `Mean`, `Crosstab`, `Linear`, `Logistic`, `Count`.",
    "randomization": "By column how its cells were drawn: `k_rr`, `Redrawn`, `TransitionMatrix`; tables that "
    "`make_candidate` returned know it.",
    "person": "Name of the column that identifies the person of each record.",
    "weight": "Name of the column of survey weights, the number of people that each record represents.",
    "household": "Name of the column that identifies people who live together.",
    "item": "Name of the column of items, of which people have several.",
    "key_sets": "By attacker, the names of the quasi-identifiers that this one knows.",
    "population_size": "People in the population that the records are drawn from; 0 if unknown.",
}
"""Arguments that are not settings."""
_RAISES = {
    "Unavailable": "If the metric has no value for these tables; the message says why.",
    "InputError": "If a column does not exist, or an argument cannot be read.",
}
_WIDTH = 100


def docstring(metric: Metric, signature: Signature) -> str:
    """Write the docstring of a function that computes one metric, as `help()` and the API reference show it."""
    unit = "" if metric.direction is Direction.TRUE else f" ({metric.unit})"
    sections = {
        "Parameters": "\n".join(_entry(name, _meaning(metric, name)) for name in signature.parameters),
        "Returns": _entry(signature.return_annotation, f"Range: {metric.range}{unit}."),
        "Raises": "\n".join(_entry(*raised) for raised in _RAISES.items()),
        "References": fill(f"{metric.reference}.", _WIDTH),
    }
    return "\n\n".join(
        [
            f"Return the {within_sentence(metric.title)} of a table; {metric.direction.value}.",
            fill(f"{metric.meaning} {metric.good}", _WIDTH),
            f".. math:: {metric.formula}",
            *(f"{title}\n{'-' * len(title)}\n{body}" for title, body in sections.items()),
        ]
    )


def _meaning(metric: Metric, argument: str) -> str:
    """Meaning of an argument: that of the setting of the same name, unless it is no setting."""
    meanings = [setting_meaning(f"{group}.{argument}") for group in metric.settings]
    return _ARGUMENTS.get(argument) or next(filter(None, meanings))


def _entry(name: str, text: str) -> str:
    return f"{name}\n{indent(fill(text, _WIDTH), '    ')}"
