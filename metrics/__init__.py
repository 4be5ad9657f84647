"""Disclosure risk and information loss of anonymized tables."""

from metrics.arx.project import ArxProject, read_arx_project
from metrics.candidates.generalization.generalize import generalized_table
from metrics.candidates.methods.catalog import make_candidate
from metrics.candidates.search.lattice import explore
from metrics.config.analyses import Count, Crosstab, Linear, Logistic, Mean, Term, read_analyses
from metrics.config.former_names import FORMER_NAMES
from metrics.config.parameters import Parameters
from metrics.config.randomization_file import read_randomization
from metrics.config.roles import Role, Roles
from metrics.config.roles_file import read_roles
from metrics.errors import InputError, Unavailable
from metrics.estimates.proposals import propose_analyses
from metrics.hierarchies.files import read_hierarchies
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.identifiers.detection import direct_identifiers
from metrics.identifiers.kinds import Identifier, IdentifierKind
from metrics.notebook import classes_browser
from metrics.policy.built_in_policies import read_policy
from metrics.policy.policy import Policy, PolicyResult
from metrics.policy.settings import Settings
from metrics.policy.settings_file import read_settings
from metrics.reading import Proposal, propose, read_table
from metrics.recipes.parsing import read_recipe
from metrics.recipes.recipe import Recipe, recipe_of_levels
from metrics.recipes.repair_recipe import recipe_of_repair
from metrics.scoring.by_group import by_group
from metrics.scoring.catalog import METRICS
from metrics.scoring.every_metric import *  # noqa: F403 - every function there, with its type
from metrics.scoring.scorecard import Scorecard, score
from metrics.tables.frames import TableLike
from metrics.tables.randomization import TransitionMatrix, k_rr
from metrics.tables.read_plan import ReadPlan
from metrics.tables.table import Table

globals().update({former: globals()[name] for former, name in FORMER_NAMES.items()})

__all__ = [
    "METRICS",
    "ArxProject",
    "Count",
    "Crosstab",
    "Hierarchy",
    "Identifier",
    "IdentifierKind",
    "InputError",
    "Linear",
    "Logistic",
    "Mean",
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
    "Term",
    "TransitionMatrix",
    "Unavailable",
    "by_group",
    "classes_browser",
    "direct_identifiers",
    "explore",
    "generalized_table",
    "k_rr",
    "make_candidate",
    "propose",
    "propose_analyses",
    "read_analyses",
    "read_arx_project",
    "read_hierarchies",
    "read_policy",
    "read_randomization",
    "read_recipe",
    "read_roles",
    "read_settings",
    "read_table",
    "recipe_of_levels",
    "recipe_of_repair",
    "score",
    *(metric.id for metric in METRICS),
]
