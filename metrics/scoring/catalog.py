"""The metrics of the library, in order, by id, and those that versions are compared by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from metrics.config.former_names import ByName
from metrics.metric import Metric
from metrics.scoring import every_metric

METRICS: tuple[Metric, ...] = tuple(
    function.metric for name, function in vars(every_metric).items() if not name.startswith("_")
)
"""Every metric. Scorecard, command line, pages, report and the tests' shared properties all iterate over it."""

BY_ID: Mapping[str, Metric] = ByName({spec.id: spec for spec in METRICS})
"""The metrics by id."""

HEADLINES: tuple[str, ...] = tuple(spec.id for spec in METRICS if spec.is_headline)
"""The metrics by which versions are compared where nothing else is asked for: privacy first, then utility."""

RISK: Final = "reidentification_risk"
"""The metric that stands for what a table risks where one figure must: the highest risk."""

INFORMATION: Final = "non_uniform_entropy"
"""The metric that stands for what a table keeps where one figure must: the information kept."""

GRANULARITY: Final = "granularity"
"""The metric that stands in its place between tables of which one lacks it."""
