"""Every metric against the oracle, on generated tables: value, per-class figures, details."""

import math
from collections.abc import Container, Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from metrics import Scorecard
from metrics.texts import text
from tests import oracle
from tests.oracle import reading
from tests.support.scenes import NUMBERS, Rows, Scene, columns, pair_scenes, sensitive_scenes
from tests.support.small_tables import Cells, records

Key = tuple[str | None, ...]
NOT_ASKED_FOR = {text("unavailable.not_requested"), text("unavailable.on_demand")}


def near(expected: Any) -> Any:
    return None if expected is None else pytest.approx(float(expected), rel=1e-9, abs=1e-9)


def keys(card: Scorecard) -> list[Key]:
    """The quasi-identifiers of every class, in the scorecard's order."""
    classes = card.aggregates.classes
    return [tuple(classes.labels(i).values()) for i in range(classes.count)]


def blank_for_missing(table: Mapping[str, Cells], hierarchies: Container[str]) -> dict[str, Cells]:
    """Missing cells stand where the blank leaf of a hierarchy does; the oracle knows that leaf by its text."""
    return {
        name: ["" if cell is None and name in hierarchies else cell for cell in cells] for name, cells in table.items()
    }


def as_read(scene: Scene) -> tuple[dict[str, Cells], dict[str, Cells], set[str]]:
    """The quasi-identifiers as measures of loss read them, and those of which more than 1% of cells are perturbed."""
    original: dict[str, Cells] = {}
    anonymized: dict[str, Cells] = {}
    strange = set()
    for name in scene.quasi_identifiers:
        rows = scene.hierarchies.get(name)
        original[name], anonymized[name] = reading.read_cells(scene.original[name], scene.anonymized[name], rows)
        # One of at most 40 records is more than 1% of them.
        if reading.perturbed_records(original[name], anonymized[name], rows):
            strange.add(name)
    return original, anonymized, strange


def domain_cells(scene: Scene) -> tuple[dict[str, Cells], dict[str, Cells], set[str], bool]:
    """What `as_read` answers with missing cells as a value, and whether measures of domains can be computed.

    Without a hierarchy a missing value is one more value of the domain, as any text would be.
    """
    *read, strange = as_read(scene)
    original, anonymized = (
        {
            name: ["(missing)" if cell is None else cell for cell in cells]
            for name, cells in blank_for_missing(cells_of, scene.hierarchies).items()
        }
        for cells_of in read
    )
    listed = all(
        set(anonymized[name]) <= {"*", *(label for row in rows for label in row)}
        for name, rows in scene.hierarchies.items()
    )
    return original, anonymized, strange, scene.rows > 0 and len(strange) < len(scene.quasi_identifiers) and listed


def class_rows(card: Scorecard) -> dict[Key, dict[str, Any]]:
    """The rows of the class table by class."""
    rows = card.classes.to_arrow().to_pylist()
    return dict(zip(keys(card), rows, strict=True))


def no_class(card: Scorecard, scene: Scene) -> bool:
    """Whether no record is in a class; every metric of classes that was asked for must say so then."""
    if oracle.kept_records(scene.records, scene.quasi_identifiers):
        return False
    reason = "every record is suppressed" if scene.rows else "the table has no records"
    of_classes = [score for score in card if score.metric.family in ("privacy", "economics")]
    assert {score.unavailable for score in of_classes} - NOT_ASKED_FOR == {reason}
    assert len(card.classes) == 0
    return True


@given(sensitive_scenes())
def test_classes_and_k(scene: Scene) -> None:
    card = scene.score("k_anonymity")
    expected = dict(oracle.equivalence_classes(scene.records, scene.quasi_identifiers))
    assert card.aggregates.classes.suppressed == scene.rows - sum(map(len, expected.values()))
    assert card.to_dict()["classes"]["count"] == len(expected)
    if no_class(card, scene):
        return
    rows = class_rows(card)
    assert {key: row["size"] for key, row in rows.items()} == {key: len(of) for key, of in expected.items()}
    assert {key: tuple(row[name] for name in scene.quasi_identifiers) for key, row in rows.items()} == {
        key: key for key in expected
    }
    assert card["k_anonymity"].value == oracle.k_anonymity(scene.records, scene.quasi_identifiers).value


L_DIVERSITIES = (
    "distinct_l_diversity",
    "entropy_l_diversity",
    "normalized_entropy_l_diversity",
    "recursive_cl_diversity",
)


@given(sensitive_scenes(), st.integers(2, 4))
def test_l_diversity(scene: Scene, l: int) -> None:  # noqa: E741
    card = scene.score(*L_DIVERSITIES, "p29", **{"recursive_cl_diversity.l": l})
    if no_class(card, scene):
        return

    def recursive(*given: Any) -> Any:
        return oracle.recursive_cl_diversity(*given, l)

    of_classes = keys(card)
    for identifier in L_DIVERSITIES:
        judge = recursive if identifier == "recursive_cl_diversity" else getattr(oracle, identifier)
        result: Any = card[identifier].result
        worst = []
        for attribute in scene.sensitive:
            judged = judge(scene.records, scene.quasi_identifiers, attribute)
            worst.append(judged.value)
            assert card[identifier].attributes[attribute] == near(judged.value)
            found = dict(zip(of_classes, map(float, result.per_class[attribute]), strict=True))
            assert found == {
                key: math.inf if figure is None else near(figure) for key, figure in judged.per_class.items()
            }
        if identifier == "recursive_cl_diversity":
            known = [figure for figure in worst if figure is not None]
            assert card[identifier].value == near(max(known) if len(known) == len(worst) else None)
            assert card[identifier].details == {"l": l, "others_as_quasi_identifiers": False}
        else:
            assert card[identifier].value == near(min(worst))
    for attribute in scene.sensitive:
        distinct = oracle.distinct_l_diversity(scene.records, scene.quasi_identifiers, attribute).per_class
        normalized = oracle.normalized_entropy_l_diversity(scene.records, scene.quasi_identifiers, attribute)
        for key, row in class_rows(card).items():
            assert row[f"{attribute}.distinct"] == distinct[key]
            assert row[f"{attribute}.normalized_entropy"] == near(normalized.per_class[key])


def check_closeness(card: Scorecard, scene: Scene, grounds: Mapping[str, str], limit: float) -> None:
    closeness = card["t_closeness"]
    hierarchical = {
        name: scene.hierarchies.get(name, []) for name, ground in grounds.items() if ground == "hierarchical"
    }
    cells = records(blank_for_missing(scene.anonymized, hierarchical))
    try:
        judged = {
            name: oracle.t_closeness(cells, scene.quasi_identifiers, name, ground, scene.hierarchies.get(name))
            for name, ground in grounds.items()
        }
    except ValueError:
        event("unavailable")
        assert closeness.value is None
        assert closeness.unavailable
        return
    assert closeness.details["distance"] == dict(grounds)
    assert closeness.attributes == {name: near(of.value) for name, of in judged.items()}
    assert closeness.value == near(max(of.value for of in judged.values()))
    for key, row in class_rows(card).items():
        assert {name: row[f"{name}.t"] for name in judged} == {
            name: near(of.per_class[key]) for name, of in judged.items()
        }
    exact_limit = Fraction(str(limit))
    farther = {key for of in judged.values() for key, distance in of.per_class.items() if distance > exact_limit}
    assert closeness.details["violating_classes"] == len(farther)
    assert closeness.details["fulfilled"] is (not farther)
    assert closeness.details["t"] == limit


@given(sensitive_scenes(), st.integers(0, 20))
def test_t_closeness_with_the_distance_that_fits(scene: Scene, twentieths: int) -> None:
    limit = twentieths / 20
    card = scene.score("t_closeness", **{"t_closeness.t": limit})
    if no_class(card, scene):
        return
    grounds = {
        name: oracle.ground_distance_of(scene.records, scene.quasi_identifiers, name, scene.hierarchies)
        for name in scene.sensitive
    }
    event(f"distances {sorted(set(grounds.values()))}")
    check_closeness(card, scene, grounds, limit)


@given(sensitive_scenes(), st.lists(st.sampled_from(["equal", "ordered", "hierarchical"]), min_size=2, max_size=2))
def test_t_closeness_with_the_distance_chosen(scene: Scene, chosen: list[str]) -> None:
    grounds = dict(zip(scene.sensitive, chosen, strict=False))
    card = scene.score("t_closeness", **{f"t_closeness.distance.{name}": ground for name, ground in grounds.items()})
    if not no_class(card, scene):
        check_closeness(card, scene, grounds, 0.2)


@given(st.integers(1, 40).flatmap(lambda rows: st.tuples(columns(["x", "y", "z"], rows), columns([*NUMBERS], rows))))
def test_equal_numbers_share_a_rank_however_they_are_written(cells: tuple[Cells, Cells]) -> None:
    scene = Scene(["q"], ["s"], dict(zip("qs", cells, strict=True)), {}, {})
    check_closeness(scene.score("t_closeness"), scene, {"s": "ordered"}, 0.2)


@given(sensitive_scenes(), st.integers(0, 100), st.integers(0, 100), st.integers(0, 20))
def test_p29(scene: Scene, one: int, other: int, twentieths: int) -> None:
    low, high = sorted((one, other))
    weights = {"w_k": f"{low / 100}", "w_l": f"{(high - low) / 100}", "w_t": f"{(100 - high) / 100}"}
    given = {**weights, "t_max": f"{twentieths / 20}"}
    card = scene.score("p29", **{f"p29.{name}": value for name, value in given.items()})
    if no_class(card, scene):
        return
    expected = oracle.p29(scene.records, scene.quasi_identifiers, scene.sensitive, **given)
    event(f"score above 0: {expected.score > 0}")
    score = card["p29"]
    assert score.value == near(expected.score)
    assert score.attributes == {name: near(of) for name, of in expected.nl_per_attribute.items()}
    details = score.details
    for name, figure in {
        "k_min": expected.k_min,
        "Nk": expected.nk,
        "Nl": expected.nl,
        "Nt": expected.nt,
        "min_l": expected.smallest_l,
        "max_t": expected.largest_t,
        "violating_classes": len(expected.violating_classes),
        "violating_records": expected.violating_records,
    }.items():
        assert details[name] == near(figure), name
    assert details["attribute_t"] == {name: near(of) for name, of in expected.nt_per_attribute.items()}
    conditions = {gate for reasons in expected.violating_classes.values() for gate, _ in reasons}
    assert {gate for gate, count in details["violating_by_gate"].items() if count} == conditions
    assert len(details["reasons"]) == len(conditions)
    if not conditions:
        assert math.fsum(details["terms"].values()) == near(expected.score)
    found = {key: reasons_of(row["reasons"]) for key, row in class_rows(card).items() if row["reasons"]}
    assert found == {key: set(reasons) for key, reasons in expected.violating_classes.items()}


def reasons_of(text: str) -> set[tuple[str, str | None]]:
    """The gates, and the attributes after "for", of a class's reasons in words."""
    parts = text.split("; ")
    return {(part[0], part.partition(" for ")[2] or None) for part in parts}


amounts = st.one_of(st.integers(0, 40).map(str), st.integers(0, 4000).map(lambda cents: f"{cents / 100:.2f}"))


@st.composite
def costs(draw: st.DrawFn) -> dict[str, str]:
    """Four amounts; often such that gain/cost or loss/benefit is a whole number, where comparisons are equalities."""
    cost, benefit = draw(amounts), draw(amounts)
    times = st.integers(0, 6)
    gain = str(Fraction(cost) * draw(times)) if draw(st.booleans()) else draw(amounts)
    loss = str(Fraction(benefit) * draw(times)) if draw(st.booleans()) else draw(amounts)
    given = {"adversary_cost": cost, "adversary_gain": gain, "publisher_loss": loss, "publisher_benefit": benefit}
    return {name: f"{float(Fraction(amount)):.2f}" for name, amount in given.items()}


@given(sensitive_scenes(), costs(), st.booleans())
def test_profitability(scene: Scene, given: dict[str, str], allow_attack: bool) -> None:
    settings = {f"profitability.{name}": amount for name, amount in given.items()}
    card = scene.score("profitability", **settings, **{"profitability.allow_attack": allow_attack})
    if no_class(card, scene):
        return
    expected = oracle.profitability(scene.records, scene.quasi_identifiers, **given, allow_attack=allow_attack)
    event(f"holds: {expected.holds}, free of attacks: {expected.no_attack}")
    score = card["profitability"]
    assert score.value is expected.holds
    details = score.details
    assert (details["basic"], details["no_attack"]) == (expected.basic, expected.no_attack)
    assert details["records_attacked"] == expected.records_attacked
    assert details["publisher_payout"] == near(expected.publisher_payout)
    result: Any = score.result
    assert math.fsum(result.payout) == near(expected.publisher_payout)
    assert int((result.sizes * result.attacked).sum()) == expected.records_attacked


# Metrics of the pair


def implied(before: Cells, after: Cells) -> Rows | None:
    """Original value, the one other label it was generalized to, `*`; None where there are two such labels."""
    label_of: dict[str | None, str | None] = {value: value for value in before}
    for value, label in zip(before, after, strict=True):
        if label != "*" and label not in before:
            if label_of[value] not in (value, label) or not label:
                return None
            label_of[value] = label
    return [[str(value), str(label), "*"] for value, label in label_of.items() if value is not None]


@given(pair_scenes())
def test_non_uniform_entropy(scene: Scene) -> None:
    hierarchies: dict[str, Rows] = {}
    # A hierarchy that is implied has a blank leaf for them, too.
    read_original, read_anonymized, strange = as_read(scene)
    original = blank_for_missing(read_original, read_original)
    anonymized = blank_for_missing(read_anonymized, read_anonymized)
    fits = scene.rows > 0 and len(strange) < len(scene.quasi_identifiers)
    for name in scene.quasi_identifiers:
        before, after = original[name], anonymized[name]
        rows = scene.hierarchies.get(name) or implied(before, after)
        labels = {"*", *(label for row in rows or () for label in row)}
        leaves = {row[0] for row in rows or ()}
        fits = fits and rows is not None and set(before) <= leaves and set(after) <= labels
        hierarchies[name] = rows or []
    score = scene.score("non_uniform_entropy")["non_uniform_entropy"]
    event(f"available: {fits}")
    assert (score.unavailable is None) is fits
    if not fits:
        return
    expected = oracle.non_uniform_entropy(records(original), records(anonymized), scene.quasi_identifiers, hierarchies)
    assert score.value == near(expected.score)
    details = score.details
    assert details["loss_by_column"] == {name: near(of) for name, of in expected.loss.items()}
    assert details["largest_loss"] == near(math.fsum(expected.largest_loss.values()))
    for name, lost in expected.loss.items():
        assert math.fsum(details["loss_by_level"][name].values()) == near(lost)
        largest = expected.largest_loss[name]
        assert score.attributes[name] == (None if name in strange else near(1 - lost / largest if largest else 1))


@given(pair_scenes())
def test_ambiguity(scene: Scene) -> None:
    original, anonymized, strange, fits = domain_cells(scene)
    score = scene.score("ambiguity")["ambiguity"]
    event(f"available: {fits}")
    assert (score.unavailable is None) is fits
    if not fits:
        return
    expected = oracle.ambiguity(records(original), records(anonymized), scene.quasi_identifiers, scene.hierarchies)
    assert score.value == near(expected.score)
    assert score.details["mean_combinations"] == near(expected.mean_combinations)
    assert score.details["log10_mean_combinations"] == near(math.log10(expected.mean_combinations))
    for name in scene.quasi_identifiers:
        alone = oracle.ambiguity(records(original), records(anonymized), [name], scene.hierarchies)
        assert score.attributes[name] == (None if name in strange else near(alone.score))


@given(pair_scenes(), st.data())
def test_deleted_records_count_as_suppressed(scene: Scene, data: st.DataObject) -> None:
    assume(scene.rows > 1)
    keys_of = [str(i) for i in range(scene.rows)]
    kept = sorted(data.draw(st.sets(st.integers(0, scene.rows - 1), min_size=1)))
    order = data.draw(st.permutations(kept))
    deleted = Scene(
        scene.quasi_identifiers,
        [],
        {
            **{name: [cells[i] for i in order] for name, cells in scene.anonymized.items()},
            "id": [keys_of[i] for i in order],
        },
        {**scene.original, "id": keys_of},
        scene.hierarchies,
        key="id",
    )
    starred = Scene(
        scene.quasi_identifiers,
        [],
        {
            name: [cell if i in kept else "*" for i, cell in enumerate(cells)]
            for name, cells in scene.anonymized.items()
        },
        scene.original,
        scene.hierarchies,
    )
    measures = ("non_uniform_entropy", "ambiguity")
    found = deleted.score(*measures)
    expected = starred.score(*measures)
    for identifier in measures:
        assert (found[identifier].unavailable is None) is (expected[identifier].unavailable is None)
        assert found[identifier].value == near(expected[identifier].value)
        if found[identifier].result is not None:
            assert found[identifier].details["deleted_records"] == scene.rows - len(kept)
