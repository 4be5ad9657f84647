"""Every metric, once, in the catalog's order: its declaration in the library, as a function of one data frame.

A new metric takes one line here. The line tells type checkers the function's arguments and result, and every name here
is one of `metrics`, too.
"""

import metrics.scoring.functions.signatures as _signatures
from metrics.scoring.functions.signatures import metric_function as _metric

p29 = _metric("privacy.p29:P_29", _signatures.score_p29, float)
k_anonymity = _metric("privacy.k_anonymity:K_ANONYMITY", _signatures.score_from_quasi_identifiers, int)
people_k_anonymity = _metric("privacy.people_k_anonymity:PEOPLE_K_ANONYMITY", _signatures.score_people, int)
household_risk = _metric("privacy.household:HOUSEHOLD_RISK", _signatures.score_households, float)
key_set_k_anonymity = _metric("attacks.key_sets:KEY_SET_K_ANONYMITY", _signatures.score_key_sets, int)
distinct_l_diversity = _metric("privacy.l_diversity:DISTINCT_L_DIVERSITY", _signatures.score_sensitive, int)
entropy_l_diversity = _metric("privacy.l_diversity:ENTROPY_L_DIVERSITY", _signatures.score_sensitive, float)
recursive_cl_diversity = _metric(
    "privacy.l_diversity:RECURSIVE_CL_DIVERSITY", _signatures.score_recursive_diversity, float
)
normalized_entropy_l_diversity = _metric(
    "privacy.l_diversity:NORMALIZED_ENTROPY_L_DIVERSITY", _signatures.score_sensitive, float
)
t_closeness = _metric("privacy.t_closeness:T_CLOSENESS", _signatures.score_t_closeness, float)
alpha_k_anonymity = _metric("privacy.alpha_k_anonymity:ALPHA_K_ANONYMITY", _signatures.score_sensitive, float)
basic_beta_likeness = _metric("privacy.beta_likeness:BASIC_BETA_LIKENESS", _signatures.score_sensitive, float)
enhanced_beta_likeness = _metric("privacy.beta_likeness:ENHANCED_BETA_LIKENESS", _signatures.score_sensitive, float)
delta_disclosure = _metric("privacy.delta_disclosure:DELTA_DISCLOSURE", _signatures.score_sensitive, float)
delta_presence = _metric("privacy.delta_presence:DELTA_PRESENCE", _signatures.score_with_population, float)
k_map = _metric("privacy.k_map:K_MAP", _signatures.score_with_population, int)
reidentification_risk = _metric(
    "privacy.reidentification_risk:REIDENTIFICATION_RISK", _signatures.score_from_quasi_identifiers, float
)
sample_uniqueness = _metric(
    "privacy.sample_uniqueness:SAMPLE_UNIQUENESS", _signatures.score_from_quasi_identifiers, float
)
population_uniqueness = _metric(
    "privacy.population_uniqueness:POPULATION_UNIQUENESS", _signatures.score_with_population_size, float
)
minimal_sample_uniques = _metric(
    "privacy.minimal_sample_uniques:MINIMAL_SAMPLE_UNIQUES", _signatures.score_column_subsets, float
)
quasi_identifier_ranking = _metric(
    "privacy.quasi_identifier_ranking:QUASI_IDENTIFIER_RANKING", _signatures.score_column_subsets, float
)
record_linkage_attack = _metric("attacks.record_linkage:RECORD_LINKAGE_ATTACK", _signatures.score_attack, float)
people_linkage_attack = _metric("attacks.people_linkage:PEOPLE_LINKAGE_ATTACK", _signatures.score_people_attack, float)
attribute_inference_attack = _metric(
    "attacks.attribute_inference:ATTRIBUTE_INFERENCE_ATTACK", _signatures.score_inference_attack, float
)
singling_out_attack = _metric("attacks.singling_out:SINGLING_OUT_ATTACK", _signatures.score_all_with_original, float)
linkability_attack = _metric("attacks.linkability:LINKABILITY_ATTACK", _signatures.score_attack, float)
membership_attack = _metric("attacks.membership:MEMBERSHIP_ATTACK", _signatures.score_membership_attack, float)
interval_disclosure = _metric(
    "attacks.interval_disclosure:INTERVAL_DISCLOSURE", _signatures.score_all_with_original, float
)
correct_attribution = _metric(
    "attacks.correct_attribution:CORRECT_ATTRIBUTION", _signatures.score_inference_attack, float
)
disco = _metric("attacks.disco:DISCO", _signatures.score_inference_attack, float)
distance_to_closest_record = _metric(
    "attacks.closest_record:DISTANCE_TO_CLOSEST_RECORD", _signatures.score_all_with_original, float
)
non_uniform_entropy = _metric("utility.non_uniform_entropy:NON_UNIFORM_ENTROPY", _signatures.score_with_original, float)
ambiguity = _metric("utility.ambiguity:AMBIGUITY", _signatures.score_with_original, float)
precision = _metric("utility.precision:PRECISION", _signatures.score_with_original, float)
granularity = _metric("utility.granularity:GRANULARITY", _signatures.score_with_original, float)
normalized_certainty_penalty = _metric(
    "utility.normalized_certainty_penalty:NORMALIZED_CERTAINTY_PENALTY", _signatures.score_with_original, float
)
discernibility = _metric("utility.discernibility:DISCERNIBILITY", _signatures.score_with_original, float)
average_class_size = _metric("utility.average_class_size:AVERAGE_CLASS_SIZE", _signatures.score_with_original, float)
suppressed_cells = _metric("utility.suppressed_cells:SUPPRESSED_CELLS", _signatures.score_from_quasi_identifiers, float)
kl_divergence = _metric("utility.kl_divergence:KL_DIVERGENCE", _signatures.score_with_original, float)
squared_error = _metric("utility.squared_error:SQUARED_ERROR", _signatures.score_with_original, float)
standardized_difference = _metric(
    "utility.standardized_difference:STANDARDIZED_DIFFERENCE", _signatures.score_all_with_original, float
)
distribution_distance = _metric(
    "utility.distribution_distance:DISTRIBUTION_DISTANCE", _signatures.score_with_original, float
)
eigenvalue_difference = _metric(
    "utility.eigenvalue_difference:EIGENVALUE_DIFFERENCE", _signatures.score_all_with_original, float
)
association_change = _metric(
    "utility.association_change:ASSOCIATION_CHANGE", _signatures.score_all_with_original, float
)
pmse = _metric("utility.propensity:PMSE", _signatures.score_all_with_original, float)
utility_bias = _metric("utility.utility_bias:UTILITY_BIAS", _signatures.score_statistic, float)
classification_accuracy = _metric(
    "utility.classification_accuracy:CLASSIFICATION_ACCURACY", _signatures.score_prediction, float
)
profitability = _metric("economics.profitability:PROFITABILITY", _signatures.score_economics, bool)
