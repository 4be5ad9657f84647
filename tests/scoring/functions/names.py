"""The functions that score one data frame."""

import metrics

FUNCTIONS = [metric.id for metric in metrics.METRICS]
