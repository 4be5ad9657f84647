"""The moves add up to the distance that the metric gives, for every class, attribute and ground distance."""

import math

import pytest
from hypothesis import given

from metrics import Hierarchy, Roles
from metrics.aggregates import Aggregates, TableAggregates
from metrics.config.parameters import GroundDistance
from metrics.counting.histograms import Histogram
from metrics.errors import Unavailable
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.privacy.classes.ground_distances import class_distances
from metrics.privacy.t_closeness.transport_plan import (
    EqualMass,
    HierarchicalMass,
    OrderedMass,
    TransportPlan,
    transport_plan,
)
from metrics.tables.table import Table
from tests.support.scenes import Scene, sensitive_scenes
from tests.support.small_tables import table, written

# The seed's worked table, and its hierarchy.
SEED = written(
    "born salary disease\n197* 3 stomach-cancer\n197* 4 flu\n198* 5 flu\n198* 6 gastritis\n198* 8 stomach-cancer"
)
DISEASES = Hierarchy(
    [
        ["flu", "respiratory", "disease"],
        ["stomach-cancer", "stomach", "disease"],
        ["gastritis", "stomach", "disease"],
    ]
)


def aggregates_of(content: Table, quasi_identifiers: list[str], hierarchies: Hierarchies | None = None) -> Aggregates:
    sensitive = [name for name in content.names if name not in quasi_identifiers]
    roles = Roles(quasi_identifiers=quasi_identifiers, sensitive=sensitive)
    return TableAggregates(content, roles, hierarchies=hierarchies)


def costs(mass: TransportPlan) -> float:
    """The sum of what the moves cost."""
    if isinstance(mass, EqualMass):
        return math.fsum(extra for extra in mass.extra.tolist() if extra > 0)
    if isinstance(mass, OrderedMass):
        return math.fsum(mass.cost.tolist())
    return math.fsum(node.cost for node in mass.nodes)


def assert_consistent(histogram: Histogram, index: int, mass: TransportPlan) -> None:
    """Shares are shares, and every difference that moves somewhere comes from somewhere."""
    if isinstance(mass, EqualMass):
        assert math.isclose(mass.in_class.sum(), 1)
        assert math.isclose(mass.in_table.sum(), 1)
        assert abs(mass.extra.sum()) < 1e-12
        held = {label for label, share in zip(mass.labels, mass.in_class.tolist(), strict=True) if share}
        assert len(held) == histogram.distinct[index]
    elif isinstance(mass, OrderedMass):
        assert mass.in_class[-1] == mass.in_table[-1] == 1
        assert (mass.in_class[1:] >= mass.in_class[:-1]).all()
    else:
        root = mass.nodes[0]
        assert root.parent is None
        assert root.level == mass.height
        assert root.in_class == root.in_table == 1
        assert root.passed == 0
        for i, node in enumerate(mass.nodes):
            children = [child for child in mass.nodes if child.parent == i]
            assert all(child.level == node.level - 1 for child in children)
            assert bool(children) is (node.level > 0)
            if children:
                extras = [child.passed for child in children]
                assert math.isclose(node.passed, math.fsum(extras), abs_tol=1e-12)
                assert math.isclose(node.surplus, math.fsum(e for e in extras if e > 0), abs_tol=1e-12)
                assert math.isclose(node.shortfall, -math.fsum(e for e in extras if e < 0), abs_tol=1e-12)
                assert math.isclose(node.cost, node.level / mass.height * node.moved, abs_tol=1e-12)


@given(sensitive_scenes())
def test_the_moves_sum_to_the_distance(scene: Scene) -> None:
    content = table(scene.anonymized)
    hierarchies = {name: Hierarchy(rows) for name, rows in scene.hierarchies.items()}
    aggregates = TableAggregates(content, scene.roles, hierarchies=hierarchies)
    if not aggregates.classes.count:
        return
    for name, histogram in aggregates.sensitive().items():
        for distance in GroundDistance:
            hierarchy = hierarchies.get(name)
            try:
                expected = class_distances(histogram, distance, hierarchy)
            except Unavailable:
                with pytest.raises(Unavailable):
                    transport_plan(histogram, 0, distance, hierarchy)
                continue
            for index in range(aggregates.classes.count):
                mass = transport_plan(histogram, index, distance, hierarchy)
                assert mass.t == pytest.approx(expected[index], abs=1e-12)
                assert costs(mass) == pytest.approx(expected[index], abs=1e-12)
                assert_consistent(histogram, index, mass)
                assert mass.to_arrow().num_rows > 0


def test_the_transport_of_salaries_in_the_worked_table_costs_3_8() -> None:
    aggregates = aggregates_of(SEED, ["born"], {"disease": DISEASES})
    mass = transport_plan(aggregates.histogram("salary"), 0, GroundDistance.ORDERED)
    assert isinstance(mass, OrderedMass)
    assert mass.labels == ("3", "4", "5", "6", "8")
    assert mass.t == 3 / 8
    assert mass.cost.tolist() == pytest.approx([3 / 40, 6 / 40, 4 / 40, 2 / 40, 0])


def test_the_transport_of_diseases_in_the_worked_table_costs_3_20() -> None:
    aggregates = aggregates_of(SEED, ["born"], {"disease": DISEASES})
    mass = transport_plan(aggregates.histogram("disease"), 0, GroundDistance.HIERARCHICAL, DISEASES)
    assert isinstance(mass, HierarchicalMass)
    assert mass.t == 3 / 20
    assert [(node.label, node.level, node.parent) for node in mass.nodes] == [
        ("disease", 2, None),
        ("respiratory", 1, 0),
        ("flu", 0, 1),
        ("stomach", 1, 0),
        ("stomach-cancer", 0, 3),
        ("gastritis", 0, 3),
    ]
    assert [node.cost for node in mass.nodes] == pytest.approx([1 / 10, 0, 0, 1 / 20, 0, 0])
    assert [node.passed for node in mass.nodes] == pytest.approx([0, 1 / 10, 1 / 10, -1 / 10, 1 / 10, -1 / 5])


def test_by_the_equal_distance_surplus_covers_shortfall() -> None:
    aggregates = aggregates_of(SEED, ["born"])
    mass = transport_plan(aggregates.histogram("disease"), 0, GroundDistance.EQUAL)
    assert isinstance(mass, EqualMass)
    assert mass.labels == ("flu", "gastritis", "stomach-cancer")
    assert mass.extra.tolist() == pytest.approx([1 / 10, -1 / 5, 1 / 10])
    assert mass.t == 1 / 5


def test_numbers_written_differently_share_a_rank_and_suppressed_records_do_not_count() -> None:
    aggregates = aggregates_of(written("q n\na 1\na 1.0\na 2\nb 02\nb 3\n* 99"), ["q"])
    mass = transport_plan(aggregates.histogram("n"), 0, GroundDistance.ORDERED)
    assert isinstance(mass, OrderedMass)
    assert len(mass.labels) == 3
    assert mass.in_class.tolist() == pytest.approx([2 / 3, 1, 1])
    assert mass.in_table.tolist() == pytest.approx([2 / 5, 4 / 5, 1])


def test_an_attribute_of_one_value_has_an_empty_transport_plan() -> None:
    content = written("q s\na 1\nb 1")
    histogram = aggregates_of(content, ["q"]).histogram("s")
    for distance in GroundDistance:
        mass = transport_plan(histogram, 0, distance, Hierarchy([["1"]]))
        assert mass.t == costs(mass) == 0
