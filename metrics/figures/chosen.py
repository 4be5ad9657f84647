"""One figure for each metric, for those who ask for a metric by its id."""

from __future__ import annotations

import plotly.graph_objects as go

from metrics.economics.profitability import Profitability
from metrics.figures.ambiguity import combination_distribution
from metrics.figures.attributes import figure_by_attribute
from metrics.figures.classes import class_size_distribution
from metrics.figures.information_loss import loss_by_column
from metrics.figures.p29 import p29_breakdown
from metrics.figures.profitability import payout_by_class
from metrics.figures.ranking import ranked_subsets
from metrics.figures.risk_curve import risk_curve_figure
from metrics.figures.t_closeness import distance_distribution
from metrics.figures.theme import empty_figure
from metrics.privacy.p29 import P29
from metrics.privacy.quasi_identifier_ranking import QuasiIdentifierRanking
from metrics.privacy.reidentification_risk import ReidentificationRisk
from metrics.privacy.t_closeness import TCloseness
from metrics.scorecard import Scorecard
from metrics.specification import Family
from metrics.utility.ambiguity import Ambiguity
from metrics.utility.non_uniform_entropy import NonUniformEntropy

_OF_CLASS_SIZES = frozenset({"k_anonymity", "average_class_size", "discernibility"})


def figure_of(card: Scorecard, metric_id: str) -> go.Figure:
    """The figure that tells most of a metric's score: its own, else its figures by attribute, else the finding alone.

    Raises KeyError where there is no such metric.
    """
    score = card[metric_id]
    result = score.result
    if result is None:
        return empty_figure(f"{score.metric.title} is unavailable: {score.unavailable}")
    if card.listed is not None and (isinstance(result, TCloseness | Profitability) or metric_id in _OF_CLASS_SIZES):
        return empty_figure(result.in_words())  # theirs draw all classes, of which the card lists some
    if isinstance(result, P29):
        return p29_breakdown(result)
    if isinstance(result, TCloseness):
        return distance_distribution(result)
    if isinstance(result, NonUniformEntropy):
        return loss_by_column(result)
    if isinstance(result, Ambiguity):
        return combination_distribution(result)
    if isinstance(result, Profitability):
        return payout_by_class(result)
    if isinstance(result, ReidentificationRisk):
        return risk_curve_figure({card.evidence.anonymized.name: result}, result.threshold)
    if isinstance(result, QuasiIdentifierRanking):
        return ranked_subsets(result)
    if metric_id in _OF_CLASS_SIZES:
        of = card.evidence.compared if score.metric.family is Family.UTILITY else card.evidence
        return class_size_distribution(of.classes.sizes)
    if any(figure is not None for figure in result.attributes.values()):
        return figure_by_attribute(score.metric, result)
    return empty_figure(result.in_words())
