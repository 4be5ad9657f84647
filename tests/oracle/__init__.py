"""A second, slow and obvious implementation of the metrics, for tests to compare against.

It shares no code with the `metrics` package, on purpose: it walks records one by one, keeps probabilities as
exact fractions and follows the text of each definition step by step. A table is a list of records, each a
dictionary from column to cell (`None` = missing); a hierarchy is a list of rows, each from leaf to root.
Whatever a definition leaves open raises `ValueError` here instead of guessing.
"""

from tests.oracle.classes import SUPPRESSED, equivalence_classes, is_suppressed, kept_records
from tests.oracle.distance import (
    equal_distance,
    equal_ground,
    hierarchical_distance,
    hierarchical_ground,
    minimum_transport_cost,
    ordered_distance,
    ordered_ground,
)
from tests.oracle.economics import Profitability, profitability
from tests.oracle.likeness import (
    alpha_k_anonymity,
    basic_beta_likeness,
    delta_disclosure,
    enhanced_beta_likeness,
    with_others_known,
)
from tests.oracle.matching import Matched, match
from tests.oracle.privacy import (
    P29,
    Judged,
    distinct_l_diversity,
    entropy_l_diversity,
    ground_distance_of,
    k_anonymity,
    normalized_entropy_l_diversity,
    p29,
    recursive_cl_diversity,
    t_closeness,
)
from tests.oracle.utility import Ambiguity, NonUniformEntropy, ambiguity, non_uniform_entropy

__all__ = [
    "P29",
    "SUPPRESSED",
    "Ambiguity",
    "Judged",
    "Matched",
    "NonUniformEntropy",
    "Profitability",
    "alpha_k_anonymity",
    "ambiguity",
    "basic_beta_likeness",
    "delta_disclosure",
    "distinct_l_diversity",
    "enhanced_beta_likeness",
    "entropy_l_diversity",
    "equal_distance",
    "equal_ground",
    "equivalence_classes",
    "ground_distance_of",
    "hierarchical_distance",
    "hierarchical_ground",
    "is_suppressed",
    "k_anonymity",
    "kept_records",
    "match",
    "minimum_transport_cost",
    "non_uniform_entropy",
    "normalized_entropy_l_diversity",
    "ordered_distance",
    "ordered_ground",
    "p29",
    "profitability",
    "recursive_cl_diversity",
    "t_closeness",
    "with_others_known",
]
