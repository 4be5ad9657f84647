"""Populations of regions, found by their names."""

import pytest

from metrics import InputError, Parameters
from metrics.config.population_sizes import REGIONS, region


def test_a_region_is_known_by_its_name_in_any_case() -> None:
    assert region(" european UNION ") == "European Union"
    assert region("Atlantis") is None
    assert len({name.casefold() for name in REGIONS}) == len(REGIONS)
    with pytest.raises(InputError, match="region"):
        Parameters().with_settings({"population_uniqueness.country": "Atlantis"})
