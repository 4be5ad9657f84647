"""Figures of results: pure functions from a result to a Plotly figure, for pages, reports and notebooks alike."""

from plotly.graph_objects import Figure

from metrics.figures.ambiguity import combination_distribution
from metrics.figures.attacks import attack_dumbbell
from metrics.figures.changes import changed_cells
from metrics.figures.class_tree import class_tree
from metrics.figures.classes import class_distribution, class_size_distribution
from metrics.figures.closeness_curve import exceeding_curve
from metrics.figures.flow import value_flow
from metrics.figures.hierarchy_tree import hierarchy_tree
from metrics.figures.information_loss import loss_by_column
from metrics.figures.p29 import p29_attributes, p29_breakdown, p29_conditions
from metrics.figures.p29_triangle import p29_triangle
from metrics.figures.parallel import parallel_coordinates
from metrics.figures.profit_phase import phase_diagram, sensitivity_bars
from metrics.figures.profitability import payout_by_class
from metrics.figures.ranking import ranked_subsets
from metrics.figures.risk_curve import risk_curve_figure
from metrics.figures.size_curve import size_curves
from metrics.figures.t_closeness import distance_distribution
from metrics.figures.theme import CONFIG
from metrics.figures.trade_off import trade_off
from metrics.figures.transport_plan import transport_plan_figure

__all__ = [
    "CONFIG",
    "Figure",
    "attack_dumbbell",
    "changed_cells",
    "class_distribution",
    "class_size_distribution",
    "class_tree",
    "combination_distribution",
    "distance_distribution",
    "exceeding_curve",
    "hierarchy_tree",
    "loss_by_column",
    "p29_attributes",
    "p29_breakdown",
    "p29_conditions",
    "p29_triangle",
    "parallel_coordinates",
    "payout_by_class",
    "phase_diagram",
    "ranked_subsets",
    "risk_curve_figure",
    "sensitivity_bars",
    "size_curves",
    "trade_off",
    "transport_plan_figure",
    "value_flow",
]
