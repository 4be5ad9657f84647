"""The population that a table's records were drawn from, and how many people live where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from metrics.config.setting_values import check, check_share

REGIONS: Final[Mapping[str, int]] = MappingProxyType(
    {
        "Africa": 1_100_000_000,
        "Australia": 23_130_900,
        "Brazil": 202_656_788,
        "Canada": 34_834_841,
        "China": 1_366_040_000,
        "Europe": 740_000_000,
        "European Union": 507_420_000,
        "France": 65_820_916,
        "Germany": 80_767_000,
        "India": 1_210_569_573,
        "North America": 565_265_000,
        "South America": 385_742_554,
        "UK": 63_705_000,
        "USA": 317_238_626,
    }
)
"""People by region: the regions and figures of ARX 3.9 (around 2014), so that estimates agree with its."""


def region(name: str) -> str | None:
    """The preset's own spelling of a name written in upper or lower case; None if there is no such preset."""
    return next((preset for preset in REGIONS if preset.casefold() == name.strip().casefold()), None)


@dataclass(frozen=True)
class PopulationParameters:
    """The population that a sample was drawn from: its size, the sampling fraction, or a region.

    The first one that is set applies; 0 and an empty text mean unset. If none is set, the size is the sum of the survey
    weights if a column is tagged as weight, else unknown.
    """

    size: int = 0
    sampling_fraction: float = 0.0
    country: str = ""

    def __post_init__(self) -> None:
        remedy = "set a number of people from 0 to 100000000000"
        check(0 <= self.size <= 10**11, "population_uniqueness.size is out of range", remedy)
        remedy = "set the share of the population in the sample, or 0 for unset"
        check_share("population_uniqueness.sampling_fraction", self.sampling_fraction, remedy)
        check(
            not self.country or region(self.country) is not None,
            "population_uniqueness.country is not a known region",
            f"use {', '.join(REGIONS)}, or set population_uniqueness.size",
        )
