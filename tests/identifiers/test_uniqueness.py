"""Record numbers and names of people, which several records can share."""

import random
import uuid

import pytest

from metrics.identifiers.kinds import IdentifierKind as Kind
from tests.identifiers.generated import LAST
from tests.identifiers.test_detection import found_in

ARABIC = ["محمد", "أحمد", "علي", "فاطمة", "عائشة", "خالد", "سعيد", "ليلى", "مريم", "حسن", "حسين", "عمر"]
ARABIC_LAST = ["العلي", "الحسن", "الشامي", "المصري", "السوري", "العراقي", "التميمي", "القحطاني", "الدوسري", "الحربي"]


def each(values: list[str], records: int) -> list[str]:
    return [value for value in values for _ in range(records)]


NUMBERS = [f"P{7 * i + 1000}" for i in range(300)]
HASHES = [uuid.UUID(int=random.Random(i).getrandbits(128)).hex for i in range(150)]


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("c", [NUMBERS[0], *NUMBERS[:-1]]),
        ("c", [str(max(i, 1)) for i in range(300)]),
        ("c", ["ada_1", "ada_1", *(f"ada_{i}" for i in range(2, 300))]),
        ("c", each(HASHES, 2)),
        ("c", each([f"{4_000_000_000 + 7_919_003 * i}" for i in range(120)], 3)),
        ("mrn", each(NUMBERS[:150], 2)),
        ("PatientID", each([str(100_000 + 7_919 * i) for i in range(60)], 5)),
        ("patient_no", each(NUMBERS[:30], 10)),
        ("Fallnummer", each(NUMBERS[:60], 5)),
    ],
    ids=[
        "one code repeated",
        "one whole number repeated",
        "one user repeated",
        "two records for each hash",
        "three records for each account",
        "two records for each number",
        "five records for each whole number",
        "ten records for each number",
        "German",
    ],
)
def test_record_numbers_are_found_where_some_or_all_repeat(name: str, cells: list[str]) -> None:
    assert found_in(**{name: cells}) == {name: Kind.RECORD_NUMBER}


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("price", [f"{random.Random(i).randrange(1, 3000)}" for i in range(300)]),
        ("icd", each([f"E{i}" for i in range(100, 250)], 2)),
        ("product", each([f"{100_000_000 + i}" for i in range(150)], 2)),
        ("hospital_id", each([f"H{i}" for i in range(30)], 10)),
        ("patients", each([str(i) for i in range(60)], 5)),
        ("id", each([str(i) for i in range(12)], 40)),
    ],
)
def test_quantities_and_codes_that_repeat_are_no_record_numbers(name: str, cells: list[str]) -> None:
    assert found_in(**{name: cells}) == {}


FULL_NAMES = [f"{first} {last}" for first in ("Ada", "Ben", "Eva", "Jan", "Mia", "Noor") for last in LAST]
CHINESE = [surname + given for surname in "王李张刘陳楊赵黄周吴徐孙胡" for given in "伟芳娜敏静丽强磊军勇"]


@pytest.mark.parametrize(
    "name", ["patient_name", "name", "Name", "PatientName", "Name des Patienten", "nom", "Nombre completo", "姓名"]
)
def test_a_column_named_as_names_is_found_with_many_records_each(name: str) -> None:
    for values in (FULL_NAMES, [value.lower() for value in FULL_NAMES], CHINESE, ARABIC):
        assert found_in(**{name: each(values, 7)}) == {name: Kind.UNIQUE_TEXT}, values[0]


@pytest.mark.parametrize(
    "name",
    [
        "surname",
        "last",
        "last_name",
        "firstName",
        "Nachname",
        "Vorname",
        "prénom",
        "apellidos",
        "cognome",
        "achternaam",
    ],
)
def test_first_and_last_names_in_columns_named_so_are_found_however_often_they_repeat(name: str) -> None:
    assert found_in(**{name: each(LAST, 200)}) == {name: Kind.UNIQUE_TEXT}


def test_columns_named_otherwise_and_values_that_are_no_names_are_not() -> None:
    assert found_in(drug_name=each(["aspirin", *LAST], 20), nomination=each(["x", *LAST], 20)) == {}
    assert found_in(name=each([f"type {i}" for i in range(40)], 5)) == {}
    assert found_in(surname=each(["A*", "B*", *"CDEFGHIJKLM"], 5)) == {}


def test_names_without_capitals_are_found_where_they_repeat() -> None:
    lower = [name.lower() for name in (f"{one} {two}" for one in FULL_NAMES for two in LAST[:3])][:160]
    assert found_in(c=each(lower, 2)) == {"c": Kind.UNIQUE_TEXT}
    assert found_in(c=each([name.replace(" ", "_") for name in lower], 2)) == {"c": Kind.UNIQUE_TEXT}
    assert found_in(c=each(CHINESE, 3)) == {"c": Kind.UNIQUE_TEXT}
    assert found_in(c=each([f"{one} {two}" for one in ARABIC for two in ARABIC_LAST], 2)) == {"c": Kind.UNIQUE_TEXT}
