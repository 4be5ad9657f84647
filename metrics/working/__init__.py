"""Show the working: how a metric's figure comes about, step by step, with the table's own numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from metrics.parameters import Parameters
from metrics.scorecard import Scorecard, score_metric
from metrics.specification import Family
from metrics.working.alpha_k_anonymity import ALPHA_K_ANONYMITY
from metrics.working.ambiguity import AMBIGUITY
from metrics.working.association_change import ASSOCIATION_CHANGE
from metrics.working.average_class_size import AVERAGE_CLASS_SIZE
from metrics.working.beta_likeness import BASIC_BETA_LIKENESS, ENHANCED_BETA_LIKENESS
from metrics.working.classification_accuracy import CLASSIFICATION_ACCURACY
from metrics.working.delta_disclosure import DELTA_DISCLOSURE
from metrics.working.discernibility import DISCERNIBILITY
from metrics.working.distribution_distance import DISTRIBUTION_DISTANCE
from metrics.working.granularity import GRANULARITY
from metrics.working.k_anonymity import K_ANONYMITY
from metrics.working.kl_divergence import KL_DIVERGENCE
from metrics.working.l_diversity import (
    DISTINCT_L_DIVERSITY,
    ENTROPY_L_DIVERSITY,
    NORMALIZED_ENTROPY_L_DIVERSITY,
    RECURSIVE_CL_DIVERSITY,
)
from metrics.working.minimal_sample_uniques import MINIMAL_SAMPLE_UNIQUES
from metrics.working.non_uniform_entropy import NON_UNIFORM_ENTROPY
from metrics.working.p29 import P_29, score_step
from metrics.working.population import DELTA_PRESENCE, K_MAP
from metrics.working.population_uniqueness import POPULATION_UNIQUENESS
from metrics.working.precision import PRECISION
from metrics.working.profitability import PROFITABILITY
from metrics.working.quasi_identifier_ranking import QUASI_IDENTIFIER_RANKING
from metrics.working.records import record_count, record_name
from metrics.working.reidentification_risk import REIDENTIFICATION_RISK
from metrics.working.sample_uniqueness import SAMPLE_UNIQUENESS
from metrics.working.squared_error import SQUARED_ERROR
from metrics.working.steps import (
    Derivation,
    Step,
    StepTable,
    Subject,
    Unit,
    Working,
    class_name,
    class_size,
    finished,
)
from metrics.working.suppressed_cells import SUPPRESSED_CELLS
from metrics.working.t_closeness import T_CLOSENESS
from metrics.working.utility_bias import UTILITY_BIAS

WORKINGS: Mapping[str, Derivation] = MappingProxyType(
    {
        "p29": P_29,
        "k_anonymity": K_ANONYMITY,
        "t_closeness": T_CLOSENESS,
        "distinct_l_diversity": DISTINCT_L_DIVERSITY,
        "entropy_l_diversity": ENTROPY_L_DIVERSITY,
        "recursive_cl_diversity": RECURSIVE_CL_DIVERSITY,
        "normalized_entropy_l_diversity": NORMALIZED_ENTROPY_L_DIVERSITY,
        "alpha_k_anonymity": ALPHA_K_ANONYMITY,
        "basic_beta_likeness": BASIC_BETA_LIKENESS,
        "enhanced_beta_likeness": ENHANCED_BETA_LIKENESS,
        "delta_disclosure": DELTA_DISCLOSURE,
        "delta_presence": DELTA_PRESENCE,
        "k_map": K_MAP,
        "reidentification_risk": REIDENTIFICATION_RISK,
        "sample_uniqueness": SAMPLE_UNIQUENESS,
        "population_uniqueness": POPULATION_UNIQUENESS,
        "minimal_sample_uniques": MINIMAL_SAMPLE_UNIQUES,
        "quasi_identifier_ranking": QUASI_IDENTIFIER_RANKING,
        "non_uniform_entropy": NON_UNIFORM_ENTROPY,
        "ambiguity": AMBIGUITY,
        "precision": PRECISION,
        "granularity": GRANULARITY,
        "discernibility": DISCERNIBILITY,
        "average_class_size": AVERAGE_CLASS_SIZE,
        "suppressed_cells": SUPPRESSED_CELLS,
        "kl_divergence": KL_DIVERGENCE,
        "squared_error": SQUARED_ERROR,
        "distribution_distance": DISTRIBUTION_DISTANCE,
        "association_change": ASSOCIATION_CHANGE,
        "utility_bias": UTILITY_BIAS,
        "classification_accuracy": CLASSIFICATION_ACCURACY,
        "profitability": PROFITABILITY,
    }
)
"""How each metric of the catalog is derived, by its id."""


def working(card: Scorecard, metric_id: str, subject: Subject | None = None) -> Working:
    """The derivation of a metric's figure for a class or record; without a subject, for the one that decides it.

    Raises Unavailable where the metric has no figure, IndexError for a class or record that is not there, and KeyError
    for a metric or column that is not.
    """
    derivation = WORKINGS[metric_id]
    chosen = decisive_subject(card, metric_id) if subject is None else subject
    finished(card, metric_id)
    card = _judged(card, metric_id)
    if not 0 <= chosen.index < subject_count(card, metric_id):
        raise IndexError(f"there is no such {derivation.unit}")
    if chosen.column not in subject_columns(card, metric_id):
        raise KeyError("there is no such column")
    return derivation.derive(card, chosen)


def decisive_subject(card: Scorecard, metric_id: str) -> Subject:
    """The class or record to begin with: the one that decides the figure, where there is one. Raises Unavailable."""
    finished(card, metric_id)
    return WORKINGS[metric_id].decisive(_judged(card, metric_id))


def _judged(card: Scorecard, metric_id: str) -> Scorecard:
    """The card over the records that the metric judges: those that are compared, for a measure of loss."""
    of = card.evidence.compared if card[metric_id].metric.family is Family.UTILITY else card.evidence
    return card if of is card.evidence else replace(card, evidence=of)


def rescored(card: Scorecard, metric_id: str, parameters: Parameters) -> Scorecard:
    """The card with one metric's score under other parameters: for a working beside controls that move."""
    if parameters == card.parameters:
        return card
    again = score_metric(card[metric_id].metric, card.evidence, parameters)
    return replace(card, parameters=parameters, scores={**card.scores, metric_id: again})


def subject_count(card: Scorecard, metric_id: str) -> int:
    """How many classes or records there are to choose from."""
    unit = WORKINGS[metric_id].unit
    if unit is Unit.TABLE:
        return 1
    card = _judged(card, metric_id)
    return card.evidence.classes.count if unit is Unit.CLASS else record_count(card)


def subject_columns(card: Scorecard, metric_id: str) -> tuple[str, ...]:
    """The columns to choose from; only the empty name where the metric looks at no single column."""
    attribute = WORKINGS[metric_id].attribute
    return ("",) if attribute is None else attribute.columns(card.evidence.roles)


def subject_name(card: Scorecard, metric_id: str, index: int) -> str:
    """A class by its quasi-identifiers and size, or a record by its number: plain text."""
    unit = WORKINGS[metric_id].unit
    if unit is Unit.TABLE:
        return "the whole table"
    card = _judged(card, metric_id)
    if unit is Unit.RECORD:
        return record_name(card, index)
    return f"{class_name(card, index)} ({class_size(card, index)})"


__all__ = [
    "WORKINGS",
    "Step",
    "StepTable",
    "Subject",
    "Unit",
    "Working",
    "decisive_subject",
    "rescored",
    "score_step",
    "subject_columns",
    "subject_count",
    "subject_name",
    "working",
]
