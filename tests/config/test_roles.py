"""Roles of columns: both forms of the YAML, errors, suggestions."""

from pathlib import Path

import pytest

from metrics import InputError, Role, Roles, read_roles
from metrics.config.roles_file import parse_roles
from tests.support.counted_text import CountedText, counted_texts
from tests.support.small_tables import written

NATIVE = """
quasi_identifiers: [ZIPCode, " Age "]
sensitive: [Disease]
insensitive: [Salary]
identifiers: []
key: id
"""
PETWORKS = """
DATASET:
  ATTRIBUTE_TYPE:
    QUASI_IDENTIFIER:
      - "ZIPCode"
      - "Age"
    SENSITIVE_ATTRIBUTE: ["Disease"]
    INSENSITIVE_ATTRIBUTE:
      - Salary
    IDENTIFIER:
  {inner}HIERARCHY: "patient_hierarchy"
"""
ROLES = Roles(quasi_identifiers=["ZIPCode", "Age"], sensitive=["Disease"], insensitive=["Salary"])


def test_a_role_file_in_the_native_form_is_read_with_its_key_and_name(tmp_path: Path) -> None:
    (tmp_path / "roles.yaml").write_bytes(b"\xef\xbb\xbf" + NATIVE.encode())
    found = read_roles(tmp_path / "roles.yaml")
    assert found.roles == Roles(
        quasi_identifiers=("ZIPCode", "Age"), sensitive=("Disease",), insensitive=("Salary",), key="id"
    )
    assert found.roles.name == "roles.yaml"
    assert found.hierarchies is None


@pytest.mark.parametrize("inner", ["", "\b\b"], ids=["inside DATASET", "beside DATASET"])
def test_a_role_file_in_the_form_of_petworks_is_read(inner: str) -> None:
    text = PETWORKS.format(inner="") if not inner else PETWORKS.format(inner="").replace("  HIERARCHY", "HIERARCHY")
    found = parse_roles(text, "patient.yaml")
    assert found.roles == ROLES
    assert found.hierarchies == "patient_hierarchy"


def test_one_column_needs_no_list_and_numbers_may_name_columns() -> None:
    found = parse_roles("quasi_identifiers: zip\nsensitive: [2020, 1.5]\ninsensitive:\n", "r.yaml").roles
    assert found.quasi_identifiers == ("zip",)
    assert found.sensitive == ("2020", "1.5")
    assert found.insensitive == ()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("quasi_identifiers: [a", r"r\.yaml, line \d: "),
        ("just text", r"r\.yaml: "),
        ("- a\n- b", r"r\.yaml: "),
        ("", r"r\.yaml: "),
        ("quasi_identifier: [a]", 'there is no role "quasi_identifier"; use quasi_identifiers, sensitive'),
        ("1: [a]", 'there is no role "1"'),
        ("quasi_identifiers: {a: b}", '"quasi_identifiers" is not a list of columns'),
        ("quasi_identifiers: [[a]]", '"quasi_identifiers" is not a list of columns'),
        ("quasi_identifiers: [a]\nquasi_identifiers: [b]", "r.yaml, line 2: "),
        ("a: &a [x]\nb: *a", "r.yaml, line 2: .*anchors"),
        ("b: &a {x: 1}\nc: {<<: *a}", "anchors"),
        ("{a: " * 5000 + "1" + "}" * 5000, "r.yaml"),
        ("[" * 100_000, "r.yaml"),
        ("? [a]\n: b", "r.yaml, line 1: "),
        ("#" * 2_000_000, "r.yaml: "),
        ("quasi_identifiers: [a]\nsensitive: [a]", 'r.yaml, column "a": '),
        ("quasi_identifiers: [a, ' a']", 'column "a": '),
        ("key: {a: b}", '"key"'),
        ("key: [[a]]", '"key"'),
        ("key: [a, ' a']", 'r.yaml, column "a": the key names the column twice'),
        ("weight: [a]", '"weight"'),
        (
            "key: a\nduplicates: last",
            'r.yaml: "duplicates".* refuse, first',
        ),
        ("key: a\nunmatched: [leave_out]", '"unmatched"'),
        ("unmatched: leave_out", "unmatched"),
        ("DATASET: x", "DATASET has no ATTRIBUTE_TYPE"),
        ("DATASET: {ATTRIBUTE_TYPE: [a]}", "DATASET has no ATTRIBUTE_TYPE"),
        ("DATASET: {ATTRIBUTE_TYPE: {QI: [a]}}", 'there is no role "QI"; use QUASI_IDENTIFIER'),
        ("a: !!python/object/apply:os.system ['true']", "r.yaml, line 1: "),
        ("quasi_identifiers: [!!int abc]", "r.yaml, line 1: "),
    ],
)
def test_a_role_file_with_a_fault_is_refused_with_its_line_or_column(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        parse_roles(text, "r.yaml")


def test_column_names_that_look_like_numbers_or_dates_stay_text() -> None:
    written = "[01, no, 2020-13-45, 1e3, ~]"
    roles = parse_roles(f"quasi_identifiers: {written}\nsensitive:\nkey: ~", "r.yaml").roles
    assert roles.quasi_identifiers == ("01", "no", "2020-13-45", "1e3", "~")
    assert (roles.sensitive, roles.key) == ((), None)


@pytest.mark.parametrize("name", ["absent.yaml", "."])
def test_a_role_file_that_cannot_be_read_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="the file cannot be read"):
        read_roles(tmp_path / name)


def test_every_column_has_a_role() -> None:
    assert [ROLES.of(name) for name in ("Age", "Disease", "Salary", "other")] == [
        Role.QUASI_IDENTIFIER,
        Role.SENSITIVE,
        Role.INSENSITIVE,
        Role.INSENSITIVE,
    ]
    roles = {"n": Role.IDENTIFIER, "a": Role.QUASI_IDENTIFIER, "s": Role.SENSITIVE, "x": Role.INSENSITIVE}
    made = Roles.from_mapping(roles, key="n")
    assert {name: made.of(name) for name in roles} == roles
    assert (made.quasi_identifiers, made.key) == (("a",), "n")


ANONYMIZED = written("q s x\n1 2 3", "anonymized.csv")
ORIGINAL = written("q id\n1 2", "original.csv")


@pytest.mark.parametrize(
    "roles",
    [
        Roles(quasi_identifiers=["q"]),
        Roles(quasi_identifiers=["q"], sensitive=["s"], insensitive=["x", "id"], identifiers=["removed"]),
    ],
)
def test_roles_whose_columns_are_in_the_tables_are_accepted(roles: Roles) -> None:
    roles.check(ANONYMIZED, ORIGINAL)


@pytest.mark.parametrize(
    ("roles", "file", "column"),
    [
        (Roles(), "roles", None),
        (Roles(sensitive=["s"]), "roles", None),
        (Roles(quasi_identifiers=["q", "absent"]), "anonymized.csv", "absent"),
        (Roles(quasi_identifiers=["q", "x"]), "original.csv", "x"),
        (Roles(quasi_identifiers=["q"], sensitive=["id"]), "anonymized.csv", "id"),
        (Roles(quasi_identifiers=["q"], insensitive=["absent"]), "anonymized.csv", "absent"),
        (Roles(quasi_identifiers=["q"], key="id"), "anonymized.csv", "id"),
        (Roles(quasi_identifiers=["q"], key="x"), "original.csv", "x"),
    ],
)
def test_roles_that_do_not_fit_the_tables_are_refused_with_the_column(
    roles: Roles, file: str, column: str | None
) -> None:
    with pytest.raises(InputError) as raised:
        roles.check(ANONYMIZED, ORIGINAL)
    assert (raised.value.file, raised.value.column) == (file, column)


def test_the_columns_of_key_sets_are_looked_up_and_not_searched() -> None:
    names = counted_texts(1_000)
    roles = Roles(quasi_identifiers=[str(name) for name in names], key_sets={"neighbour": names})
    assert {roles.of(name) for name in names} == {Role.QUASI_IDENTIFIER}
    assert CountedText.comparisons < 5 * len(names)


def test_a_column_can_be_stated_not_to_identify_people() -> None:
    roles = parse_roles("quasi_identifiers: [age]\nnot_identifying: [note, code]", "roles.yaml").roles
    assert roles.not_identifying == ("note", "code")
    assert roles.of("note") is Role.INSENSITIVE
    assert Roles(["age"], not_identifying="note").not_identifying == ("note",)
    with pytest.raises(InputError, match="stated not to identify people"):
        Roles(["age"], identifiers=["note"], not_identifying=["note"])


def test_more_key_sets_than_can_be_assessed_are_refused() -> None:
    assert len(Roles(quasi_identifiers=["a"], key_sets={str(name): ["a"] for name in range(200)}).key_sets) == 200
    with pytest.raises(InputError, match=r"^r: there are 201 key sets, more than the 200"):
        Roles(quasi_identifiers=["a"], key_sets={str(name): ["a"] for name in range(201)}, name="r")


def test_weights_and_highest_levels_are_read_and_checked() -> None:
    added = "column_weights: {Age: 0.9}\nhighest_levels: {ZIPCode: 0}\n"
    roles = parse_roles(NATIVE + added, "roles.yaml").roles
    assert (roles.column_weights, roles.highest_levels) == ({"Age": 0.9}, {"ZIPCode": 0})
    assert roles.relative_weights(["ZIPCode", "Age"]) == pytest.approx([1.0 / 1.4, 1.8 / 1.4])
    assert Roles(["a", "b", "c"], column_weights={"a": 0.5}).relative_weights(["a", "b", "c"]).tolist() == [1.0] * 3
    for wrong, problem in (
        ("column_weights: {Age: 1.1}", "not between 0 and 1"),
        ("column_weights: {Age: much}", "no number"),
        ("column_weights: [Age]", "has no columns"),
        ("highest_levels: {Age: -1}", "negative"),
        ("highest_levels: {Age: 0.5}", "no whole number"),
        ("highest_levels: {Disease: 1}", "not a quasi-identifier"),
    ):
        with pytest.raises(InputError, match=problem):
            parse_roles(f"{NATIVE}{wrong}\n", "roles.yaml")
