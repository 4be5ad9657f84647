"""Classes refined by the other sensitive attributes, against grouping record by record."""

from typing import Any

from hypothesis import given

from tests import oracle
from tests.support.scenes import Scene, sensitive_scenes


@given(sensitive_scenes(30))
def test_parts_of_a_class_hold_the_records_that_agree_in_all_other_sensitive_attributes(scene: Scene) -> None:
    aggregates = scene.score("k_anonymity").aggregates
    if not aggregates.classes.count:
        return
    for name in scene.sensitive:
        refined = aggregates.refined_histogram(name)
        assert refined is aggregates.refined_histogram(name)
        others = [other for other in scene.sensitive if other != name]
        expected: dict[Any, list[str | None]] = {}
        for record in oracle.kept_records(scene.records, scene.quasi_identifiers):
            key = tuple(record[q] for q in scene.quasi_identifiers)
            expected.setdefault((key, tuple(record[other] for other in others)), []).append(record[name])
        assert refined.sizes.sum() == aggregates.classes.kept
        found = {}
        for group, parent in enumerate(refined.parent.tolist()):
            counts = refined.of_class(group)
            cells = [label for code, label in enumerate(refined.column.labels) for _ in range(counts[code])]
            assert len(cells) == refined.sizes[group]
            found[tuple(aggregates.classes.labels(parent).values()), tuple(refined.known(group).values())] = cells
        assert {key: sorted(map(str, cells)) for key, cells in found.items()} == {
            key: sorted(map(str, cells)) for key, cells in expected.items()
        }
        for index in range(aggregates.classes.count):
            assert refined.sizes[refined.groups_of(index)].sum() == aggregates.classes.sizes[index]
