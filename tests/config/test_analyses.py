"""Analyses as files hold them."""

from pathlib import Path

import pytest

from metrics import Count, Crosstab, Linear, Logistic, Mean, Term, read_analyses, read_roles
from metrics.config.analyses import AnalysesDocument, Analysis
from metrics.errors import InputError

SAVED = """
analyses:
  stay_by_sex:  {kind: mean, number: length_of_stay, by: [sex, {column: age, level: 2}]}
  stay_by_ward: {kind: crosstab, columns: [ward, insurance], weight: w}
  model:        {kind: linear, outcome: length_of_stay, terms: [age, {column: ward, role: control}]}
  odds:         {kind: logistic, outcome: readmitted, event: [">30", "<30"],
                 terms: [{column: age, groups: true}, {column: sex, reference: Male}]}
  old_women:    {kind: count, where: {sex: [Female], age: [70, 99]}, weight: w}
"""
ANALYSES: dict[str, Analysis] = {
    "stay_by_sex": Mean("length_of_stay", ["sex", Term("age", level=2)]),
    "stay_by_ward": Crosstab(["ward", "insurance"], weight="w"),
    "model": Linear("length_of_stay", ["age", Term("ward", control=True)]),
    "odds": Logistic("readmitted", [">30", "<30"], [Term("age", groups=True), Term("sex", reference="Male")]),
    "old_women": Count({"sex": "Female", "age": (70, 99)}, weight="w"),
}


def test_analyses_are_read_from_their_file_and_from_that_of_roles(tmp_path: Path) -> None:
    path = tmp_path / "analyses.yaml"
    path.write_text(SAVED, encoding="utf-8")
    assert read_analyses(path) == ANALYSES
    path.write_text(f"quasi_identifiers: [sex]\n{SAVED}", encoding="utf-8")
    assert read_roles(path).analyses == ANALYSES
    path.write_text("quasi_identifiers: [sex]", encoding="utf-8")
    assert read_roles(path).analyses == {}


def test_a_single_value_needs_no_brackets(tmp_path: Path) -> None:
    path = tmp_path / "analyses.yaml"
    for where in ("{sex: Female, age: 70}", "{sex: [Female], age: [70]}"):
        path.write_text(f"analyses: {{women: {{kind: count, where: {where}}}}}", encoding="utf-8")
        assert read_analyses(path) == {"women": Count({"sex": "Female", "age": ["70"]})}


def test_what_is_written_is_read_again() -> None:
    written = {name: analysis.to_dict() for name, analysis in ANALYSES.items()}
    assert AnalysesDocument("settings.json").analyses(written) == ANALYSES
    assert written["model"]["terms"] == ["age", {"column": "ward", "role": "control"}]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "analyses: {a: {kind: sum}}",
            '"analyses.a.kind" is not an analysis; use mean, crosstab, linear, logistic, count.',
        ),
        ("analyses: {a: {kind: [mean]}}", '"analyses.a.kind" is not an analysis'),
        ("analyses: {a: {kind: mean}}", '"analyses.a" has no number; write number: …'),
        ("analyses: {a: {kind: mean, number: x, bye: z}}", 'there is no key "bye" in "analyses.a"'),
        ("analyses: {a: {kind: mean, number: x, by: [p, q, r]}}", "more than two columns of groups"),
        ("analyses: {a: {kind: crosstab, columns: [x]}}", "has not two columns"),
        ("analyses: {a: {kind: linear, outcome: x, terms: []}}", "has no term whose estimates count"),
        ("analyses: {a: {kind: logistic, outcome: x, event: [], terms: a}}", "has no event"),
        (
            "analyses: {a: {kind: mean, number: x, by: [{column: s, level: -1}]}}",
            '"analyses.a.by.level" is not a level',
        ),
        ("analyses: {a: {kind: mean, number: x, by: [{column: s, role: x}]}}", '"analyses.a.by.role" is not a role'),
        ("analyses: {a: {kind: mean, number: x, by: [{column: s, groups: 1}]}}", "is neither true nor false"),
        ("analyses: {a: {kind: mean, number: x, by: [{level: 1}]}}", '"analyses.a.by.column" is not text'),
        ("analyses: {a: {kind: count}}", '"analyses.a" has no where; write where: …'),
        ("analyses: {a: {kind: count, where: {}}}", "a count asks for no value"),
        ("analyses: {a: {kind: count, where: {sex: {is: Male}}}}", '"analyses.a.where.sex" is not text'),
        ("analyses: {'': {kind: mean, number: x}}", '"analyses" has an analysis without a name'),
        ("analyses: [a]", '"analyses" is not an object'),
        ("analysis: {}", 'there is no key "analysis"; use analyses.'),
        ("[a]", '"analyses" is not an object'),
    ],
)
def test_a_mistake_is_named_with_file_and_key(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "analyses.yaml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_analyses(path)
    assert str(caught.value).startswith("analyses.yaml: ")
    assert message in str(caught.value)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "analyses.yaml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8 text"):
        read_analyses(path)
    with pytest.raises(InputError, match="below 0"):
        Term("age", level=-1)
