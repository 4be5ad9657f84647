"""Every metric, once. Scorecard, command line, pages, report and the tests' shared properties walk this tuple."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from metrics.economics.profitability import PROFITABILITY
from metrics.privacy.k_anonymity import K_ANONYMITY
from metrics.privacy.l_diversity import (
    DISTINCT_L_DIVERSITY,
    ENTROPY_L_DIVERSITY,
    NORMALIZED_ENTROPY_L_DIVERSITY,
    RECURSIVE_CL_DIVERSITY,
)
from metrics.privacy.p29 import P_29
from metrics.privacy.t_closeness import T_CLOSENESS
from metrics.specification import Metric
from metrics.utility.ambiguity import AMBIGUITY
from metrics.utility.non_uniform_entropy import NON_UNIFORM_ENTROPY

METRICS: tuple[Metric, ...] = (
    P_29,
    K_ANONYMITY,
    T_CLOSENESS,
    DISTINCT_L_DIVERSITY,
    ENTROPY_L_DIVERSITY,
    RECURSIVE_CL_DIVERSITY,
    NORMALIZED_ENTROPY_L_DIVERSITY,
    NON_UNIFORM_ENTROPY,
    AMBIGUITY,
    PROFITABILITY,
)


BY_ID: Mapping[str, Metric] = MappingProxyType({spec.id: spec for spec in METRICS})
"""The metrics by id."""
