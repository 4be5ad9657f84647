"""Figures of results: pure functions from a result to a Plotly figure, for pages, reports and notebooks alike."""

from metrics.figures.classes import class_distribution, class_size_distribution
from metrics.figures.information_loss import loss_by_column
from metrics.figures.p29 import p29_attributes, p29_breakdown, p29_gates
from metrics.figures.profitability import payout_by_class
from metrics.figures.t_closeness import distance_distribution
from metrics.figures.theme import CONFIG

__all__ = [
    "CONFIG",
    "class_distribution",
    "class_size_distribution",
    "distance_distribution",
    "loss_by_column",
    "p29_attributes",
    "p29_breakdown",
    "p29_gates",
    "payout_by_class",
]
