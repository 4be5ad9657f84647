"""Repairs: the smallest change found of an anonymized table that then meets its limits."""

from metrics.candidates.limits.constraints import ABOVE_ZERO, Constraints
from metrics.candidates.repair.to_limits import LimitedRepair, Method, repair_to

__all__ = ["ABOVE_ZERO", "Constraints", "LimitedRepair", "Method", "repair_to"]
