"""Metrics of utility: what an anonymized table has lost.

The file of a metric ends with its `Metric`; the other files hold what they compute or say with.
"""
