"""Lattices evaluated, and the records that suppression would take, counted one by one."""

import itertools
from collections.abc import Mapping, Sequence

from metrics.candidates.limits.enforced import K, L
from metrics.candidates.search.class_requirements import ClassRequirements
from metrics.candidates.search.evaluation import Evaluation, Scope
from metrics.candidates.search.projections import Projections
from tests.candidates.lattices import Original, slow_generalized
from tests.support.small_tables import cells_of, records

Node = tuple[int, ...]


def evaluation_of(original: Original, k: int = 1, l: int = 1) -> Evaluation:  # noqa: E741
    """Every figure of the nodes of an original, classes below k or l suppressed."""
    content, roles, hierarchies = original
    rule = {K: k, **({L: l} if l > 1 else {})}
    return Evaluation(content, roles, hierarchies, rule, sensitive=Scope.ALL, limits={})


def every_node(evaluation: Evaluation) -> list[Node]:
    """All nodes, the lowest first."""
    return list(itertools.product(*(range(of.height + 1) for of in evaluation.columns)))


def projections_of(
    evaluation: Evaluation, requirements: ClassRequirements, sensitive: Sequence[str] = ()
) -> Projections:
    """Classes by some of the columns."""
    return Projections(evaluation.relation, evaluation.columns, requirements, sensitive)


def groups_at(
    original: Original, evaluation: Evaluation, node: Node
) -> dict[tuple[str | None, ...], list[Mapping[str, str | None]]]:
    """The generalized records of each class of a node."""
    content, _, hierarchies = original
    names = [of.column.name for of in evaluation.columns]
    rows = records({name: cells_of(content[name]) for name in content.names})
    groups: dict[tuple[str | None, ...], list[Mapping[str, str | None]]] = {}
    for record in slow_generalized(rows, hierarchies, dict(zip(names, node, strict=True)), 1):
        groups.setdefault(tuple(record[name] for name in names), []).append(record)
    return groups


def failing(original: Original, evaluation: Evaluation, node: Node, requirements: ClassRequirements) -> int:
    """Records in classes that must be suppressed, counted record by record."""
    _, roles, _ = original
    return sum(
        len(group)
        for group in groups_at(original, evaluation, node).values()
        if len(group) < requirements.records
        or any(len({one[s] for one in group}) < requirements.values for s in roles.sensitive)
    )
