"""The people of a population that each class matches, and the populations that are refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given

from metrics import Hierarchy, Roles, score
from metrics.hierarchies import covering as module
from metrics.privacy.population.population_classes import population_classes
from metrics.scoring.catalog import BY_ID
from metrics.texts import text
from tests.privacy.samples import NO_POPULATION, PEOPLE, SAMPLE, Sampled, samples, small
from tests.support.command_line import call
from tests.support.small_tables import table, written
from tests.working.formulas import assert_derives

IDS = ("delta_presence", "k_map")


@given(samples())
def test_people_in_small_portions_are_the_people_at_once(scene: Sampled) -> None:
    assume(scene.expected.own)
    whole = population_classes(scene.score(*IDS).aggregates)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MAX_PAIRS", 1)
        portioned = population_classes(scene.score(*IDS).aggregates)
    assert portioned.sizes.tolist() == whole.sizes.tolist()
    assert portioned.outside == whole.outside


def test_missing_values_match_missing_values_of_the_population() -> None:
    sample = table({"tree": [None, None], "age": ["20", "20"], "zip": ["1", "1"]})
    people = table({"tree": [None, None, "a"], "age": ["20"] * 3, "zip": ["1"] * 3})
    for tree in (True, False):
        assert small(sample, people, tree)["k_map"].value == 2


GONE = table({"tree": ["*"] * 2, "age": ["*"] * 2, "zip": ["*"] * 2})
EMPTY = table({"tree": [], "age": [], "zip": []})


@pytest.mark.parametrize(
    ("card", "reason"),
    [
        (lambda: small(GONE), text("unavailable.all_suppressed")),
        (lambda: small(EMPTY), text("unavailable.no_records")),
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
def test_a_population_that_the_sample_cannot_be_of_is_refused(card: Any, reason: str) -> None:
    made = card()
    assert [made[identifier].unavailable for identifier in IDS] == [reason] * 2
    risks = made["reidentification_risk"]
    if risks.result is None:
        assert risks.unavailable == reason
    else:
        assert risks.details["journalist"] is None
        assert risks.details["refused"] == {"journalist": reason}
        assert reason in risks.summary()
    for identifier in IDS:
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


def test_many_classes_match_as_many_people_as_counting_finds() -> None:
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


def test_the_command_line_takes_a_population(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sample.csv").write_text("tree;age\nAB;20-29\nAB;20-29\nc;25\n")
    (tmp_path / "people.csv").write_text("age;tree;name\n21;a;x\n29;b;y\n29;b;z\n25;c;u\n25;c;v\n")
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "tree.csv").write_text("a;AB\nb;AB\nc;CD\nd;CD\n")
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [tree, age]\n")
    given = ["score", "--anonymized", tmp_path / "sample.csv", "--roles", tmp_path / "roles.yaml"]
    given += ["--hierarchies", tmp_path / "tree", "--json"]
    without = call(capsys, *given).object["metrics"]
    assert without["delta_presence"]["unavailable"] == NO_POPULATION
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
def test_intervals_and_masks_match_people_without_a_hierarchy(label: str, covered: int) -> None:
    people = table({"age": ["19", "20", "25", "29.5", "30", "?"], "sex": ["f"] * 6})
    roles = Roles(quasi_identifiers=["age", "sex"])
    assert score(table({"age": [label], "sex": ["f"]}), roles, population=people)["k_map"].value == covered
