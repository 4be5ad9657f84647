"""k-anonymity by key set against counting record by record."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import InputError, Roles, read_roles, score
from metrics.texts import text
from tests.support.command_line import call
from tests.support.small_tables import Cells, table, written


def test_worked_example() -> None:
    released = written("""
        age   sex job
        20-29 f   nurse
        20-29 m   nurse
        30-39 f   nurse
        30-39 m   nurse
    """)
    roles = Roles(["age", "sex", "job"], key_sets={"neighbour": ["age", "sex"], "employer": ["age", "job"]})
    card = score(released, roles)
    assert card["key_set_k_anonymity"].value == min(1, 2)
    sets = card["key_set_k_anonymity"].details["key_sets"]
    assert {name: one["k"] for name, one in sets.items()} == {"neighbour": 1, "employer": 2}


NAME = "key_set_k_anonymity"
SETS = {"neighbour": ["age", "sex"], "employer": ["age", "job"], "one": ["job"]}
ROLES = Roles(quasi_identifiers=["age", "sex", "job"], key_sets=SETS)
CELLS = {"age": ["20-29", "30-39", "*"], "sex": ["f", "m", "*"], "job": ["a", "b", "*"]}


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Cells]:
    """Records with some cells suppressed."""
    rows = draw(st.integers(1, 20))
    drawn = {name: st.lists(st.sampled_from(cells), min_size=rows, max_size=rows) for name, cells in CELLS.items()}
    return {name: draw(cells) for name, cells in drawn.items()}


def sizes_by_record(columns: dict[str, Cells], names: list[str]) -> list[int]:
    """For each record that is not suppressed in all of the columns, how many records share them."""
    keys = list(zip(*(columns[name] for name in names), strict=True))
    count = Counter(keys)
    return [count[key] for key in keys if any(cell != "*" for cell in key)]


@given(tables())
def test_every_set_is_counted_record_by_record(columns: dict[str, Cells]) -> None:
    found = score(table(columns), ROLES)[NAME]
    expected = {name: sizes for name, names in SETS.items() if (sizes := sizes_by_record(columns, names))}
    if found.result is None:
        assert found.unavailable == text("unavailable.all_suppressed")
        return
    assert found.value == min(min(sizes) for sizes in expected.values())
    assert set(found.details["key_sets"]) == set(expected)
    for name, sizes in expected.items():
        details = found.details["key_sets"][name]
        assert (details["k"], details["unique_records"]) == (min(sizes), sizes.count(1))
        assert details["average_risk"] == pytest.approx(sum(1 / size for size in sizes) / len(sizes))
        assert details["records_at_risk"] == pytest.approx(sum(1 / size > 0.2 for size in sizes) / len(sizes))


@given(tables())
def test_a_set_of_all_quasi_identifiers_is_the_table(columns: dict[str, Cells]) -> None:
    names = list(CELLS)
    card = score(table(columns), Roles(quasi_identifiers=names, key_sets={"everything": names}))
    assert card[NAME].value == card["k_anonymity"].value


def test_the_weakest_set_leads_and_record_linkage_knows_its_columns_alone() -> None:
    original = table({"age": ["1", "2", "3", "4"], "sex": ["f", "f", "m", "m"], "job": ["a", "a", "a", "b"]})
    card = score(original, ROLES, original=original)
    found = card[NAME]
    assert list(found.details["key_sets"]) == ["neighbour", "employer", "one"]
    linked = {name: one["record_linkage"] for name, one in found.details["key_sets"].items()}
    assert linked == {"neighbour": 1.0, "employer": 1.0, "one": 0.5}
    assert "neighbour (age and sex). 4 records are unique" in found.summary()


def test_without_an_original_key_sets_are_not_attacked() -> None:
    details = score(table({"age": ["1"], "sex": ["f"], "job": ["a"]}), ROLES)[NAME].details
    assert details["key_sets"]["one"]["record_linkage"] is None


@pytest.mark.parametrize(
    ("sets", "problem"),
    [({"boss": ["salary"]}, "a column that is not a quasi-identifier"), ({"boss": []}, 'the key set "boss" is empty')],
)
def test_a_key_set_has_quasi_identifiers(sets: dict[str, list[str]], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        Roles(quasi_identifiers=["age"], sensitive=["salary"], key_sets=sets)


def test_a_role_file_can_define_key_sets_for_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    roles, release = tmp_path / "roles.yaml", tmp_path / "release.csv"
    roles.write_text("quasi_identifiers: [age, zip]\nkey_sets: {neighbour: [age, zip], employer: [age]}\n")
    release.write_text("age,zip\n30,1\n30,2\n40,1\n40,1\n")
    assert read_roles(roles).roles.key_sets == {"neighbour": ("age", "zip"), "employer": ("age",)}
    done = call(capsys, "score", "--anonymized", release, "--roles", roles, "--json")
    sets = done.object["metrics"][NAME]["details"]["key_sets"]
    assert {name: one["k"] for name, one in sets.items()} == {"neighbour": 1, "employer": 2}
    roles.write_text("quasi_identifiers: [age]\nkey_sets: [age]\n")
    refused = call(capsys, "score", "--anonymized", release, "--roles", roles)
    assert (refused.status, '"key_sets" has no names' in refused.err) == (2, True)
