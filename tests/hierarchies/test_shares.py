"""What a label tells: the values of its domain that it covers, and the shares of groups of them."""

import numpy as np
import pytest

from metrics import Hierarchy, Roles
from metrics.aggregates import TableAggregates
from metrics.errors import Unavailable
from metrics.hierarchies.shares import Shares, domain_of, shares_of
from metrics.tables.table import Column
from tests.support.small_tables import table

AGES = Hierarchy([[str(age), "20-39" if age < 40 else "40-59", "*"] for age in range(20, 60)])


def column(labels: list[str | None]) -> Column:
    return table({"q": labels})["q"]


def covered(shares: Shares, labels: Column) -> dict[str | None, list[str]]:
    """By label what it covers, in words."""
    values: dict[str | None, list[str]] = {label: [] for label in labels.labels}
    for code, place in zip(shares.label, shares.value, strict=True):
        values[labels.labels[code]].append(shares.domain.column.labels[place] or "")
    return values


def of(before: list[str | None], after: list[str | None], hierarchy: Hierarchy | None = None) -> tuple[Shares, Column]:
    original, released = column(before), column(after)
    return shares_of(released, domain_of(original, released, hierarchy)), released


def test_worked_example() -> None:
    """Of 20-39, 5 of 20 ages are in 35-39; `*` and missing cells tell nothing; a number stands for itself."""
    shares, released = of(["25", "45"], ["20-39", "*", None, "41", "41.0", "noise"], AGES)
    assert dict(zip(released.labels, shares.sizes, strict=True)) == {
        "20-39": 20, "*": 0, None: 0, "41": 1, "41.0": 1, "noise": 0,
    }  # fmt: skip
    assert [released.labels[code] for code in np.flatnonzero(shares.unknown)] == ["*", None]
    assert [released.labels[code] for code in np.flatnonzero(shares.outside)] == ["noise"]
    group = np.array([0 if 35 <= int(label or 0) < 40 else 1 for label in shares.domain.column.labels])
    assert shares.of_groups(group, 2)[released.code_of["20-39"]].tolist() == [0.25, 0.75]
    assert shares.within(group == 0)[released.code_of["20-39"]] == 5


def test_whole_domain() -> None:
    shares, released = of(["1", "5"], ["1-5", "1-2", "5"])
    assert released.labels[int(np.flatnonzero(shares.unknown)[0])] == "1-5"
    assert covered(shares, released)["1-2"] == ["1", "2"]
    assert shares.domain.column.labels == ["1", "2", "3", "4", "5"]


def test_single_value_is_known() -> None:
    shares, _ = of(["x", "x"], ["x", "x"])
    assert not shares.unknown.any()


def test_label_on_two_levels_means_the_lower() -> None:
    hierarchy = Hierarchy([["41", "43", "*"], ["43", "43", "*"], ["46", "48", "*"], ["48", "48", "*"]])
    shares, released = of(["41", "46"], ["43", "48"], hierarchy)
    assert covered(shares, released) == {"43": ["43"], "48": ["48"]}


def test_set_mask_and_what_records_show() -> None:
    shares, released = of(["Paris", "Rome", "Oslo"], ["{Paris, Rome}", "{Paris, Rome}", "O***"])
    assert covered(shares, released) == {"{Paris, Rome}": ["Paris", "Rome"], "O***": ["Oslo"]}
    pair = table({"q": ["Paris", "Rome", "Oslo"]}), table({"q": ["South", "South", "North"]})
    aggregates = TableAggregates(pair[1], Roles(quasi_identifiers="q"), pair[0])
    domain = domain_of(pair[0]["q"], pair[1]["q"], None)
    found = shares_of(pair[1]["q"], domain, lambda: aggregates.comparison.evidence("q"))
    assert covered(found, pair[1]["q"]) == {"South": ["Paris", "Rome"], "North": ["Oslo"]}


def test_value_outside_hierarchy_is_its_own() -> None:
    shares, released = of(["25", "99"], ["99", "20-39"], AGES)
    assert covered(shares, released)["99"] == ["99"]
    assert shares.domain.size == 40


def test_unknown_domain() -> None:
    with pytest.raises(Unavailable):
        domain_of(None, column(["a"]), None)
