"""Precision, granularity, discernibility, average class size, missing and suppressed cells."""

import dataclasses
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from metrics import Hierarchy, Roles, Scorecard, score
from metrics.counting.class_sizes import class_sizes
from metrics.utility.average_class_size import average_class_size
from metrics.utility.discernibility import discernibility, penalties
from tests.oracle import losses as oracle
from tests.properties.test_against_oracle import as_read, blank_for_missing, domain_cells, implied, near
from tests.support.scenes import Rows, Scene, pair_scenes
from tests.support.small_tables import Cells, records, table, written

IDS = ["precision", "granularity", "discernibility", "average_class_size", "suppressed_cells"]


# Against the oracle


@given(pair_scenes())
def test_precision(scene: Scene) -> None:
    read_original, read_anonymized, strange = as_read(scene)
    original = blank_for_missing(read_original, read_original)
    anonymized = blank_for_missing(read_anonymized, read_anonymized)
    hierarchies: dict[str, Rows] = {}
    fits = scene.rows > 0 and len(strange) < len(scene.quasi_identifiers)
    for name in scene.quasi_identifiers:
        rows = scene.hierarchies.get(name) or implied(original[name], anonymized[name])
        labels = {"*", *(label for row in rows or () for label in row)}
        fits = fits and rows is not None and set(anonymized[name]) <= labels
        hierarchies[name] = rows or []
    found = scene.score("precision")["precision"]
    event(f"available: {fits}")
    assert (found.unavailable is None) is fits
    if not fits:
        return
    expected = oracle.precision(records(anonymized), scene.quasi_identifiers, hierarchies)
    assert found.value == near(expected.score)
    assert found.attributes == {
        name: None if name in strange else near(figure) for name, figure in expected.scores.items()
    }
    assert found.details["raw"] == near(expected.raw)
    assert found.details["raw_by_column"] == {name: near(figure) for name, figure in expected.raws.items()}


@given(pair_scenes())
def test_granularity(scene: Scene) -> None:
    original, anonymized, strange, fits = domain_cells(scene)
    found = scene.score("granularity")["granularity"]
    event(f"available: {fits}")
    assert (found.unavailable is None) is fits
    if not fits:
        return
    expected = oracle.granularity(records(original), records(anonymized), scene.quasi_identifiers, scene.hierarchies)
    assert found.value == near(expected.score)
    assert found.attributes == {
        name: None if name in strange else near(figure) for name, figure in expected.scores.items()
    }
    assert found.details["raw"] == near(expected.raw)
    assert found.details["raw_by_column"] == {name: near(figure) for name, figure in expected.raws.items()}


@given(pair_scenes())
def test_discernibility_and_average_class_size(scene: Scene) -> None:
    card, names = scene.score(*IDS), scene.quasi_identifiers
    before, after = (records(cells) for cells in as_read(scene)[:2])
    if not scene.rows:
        assert {card[metric_id].unavailable for metric_id in IDS} == {"the table has no records"}
        return
    found, expected = card["discernibility"], oracle.discernibility(before, after, names)
    assert (found.details["raw"], found.details["raw_original"]) == (expected.raw, expected.raw_original)
    assert found.value == near(expected.score)
    found, mean = card["average_class_size"], oracle.average_class_size(before, after, names)
    event(f"classes: {mean is not None}")
    if mean is None:
        assert found.unavailable == "every record is suppressed"
        return
    assert (found.details["raw"], found.details["raw_original"]) == (near(mean.raw), near(mean.raw_original))
    assert found.value == near(mean.score)


@given(pair_scenes(), st.booleans())
def test_suppressed_cells(scene: Scene, with_original: bool) -> None:
    assume(scene.rows)
    names = scene.quasi_identifiers
    chosen = scene if with_original else dataclasses.replace(scene, original={})
    found = chosen.score("suppressed_cells")["suppressed_cells"]
    expected = oracle.empty_cells(records(scene.anonymized), names)
    assert found.details["suppressed_by_column"] == {name: stars for name, (stars, _) in expected.items()}
    assert found.details["missing_by_column"] == {name: blanks for name, (_, blanks) in expected.items()}
    assert found.attributes == {name: near(sum(both) / scene.rows) for name, both in expected.items()}
    total = sum(stars + blanks for stars, blanks in expected.values())
    assert found.value == near(total / (scene.rows * len(names)))
    empty = (None, "", "*")
    emptied = {
        name: sum(
            before not in empty and after in empty
            for before, after in zip(scene.original[name], scene.anonymized[name], strict=True)
        )
        for name in names
    }
    assert found.details["emptied_by_column"] == (emptied if with_original else None)


@given(pair_scenes(), st.data())
def test_deleted_records_count_as_suppressed(scene: Scene, data: st.DataObject) -> None:
    assume(scene.rows > 1)
    keys = [str(i) for i in range(scene.rows)]
    kept = sorted(data.draw(st.sets(st.integers(0, scene.rows - 1), min_size=1)))
    order = data.draw(st.permutations(kept))
    remaining = {name: [cells[i] for i in order] for name, cells in scene.anonymized.items()}
    deleted = dataclasses.replace(
        scene,
        anonymized={**remaining, "id": [keys[i] for i in order]},
        original={**scene.original, "id": keys},
        key="id",
    ).score(*IDS)
    starred = dataclasses.replace(
        scene,
        anonymized={
            name: [cell if i in kept else "*" for i, cell in enumerate(cells)]
            for name, cells in scene.anonymized.items()
        },
    ).score(*IDS)
    for metric_id in IDS:
        assert deleted[metric_id].unavailable == starred[metric_id].unavailable
        assert deleted[metric_id].value == near(starred[metric_id].value)
        assert deleted[metric_id].attributes == {
            name: near(figure) for name, figure in starred[metric_id].attributes.items()
        }
        assert deleted[metric_id].details == starred[metric_id].details


# Properties

LETTERS = [
    [leaf, pair, half, "any"] for leaf, pair, half in zip("abcdefg", "AACCEEG", ["abcd"] * 4 + ["efg"] * 3, strict=True)
]
TREE = Hierarchy(LETTERS)


@st.composite
def lifted(draw: st.DrawFn) -> tuple[dict[str, Cells], dict[str, list[int]]]:
    """Original cells and the level that every cell is generalized to; no cell is suppressed."""
    rows = draw(st.integers(1, 20))
    before: dict[str, Cells] = {
        name: draw(st.lists(st.sampled_from("abcdefg"), min_size=rows, max_size=rows)) for name in "qr"
    }
    levels = {name: draw(st.lists(st.integers(0, 2), min_size=rows, max_size=rows)) for name in "qr"}
    return before, levels


def at(before: dict[str, Cells], levels: dict[str, list[int]]) -> Scorecard:
    row_of = {row[0]: row for row in LETTERS}
    after = {
        name: [row_of[str(cell)][level] for cell, level in zip(before[name], levels[name], strict=True)]
        for name in levels
    }
    roles = Roles(quasi_identifiers=list(levels))
    return score(table(after), roles, original=table(before), hierarchies=dict.fromkeys(levels, TREE), metrics=IDS)


@given(lifted(), st.data())
def test_lifting_any_cell_never_gains(
    drawn: tuple[dict[str, Cells], dict[str, list[int]]], data: st.DataObject
) -> None:
    before, levels = drawn
    higher = {name: [level + data.draw(st.integers(0, 1)) for level in of] for name, of in levels.items()}
    low, high = at(before, levels), at(before, higher)
    for metric_id in ("precision", "granularity"):
        assert high[metric_id].value <= low[metric_id].value + 1e-12
        for name, figure in high[metric_id].attributes.items():
            assert figure <= low[metric_id].attributes[name] + 1e-12


@given(lifted(), st.sampled_from("qr"), st.integers(0, 2))
def test_lifting_a_whole_column_never_gains(
    drawn: tuple[dict[str, Cells], dict[str, list[int]]], column: str, level: int
) -> None:
    before, levels = drawn
    whole = {**levels, column: [level] * len(levels[column])}
    higher = {**whole, column: [level + 1] * len(levels[column])}
    low, high = at(before, whole), at(before, higher)
    for metric_id in ("precision", "granularity", "discernibility", "average_class_size"):
        assert high[metric_id].value <= low[metric_id].value + 1e-12, metric_id


def test_a_suppressed_record_is_wholly_lost_whatever_level_holds_the_star() -> None:
    # A short branch that ends in * already on level 1: a single * there stands on level 1, as everywhere.
    tree = Hierarchy([["a", "A", "*"], ["b", "*", "*"]])
    roles = Roles(quasi_identifiers=["q", "r"])
    for cells, height in (("* x", 1 / 2), ("* *", 1)):
        card = score(written(f"q r\n{cells}"), roles, original=written("q r\nb x"), hierarchies={"q": tree})
        assert card["precision"].details["raw_by_column"]["q"] == height
        assert card["granularity"].attributes["q"] == 0


# By hand

BEFORE = written(
    """born sex
    1970 m
    1981 f
    1983 f
    1988 m"""
)
YEARS = Hierarchy([[str(year), f"{str(year)[:3]}*", "*"] for year in range(1970, 1990)], name="born")
ROLES = Roles(quasi_identifiers=["born", "sex"])


def test_by_hand() -> None:
    after = written("born sex\n197* m\n198* f\n198* *\n* *")
    card = score(after, ROLES, original=BEFORE, hierarchies={"born": YEARS})
    # born stands on 1, 1, 1 and 2 of 2; sex, whose hierarchy is implied, on 0, 0, 2 and 2 of 2.
    assert card["precision"].attributes == {"born": pytest.approx(3 / 8), "sex": pytest.approx(1 / 2)}
    assert card["precision"].value == pytest.approx(7 / 16)
    assert card["precision"].details["levels"] == {"born": 3, "sex": 3}
    # born covers 10, 10, 10 and 20 of 20; sex 1, 1, 2 and 2 of 2.
    assert card["granularity"].details["raw_by_column"] == {"born": 5 / 8, "sex": 3 / 4}
    assert card["granularity"].attributes == {
        "born": pytest.approx(1 - (5 / 8 - 1 / 20) / (1 - 1 / 20)),
        "sex": pytest.approx(1 / 2),
    }
    assert card["granularity"].value == pytest.approx((1 - (5 / 8 - 1 / 20) / (1 - 1 / 20) + 1 / 2) / 2)
    assert card["granularity"].details["normalized_mean"] == pytest.approx(1 - (11 / 16 - 11 / 40) / (1 - 11 / 40))
    # Three classes of one record, one record suppressed.
    assert card["discernibility"].details == {
        "raw": 7,
        "raw_original": 4,
        "raw_largest": 16,
        "wholly_lost_records": 1,
    }
    assert card["discernibility"].value == pytest.approx(1 - 3 / 12)
    assert card["average_class_size"].value == 1
    assert card["suppressed_cells"].value == 3 / 8
    assert card["suppressed_cells"].details["suppressed_by_column"] == {"born": 1, "sex": 2}
    figures = {
        "precision": ("56.2%", "born", "62.5%"),
        "discernibility": ("1.75", "4 records"),
        "suppressed_cells": ("37.5%", "3 suppressed", "0 missing", "1 record is"),
    }
    for metric_id, named in figures.items():
        assert all(part in card[metric_id].summary() for part in named)


def test_one_quasi_identifier_counts_as_any_other() -> None:
    # ARX gives 0 for precision and granularity whenever there is one.
    card = score(
        written("born\n197*\n198*\n198*\n1988"),
        Roles(quasi_identifiers=["born"]),
        original=BEFORE,
        hierarchies={"born": YEARS},
    )
    assert card["precision"].value == card["precision"].attributes["born"] == pytest.approx(1 - 3 / 8)
    assert card["granularity"].attributes["born"] == pytest.approx(card["granularity"].value)
    assert card["granularity"].value == pytest.approx(1 - (31 / 80 - 1 / 20) / (1 - 1 / 20))


def test_everything_suppressed_is_everything_lost() -> None:
    card = score(written("born sex\n* *\n* *\n* *\n* *"), ROLES, original=BEFORE, hierarchies={"born": YEARS})
    assert [card[metric_id].value for metric_id in IDS] == [0, 0, 0, None, 1]
    assert card["average_class_size"].unavailable == "every record is suppressed"
    assert card["discernibility"].details["raw"] == 16


def test_a_table_against_itself() -> None:
    card = score(BEFORE, ROLES, original=BEFORE, hierarchies={"born": YEARS})
    assert [card[metric_id].value for metric_id in IDS] == [1, 1, 1, 1, 0]


def test_without_an_original() -> None:
    alone = written("born\n197*\n198*")
    roles = Roles(quasi_identifiers=["born"])
    card = score(alone, roles, hierarchies={"born": YEARS})
    assert (card["precision"].value, card["suppressed_cells"].value) == (1 / 2, 0)
    assert card["granularity"].value == pytest.approx(1 - (1 / 2 - 1 / 20) / (1 - 1 / 20))
    needs = "no original table is given"
    assert {card[metric_id].unavailable for metric_id in ("discernibility", "average_class_size")} == {needs}
    unknown = score(alone, roles)
    for metric_id in ("precision", "granularity"):
        assert '"born" has no hierarchy' in str(unknown[metric_id].unavailable)


def test_tables_that_cannot_be_matched() -> None:
    card = score(written("born sex\n1970 m"), ROLES, original=BEFORE, hierarchies={"born": YEARS})
    for metric_id in ("discernibility", "average_class_size"):
        assert "cannot be matched" in str(card[metric_id].unavailable)
    assert card["suppressed_cells"].details["emptied_by_column"] is None
    # sex has no hierarchy, and no pair tells its domain.
    assert "cannot be matched" in str(card["precision"].unavailable)


def test_a_value_that_the_hierarchy_misses() -> None:
    card = score(written("born\n19**"), Roles(quasi_identifiers=["born"]), hierarchies={"born": YEARS})
    for metric_id in ("precision", "granularity"):
        assert card[metric_id].unavailable == (
            'the hierarchy of "born" lacks 1 of the anonymized values; add it to the hierarchy'
        )


def test_missing_and_blank_cells() -> None:
    before: dict[str, Cells] = {"q": ["a", "b", None, "", "*"], "r": ["1"] * 5}
    after: dict[str, Cells] = {"q": [None, "", None, "*", "*"], "r": ["1"] * 5}
    found = score(table(after), Roles(quasi_identifiers=["q", "r"]), original=table(before))["suppressed_cells"]
    assert found.details["suppressed_by_column"] == {"q": 2, "r": 0}
    assert found.details["missing_by_column"] == {"q": 3, "r": 0}
    # Only two told something before.
    assert found.details["emptied_by_column"] == {"q": 2, "r": 0}
    assert (found.value, found.attributes) == (1 / 2, {"q": 1.0, "r": 0.0})


def test_a_column_of_one_value_has_nothing_to_lose() -> None:
    # A domain of one value is covered whole by every value, * included; a hierarchy of one level has no other.
    single = {"q": Hierarchy([["a"]])}
    original = written("q r\na x\na y")
    card = score(written("q r\n* x\na y"), Roles(quasi_identifiers=["q", "r"]), original=original, hierarchies=single)
    assert card["granularity"].attributes["q"] == card["precision"].attributes["q"] == 1
    assert card["granularity"].value == 1


def test_ten_million_records_are_counted_exactly() -> None:
    sizes = [5_999_999, 3_000_001, 999_983]
    now, before = class_sizes(np.array(sizes), 17), class_sizes(np.array([1] * 3))
    total = sum(size**2 for size in sizes) + 17 * 10_000_000
    assert penalties(now) == total
    assert penalties(now, 5) == sum(size**2 for size in sizes) + 22 * 10_000_005
    found: Any = discernibility(now, before)
    assert (found.raw, found.value) == (total, float(1 - Fraction(total - 3, 10**14 - 3)))
    assert average_class_size(now, before).raw == 9_999_983 / 3
