"""`python -m metrics score`: its JSON, its text, its settings, and the status that requirements give."""

import json
import math
from pathlib import Path

import pytest

import metrics
from metrics.policy.settings import Settings, TableSettings
from metrics.tables.matching_rule import Duplicates, MatchingRule, Unmatched
from tests.cli.small_inputs import inputs
from tests.identifiers.generated import columns
from tests.support.command_line import Run, call
from tests.support.small_tables import columns_of


def test_json_is_one_object_and_equals_the_api(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = call(capsys, "score", *inputs(folder), "--json")
    assert (done.status, done.err) == (0, "")
    assert done.out.count("\n") == 1
    roles = metrics.read_roles(folder / "roles.yaml").roles
    expected = metrics.score(metrics.read_table(folder / "table.csv"), roles).to_dict()
    assert done.object == {**expected, "direct_identifiers": {"columns": {}, "to_settle": []}}


def test_text_shows_every_metric_that_is_available_and_counts_the_others_by_reason(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = call(capsys, "score", *inputs(folder))
    assert (done.status, done.err) == (0, "")
    first, *lines, last = done.out.splitlines()
    assert first == "table.csv: 5 records, 1 suppressed, 2 equivalence classes"
    roles = metrics.read_roles(folder / "roles.yaml").roles
    card = metrics.score(metrics.read_table(folder / "table.csv"), roles)
    shown = [score.metric for score in card if score.unavailable is None]
    for line, metric in zip(lines, shown, strict=True):
        assert line.startswith(metric.shown.title)
        assert f"  {metric.shown.range}" in line
        assert f"  {metric.shown.direction}" in line
    assert last.startswith(f"{len(metrics.METRICS) - len(shown)} metrics not shown: 21 need --original, 11 are slow (")


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_classes_go_to_a_file_and_are_not_printed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], suffix: str, engine: str
) -> None:
    (tmp_path / "table.csv").write_text("q,r,s\nlonely,x,a\nb,y,a\nb,y,c\n")
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [q, r]\nsensitive: [s]\n")
    out = tmp_path / f"classes.{suffix}"
    command = ("score", "--anonymized", tmp_path / "table.csv", "--roles", tmp_path / "roles.yaml", "--engine", engine)
    for _ in range(2):  # the file is replaced
        done = call(capfd, *command, "--classes-out", out)
        assert (done.status, done.err) == (0, "")
        assert "lonely" not in done.out
        cells = columns_of(metrics.read_table(out))
        assert (cells["q"], cells["size"]) == (["b", "lonely"], ["2", "1"])
    over = call(capfd, *command, "--classes-out", tmp_path / "table.csv")
    assert over.status == 2
    assert "would overwrite an input" in over.err


def test_settings_change_the_scores(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    weights = ["p29.w_k=0", "p29.w_l=1", "p29.w_t=0", "t_closeness.t=0.25", "--set", "recursive_cl_diversity.l=3"]
    found = call(capsys, "score", *inputs(folder), "--json", "--set", *weights).object["metrics"]
    assert found["p29"]["value"] == 1
    assert found["t_closeness"]["details"]["fulfilled"] is True
    assert found["recursive_cl_diversity"]["value"] is None
    assert found["recursive_cl_diversity"]["details"] == {"l": 3, "others_as_quasi_identifiers": False}


@pytest.mark.parametrize(
    ("requirements", "unmet"),
    [
        (["k_anonymity >= 2"], []),
        (["k_anonymity>=2", "p29.k_min == 2", "profitability == true"], []),
        (["k_anonymity >= 3"], ["k_anonymity >= 3"]),
        (["k_anonymity>2", "t_closeness <= 0.25"], ["k_anonymity>2"]),
        (["p29 > 0", "p29.k_min > 7"], ["p29.k_min > 7"]),
        (["ambiguity >= 0"], ["ambiguity >= 0"]),
        (["profitability == false"], ["profitability == false"]),
    ],
)  # fmt: skip
def test_score_exits_with_status_1_and_names_each_requirement_not_met(
    folder: Path, capsys: pytest.CaptureFixture[str], requirements: list[str], unmet: list[str]
) -> None:
    done = call(capsys, "score", *inputs(folder), "--json", "--require", *requirements)
    assert done.status == (1 if unmet else 0)
    assert [line.partition(" (")[0] for line in done.err.splitlines()] == [f"Not met: {text}" for text in unmet]
    assert done.object["schema_version"] == 1


def test_json_holds_no_number_that_is_not_finite(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "table.csv").write_text("zip,age,illness\n1,2,flu\n1,2,flu\n")
    text = call(capsys, "score", *inputs(folder), "--json").out
    assert "NaN" not in text
    assert "Infinity" not in text
    assert json.loads(text)["metrics"]["recursive_cl_diversity"]["value"] is None


@pytest.mark.parametrize("chosen", [["--metrics", "k_anonymity"], []])
def test_a_metric_that_is_required_is_computed_although_it_is_slow_or_not_chosen(
    folder: Path, capsys: pytest.CaptureFixture[str], chosen: list[str]
) -> None:
    required = ["--require", "minimal_sample_uniques >= 0", "t_closeness >= 0"]
    done = call(capsys, "score", *inputs(folder), "--json", *chosen, *required)
    assert (done.status, done.err) == (0, "")
    assert done.object["metrics"]["minimal_sample_uniques"]["value"] is not None


def test_a_metric_that_a_limit_is_measured_by_is_computed_although_it_is_not_chosen(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = folder / "policy.json"
    policy.write_text('{"name": "No attack", "limits": {"no_attack": true}}', encoding="utf-8")
    done = call(capsys, "score", *inputs(folder), "--json", "--metrics", "k_anonymity", "--policy", policy)
    [limit] = [limit for limit in done.object["policy"]["limits"] if limit["metric"] == "no_attack"]
    assert limit["outcome"] != "not measured", limit


def test_text_has_a_row_for_each_metric_that_is_chosen(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = call(capsys, "score", *inputs(folder), "--metrics", "k_anonymity", "p29")
    assert [line.split("  ")[0] for line in done.out.splitlines()[1:]] == ["P_29", "k-anonymity"]


ORIGINAL = "id,visit,zip,illness\n1,1,101,flu\n2,1,102,flu\n3,1,201,cold\n4,1,202,flu\n"
REPEATED = "id,visit,zip,illness\n2,1,10*,flu\n1,1,10*,flu\nSECRET,1,20*,cold\n1,2,10*,flu\n"
SHORT = "id,visit,zip,illness\n1,1,10*,flu\n2,1,10*,flu\n"
ROLES = "quasi_identifiers: [zip]\nsensitive: [illness]\n"
REMEDIES = "key: id\nduplicates: leave_out\nunmatched: leave_out\n"


@pytest.fixture
def unmatched(tmp_path: Path) -> Path:
    for name, content in (("original", ORIGINAL), ("repeated", REPEATED), ("short", SHORT)):
        (tmp_path / f"{name}.csv").write_text(content, encoding="utf-8")
    return tmp_path


def scored(unmatched: Path, capsys: pytest.CaptureFixture[str], name: str, roles: str, *options: object) -> Run:
    (unmatched / "roles.yaml").write_text(ROLES + roles, encoding="utf-8")
    tables = ["--anonymized", unmatched / f"{name}.csv", "--original", unmatched / "original.csv"]
    return call(capsys, "score", *tables, "--roles", unmatched / "roles.yaml", *options)


@pytest.mark.parametrize(
    ("name", "roles", "printed"),
    [
        ("repeated", "key: id\n", 'repeated.csv, line 5, column "id": the key column repeats a value; '),
        (
            "repeated",
            "key: id\nduplicates: first\n",
            'repeated.csv, line 4, column "id": the record\'s key does not occur in original.csv; ',
        ),
        ("repeated", "key: [id, visit]\n", 'repeated.csv, line 4: the record\'s key ("id", "visit") does not occur in'),
        ("short", "key: name\n", 'short.csv, column "name": the table has no such column'),
        (
            "short",
            "duplicates: first\n",
            "roles.yaml: duplicates needs a key, but none is set",
        ),
        ("short", "key: id\nduplicates: last\n", 'roles.yaml: "duplicates" has an unknown value; use'),
    ],
)
def test_records_that_cannot_be_matched_uniquely_are_refused_in_one_line(
    unmatched: Path, capsys: pytest.CaptureFixture[str], name: str, roles: str, printed: str
) -> None:
    done = scored(unmatched, capsys, name, roles, "--json")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(printed)
    assert done.err.count("\n") == 1
    assert "SECRET" not in done.err


UNEVEN = (
    "Metrics that compare records with their originals are unavailable: short.csv: the table has 2 records but "
    "original.csv has 4, so records cannot be matched by position; keep suppressed records as rows of *, unless "
    "the table is a sample, or set a "
    "column that identifies records in both tables as key.\n"
)


@pytest.mark.parametrize("engine", [(), ("--engine", "duckdb")])
def test_without_a_key_tables_of_different_lengths_are_scored_except_for_the_pair(
    unmatched: Path, capsys: pytest.CaptureFixture[str], engine: tuple[str, ...]
) -> None:
    done = scored(unmatched, capsys, "short", "", "--json", *engine)
    assert (done.status, done.err) == (0, UNEVEN)
    assert done.object["tables"]["anonymized"]["removed_rows"] == 2
    assert done.object["metrics"]["k_anonymity"]["value"] == 2
    assert done.object["metrics"]["non_uniform_entropy"]["value"] is None
    assert UNEVEN.partition(": ")[2].rstrip(".\n") in done.object["metrics"]["non_uniform_entropy"]["unavailable"]


def test_the_report_of_tables_of_different_lengths_says_why_records_are_not_compared(
    unmatched: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (unmatched / "roles.yaml").write_text(ROLES, encoding="utf-8")
    tables = ["--anonymized", unmatched / "short.csv", "--original", unmatched / "original.csv"]
    page = unmatched / "report.html"
    done = call(capsys, "report", *tables, "--roles", unmatched / "roles.yaml", "--out", page)
    assert (done.status, done.err) == (0, UNEVEN)
    assert "Records are not compared with their originals" in page.read_text(encoding="utf-8")


def test_matching_rules_of_the_roles_file_give_the_figures_of_the_library(
    unmatched: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = scored(unmatched, capsys, "repeated", REMEDIES, "--json")
    assert (done.status, done.err) == (0, "")
    roles = metrics.Roles(["zip"], ["illness"], key="id", duplicates="leave_out", unmatched="leave_out")
    tables = [metrics.read_table(unmatched / f"{name}.csv") for name in ("repeated", "original")]
    expected = metrics.score(tables[0], roles, original=tables[1]).to_dict()
    assert {**expected, "direct_identifiers": done.object["direct_identifiers"]} == done.object
    assert done.object["matching"] == {
        "key": ["id"],
        "matched": 1,
        "deleted": 2,
        "original_left_out": 1,
        "anonymized_left_out": 3,
    }
    assert done.object["tables"]["anonymized"]["rows"] == 4
    assert done.object["classes"]["largest"] == 3


def test_the_text_says_how_records_were_matched(unmatched: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second, *_ = scored(unmatched, capsys, "short", "key: id\n").out.splitlines()
    assert first == "short.csv: 2 records, 0 suppressed, 2 removed, 1 equivalence class"
    assert all(part in second for part in ("column id", "2 original records"))
    _, second, *_ = scored(unmatched, capsys, "repeated", REMEDIES).out.splitlines()
    assert second.endswith("1 original record and 3 anonymized records are excluded from the utility metrics.")


def test_settings_hold_a_choice_for_each_table_and_roles_win(
    unmatched: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = MatchingRule(("id",), Duplicates.FIRST, Unmatched.LEAVE_OUT)
    tables = (TableSettings("repeated.csv", "0" * 64, matching=own), TableSettings("short.csv", "1" * 64))
    settings = Settings(metrics.Roles(["zip"], ["illness"], key="id"), anonymized=tables)
    (unmatched / "settings.json").write_text(settings.to_json(), encoding="utf-8")
    paths = [unmatched / "repeated.csv", unmatched / "short.csv"]
    given = ["--original", unmatched / "original.csv", "--settings", unmatched / "settings.json"]
    found = call(capsys, "compare", "--anonymized", *paths, *given, "--json")
    assert found.status == 0
    matching = {name: card.get("matching") for name, card in found.object["candidates"].items()}
    assert matching["repeated.csv"]["matched"] == 2
    assert matching["short.csv"] is None
    (unmatched / "roles.yaml").write_text(f"{ROLES}key: id\n", encoding="utf-8")
    refused = call(capsys, "score", "--anonymized", paths[0], *given, "--roles", unmatched / "roles.yaml")
    assert refused.status == 2
    assert "repeats a value" in refused.err


def test_the_report_states_how_many_records_were_left_out(unmatched: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (unmatched / "roles.yaml").write_text(ROLES + REMEDIES, encoding="utf-8")
    tables = ["--anonymized", unmatched / "repeated.csv", "--original", unmatched / "original.csv"]
    page = unmatched / "report.html"
    assert call(capsys, "report", *tables, "--roles", unmatched / "roles.yaml", "--out", page).status == 0
    printed = "1 original record and 3 anonymized records are excluded from the utility metrics."
    assert f"Records are matched by the column id; 2 original records have no match. {printed}" in page.read_text()


def test_an_engine_refuses_to_leave_records_out(unmatched: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = scored(unmatched, capsys, "repeated", REMEDIES, "--engine", "duckdb")
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        "roles.yaml: an engine cannot exclude records from the comparison (duplicates and unmatched); remove that "
        "setting from the roles, or remove --engine.\n"
    )


def with_names(folder: Path, roles: str = "") -> list[object]:
    """200 records in two classes, with full names of which the roles say nothing unless `roles` do."""
    names = columns(0)["c34"][:200]
    rows = [f"{'<50' if i % 2 else '>50'},{'flu' if i % 3 else 'cough'},{name}" for i, name in enumerate(names)]
    (folder / "names.csv").write_text("\n".join(["age,illness,name", *rows]), encoding="utf-8")
    (folder / "names.yaml").write_text(f"quasi_identifiers: [age]\nsensitive: [illness]\n{roles}", encoding="utf-8")
    (folder / "ours.json").write_text('{"name": "Ours", "limits": {"k_anonymity": 2}}', encoding="utf-8")
    tables = ["--anonymized", folder / "names.csv", "--roles", folder / "names.yaml", "--metrics", "k_anonymity"]
    return [*tables, "--policy", folder / "ours.json"]


def test_released_names_fail_a_policy_and_the_line_names_the_column(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = call(capsys, "score", *with_names(folder))
    assert done.status == 1
    said = done.out.splitlines()[-1]
    assert said.startswith("The values of name look like names or addresses: remove")
    assert said.endswith("number of direct identifiers is 1 (name; at most 0 required).")
    found = call(capsys, "score", *with_names(folder), "--json")
    (limit,) = (one for one in found.object["policy"]["limits"] if one["metric"] == "direct_identifiers")
    assert (found.status, limit["outcome"], limit["columns"]) == (1, "failed", ["name"])


def test_without_a_policy_the_columns_that_identify_people_are_named_too(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inputs = with_names(folder)[:-2]
    done = call(capsys, "score", *inputs)
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[-1].startswith("The values of name look like names or addresses: remove")
    found = call(capsys, "score", *inputs, "--json").object["direct_identifiers"]
    assert found == {"columns": {"name": "unique_text"}, "to_settle": []}
    inputs = with_names(folder, "identifiers: [name]\n")[:-2]
    assert call(capsys, "score", *inputs, "--json").object["direct_identifiers"]["columns"] == {"name": None}
    inputs = with_names(folder, "key: name\nidentifiers: [name]\n")[:-2]
    (sentence,) = call(capsys, "score", *inputs, "--json").object["direct_identifiers"]["to_settle"]
    assert sentence.startswith("The table shows name, which serves only to match records")
    assert call(capsys, "score", *inputs).out.splitlines()[-1] == sentence


def test_the_statement_that_a_column_identifies_nobody_is_made_in_the_roles_or_on_the_command_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(capsys, "score", *with_names(folder, "not_identifying: [name]\n")).status == 0
    assert call(capsys, "score", *with_names(folder), "--not-identifying", "name").status == 0
    assert call(capsys, "score", *with_names(folder), "--not-identifying", "age").status == 1
    assert call(capsys, "score", *with_names(folder, "identifiers: [name]\nnot_identifying: [name]\n")).status == 2


def test_a_file_of_probabilities_or_the_recipe_gives_epsilon(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    original, roles, recipe, made = (tmp_path / name for name in ("o.csv", "roles.yaml", "recipe.yaml", "made.csv"))
    original.write_text("age,ill\n" + "30,flu\n" * 6 + "40,asthma\n" * 2, encoding="utf-8")
    roles.write_text("quasi_identifiers: [age]\nsensitive: [ill]\n", encoding="utf-8")
    given = ("--original", original, "--roles", roles)
    call(capsys, "make", *given, "--method", "pram", "--columns", "ill", "--out", made, "--recipe", recipe)
    own = tmp_path / "own.yaml"
    own.write_text("randomization: {ill: {values: [flu, asthma], epsilon: 1}}", encoding="utf-8")
    scored = ("score", "--anonymized", made, "--roles", roles, "--metrics", "local_dp", "--json")
    found = {
        file: call(capsys, *scored, "--original", original, "--randomization", file).object["metrics"]["local_dp"]
        for file in (own, recipe)
    }
    assert [one["value"] for one in found.values()] == pytest.approx([1, math.log(1 + 0.8 / (0.2 * 0.25))])
    assert call(capsys, *scored, "--randomization", own).object["metrics"]["local_dp"]["value"] == pytest.approx(1)
    refused = call(capsys, *scored, "--randomization", recipe)
    assert (refused.status, "needs its original" in refused.err) == (2, True)


def test_a_misspelt_column_of_an_analysis_is_refused_with_its_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = "analyses: {stay: {kind: mean, number: age, by: [zip]}, b: {kind: mean, number: lenght}}\n"
    original = (*inputs(folder), "--original", folder / "table.csv", "--metrics", "analyses")
    message = ', column "lenght": the analysis "b" names a column that no table has; correct its name, or leave it out.'
    (folder / "listed.yaml").write_text(wrong)
    done = call(capsys, "score", *original, "--analyses", folder / "listed.yaml", "--require", "analyses >= 0.7")
    assert (done.status, done.out) == (2, "")
    assert f"listed.yaml{message}" in done.err
    roles = folder / "roles.yaml"
    roles.write_text(f"{roles.read_text()}{wrong}")
    assert f"roles.yaml{message}" in call(capsys, "score", *original).err


def test_analyses_that_are_asked_for_and_not_listed_are_those_that_the_columns_suggest(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    original = (*inputs(folder), "--original", folder / "table.csv")
    suggested = "  illness (regression): "
    assert suggested in call(capsys, "score", *original, "--metrics", "analyses").out
    assert suggested not in call(capsys, "score", *original).out
    assert call(capsys, "report", *original, "--out", folder / "report.html").status == 0
    assert "What the release is still good for" in (folder / "report.html").read_text()


def test_text_has_a_sentence_on_each_analysis_that_is_asked_for(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = folder / "listed.yaml"
    listed.write_text(
        "analyses: {both: {kind: crosstab, columns: [zip, illness]}, none: {kind: mean, number: zip},"
        " flu: {kind: count, where: {illness: [flu]}}}"
    )
    original = (*inputs(folder), "--original", folder / "table.csv")
    expected = [
        "  both: 4 of 4 cells can still be estimated, and all 4 survive. 4 of 4 cells rest on fewer than 10 records.",
        '  none: Unavailable: "zip" contains no numbers.',
        "  flu: 3 records of the original; 3 by the table, which allows 3 to 3.",
    ]
    done = call(capsys, "score", *original, "--analyses", listed)
    assert (done.status, [line for line in done.out.splitlines() if line.startswith("  ")]) == (0, expected)
    roles = folder / "roles.yaml"
    roles.write_text(f"{roles.read_text()}{listed.read_text()}")
    assert expected[-1] not in call(capsys, "score", *original).out
    assert expected[-1] in call(capsys, "score", *original, "--metrics", "analyses").out
