"""Families of metrics, by the arguments of their functions."""

from inspect import signature

import metrics

_ARGUMENTS = {metric.id: set(signature(getattr(metrics, metric.id)).parameters) for metric in metrics.METRICS}
OF_SENSITIVE = {
    name for name, arguments in _ARGUMENTS.items() if "sensitive" in arguments and "original" not in arguments
}
"""They look at the sensitive attributes, and at nothing else besides the classes."""
