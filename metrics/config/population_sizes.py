"""How many people live where: presets for the population that a table's records were drawn from."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

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
