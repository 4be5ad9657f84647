"""Docstrings of the functions for one metric, from what the catalog knows of it."""

from __future__ import annotations

from inspect import Signature
from textwrap import fill, indent

from metrics.metric import Metric

_PARAMETERS = {
    "data": "The anonymized table: a pandas, Polars or Arrow table, or one that `read_table` returned.",
    "quasi_identifiers": "Names of the quasi-identifiers.",
    "sensitive": "The sensitive attribute, or several of them.",
    "original": "The table before anonymization, with the same records in the same order.",
    "population": "The population that the records are drawn from, with the same quasi-identifiers.",
    "holdout": "People of the same population who are not in the original.",
    "known": "Names of the columns whose exact values the attacker knows; by default all quasi-identifiers.",
    "hierarchies": "Generalization hierarchies, by column.",
    "distance": 'Ground distance "equal", "ordered" or "hierarchical", for all attributes or by attribute; by default '
    "ordered for numbers, hierarchical for an attribute with a hierarchy, and equal otherwise.",
    "l": "The l of the definition, at least 2.",
    "w_k": "Weight of the k-anonymity term, at least 0; the three weights sum to 1.",
    "w_l": "Weight of the l-diversity term.",
    "w_t": "Weight of the t-closeness term.",
    "t_max": "Largest distance t of a class, 0 to 1, that meets the t condition.",
    "person": "Name of the column that identifies the person of each record.",
    "household": "Name of the column that identifies people who live together.",
    "key_sets": "By attacker, the names of the quasi-identifiers that this one knows.",
    "population_size": "People in the population that the records are drawn from; 0 if unknown.",
    "sampling_fraction": "Share of the population that is in the table, 0 to 1; 0 if unknown.",
    "country": "The population by the name of a country or region that Quasi knows the size of.",
    "max_columns": "Largest subset of quasi-identifiers that is examined, at least 1.",
    "statistic": 'What is compared: "mean", "median", "count", "share" or "correlation".',
    "column": "Name of the column whose statistic is compared; by default every column that has one.",
    "target": "Name of the column to predict; by default the first sensitive attribute.",
    "adversary_cost": "What attacking one record costs the attacker, in any currency.",
    "adversary_gain": "What re-identifying one record earns the attacker.",
    "publisher_loss": "What one re-identified record costs the publisher.",
    "publisher_benefit": "What publishing one record earns the publisher.",
    "allow_attack": "Whether attacks are acceptable if publishing is profitable; else no attack may be profitable.",
}
_RAISES = {
    "Unavailable": "If the metric has no value for these tables; the message says why.",
    "InputError": "If a column does not exist, or an argument cannot be read.",
}
_WIDTH = 100


def docstring(metric: Metric, signature: Signature) -> str:
    """Write the docstring of a function that computes one metric, as `help()` and the API reference show it."""
    source = metric.reference if metric.doi is None else f"{metric.reference}, doi {metric.doi}"
    sections = {
        "Parameters": "\n".join(_entry(name, _PARAMETERS[name]) for name in signature.parameters),
        "Returns": _entry(signature.return_annotation, f"Unit: {metric.unit}. Range: {metric.range}."),
        "Raises": "\n".join(_entry(*raised) for raised in _RAISES.items()),
        "References": fill(f"{source}.", _WIDTH),
    }
    return "\n\n".join(
        [
            f"Return the {metric.title} of a table; {metric.direction.value}.",
            fill(f"{metric.meaning} {metric.good}", _WIDTH),
            f".. math:: {metric.formula}",
            *(f"{title}\n{'-' * len(title)}\n{body}" for title, body in sections.items()),
        ]
    )


def _entry(name: str, text: str) -> str:
    return f"{name}\n{indent(fill(text, _WIDTH), '    ')}"
