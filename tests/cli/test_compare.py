"""`python -m metrics compare`: a column per candidate, what it refuses, and what goes on in spite of that."""

from pathlib import Path

import pyarrow.csv as pacsv
import pyarrow.parquet as papq
import pytest

import metrics
from metrics.texts import text as sentence
from tests.support.command_line import Run, call
from tests.support.sample import SAMPLE

ORIGINAL = "zip,age,illness\n10,31,flu\n11,32,cough\n20,33,flu\n21,34,cough\n"
FINE = "zip,age,illness\n10,31,flu\n11,32,cough\n2*,3*,flu\n2*,3*,cough\n"
COARSE = "zip,age,illness\n1*,3*,flu\n1*,3*,cough\n2*,3*,flu\n2*,3*,cough\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, cells in (("original", ORIGINAL), ("fine", FINE), ("coarse", COARSE)):
        (tmp_path / f"{name}.csv").write_text(cells)
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [zip, age]\nsensitive: [illness]\n")
    return tmp_path


def compared(capsys: pytest.CaptureFixture[str], folder: Path, names: list[str], *more: object) -> Run:
    files = [folder / name for name in names]
    given = ["--original", folder / "original.csv", "--roles", folder / "roles.yaml"]
    return call(capsys, "compare", "--anonymized", *files, *given, *more)


def test_compare_json_has_for_each_candidate_the_object_that_score_prints(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = compared(capsys, folder, ["fine.csv", "coarse.csv"], "--json")
    assert (done.status, done.err) == (0, "")
    assert done.object["schema_version"] == 1
    assert list(done.object["candidates"]) == ["fine.csv", "coarse.csv"]
    for name, found in done.object["candidates"].items():
        inputs = [
            "--anonymized",
            folder / name,
            "--original",
            folder / "original.csv",
            "--roles",
            folder / "roles.yaml",
        ]
        assert found == call(capsys, "score", *inputs, "--json").object


def test_an_attack_is_shown_by_the_attribute_that_score_names(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ["--original", SAMPLE / "hospital.csv", "--roles", SAMPLE / "roles.yaml"]
    chosen += ["--hierarchies", SAMPLE / "hierarchies", "--metrics", "attribute_inference_attack"]
    light = SAMPLE / "candidate_light.csv"
    shown = "34.9% (diagnosis)"
    assert shown in call(capsys, "score", "--anonymized", light, *chosen).out
    compared = call(capsys, "compare", "--anonymized", light, SAMPLE / "candidate_strict.csv", *chosen)
    assert shown in compared.out
    assert "57.6% (length_of_stay)\n" in compared.out  # not marked as the best beside a figure of another attribute
    assert "is best in" not in compared.out


def test_analyses_of_a_file_are_compared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "listed.yaml").write_text("analyses: {a: {kind: mean, number: age, by: [zip]}}")
    listed = ["--analyses", folder / "listed.yaml", "--json"]
    done = compared(capsys, folder, ["original.csv", "coarse.csv"], *listed)
    values = [found["analyses"]["a"]["value"] for found in done.object["candidates"].values()]
    assert (done.status, values) == (0, [1, 0])
    (folder / "listed.yaml").write_text("analyses: {a: {kind: mean, number: agee}}")
    wrong = compared(capsys, folder, ["original.csv", "coarse.csv"], *listed)
    assert (wrong.status, wrong.err.count('listed.yaml, column "agee"')) == (2, 1)


def test_a_metric_that_no_version_has_is_counted_by_reason_in_the_last_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [folder / "fine.csv", folder / "coarse.csv"]
    given = ["compare", "--anonymized", *files, "--roles", folder / "roles.yaml"]
    roles = metrics.read_roles(folder / "roles.yaml").roles
    cards = [metrics.score(metrics.read_table(file), roles) for file in files]
    missing = [
        scores[0].metric.shown.title
        for scores in zip(*cards, strict=True)
        if all(score.unavailable for score in scores)
    ]
    *lines, last = call(capsys, *given).out.splitlines()
    assert any(line.startswith("k-anonymity  ") for line in lines)
    assert not [title for title in missing if any(line.startswith(f"{title}  ") for line in lines)]
    assert last.startswith(f"{len(missing)} metrics not shown: 21 need --original, 11 are slow (--metrics all), ")
    chosen = call(capsys, *given, "--metrics", "k_anonymity", "k_map").out
    assert "k-map " in chosen
    assert "Highest risk" not in chosen
    assert "not shown" not in chosen


def test_compare_names_the_columns_of_each_table_that_identify_people(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = [f"{'1*' if i % 2 else '2*'},3*,flu,ada{i}@example.org" for i in range(40)]
    (folder / "named.csv").write_text("\n".join(["zip,age,illness,contact", *named]))
    inputs = ["--anonymized", folder / "named.csv", folder / "fine.csv", "--roles", folder / "roles.yaml"]
    done = call(capsys, "compare", *inputs)
    (line,) = (line for line in done.out.splitlines() if "contact" in line)
    assert line.startswith("named.csv: The values of contact look like e-mail addresses: remove this column")
    found = call(capsys, "compare", *inputs, "--json").object["candidates"]
    assert [one["direct_identifiers"]["columns"] for one in found.values()] == [{"contact": "email"}, {}]


def test_compare_prints_a_column_per_candidate_and_marks_the_best_value(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = compared(capsys, folder, ["fine.csv", "coarse.csv"])
    assert (done.status, done.err) == (0, "")
    header, *lines = done.out.splitlines()
    assert header.split() == ["fine.csv", "coarse.csv"]
    rows = {line[: header.index("fine.csv")].strip(): line[header.index("fine.csv") :].split("  ") for line in lines}
    assert [cell.strip() for cell in rows["k-anonymity"] if cell.strip()] == ["1", "2 *"]
    assert [cell.strip() for cell in rows["Highest risk"] if cell.strip()] == ["100%", "50% *"]
    assert lines[-1].startswith(f"{len(metrics.METRICS) - len(lines[:-4])} metrics not shown: ")
    assert lines[-4] == "* best value, for metrics whose values differ"
    assert "coarse.csv is best in P_29, k-anonymity" in lines[-3]


def test_metrics_can_be_chosen_and_candidates_named_one_by_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ["--anonymized", folder / "coarse.csv", "--metrics", "k_anonymity", "--json"]
    found = compared(capsys, folder, ["fine.csv"], *more).object["candidates"]
    assert [of["metrics"]["k_anonymity"]["value"] for of in found.values()] == [1, 2]
    assert {of["metrics"]["p29"]["value"] for of in found.values()} == {None}
    last = compared(capsys, folder, ["fine.csv", "coarse.csv"], "--metrics", "precision").out.splitlines()[-2]
    assert last == "fine.csv is best in generalization precision."


def test_equal_names_get_a_number(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "other").mkdir()
    (folder / "other" / "fine.csv").write_text(COARSE)
    found = compared(capsys, folder, ["fine.csv", "other/fine.csv"], "--json").object["candidates"]
    assert {name: of["metrics"]["k_anonymity"]["value"] for name, of in found.items()} == {
        "fine.csv": 1,
        "fine.csv (2)": 2,
    }


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_the_table_can_be_written(folder: Path, suffix: str, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "best").write_text(COARSE)
    out = folder / f"out.{suffix}"
    assert compared(capsys, folder, ["fine.csv", "best"], "--out", out).status == 0
    table = (pacsv.read_csv(out) if suffix == "csv" else papq.read_table(out)).to_pylist()
    rows = {row["metric"]: row for row in table}
    assert list(rows) == [spec.id for spec in metrics.METRICS]
    assert list(rows["p29"]) == ["metric", "title", "family", "unit", "direction", "best", "fine.csv", "best (2)"]
    assert (rows["k_anonymity"]["fine.csv"], rows["k_anonymity"]["best (2)"]) == (1, 2)
    assert rows["k_anonymity"]["best"] == "best"
    assert rows["profitability"]["fine.csv"] == 1
    assert rows["k_map"]["fine.csv"] is None


BAD = {
    "empty.csv": ("", "the file is empty"),
    "lacking.csv": ("zip,illness\n10,flu\n11,cough\n20,flu\n21,cough\n", 'lacking.csv, column "age"'),
    "ragged.csv": ("zip,age,illness\n10,31\n", "line 2"),
}


def test_candidates_that_cannot_be_scored_are_reported_and_the_rest_is_compared(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, (text, _) in BAD.items():
        (folder / name).write_text(text)
    done = compared(capsys, folder, ["empty.csv", "fine.csv", "lacking.csv", "coarse.csv", "absent.csv"], "--json")
    assert done.status == 2
    assert list(done.object["candidates"]) == ["fine.csv", "coarse.csv"]
    printed = done.err.splitlines()
    assert len(printed) == 3
    assert printed[0].startswith("empty.csv: ")
    assert printed[1].startswith('lacking.csv, column "age": ')
    assert "absent.csv" in printed[2]
    assert "flu" not in done.err


def test_a_table_of_another_length_is_compared_except_for_the_pair(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "longer.csv").write_text(FINE + "2*,3*,flu\n")
    done = compared(capsys, folder, ["longer.csv", "fine.csv"], "--json")
    assert done.status == 0
    assert done.err.count("\n") == 1
    assert "are unavailable: longer.csv: the table has 5 records but original.csv has 4" in done.err
    entropy = [of["metrics"]["non_uniform_entropy"]["value"] for of in done.object["candidates"].values()]
    assert entropy[0] is None
    assert entropy[1] is not None


def test_if_no_candidate_can_be_scored_all_are_reported(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, (text, _) in BAD.items():
        (folder / name).write_text(text)
    done = compared(capsys, folder, list(BAD))
    assert (done.status, done.out) == (2, "")
    assert [line.split(",")[0].split(":")[0] for line in done.err.splitlines()] == list(BAD)


@pytest.mark.parametrize("name", ["fine.csv", "original.csv", "roles.yaml", "out.txt"])
def test_no_input_is_overwritten(folder: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    done = compared(capsys, folder, ["coarse.csv", "fine.csv"], "--out", folder / name)
    assert done.status == 2
    assert done.err.count("\n") == 1
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_a_single_candidate_is_shown_without_a_best_mark(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = compared(capsys, folder, ["fine.csv"])
    assert done.status == 0
    assert "*" not in done.out.replace("2*", "")
    assert done.out.splitlines()[-1].startswith("28 metrics not shown: ")


def test_each_table_has_its_own_randomization(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = folder / "drawn.yaml"
    drawn.write_text("randomization: {illness: {values: [flu, cough], epsilon: 1.5}}\n")
    names = ["fine.csv", "coarse.csv"]
    done = compared(capsys, folder, names, "--json", "--randomization", "none", drawn)
    fine, coarse = (each["metrics"]["local_dp"]["value"] for each in done.object["candidates"].values())
    assert fine is None
    assert coarse == pytest.approx(1.5)
    (readable,) = done.object["published_together"]
    assert readable.startswith("fine.csv publishes illness (100% of cells) without known randomization")
    same = compared(capsys, folder, ["fine.csv", "fine.csv"], "--json", "--randomization", drawn, drawn)
    assert "published_together" not in same.object
    warned = sentence("comparison.different_epsilon")
    conclusions, warning, rest = compared(capsys, folder, names, "--randomization", "none", drawn).out.partition(warned)
    assert warning
    assert sentence("intersection_attack.in_brief", found=readable) in rest.splitlines()
    assert not [line for line in conclusions.splitlines() if "P_29" in line and line.endswith(".")]
    assert warned not in compared(capsys, folder, names).out
    assert "does not name one file for each table" in compared(capsys, folder, names, "--randomization", drawn).err


def test_versions_that_differ_by_chance_are_not_told_apart(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"{number % 3},{number % 40},{'flu' if number % 7 else 'cough'}" for number in range(120)]
    for name, shown in (("one", rows), ("same", rows), ("bare", ["*,*," + row.rpartition(",")[2] for row in rows])):
        (folder / f"{name}.csv").write_text("\n".join(["zip,age,illness", *shown]))
    tables = ["--anonymized", *(folder / f"{name}.csv" for name in ("one", "same", "bare"))]
    given = [*tables, "--original", folder / "one.csv", "--roles", folder / "roles.yaml", "--metrics", "granularity"]
    done = call(capsys, "compare", *given, "--uncertainty")
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[-1] == "Granularity: no clear difference between one and same."
    assert "one.csv and same.csv" not in done.out
    assert "Granularity  100% (100% to 100%) *  100% (100% to 100%) *  0% (0% to 0%)" in done.out
    assert "Better in so many halves (equal: half)  one > same  one > bare  same > bare" in done.out
    assert "Granularity 50% 100% 100%" in " ".join(done.out.split())
    found = call(capsys, "compare", *given, "--uncertainty", "--json").object["uncertainty"]
    assert found["halves"] == 200
    assert found["metrics"]["granularity"]["one.csv"]["better"] == {"same.csv": 0.5, "bare.csv": 1}


def test_only_a_clear_difference_makes_a_version_the_best(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"{number % 3},{number % 40},{'flu' if number % 7 else 'cough'}" for number in range(120)]
    (folder / "one.csv").write_text("\n".join(["zip,age,illness", *rows]))
    (folder / "most.csv").write_text("\n".join(["zip,age,illness", *rows[:-1], "*,*,flu"]))
    (folder / "bare.csv").write_text("\n".join(["zip,age,illness", *["*,*,flu" for _ in rows]]))
    given = ["--original", folder / "one.csv", "--roles", folder / "roles.yaml", "--metrics", "granularity"]
    for other, is_clear in (("most", False), ("bare", True)):
        chosen = ["--anonymized", folder / "one.csv", folder / f"{other}.csv", *given]
        assert "one.csv is best in granularity" in call(capsys, "compare", *chosen).out
        lines = call(capsys, "compare", *chosen, "--uncertainty").out.splitlines()
        assert ("one.csv is best in granularity." in lines) == is_clear
        assert (" *" in lines[1]) == is_clear
    tables = ["--anonymized", folder / "one.csv", folder / "most.csv"]
    lines = call(capsys, "compare", *tables, *given, "reidentification_risk", "--uncertainty").out.splitlines()
    (front,) = [line for line in lines if line.startswith("On the front of highest risk and granularity: ")]
    assert "one in 100% " in front


def test_too_few_people_for_halves_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = compared(capsys, folder, ["fine.csv", "coarse.csv"], "--uncertainty")
    assert (done.status, done.out) == (2, "")
    assert "4 people" in done.err
    assert "leave out --uncertainty" in done.err
