"""Equivalence classes: which fail a limit, down to the distributions within one."""
