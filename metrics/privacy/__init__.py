"""Metrics of privacy: what an anonymized table still discloses.

The file of a metric ends with its `Metric`; the other files hold what they compute with.
"""
