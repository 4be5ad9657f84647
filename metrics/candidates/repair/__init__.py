"""Repairs: the smallest change found of an anonymized table that then meets its limits."""

from metrics.candidates.repair.to_limits import LimitedRepair, Method, repair_to
from metrics.metric import ABOVE_ZERO

__all__ = ["ABOVE_ZERO", "LimitedRepair", "Method", "repair_to"]
