"""Metrics of one data frame, as functions that return a number."""
