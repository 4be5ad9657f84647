"""Privacy and utility of anonymized tables: read, tag, score."""

from metrics.candidates.generalize import generalized_table
from metrics.candidates.lattice import explore
from metrics.catalog import METRICS
from metrics.errors import InputError
from metrics.hierarchy import Hierarchy
from metrics.hierarchy_files import read_hierarchies
from metrics.parameters import Parameters
from metrics.reading import TableLike, read_table
from metrics.roles import Role, Roles, read_roles
from metrics.scorecard import Scorecard, score
from metrics.settings import Settings, read_settings
from metrics.table import Table
from metrics.thresholds import Thresholds

__all__ = [
    "METRICS",
    "Hierarchy",
    "InputError",
    "Parameters",
    "Role",
    "Roles",
    "Scorecard",
    "Settings",
    "Table",
    "TableLike",
    "Thresholds",
    "explore",
    "generalized_table",
    "read_hierarchies",
    "read_roles",
    "read_settings",
    "read_table",
    "score",
]
