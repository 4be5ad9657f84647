"""Every metric, once. Scorecard, command line, pages, report and the tests' shared properties walk this tuple."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from metrics.metric import Metric, import_member

_LISTED = (
    "privacy.p29:P_29",
    "privacy.k_anonymity:K_ANONYMITY",
    "privacy.people_k_anonymity:PEOPLE_K_ANONYMITY",
    "privacy.household:HOUSEHOLD_RISK",
    "attacks.key_sets:KEY_SET_K_ANONYMITY",
    "privacy.t_closeness:T_CLOSENESS",
    "privacy.l_diversity:DISTINCT_L_DIVERSITY",
    "privacy.l_diversity:ENTROPY_L_DIVERSITY",
    "privacy.l_diversity:RECURSIVE_CL_DIVERSITY",
    "privacy.l_diversity:NORMALIZED_ENTROPY_L_DIVERSITY",
    "privacy.alpha_k_anonymity:ALPHA_K_ANONYMITY",
    "privacy.beta_likeness:BASIC_BETA_LIKENESS",
    "privacy.beta_likeness:ENHANCED_BETA_LIKENESS",
    "privacy.delta_disclosure:DELTA_DISCLOSURE",
    "privacy.delta_presence:DELTA_PRESENCE",
    "privacy.k_map:K_MAP",
    "privacy.reidentification_risk:REIDENTIFICATION_RISK",
    "privacy.sample_uniqueness:SAMPLE_UNIQUENESS",
    "privacy.population_uniqueness:POPULATION_UNIQUENESS",
    "privacy.minimal_sample_uniques:MINIMAL_SAMPLE_UNIQUES",
    "privacy.quasi_identifier_ranking:QUASI_IDENTIFIER_RANKING",
    "attacks.record_linkage:RECORD_LINKAGE_ATTACK",
    "attacks.people_linkage:PEOPLE_LINKAGE_ATTACK",
    "attacks.attribute_inference:ATTRIBUTE_INFERENCE_ATTACK",
    "attacks.singling_out:SINGLING_OUT_ATTACK",
    "attacks.linkability:LINKABILITY_ATTACK",
    "attacks.membership:MEMBERSHIP_ATTACK",
    "attacks.interval_disclosure:INTERVAL_DISCLOSURE",
    "attacks.correct_attribution:CORRECT_ATTRIBUTION",
    "attacks.disco:DISCO",
    "attacks.closest_record:DISTANCE_TO_CLOSEST_RECORD",
    "utility.non_uniform_entropy:NON_UNIFORM_ENTROPY",
    "utility.ambiguity:AMBIGUITY",
    "utility.precision:PRECISION",
    "utility.granularity:GRANULARITY",
    "utility.normalized_certainty_penalty:NORMALIZED_CERTAINTY_PENALTY",
    "utility.discernibility:DISCERNIBILITY",
    "utility.average_class_size:AVERAGE_CLASS_SIZE",
    "utility.suppressed_cells:SUPPRESSED_CELLS",
    "utility.kl_divergence:KL_DIVERGENCE",
    "utility.squared_error:SQUARED_ERROR",
    "utility.standardized_difference:STANDARDIZED_DIFFERENCE",
    "utility.distribution_distance:DISTRIBUTION_DISTANCE",
    "utility.eigenvalue_difference:EIGENVALUE_DIFFERENCE",
    "utility.association_change:ASSOCIATION_CHANGE",
    "utility.propensity:PMSE",
    "utility.utility_bias:UTILITY_BIAS",
    "utility.classification_accuracy:CLASSIFICATION_ACCURACY",
    "economics.profitability:PROFITABILITY",
)
"""Declaration of each metric, as "module:name" within the library: a new metric takes one line here."""

METRICS: tuple[Metric, ...] = tuple(import_member(f"metrics.{reference}") for reference in _LISTED)

BY_ID: Mapping[str, Metric] = MappingProxyType({spec.id: spec for spec in METRICS})
"""The metrics by id."""

HEADLINES: tuple[str, ...] = tuple(spec.id for spec in METRICS if spec.is_headline)
"""The metrics by which candidates are compared where nothing else is asked for: privacy first, then utility."""
