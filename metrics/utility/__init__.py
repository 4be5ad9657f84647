"""Metrics of utility: what an anonymized table has lost.

A file or a folder per metric, whose measure ends with its `Metric`; what several share is in the folder `cells`.
"""
