"""Versions of the sample data, scored with all that a report can be made from."""

from functools import cache

import metrics
from metrics.scoring.scorecard import Scorecard
from tests.support.sample import SAMPLE

VERSIONS = ("candidate_light.csv", "candidate_strict.csv")
ROLES = metrics.read_roles(SAMPLE / "roles.yaml").roles


@cache
def sample(name: str) -> metrics.Table:
    return metrics.read_table(SAMPLE / name)


@cache
def scored(name: str) -> Scorecard:
    """One version of the sample with all that a report can be made from."""
    return metrics.score(
        sample(name),
        ROLES,
        original=sample("hospital.csv"),
        hierarchies=metrics.read_hierarchies(SAMPLE / "hierarchies"),
        metrics=[spec.id for spec in metrics.METRICS if spec.id not in ("classification_accuracy",)],
    )
