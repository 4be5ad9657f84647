"""Repair: the smallest change that makes a table meet the policy."""
