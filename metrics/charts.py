"""Figures of results: pure functions from a result to a Plotly chart, for pages, reports and notebooks alike."""

from plotly.graph_objects import Figure

from metrics.attacks.chart import attack_dumbbell
from metrics.candidates.compare.parallel_chart import parallel_coordinates
from metrics.candidates.compare.trade_off_chart import trade_off
from metrics.drawing.class_tree import class_tree
from metrics.drawing.classes import class_distribution, class_size_distribution
from metrics.drawing.hierarchy_tree import hierarchy_tree
from metrics.drawing.size_curve import size_curves
from metrics.drawing.theme import CONFIG
from metrics.economics.cost_chart import attacks_by_cost
from metrics.economics.payout_chart import payout_by_class
from metrics.economics.phase_chart import attack_plane, publisher_plane, sensitivity_bars
from metrics.privacy.local_dp.chart import frequency_chart
from metrics.privacy.p29.chart import p29_attributes, p29_breakdown, p29_conditions
from metrics.privacy.p29.triangle_chart import p29_triangle
from metrics.privacy.quasi_identifier_ranking.chart import ranked_subsets
from metrics.privacy.reidentification_risk.chart import risk_curve_chart
from metrics.privacy.safepub.chart import delta_curves
from metrics.privacy.t_closeness.chart import distance_distribution
from metrics.privacy.t_closeness.curve_chart import exceeding_curve
from metrics.privacy.t_closeness.transport_chart import transport_plan_chart
from metrics.scoring.by_group_chart import chart_by_group
from metrics.utility.ambiguity.chart import combination_distribution
from metrics.utility.analyses_chart import kept_by_analysis
from metrics.utility.cells.changes_chart import changed_cells
from metrics.utility.cells.flow_chart import value_flow
from metrics.utility.k_marginals.chart import worst_marginals
from metrics.utility.non_uniform_entropy.chart import loss_by_column

__all__ = [
    "CONFIG",
    "Figure",
    "attack_dumbbell",
    "attack_plane",
    "attacks_by_cost",
    "changed_cells",
    "chart_by_group",
    "class_distribution",
    "class_size_distribution",
    "class_tree",
    "combination_distribution",
    "delta_curves",
    "distance_distribution",
    "exceeding_curve",
    "frequency_chart",
    "hierarchy_tree",
    "kept_by_analysis",
    "loss_by_column",
    "p29_attributes",
    "p29_breakdown",
    "p29_conditions",
    "p29_triangle",
    "parallel_coordinates",
    "payout_by_class",
    "publisher_plane",
    "ranked_subsets",
    "risk_curve_chart",
    "sensitivity_bars",
    "size_curves",
    "trade_off",
    "transport_plan_chart",
    "value_flow",
    "worst_marginals",
]
