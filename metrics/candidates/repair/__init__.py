"""Repairs: the smallest change found of an anonymized table that then meets its limits."""

from metrics.candidates.repair.p29_repair import P29Repair, repair_by_deletion, repair_by_merging, repaired_table
from metrics.candidates.repair.to_limits import LimitedRepair, Method, repair_to

__all__ = [
    "LimitedRepair",
    "Method",
    "P29Repair",
    "repair_by_deletion",
    "repair_by_merging",
    "repair_to",
    "repaired_table",
]
