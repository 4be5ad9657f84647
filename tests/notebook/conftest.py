"""The scorecard whose controls are tested."""

import pytest

import metrics
from tests.notebook.widgets import ROLES, TABLE


@pytest.fixture
def card() -> metrics.Scorecard:
    import pandas as pd

    return metrics.score(pd.DataFrame(TABLE), ROLES)
