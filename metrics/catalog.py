"""Every metric, once. Scorecard, command line, pages, report and the tests' shared properties walk this tuple."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from metrics.economics.profitability import PROFITABILITY
from metrics.privacy.alpha_k_anonymity import ALPHA_K_ANONYMITY
from metrics.privacy.beta_likeness import BASIC_BETA_LIKENESS, ENHANCED_BETA_LIKENESS
from metrics.privacy.delta_disclosure import DELTA_DISCLOSURE
from metrics.privacy.delta_presence import DELTA_PRESENCE
from metrics.privacy.k_anonymity import K_ANONYMITY
from metrics.privacy.k_map import K_MAP
from metrics.privacy.l_diversity import (
    DISTINCT_L_DIVERSITY,
    ENTROPY_L_DIVERSITY,
    NORMALIZED_ENTROPY_L_DIVERSITY,
    RECURSIVE_CL_DIVERSITY,
)
from metrics.privacy.minimal_sample_uniques import MINIMAL_SAMPLE_UNIQUES
from metrics.privacy.p29 import P_29
from metrics.privacy.population_uniqueness import POPULATION_UNIQUENESS
from metrics.privacy.quasi_identifier_ranking import QUASI_IDENTIFIER_RANKING
from metrics.privacy.reidentification_risk import REIDENTIFICATION_RISK
from metrics.privacy.sample_uniqueness import SAMPLE_UNIQUENESS
from metrics.privacy.t_closeness import T_CLOSENESS
from metrics.specification import Metric
from metrics.utility.ambiguity import AMBIGUITY
from metrics.utility.association_change import ASSOCIATION_CHANGE
from metrics.utility.average_class_size import AVERAGE_CLASS_SIZE
from metrics.utility.classification_accuracy import CLASSIFICATION_ACCURACY
from metrics.utility.discernibility import DISCERNIBILITY
from metrics.utility.distribution_distance import DISTRIBUTION_DISTANCE
from metrics.utility.granularity import GRANULARITY
from metrics.utility.kl_divergence import KL_DIVERGENCE
from metrics.utility.non_uniform_entropy import NON_UNIFORM_ENTROPY
from metrics.utility.precision import PRECISION
from metrics.utility.squared_error import SQUARED_ERROR
from metrics.utility.suppressed_cells import SUPPRESSED_CELLS
from metrics.utility.utility_bias import UTILITY_BIAS

METRICS: tuple[Metric, ...] = (
    P_29,
    K_ANONYMITY,
    T_CLOSENESS,
    DISTINCT_L_DIVERSITY,
    ENTROPY_L_DIVERSITY,
    RECURSIVE_CL_DIVERSITY,
    NORMALIZED_ENTROPY_L_DIVERSITY,
    ALPHA_K_ANONYMITY,
    BASIC_BETA_LIKENESS,
    ENHANCED_BETA_LIKENESS,
    DELTA_DISCLOSURE,
    DELTA_PRESENCE,
    K_MAP,
    REIDENTIFICATION_RISK,
    SAMPLE_UNIQUENESS,
    POPULATION_UNIQUENESS,
    MINIMAL_SAMPLE_UNIQUES,
    QUASI_IDENTIFIER_RANKING,
    NON_UNIFORM_ENTROPY,
    AMBIGUITY,
    PRECISION,
    GRANULARITY,
    DISCERNIBILITY,
    AVERAGE_CLASS_SIZE,
    SUPPRESSED_CELLS,
    KL_DIVERGENCE,
    SQUARED_ERROR,
    DISTRIBUTION_DISTANCE,
    ASSOCIATION_CHANGE,
    UTILITY_BIAS,
    CLASSIFICATION_ACCURACY,
    PROFITABILITY,
)


BY_ID: Mapping[str, Metric] = MappingProxyType({spec.id: spec for spec in METRICS})
"""The metrics by id."""
