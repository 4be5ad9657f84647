"""Every metric, once, in the catalog's order: its declaration in the library, as a function of one data frame.

A new metric takes one line here. The line tells type checkers the function's arguments and result, and every name here
is one of `metrics`, too.
"""

import metrics.scoring.functions.signatures as _signatures
from metrics.attacks.attribute_inference.measure import ATTRIBUTE_INFERENCE_ATTACK as _ATTRIBUTE_INFERENCE_ATTACK
from metrics.attacks.closest_record import DISTANCE_TO_CLOSEST_RECORD as _DISTANCE_TO_CLOSEST_RECORD
from metrics.attacks.correct_attribution import CORRECT_ATTRIBUTION as _CORRECT_ATTRIBUTION
from metrics.attacks.disco import DISCO as _DISCO
from metrics.attacks.interval_disclosure import INTERVAL_DISCLOSURE as _INTERVAL_DISCLOSURE
from metrics.attacks.key_sets import KEY_SET_K_ANONYMITY as _KEY_SET_K_ANONYMITY
from metrics.attacks.learning.measure import LEARNING_ATTACK as _LEARNING_ATTACK
from metrics.attacks.membership.measure import MEMBERSHIP_ATTACK as _MEMBERSHIP_ATTACK
from metrics.attacks.one_to_one_linkage import ONE_TO_ONE_LINKAGE as _ONE_TO_ONE_LINKAGE
from metrics.attacks.people_linkage import PEOPLE_LINKAGE_ATTACK as _PEOPLE_LINKAGE_ATTACK
from metrics.attacks.record_linkage.measure import RECORD_LINKAGE_ATTACK as _RECORD_LINKAGE_ATTACK
from metrics.attacks.singling_out.measure import SINGLING_OUT_ATTACK as _SINGLING_OUT_ATTACK
from metrics.attacks.two_source_linkage.measure import TWO_SOURCE_LINKAGE_ATTACK as _TWO_SOURCE_LINKAGE_ATTACK
from metrics.economics.profitability import PROFITABILITY as _PROFITABILITY
from metrics.privacy.alpha_k_anonymity.measure import ALPHA_K_ANONYMITY as _ALPHA_K_ANONYMITY
from metrics.privacy.beta_likeness.measure import BASIC_BETA_LIKENESS as _BASIC_BETA_LIKENESS
from metrics.privacy.beta_likeness.measure import ENHANCED_BETA_LIKENESS as _ENHANCED_BETA_LIKENESS
from metrics.privacy.delta_disclosure.measure import DELTA_DISCLOSURE as _DELTA_DISCLOSURE
from metrics.privacy.delta_presence import DELTA_PRESENCE as _DELTA_PRESENCE
from metrics.privacy.household import HOUSEHOLD_RISK as _HOUSEHOLD_RISK
from metrics.privacy.k_anonymity.measure import K_ANONYMITY as _K_ANONYMITY
from metrics.privacy.k_map import K_MAP as _K_MAP
from metrics.privacy.km_anonymity.measure import KM_ANONYMITY as _KM_ANONYMITY
from metrics.privacy.l_diversity.measure import DISTINCT_L_DIVERSITY as _DISTINCT_L_DIVERSITY
from metrics.privacy.l_diversity.measure import ENTROPY_L_DIVERSITY as _ENTROPY_L_DIVERSITY
from metrics.privacy.l_diversity.measure import NORMALIZED_ENTROPY_L_DIVERSITY as _NORMALIZED_ENTROPY_L_DIVERSITY
from metrics.privacy.l_diversity.measure import RECURSIVE_CL_DIVERSITY as _RECURSIVE_CL_DIVERSITY
from metrics.privacy.local_dp.measure import LOCAL_DP as _LOCAL_DP
from metrics.privacy.minimal_sample_uniques.measure import MINIMAL_SAMPLE_UNIQUES as _MINIMAL_SAMPLE_UNIQUES
from metrics.privacy.p29.measure import P_29 as _P_29
from metrics.privacy.people_k_anonymity import PEOPLE_K_ANONYMITY as _PEOPLE_K_ANONYMITY
from metrics.privacy.population_uniqueness.measure import POPULATION_UNIQUENESS as _POPULATION_UNIQUENESS
from metrics.privacy.quasi_identifier_ranking.measure import QUASI_IDENTIFIER_RANKING as _QUASI_IDENTIFIER_RANKING
from metrics.privacy.reidentification_risk.measure import REIDENTIFICATION_RISK as _REIDENTIFICATION_RISK
from metrics.privacy.safepub.measure import SAFEPUB as _SAFEPUB
from metrics.privacy.sample_uniqueness.measure import SAMPLE_UNIQUENESS as _SAMPLE_UNIQUENESS
from metrics.privacy.t_closeness.measure import T_CLOSENESS as _T_CLOSENESS
from metrics.scoring.functions.signatures import metric_function as _metric
from metrics.utility.ambiguity.measure import AMBIGUITY as _AMBIGUITY
from metrics.utility.analyses import ANALYSES as _ANALYSES
from metrics.utility.association_change.measure import ASSOCIATION_CHANGE as _ASSOCIATION_CHANGE
from metrics.utility.average_class_size.measure import AVERAGE_CLASS_SIZE as _AVERAGE_CLASS_SIZE
from metrics.utility.classification_accuracy.measure import CLASSIFICATION_ACCURACY as _CLASSIFICATION_ACCURACY
from metrics.utility.count_queries.measure import COUNT_QUERIES as _COUNT_QUERIES
from metrics.utility.discernibility.measure import DISCERNIBILITY as _DISCERNIBILITY
from metrics.utility.distribution_distance.measure import DISTRIBUTION_DISTANCE as _DISTRIBUTION_DISTANCE
from metrics.utility.eigenvalue_difference import EIGENVALUE_DIFFERENCE as _EIGENVALUE_DIFFERENCE
from metrics.utility.granularity.measure import GRANULARITY as _GRANULARITY
from metrics.utility.k_marginals.measure import K_MARGINALS as _K_MARGINALS
from metrics.utility.kl_divergence.measure import KL_DIVERGENCE as _KL_DIVERGENCE
from metrics.utility.non_uniform_entropy.measure import NON_UNIFORM_ENTROPY as _NON_UNIFORM_ENTROPY
from metrics.utility.normalized_certainty_penalty import NORMALIZED_CERTAINTY_PENALTY as _NORMALIZED_CERTAINTY_PENALTY
from metrics.utility.precision.measure import PRECISION as _PRECISION
from metrics.utility.propensity import PMSE as _PMSE
from metrics.utility.standardized_difference import STANDARDIZED_DIFFERENCE as _STANDARDIZED_DIFFERENCE
from metrics.utility.suppressed_cells.measure import SUPPRESSED_CELLS as _SUPPRESSED_CELLS
from metrics.utility.utility_bias.measure import UTILITY_BIAS as _UTILITY_BIAS
from metrics.utility.variance_preserved.measure import VARIANCE_PRESERVED as _VARIANCE_PRESERVED

p29 = _metric(_P_29, _signatures.score_p29, float)
k_anonymity = _metric(_K_ANONYMITY, _signatures.score_from_quasi_identifiers, int)
people_k_anonymity = _metric(_PEOPLE_K_ANONYMITY, _signatures.score_people, int)
km_anonymity = _metric(_KM_ANONYMITY, _signatures.score_items, int)
household_risk = _metric(_HOUSEHOLD_RISK, _signatures.score_households, float)
key_set_k_anonymity = _metric(_KEY_SET_K_ANONYMITY, _signatures.score_key_sets, int)
distinct_l_diversity = _metric(_DISTINCT_L_DIVERSITY, _signatures.score_sensitive, int)
entropy_l_diversity = _metric(_ENTROPY_L_DIVERSITY, _signatures.score_sensitive, float)
recursive_cl_diversity = _metric(_RECURSIVE_CL_DIVERSITY, _signatures.score_recursive_diversity, float)
normalized_entropy_l_diversity = _metric(_NORMALIZED_ENTROPY_L_DIVERSITY, _signatures.score_sensitive, float)
t_closeness = _metric(_T_CLOSENESS, _signatures.score_t_closeness, float)
alpha_k_anonymity = _metric(_ALPHA_K_ANONYMITY, _signatures.score_sensitive, float)
basic_beta_likeness = _metric(_BASIC_BETA_LIKENESS, _signatures.score_sensitive, float)
enhanced_beta_likeness = _metric(_ENHANCED_BETA_LIKENESS, _signatures.score_sensitive, float)
delta_disclosure = _metric(_DELTA_DISCLOSURE, _signatures.score_sensitive, float)
delta_presence = _metric(_DELTA_PRESENCE, _signatures.score_with_population, float)
k_map = _metric(_K_MAP, _signatures.score_with_population, int)
reidentification_risk = _metric(_REIDENTIFICATION_RISK, _signatures.score_from_quasi_identifiers, float)
sample_uniqueness = _metric(_SAMPLE_UNIQUENESS, _signatures.score_from_quasi_identifiers, float)
population_uniqueness = _metric(_POPULATION_UNIQUENESS, _signatures.score_with_population_size, float)
minimal_sample_uniques = _metric(_MINIMAL_SAMPLE_UNIQUES, _signatures.score_column_subsets, float)
local_dp = _metric(_LOCAL_DP, _signatures.score_randomization, float)
quasi_identifier_ranking = _metric(_QUASI_IDENTIFIER_RANKING, _signatures.score_column_subsets, float)
safepub = _metric(_SAFEPUB, _signatures.score_from_quasi_identifiers, float)
record_linkage_attack = _metric(_RECORD_LINKAGE_ATTACK, _signatures.score_attack, float)
one_to_one_linkage = _metric(_ONE_TO_ONE_LINKAGE, _signatures.score_attack, float)
people_linkage_attack = _metric(_PEOPLE_LINKAGE_ATTACK, _signatures.score_people_attack, float)
attribute_inference_attack = _metric(_ATTRIBUTE_INFERENCE_ATTACK, _signatures.score_inference_attack, float)
learning_attack = _metric(_LEARNING_ATTACK, _signatures.score_learning_attack, float)
singling_out_attack = _metric(_SINGLING_OUT_ATTACK, _signatures.score_all_with_original, float)
two_source_linkage_attack = _metric(_TWO_SOURCE_LINKAGE_ATTACK, _signatures.score_attack, float)
membership_attack = _metric(_MEMBERSHIP_ATTACK, _signatures.score_membership_attack, float)
interval_disclosure = _metric(_INTERVAL_DISCLOSURE, _signatures.score_all_with_original, float)
correct_attribution = _metric(_CORRECT_ATTRIBUTION, _signatures.score_inference_attack, float)
disco = _metric(_DISCO, _signatures.score_inference_attack, float)
distance_to_closest_record = _metric(_DISTANCE_TO_CLOSEST_RECORD, _signatures.score_all_with_original, float)
non_uniform_entropy = _metric(_NON_UNIFORM_ENTROPY, _signatures.score_with_original, float)
ambiguity = _metric(_AMBIGUITY, _signatures.score_with_original, float)
precision = _metric(_PRECISION, _signatures.score_with_original, float)
granularity = _metric(_GRANULARITY, _signatures.score_with_original, float)
normalized_certainty_penalty = _metric(_NORMALIZED_CERTAINTY_PENALTY, _signatures.score_with_original, float)
discernibility = _metric(_DISCERNIBILITY, _signatures.score_with_original, float)
average_class_size = _metric(_AVERAGE_CLASS_SIZE, _signatures.score_with_original, float)
suppressed_cells = _metric(_SUPPRESSED_CELLS, _signatures.score_from_quasi_identifiers, float)
kl_divergence = _metric(_KL_DIVERGENCE, _signatures.score_with_original, float)
variance_preserved = _metric(_VARIANCE_PRESERVED, _signatures.score_with_original, float)
standardized_difference = _metric(_STANDARDIZED_DIFFERENCE, _signatures.score_all_with_original, float)
distribution_distance = _metric(_DISTRIBUTION_DISTANCE, _signatures.score_with_original, float)
eigenvalue_difference = _metric(_EIGENVALUE_DIFFERENCE, _signatures.score_all_with_original, float)
association_change = _metric(_ASSOCIATION_CHANGE, _signatures.score_all_with_original, float)
analyses = _metric(_ANALYSES, _signatures.score_analyses, float)
count_queries = _metric(_COUNT_QUERIES, _signatures.score_with_original, float)
k_marginals = _metric(_K_MARGINALS, _signatures.score_all_with_original, float)
pmse = _metric(_PMSE, _signatures.score_all_with_original, float)
utility_bias = _metric(_UTILITY_BIAS, _signatures.score_statistic, float)
classification_accuracy = _metric(_CLASSIFICATION_ACCURACY, _signatures.score_prediction, float)
profitability = _metric(_PROFITABILITY, _signatures.score_economics, bool)
