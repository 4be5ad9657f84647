"""The P_29 score: k, l and t in one figure, zero where any class fails one of the three conditions."""
