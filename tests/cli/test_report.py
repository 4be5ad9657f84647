"""`report` on the command line, and the settings file that every command takes."""

import hashlib
import json
from pathlib import Path

import pytest

from metrics import Hierarchy, Parameters, Policy, Roles
from metrics.config.parameters import GroundDistance, TClosenessParameters
from metrics.policy.settings import ReadOptions, Settings, TableSettings
from metrics.texts import text
from tests.cli.small_inputs import ROLES
from tests.report.reading import read, shown_text
from tests.support.command_line import call

TABLE = "zip;age;illness\n10*;<50;flu\n10*;<50;?\n20*;<50;flu\n20*;<50;cold\n"


@pytest.fixture
def folder(folder: Path) -> Path:
    (folder / "table.csv").write_text(TABLE, encoding="utf-8")
    return folder


def saved(folder: Path, settings: Settings) -> Path:
    path = folder / "settings.json"
    path.write_text(settings.to_json(), encoding="utf-8")
    return path


SETTINGS = Settings(
    Roles(["zip"], ["illness", "age"], ["a column of another table"]),
    Parameters(t_closeness=TClosenessParameters(0.3, {"illness": GroundDistance.EQUAL})),
    Policy("Three alike", {"k_anonymity": 3}),
    {"illness": Hierarchy([["flu", "any"], ["cold", "any"], ["?", "other"]])},
    anonymized=(TableSettings("table.csv", "0" * 64, ReadOptions(missing=("?",))),),
)


def test_a_report_compares_other_tables_and_overwrites_none(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "other.csv").write_text(TABLE.replace("10*", "20*"), encoding="utf-8")
    tables = [
        "--anonymized",
        folder / "table.csv",
        "--roles",
        folder / "roles.yaml",
        "--compared",
        folder / "other.csv",
    ]
    assert call(capsys, "report", *tables, "--out", folder / "report.html").status == 0
    assert '"other.csv"' in (folder / "report.html").read_text(encoding="utf-8")
    (folder / "other.html").write_text(TABLE, encoding="utf-8")
    done = call(capsys, "report", *tables, folder / "other.html", "--out", folder / "other.html")
    assert (done.status, (folder / "other.html").read_text(encoding="utf-8")) == (2, TABLE)


def test_a_report_is_written_whole(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = folder / "report.HTML"
    for _ in range(2):  # one of before is replaced
        done = call(
            capsys, "report", "--anonymized", folder / "table.csv", "--roles", folder / "roles.yaml", "--out", out
        )
        assert (done.status, done.out, done.err) == (0, "", "")
    said = shown_text(read(out.read_text(encoding="utf-8")))
    assert "Report on table.csv" in said
    assert f"SHA-256 of the file: {hashlib.sha256(TABLE.encode()).hexdigest()}" in said
    assert sorted(path.name for path in folder.iterdir()) == ["report.HTML", "roles.yaml", "table.csv"]


def test_both_appendices_are_files_of_their_own(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--anonymized", folder / "table.csv", "--roles", folder / "roles.yaml", "--out", folder / "report.html"]
    files = ["--technical", folder / "technical.html", "--appendix", folder / "confidential.html"]
    done = call(capsys, "report", *given, *files, "--date", "today")
    assert (done.status, done.out, done.err) == (0, "", "")
    names = ("report.html", "confidential.html", "technical.html")
    report, appendix, technical = ((folder / name).read_text(encoding="utf-8") for name in names)
    assert "Technical appendix on table.csv" in shown_text(read(technical))
    assert "Confidential appendix on table.csv" in shown_text(read(appendix))
    assert f"SHA-256 of the anonymized table: {hashlib.sha256(TABLE.encode()).hexdigest()}" in shown_text(
        read(appendix)
    )
    assert "Confidential appendix on" not in report
    assert sorted(path.name for path in folder.iterdir()) == [
        "confidential.html", "report.html", "roles.yaml", "table.csv", "technical.html"
    ]  # fmt: skip


def test_the_report_states_the_date_and_the_limits_given(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--anonymized", folder / "table.csv", "--settings", saved(folder, SETTINGS)]
    done = call(capsys, "report", *given, "--out", folder / "r.html", "--date", "once upon a time")
    assert (done.status, done.out, done.err) == (0, "", "")
    text = shown_text(read((folder / "r.html").read_text(encoding="utf-8")))
    assert "Made on once upon a time" in text
    assert "Fails the policy “Three alike”" in text
    assert "k-anonymity is 2 (at least 3 required)." in text
    assert "missing: ?" in text


def test_the_report_has_the_analyses_of_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "listed.yaml").write_text("analyses: {who is ill: {kind: crosstab, columns: [zip, illness]}}")
    files = {"anonymized": "table.csv", "original": "table.csv", "roles": "roles.yaml", "analyses": "listed.yaml"}
    given = [part for option, file in files.items() for part in (f"--{option}", folder / file)]
    assert call(capsys, "report", *given, "--out", folder / "report.html").status == 0
    assert "who is ill" in shown_text(read((folder / "report.html").read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("options", "limit"), [([], 0.5), (["--set", "t_closeness.t=0.3"], 0.3)], ids=["policy", "set"]
)
def test_t_closeness_is_compared_with_the_limit_of_the_policy(
    folder: Path, capsys: pytest.CaptureFixture[str], options: list[str], limit: float
) -> None:
    given = ["--anonymized", folder / "table.csv", "--roles", folder / "roles.yaml", "--policy", "internal-sharing"]
    found = call(capsys, "score", *given, "--json", *options).object["metrics"]["t_closeness"]
    assert found["details"]["t"] == limit
    files = ["--out", folder / "r.html", "--technical", folder / "t.html"]
    assert call(capsys, "report", *given, *files, *options).status == 0
    technical = shown_text(read((folder / "t.html").read_text(encoding="utf-8")))
    assert f"t = {limit}; the largest is" in technical


def test_settings_stand_in_for_roles_hierarchies_and_parameters(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["score", "--json", "--anonymized", folder / "table.csv", "--settings", saved(folder, SETTINGS)]
    found = call(capsys, *given).object["metrics"]["t_closeness"]
    assert found["details"]["distance"] == {"illness": "equal", "age": "equal"}
    assert found["details"]["t"] == 0.3


def test_options_win_over_settings(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "trees").mkdir()
    (folder / "trees" / "illness.csv").write_text("flu;any\ncold;any\nNA;other\n?;other\n")
    given = ["score", "--json", "--anonymized", folder / "table.csv", "--settings", saved(folder, SETTINGS)]
    options = ["--set", "t_closeness.t=0.4", "t_closeness.distance.illness=hierarchical", "--missing", "never"]
    found = call(capsys, *given, *options, "--hierarchies", folder / "trees").object["metrics"]["t_closeness"]
    assert found["details"]["t"] == 0.4
    assert found["details"]["distance"] == {"illness": "hierarchical", "age": "equal"}
    (folder / "roles.yaml").write_text("quasi_identifiers: [zip, age]\n")
    without = call(capsys, *given, "--roles", folder / "roles.yaml").object["metrics"]["t_closeness"]
    assert without["unavailable"] == "no column is tagged as sensitive"


def test_the_classes_command_accepts_a_settings_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--anonymized", folder / "table.csv", "--settings", saved(folder, SETTINGS)]
    assert call(capsys, "classes", *given, "--out", folder / "classes.csv").status == 0
    header = (folder / "classes.csv").read_text(encoding="utf-8").partition("\n")[0]
    assert header.startswith('"zip","size","illness.distinct"')


@pytest.mark.parametrize(
    ("options", "printed"),
    [
        ([], "neither roles nor settings are given; name a file with --roles or --settings."),
        (["--settings", "absent.json"], "absent.json: the file cannot be read"),
        (["--settings", "table.csv"], "table.csv, line 1: the file is not valid JSON"),
        (["--settings", "other.json"], 'other.json: there is no key "roles.key"; use schema_version'),
        (["--roles", "roles.yaml", "--out", "r.htm"], "r.htm: the file name does not end in .html"),
        (["--roles", "roles.yaml", "--out", "absent/r.html"], "the folder cannot be written to"),
        (["--roles", "roles.yaml", "--out", "folder.html"], "the output is a folder; name a file"),
        (["--roles", "roles.yaml", "--appendix", "a.txt"], "a.txt: the file name does not end in .html"),
        (
            ["--roles", "roles.yaml", "--appendix", "./r.html"],
            "--out and --appendix name the same file",
        ),
        (["--roles", "page.html", "--appendix", "page.html"], "the output would overwrite an input"),
        (["--roles", "page.html", "--out", "page.html"], "the output would overwrite an input"),
        (["--settings", "page.html", "--out", "page.html"], "the output would overwrite an input"),
    ],
)
def test_a_report_that_cannot_be_made_is_refused_in_one_line_and_changes_no_file(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    printed: str,
) -> None:
    monkeypatch.chdir(folder)
    (folder / "other.json").write_text(json.dumps({"schema_version": 1, "roles.key": 1}))
    (folder / "folder.html").mkdir()
    (folder / "page.html").write_text(SETTINGS.to_json() if "--settings" in options else ROLES)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    out = [] if "--out" in options else ["--out", "r.html"]
    done = call(capsys, "report", "--anonymized", "table.csv", *options, *out)
    assert (done.status, done.out) == (2, "")
    assert printed in done.err
    assert done.err.count("\n") == 1
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_the_report_tells_an_official_what_randomization_proves_and_what_not(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn, out = folder / "drawn.yaml", folder / "report.html"
    drawn.write_text("randomization: {illness: {values: [flu, cold, '?'], epsilon: 1}}\n", encoding="utf-8")
    files = ("--anonymized", folder / "table.csv", "--roles", folder / "roles.yaml", "--out", out)
    assert call(capsys, "report", *files, "--randomization", drawn).status == 0
    said = shown_text(read(out.read_text(encoding="utf-8")))
    assert "by a factor of at most 2.72 (ε = 1)" in said
    assert text("local_dp.promise.secret") in said
    assert text("local_dp.promise.not_covered") in said


def test_the_report_gives_no_epsilon_where_the_original_shows_that_nothing_was_randomized(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn, out, many = folder / "drawn.yaml", folder / "report.html", folder / "many.csv"
    drawn.write_text("randomization: {illness: {values: [flu, cold], epsilon: 1}}\n", encoding="utf-8")
    many.write_text("zip;age;illness\n" + "10;<50;flu\n10;<50;cold\n" * 200, encoding="utf-8")
    files = ("--anonymized", many, "--original", many, "--roles", folder / "roles.yaml", "--out", out)
    assert call(capsys, "report", *files, "--randomization", drawn).status == 0
    said = shown_text(read(out.read_text(encoding="utf-8")))
    assert 'Nothing is proved of randomized columns: 100% of the cells of "illness" are as in the original' in said
    assert "(ε = 1)" not in said
