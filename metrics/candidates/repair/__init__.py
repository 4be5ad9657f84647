"""Repairs: the smallest change found of an anonymized table that then meets its limits."""

from metrics.candidates.repair.items import ItemRepair, repair_items
from metrics.candidates.repair.to_limits import LimitedRepair, Method, repair_to
from metrics.metric import ABOVE_ZERO

__all__ = ["ABOVE_ZERO", "ItemRepair", "LimitedRepair", "Method", "repair_items", "repair_to"]
