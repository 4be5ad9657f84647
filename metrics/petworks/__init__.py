"""PETWorks' interface over Quasi's metrics, and the functions of the P_29 notebook.

A script that imports from `PETWorks` runs with `metrics.petworks` in its place and prints the same JSON. Every figure
is the catalog's; `metrics.petworks.validation` says where PETWorks' own code reads a definition differently.
"""

from metrics.petworks import attributetypes
from metrics.petworks.p29_notebook import (
    calculate_global_distribution,
    calculate_k_anonymity,
    calculate_normalized_entropy,
    calculate_P_29_score,
    calculate_t_closeness,
    compute_t_closeness,
)
from metrics.petworks.validation import PETValidation, report

__all__ = [
    "PETValidation",
    "attributetypes",
    "calculate_P_29_score",
    "calculate_global_distribution",
    "calculate_k_anonymity",
    "calculate_normalized_entropy",
    "calculate_t_closeness",
    "compute_t_closeness",
    "report",
]
