"""Tables of the reference data, each read once in a process."""

from functools import cache

import metrics
from tests.support.reference_data import reference


@cache
def reference_table(*parts: str) -> metrics.Table:
    """A table of the reference data."""
    return metrics.read_table(reference(*parts))
