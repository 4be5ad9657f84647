"""δ-presence, k-map and journalist risk against a population looked through person by person."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from metrics import Hierarchy, Roles, Scorecard, score
from metrics.explanations.workings import Subject, working
from metrics.hierarchies import covering as module
from metrics.privacy.population import population_classes
from metrics.scoring.catalog import BY_ID
from tests.explanations.workings.test_working import assert_derives
from tests.oracle.population import Presence, presence, risk
from tests.support.command_line import call
from tests.support.small_tables import Cells, records, table, written

IDS = ("delta_presence", "k_map", "reidentification_risk")
NONE = "no population table is given; load one"
ROLES = Roles(quasi_identifiers=["tree", "age", "zip"])
WORDS = [["a", "AB", "*"], ["b", "AB", "*"], ["c", "CD", "*"], ["d", "CD", "*"]]
TREE = {"tree": [[*row[:-1], "all", "*"] for row in WORDS]}
# Generalized values by level, of which each column knows its own kind: hierarchy, intervals, masks.
LABELS: dict[str, dict[str, list[str]]] = {
    "tree": {row[0]: [row[0], row[1], "all", "*"] for row in WORDS},
    "age": {str(n): [str(n), "20-24" if n < 25 else "25-29", "20-29", "*"] for n in range(20, 30)},
    "zip": {zip: [zip, zip[:2] + "*", zip[:1] + "*", "*"] for zip in ("111", "112", "121", "211")},
}


@st.composite
def samples(draw: st.DrawFn) -> tuple[dict[str, Cells], dict[str, Cells], bool]:
    """People of a population, and the records of some of them, generalized to one level per column or cell by cell."""
    people = draw(st.integers(1, 25))
    size = draw(st.integers(1, people))
    population: dict[str, Cells] = {}
    sample: dict[str, Cells] = {}
    local = draw(st.booleans())
    for name, labels in LABELS.items():
        values = draw(st.lists(st.sampled_from(sorted(labels)), min_size=people, max_size=people))
        level = draw(st.integers(0, 3))
        levels = draw(st.lists(st.integers(0, 3), min_size=size, max_size=size)) if local else [level] * size
        population[name] = values
        sample[name] = [labels[value][of] for value, of in zip(values, levels, strict=False)]
        if not local and draw(st.booleans()):
            population[name] = [labels[value][level] for value in values]
    return sample, population, local


def card_of(sample: dict[str, Cells], population: dict[str, Cells] | None, **given: Any) -> Scorecard:
    hierarchies = {name: Hierarchy(rows) for name, rows in TREE.items()}
    people = None if population is None else table(population, "people.csv")
    return score(table(sample), ROLES, hierarchies=hierarchies, population=people, metrics=IDS, **given)


def expected_of(sample: dict[str, Cells], population: dict[str, Cells]) -> Presence:
    return presence(records(sample), records(population), list(LABELS), TREE)


@given(samples())
def test_as_person_by_person(scene: tuple[dict[str, Cells], dict[str, Cells], bool]) -> None:
    sample, population, local = scene
    card, expected = card_of(sample, population), expected_of(sample, population)
    assume(expected.own)
    event(f"local {local}, overlapping {sum(expected.sizes.values()) > len(population['age'])}")
    keys = [tuple(card.aggregates.classes.labels(i).values()) for i in range(card.aggregates.classes.count)]
    found: Any = {identifier: card[identifier] for identifier in IDS}
    assert [found[identifier].unavailable for identifier in IDS] == [None] * 3
    assert dict(zip(keys, found["k_map"].result.per_class[""].tolist(), strict=True)) == expected.sizes
    assert dict(zip(keys, found["delta_presence"].result.per_class[""], strict=True)) == {
        key: pytest.approx(float(delta)) for key, delta in expected.delta.items()
    }
    assert found["k_map"].value == min(expected.sizes.values())
    assert found["delta_presence"].value == pytest.approx(float(max(expected.delta.values())))
    details = found["delta_presence"].details
    smallest = 0 if expected.outside else min(expected.delta.values())
    assert details["delta_min"] == pytest.approx(float(smallest))
    assert details["population_outside"] == expected.outside
    journalist = risk(expected.sizes, expected.own, 0.2)
    assert found["reidentification_risk"].details["journalist"] == {
        name: pytest.approx(float(figure)) for name, figure in vars(journalist).items()
    }
    for identifier in IDS:
        assert_derives(card, identifier)


@given(samples())
def test_everything_twice(scene: tuple[dict[str, Cells], dict[str, Cells], bool]) -> None:
    sample, population, _ = scene
    assume(expected_of(sample, population).own)
    once = card_of(sample, population)
    twice = card_of(*({name: [*cells, *cells] for name, cells in of.items()} for of in (sample, population)))
    assert twice["delta_presence"].value == once["delta_presence"].value
    assert twice["k_map"].value == 2 * once["k_map"].value


@given(samples())
def test_in_small_portions_too(scene: tuple[dict[str, Cells], dict[str, Cells], bool]) -> None:
    sample, population, _ = scene
    assume(expected_of(sample, population).own)
    whole = population_classes(card_of(sample, population).aggregates)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MAX_PAIRS", 1)
        portioned = population_classes(card_of(sample, population).aggregates)
    assert portioned.sizes.tolist() == whole.sizes.tolist()
    assert portioned.outside == whole.outside


SAMPLE = written("tree age zip\nAB 20-29 11*\nAB 20-29 11*\nc 25 *\n* * *")
PEOPLE = written("tree age zip\na 21 111\nb 29 112\nb 29 112\nc 25 211\nd 25 211\nc 26 121", "people.csv")


def small(sample: Any = SAMPLE, people: Any = PEOPLE, tree: bool = True) -> Scorecard:
    return score(sample, ROLES, hierarchies={"tree": Hierarchy(TREE["tree"])} if tree else {}, population=people)


def test_by_hand() -> None:
    card = small()
    assert card["delta_presence"].value == 1
    assert card["delta_presence"].details == {
        "delta_min": 0,
        "delta_max": 1,
        "delta_min_of_classes": pytest.approx(2 / 3),
        "population_records": 6,
        "population_outside": 2,
    }
    assert all(part in card["delta_presence"].summary() for part in ("1 class", "certainly in the table"))
    assert card["k_map"].value == 1
    assert "1 class matches a single person" in card["k_map"].summary()
    rows = card.classes.to_arrow().to_pylist()
    assert [(row["size"], row["population"], row["risk"]) for row in rows] == [(2, 3, 0.5), (1, 1, 1)]
    assert working(card, "delta_presence").steps[0].number == 1
    assert working(card, "delta_presence", Subject(0)).steps[1].number == pytest.approx(2 / 3)


def test_missing_values_stand_for_missing_values() -> None:
    sample = table({"tree": [None, None], "age": ["20", "20"], "zip": ["1", "1"]})
    people = table({"tree": [None, None, "a"], "age": ["20"] * 3, "zip": ["1"] * 3})
    for tree in (True, False):
        assert small(sample, people, tree)["k_map"].value == 2


@pytest.mark.parametrize("identifier", IDS[:2])
def test_without_a_population(identifier: str) -> None:
    card = score(SAMPLE, ROLES)
    assert card[identifier].unavailable == NONE
    assert card["reidentification_risk"].details["journalist"] is None
    assert card["reidentification_risk"].details["refused"] == {}


GONE = table({"tree": ["*"] * 2, "age": ["*"] * 2, "zip": ["*"] * 2})
EMPTY = table({"tree": [], "age": [], "zip": []})


@pytest.mark.parametrize(
    ("card", "reason"),
    [
        (lambda: small(GONE), "every record is suppressed"),
        (lambda: small(EMPTY), "the table has no records"),
        (
            lambda: small(PEOPLE, SAMPLE),
            'the population table "table" has 4 records, fewer than the 6 of the anonymized table',
        ),
        (
            lambda: small(tree=False),
            '1 label of "tree" covers no value of the population table; give the hierarchy of the column, or a '
            "population that is written the same way",
        ),
        (
            lambda: small(people=written("tree age zip\na 21 111\nc 29 112\nc 29 112\nc 25 1\nd 25 1", "people.csv")),
            'the population table "people.csv" has fewer records than the anonymized table in 1 class, so the '
            "table cannot be a sample of it",
        ),
    ],
)
def test_what_is_refused(card: Any, reason: str) -> None:
    made = card()
    assert [made[identifier].unavailable for identifier in IDS[:2]] == [reason] * 2
    risks = made["reidentification_risk"]
    if risks.result is None:
        assert risks.unavailable == reason
    else:
        assert risks.details["journalist"] is None
        assert risks.details["refused"] == {"journalist": reason}
        assert reason in risks.summary()
    for identifier in IDS[:2]:
        assert identifier in BY_ID
        assert_derives(made, identifier)


def test_a_hierarchy_decides_over_what_a_label_looks_like() -> None:
    # "20-29" holds 35 here, and 30 is no leaf: its form decides.
    tree = {"age": Hierarchy([["20", "20-29"], ["35", "20-29"], ["21", "other"]])}
    roles = Roles(quasi_identifiers=["age"])
    people = table({"age": ["20", "35", "21", "22", "30"]})
    card = score(table({"age": ["20-29"]}), roles, hierarchies=tree, population=people)
    assert card["k_map"].value == 3
    # It does not know this label, so that the form decides over all values.
    card = score(table({"age": ["20-25"]}), roles, hierarchies=tree, population=people)
    assert card["k_map"].value == 3


def test_many_classes_and_people() -> None:
    random = np.random.default_rng(0)
    ages, zips = random.integers(0, 100, 20_000), random.integers(10_000, 10_400, 20_000)
    people = table({"age": [str(n) for n in ages], "zip": [str(n) for n in zips]})
    wide = random.random(5_000) < 0.5
    sample = table(
        {
            "age": [f"{n // 10 * 10}-{n // 10 * 10 + 9}" if w else str(n) for n, w in zip(ages, wide, strict=False)],
            "zip": [f"{n // 10}*" if w else str(n) for n, w in zip(zips, wide, strict=False)],
        }
    )
    card = score(sample, Roles(quasi_identifiers=["age", "zip"]), population=people)
    result: Any = card["k_map"].result
    for index in range(0, card.aggregates.classes.count, 97):
        labels = card.aggregates.classes.labels(index)
        age, place = str(labels["age"]), str(labels["zip"]).rstrip("*")
        low, _, high = age.partition("-")
        fits = (ages >= int(low)) & (ages <= int(high or low)) & np.char.startswith(zips.astype(str), place)
        assert result.population.sizes[index] == fits.sum()


def test_by_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sample.csv").write_text("tree;age\nAB;20-29\nAB;20-29\nc;25\n")
    (tmp_path / "people.csv").write_text("age;tree;name\n21;a;x\n29;b;y\n29;b;z\n25;c;u\n25;c;v\n")
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "tree.csv").write_text("a;AB\nb;AB\nc;CD\nd;CD\n")
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [tree, age]\n")
    given = ["score", "--anonymized", tmp_path / "sample.csv", "--roles", tmp_path / "roles.yaml"]
    given += ["--hierarchies", tmp_path / "tree", "--json"]
    without = call(capsys, *given).object["metrics"]
    assert without["delta_presence"]["unavailable"] == NONE
    done = call(capsys, *given, "--population", tmp_path / "people.csv")
    assert (done.status, done.err) == (0, "")
    found = done.object["metrics"]
    assert found["delta_presence"]["value"] == pytest.approx(2 / 3)
    assert found["delta_presence"]["details"]["delta_min"] == 0.5
    assert found["k_map"]["value"] == 2
    assert found["reidentification_risk"]["details"]["journalist"]["highest"] == 0.5
    required = call(capsys, *given, "--population", tmp_path / "people.csv", "--require", "k_map >= 3")
    assert required.status == 1
    (tmp_path / "people.csv").write_text("tree;name\na;x\n")
    refused = call(capsys, *given, "--population", tmp_path / "people.csv")
    assert refused.status == 2
    assert "people.csv" in refused.err
    assert "age" in refused.err


@pytest.mark.parametrize(
    ("label", "covered"),
    [
        ("[20,30)", 3),
        ("(20,30]", 3),
        ("20-30", 4),
        ("<=20", 2),
        (">20", 3),
        ("2*", 2),
        ("3*", 1),
        ("*", 6),
        ("29.5", 1),
    ],
)
def test_intervals_and_masks_without_a_hierarchy(label: str, covered: int) -> None:
    people = table({"age": ["19", "20", "25", "29.5", "30", "?"], "sex": ["f"] * 6})
    roles = Roles(quasi_identifiers=["age", "sex"])
    assert score(table({"age": [label], "sex": ["f"]}), roles, population=people)["k_map"].value == covered
