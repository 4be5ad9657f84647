"""The role that is proposed for a column: what identifies people by its values is an identifier."""

import random

import pyarrow as pa
import pytest

from metrics.config.roles import Role
from metrics.identifiers.suggested_roles import suggest_role
from metrics.tables.table import Column
from tests.identifiers.generated import columns
from tests.support.small_tables import table


def suggested(**cells: list[str]) -> Role:
    content = table(cells)
    return suggest_role(content.columns[0], content.rows)


def test_names_are_proposed_as_identifiers_whatever_the_column_is_called() -> None:
    names = columns(0)["c34"]
    assert suggested(c7=names) is Role.IDENTIFIER
    assert suggested(diagnosis=names) is Role.IDENTIFIER
    assert suggested(note=columns(0)["c03"]) is Role.IDENTIFIER
    assert suggested(remark=columns(0)["c29"]) is Role.IDENTIFIER


def test_words_that_differ_in_nearly_every_record_are_identifiers() -> None:
    source = random.Random(3)
    words = ["".join(source.choices("abcdefghijklmnop", k=9)).capitalize() for _ in range(200)]
    assert suggested(c7=[*words, words[0]]) is Role.IDENTIFIER


def test_dates_and_places_are_proposed_as_quasi_identifiers() -> None:
    assert suggested(c7=columns(0)["c07"]) is Role.QUASI_IDENTIFIER
    assert suggested(zip=columns(0)["c14"]) is Role.QUASI_IDENTIFIER


@pytest.mark.parametrize("separators", [",.", ".,", "'.", " ,", "\u202f,"], ids=["en", "de", "ch", "blank", "fr"])
@pytest.mark.parametrize("ending", ["", "{decimal}50"], ids=["whole", "fraction"])
def test_amounts_with_separated_thousands_are_no_identifiers(separators: str, ending: str) -> None:
    thousands, decimal = separators
    amounts = random.Random(5).sample(range(900, 99_999), 60)
    cells = [f"{amount:,}".replace(",", thousands) + ending.format(decimal=decimal) for amount in amounts]
    column = Column.from_arrow("c7", pa.array(cells), decimal)
    assert suggest_role(column, len(cells)) is Role.INSENSITIVE
    assert suggest_role(Column.from_arrow("salary", pa.array(cells), decimal), len(cells)) is Role.SENSITIVE


def test_record_numbers_with_separated_thousands_are_identifiers() -> None:
    assert suggested(c7=[f"{number:,}" for number in range(900, 1_500)]) is Role.IDENTIFIER


def test_a_column_of_distinct_numbers_is_judged_without_a_list_of_them() -> None:
    column = table({"c7": [str(number) for number in range(5_000)]}).columns[0]
    assert suggest_role(column, 5_000) is Role.IDENTIFIER
    assert "labels" not in vars(column)


@pytest.mark.parametrize(
    ("column", "role"),
    [
        ("zip", Role.QUASI_IDENTIFIER), ("Age", Role.QUASI_IDENTIFIER), ("native-country", Role.QUASI_IDENTIFIER),
        ("marital_status", Role.QUASI_IDENTIFIER), ("性別", Role.QUASI_IDENTIFIER), ("ZIPCode", Role.QUASI_IDENTIFIER),
        ("diagnosis", Role.SENSITIVE), ("salary-class", Role.SENSITIVE), ("疾病", Role.SENSITIVE),
        ("name", Role.IDENTIFIER), ("patient_id", Role.IDENTIFIER), ("SSN", Role.IDENTIFIER), ("姓名", Role.IDENTIFIER),
        ("colour", Role.INSENSITIVE), ("width", Role.INSENSITIVE), ("image", Role.INSENSITIVE),
    ],
)  # fmt: skip
def test_a_role_is_suggested_from_the_name_of_the_column(column: str, role: Role) -> None:
    content = table({column: ["a", "b", "a"]})
    assert suggest_role(content[column], content.rows) is role


def test_only_the_start_of_a_name_is_searched() -> None:
    for name, role in {"x" * 900 + " id": Role.IDENTIFIER, "x" * 1_000 + " id": Role.INSENSITIVE}.items():
        content = table({name: ["a", "b", "a"]})
        assert suggest_role(content[name], content.rows) is role


def test_a_value_that_many_records_share_names_nobody() -> None:
    content = table({"name of the ward": ["north", "south"] * 21, "name": [str(number // 20) for number in range(42)]})
    found = [suggest_role(column, content.rows) for column in content.columns]
    assert found == [Role.INSENSITIVE, Role.IDENTIFIER]


def test_a_role_is_suggested_from_the_values_of_the_column() -> None:
    rows = 30
    content = table(
        {
            "code": [f"x{i}" for i in range(rows)],
            "weight": [f"{i}.5" for i in range(rows)],
            "age": [str(i) for i in range(rows)],
            "gone": ["*"] * rows,
            "kind": ["a", "b"] * (rows // 2),
        }
    )
    found = {column.name: suggest_role(column, content.rows) for column in content.columns}
    assert found == {
        "code": Role.IDENTIFIER,
        "weight": Role.INSENSITIVE,
        "age": Role.QUASI_IDENTIFIER,
        "gone": Role.IDENTIFIER,
        "kind": Role.INSENSITIVE,
    }


def test_the_values_of_a_column_are_not_kept_as_python_texts_which_take_four_times_a_table() -> None:
    content = table({"id": [str(number) for number in range(50)], "x": [f"{number / 8}" for number in range(50)]})
    for column in content.columns:
        suggest_role(column, content.rows)
        assert not {"labels", "numbers"} & set(vars(column))
