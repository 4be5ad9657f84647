"""A limit equal to the figure that a table has exactly is met: rounding must not decide."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from metrics import Policy, Roles, score
from metrics.aggregates import TableAggregates
from metrics.candidates.repair.to_limits import Method, repair_to
from metrics.metric import Direction
from metrics.policy.policy import Status
from metrics.policy.requirement import parse_requirement
from metrics.scoring.catalog import BY_ID
from tests import oracle
from tests.support.small_tables import Cells, records, table

ROLES = Roles(quasi_identifiers=["q"], sensitive=["s"])
COMPARED = {Direction.HIGHER: ">=", Direction.LOWER: "<="}
# Values that one class holds, how often each, and at which of all values they start.
evenly = st.tuples(st.integers(1, 25), st.integers(1, 9), st.integers(0, 5))


def of_classes(classes: list[tuple[int, int, int]], prefix: str) -> dict[str, Cells]:
    """Classes whose values are equally frequent; without a prefix, the values are numbers."""
    cells = [
        (f"class {i}", f"{prefix}{value}")
        for i, (distinct, times, first) in enumerate(classes)
        for value in range(first, first + distinct)
        for _ in range(times)
    ]
    return {"q": [q for q, _ in cells], "s": [s for _, s in cells]}


def exact_figures(cells: dict[str, Cells], distinct: int, ground: str) -> dict[str, Fraction | int]:
    """Figures by whole numbers and fractions only; the fewest distinct values are given."""
    on_records = records(cells), ["q"]
    smallest = oracle.k_anonymity(*on_records).value
    recursive = oracle.recursive_cl_diversity(*on_records, "s").value
    return {
        "k_anonymity": smallest,
        "reidentification_risk": Fraction(1, smallest),
        "distinct_l_diversity": distinct,
        "entropy_l_diversity": distinct,
        "normalized_entropy_l_diversity": int(distinct > 1),
        "t_closeness": oracle.t_closeness(*on_records, "s", ground).value,
        "alpha_k_anonymity": oracle.alpha_k_anonymity(*on_records, "s").value,
        "basic_beta_likeness": oracle.basic_beta_likeness(*on_records, "s").value,
        **({} if recursive is None else {"recursive_cl_diversity": recursive}),
    }


@given(st.lists(evenly, min_size=1, max_size=3), st.sampled_from(["", "value "]))
def test_a_limit_at_the_exact_figure_is_met_and_the_table_needs_no_repair(
    classes: list[tuple[int, int, int]], prefix: str
) -> None:
    cells = of_classes(classes, prefix)
    exact = exact_figures(cells, min(distinct for distinct, *_ in classes), "equal" if prefix else "ordered")
    card = score(table(cells), ROLES, metrics=list(exact))
    limits = {identifier: float(figure) for identifier, figure in exact.items()}
    assert {identifier: card[identifier].value for identifier in exact} == limits
    assert Policy("at the figures", limits).check(card).status is Status.MEETS
    for identifier, limit in limits.items():
        compared = COMPARED[BY_ID[identifier].direction]
        assert parse_requirement(f"{identifier} {compared} {limit!r}").holds(card)
    chosen = {
        "k_anonymity": int(exact["k_anonymity"]),
        "distinct_l_diversity": int(exact["distinct_l_diversity"]),
        "entropy_l_diversity": limits["entropy_l_diversity"],
        "normalized_entropy_l_diversity": limits["normalized_entropy_l_diversity"],
        "t_closeness": limits["t_closeness"],
    }
    for method in Method:
        assert not repair_to(TableAggregates(table(cells), ROLES), chosen, method).records_changed
