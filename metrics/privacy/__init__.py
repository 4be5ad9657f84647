"""Metrics of privacy: what an anonymized table still discloses.

One file per metric, or per group of similar ones, which ends with its `Metric`; what they share is in the folders.
"""
