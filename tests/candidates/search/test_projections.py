"""Projections of a lattice: what they suppress, every finer division suppresses."""

from hypothesis import given
from hypothesis import strategies as st

from metrics.candidates.limits.enforced import K
from metrics.candidates.search.class_requirements import ClassRequirements
from metrics.candidates.search.evaluation import Evaluation, Scope
from metrics.candidates.search.projections import Projections
from metrics.counting.counts import MemoryRelation
from tests.candidates.lattices import Original, originals, slow_generalized
from tests.support.small_tables import cells_of, records


@given(originals(), st.integers(1, 4), st.integers(1, 3), st.data())
def test_projections_suppress_only_records_that_every_finer_division_suppresses(
    original: Original, smallest: int, fewest: int, data: st.DataObject
) -> None:
    content, roles, hierarchies = original
    evaluation = Evaluation(content, roles, hierarchies, {K: 1}, sensitive=Scope.NONE, limits={})
    columns = evaluation.columns
    levels = {of.column.name: data.draw(st.integers(0, of.height)) for of in columns}
    projections = Projections(
        MemoryRelation(content), columns, ClassRequirements(smallest, fewest, all=True), roles.sensitive
    )
    rows = records({name: cells_of(content[name]) for name in content.names})
    part, taken, before = projections.whole(), {}, 0
    for place, (name, level) in enumerate(levels.items()):
        taken[name] = level
        division = projections.divide(part, place, level)
        part = projections.taken(division)
        made = slow_generalized(rows, hierarchies, taken, 1)
        groups: dict[tuple[str | None, ...], list[dict[str, str | None]]] = {}
        for record in made:
            groups.setdefault(tuple(record[one] for one in taken), []).append(record)
        suppressed = sum(
            len(group)
            for group in groups.values()
            if len(group) < smallest or any(len({one[s] for one in group}) < fewest for s in roles.sensitive)
        )
        assert division.lost == projections.lost(part) == suppressed >= before
        before = suppressed
    assert projections.lost(projections.at(list(levels.values()))) == before
