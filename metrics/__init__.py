"""Privacy and utility of anonymized tables: read, tag, score."""

from metrics.candidates.generalization.generalize import generalized_table
from metrics.candidates.methods.catalog import make_candidate
from metrics.candidates.search.lattice import explore
from metrics.config.parameters import Parameters
from metrics.config.roles import Role, Roles, read_roles
from metrics.errors import InputError, Unavailable
from metrics.hierarchies.files import read_hierarchies
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.identifiers.detection import direct_identifiers
from metrics.identifiers.kinds import Identifier, IdentifierKind
from metrics.notebook import classes_browser
from metrics.policy.policy import Policy, PolicyResult
from metrics.policy.release_contexts import read_policy
from metrics.policy.settings import Settings
from metrics.policy.settings_file import read_settings
from metrics.policy.thresholds import Thresholds
from metrics.reading import Proposal, propose, read_table
from metrics.recipes.parsing import read_recipe
from metrics.recipes.recipe import Recipe, recipe_of_levels
from metrics.recipes.repair_recipe import recipe_of_repair
from metrics.scoring.catalog import METRICS
from metrics.scoring.functions.single_metric import (
    alpha_k_anonymity,
    ambiguity,
    association_change,
    attribute_inference_attack,
    average_class_size,
    basic_beta_likeness,
    classification_accuracy,
    correct_attribution,
    delta_disclosure,
    delta_presence,
    discernibility,
    disco,
    distance_to_closest_record,
    distinct_l_diversity,
    distribution_distance,
    eigenvalue_difference,
    enhanced_beta_likeness,
    entropy_l_diversity,
    granularity,
    household_risk,
    interval_disclosure,
    k_anonymity,
    k_map,
    key_set_k_anonymity,
    kl_divergence,
    linkability_attack,
    membership_attack,
    minimal_sample_uniques,
    non_uniform_entropy,
    normalized_certainty_penalty,
    normalized_entropy_l_diversity,
    p29,
    people_k_anonymity,
    people_linkage_attack,
    pmse,
    population_uniqueness,
    precision,
    profitability,
    quasi_identifier_ranking,
    record_linkage_attack,
    recursive_cl_diversity,
    reidentification_risk,
    sample_uniqueness,
    singling_out_attack,
    squared_error,
    standardized_difference,
    suppressed_cells,
    t_closeness,
    utility_bias,
)
from metrics.scoring.scorecard import Scorecard, score
from metrics.tables.frames import TableLike
from metrics.tables.read_plan import ReadPlan
from metrics.tables.table import Table

__all__ = [
    "METRICS",
    "Hierarchy",
    "Identifier",
    "IdentifierKind",
    "InputError",
    "Parameters",
    "Policy",
    "PolicyResult",
    "Proposal",
    "ReadPlan",
    "Recipe",
    "Role",
    "Roles",
    "Scorecard",
    "Settings",
    "Table",
    "TableLike",
    "Thresholds",
    "Unavailable",
    "alpha_k_anonymity",
    "ambiguity",
    "association_change",
    "attribute_inference_attack",
    "average_class_size",
    "basic_beta_likeness",
    "classes_browser",
    "classification_accuracy",
    "correct_attribution",
    "delta_disclosure",
    "delta_presence",
    "direct_identifiers",
    "discernibility",
    "disco",
    "distance_to_closest_record",
    "distinct_l_diversity",
    "distribution_distance",
    "eigenvalue_difference",
    "enhanced_beta_likeness",
    "entropy_l_diversity",
    "explore",
    "generalized_table",
    "granularity",
    "household_risk",
    "interval_disclosure",
    "k_anonymity",
    "k_map",
    "key_set_k_anonymity",
    "kl_divergence",
    "linkability_attack",
    "make_candidate",
    "membership_attack",
    "minimal_sample_uniques",
    "non_uniform_entropy",
    "normalized_certainty_penalty",
    "normalized_entropy_l_diversity",
    "p29",
    "people_k_anonymity",
    "people_linkage_attack",
    "pmse",
    "population_uniqueness",
    "precision",
    "profitability",
    "propose",
    "quasi_identifier_ranking",
    "read_hierarchies",
    "read_policy",
    "read_recipe",
    "read_roles",
    "read_settings",
    "read_table",
    "recipe_of_levels",
    "recipe_of_repair",
    "record_linkage_attack",
    "recursive_cl_diversity",
    "reidentification_risk",
    "sample_uniqueness",
    "score",
    "singling_out_attack",
    "squared_error",
    "standardized_difference",
    "suppressed_cells",
    "t_closeness",
    "utility_bias",
]
