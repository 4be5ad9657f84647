"""Attacks by counts alone: if each original value has one released label, the possible records are a class."""

from __future__ import annotations

import numpy as np

from metrics.aggregates import Aggregates, require_class_sizes, require_pairs
from metrics.config.parameters import AttackParameters
from metrics.counting.classes import ClassSizes
from metrics.errors import Unavailable
from metrics.hierarchies.covering import covering
from metrics.texts import text


def require_global_recoding(aggregates: Aggregates, parameters: AttackParameters) -> ClassSizes:
    """Return the sizes of the classes of a table in an engine; raises Unavailable unless it is recoded globally.

    Then the only released label that covers a person's value is the person's own, so that the records of the own class
    are the possible records if all quasi-identifiers are known.

    Raises Unavailable if a value has several labels, a label does not cover its original value, records are suppressed
    or not matched, or the attacker does not know exactly the quasi-identifiers: then the records themselves are needed.
    """
    require_pairs(aggregates)
    sizes = require_class_sizes(aggregates)
    quasi_identifiers = aggregates.roles.quasi_identifiers
    if sizes.suppressed or (parameters.known and set(parameters.known) != set(quasi_identifiers)):
        raise Unavailable(text("attack.unavailable.records_in_engine"))
    for name in quasi_identifiers:
        pair = aggregates.comparison.pair(name)
        (original, released), (before, after) = pair.columns, pair.codes
        labels = covering(released, original, aggregates.hierarchies.get(name), aggregates.comparison.evidence(name))
        group = labels.group[before]
        single_label = labels.counts[group] == 1
        if pair.counts.sum() != aggregates.anonymized.rows or not single_label.all():
            raise Unavailable(text("attack.unavailable.records_in_engine"))
        if np.any(labels.labels[labels.starts[group]] != after):
            raise Unavailable(text("attack.unavailable.records_in_engine"))
    return sizes
