"""Metrics of utility: what an anonymized table has lost.

One file per metric, which ends with its `Metric`; `arx_squared_error` computes ARX's variant of the squared error. What
the metrics share is in the folder `cells`.
"""
