"""`python -m metrics repair`: the published repair, what it says, and what it refuses."""

from pathlib import Path

import pytest

import metrics
from metrics.cli import main
from metrics.texts import text
from tests.support.command_line import call
from tests.support.small_tables import columns_of

SMALL = "age,illness\n21,a\n21,b\n25,b\n25,a\n33,b\n"


@pytest.fixture
def small(tmp_path: Path) -> list[str]:
    """Arguments for a table whose last record is alone."""
    (tmp_path / "table.csv").write_text(SMALL)
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [age]\nsensitive: [illness]\n")
    return ["repair", "--anonymized", str(tmp_path / "table.csv"), "--roles", str(tmp_path / "roles.yaml"), "--out"]


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_repair_prints_how_many_classes_were_deleted_and_lists_them_in_a_file_only(
    small: list[str], tmp_path: Path, suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out, failing = tmp_path / f"repaired.{suffix}", tmp_path / f"failing.{suffix}"
    assert main([*small, str(out), "--classes-out", str(failing)]) == 0
    printed = capsys.readouterr().out
    lines = printed.splitlines()
    assert lines[:2] == [text("repair.failing", classes=1, records=1), "  k below 2: 1 class"]
    assert "removed 1 record." in lines[3]
    assert lines[4] == text("repair.p29_after", score=0.75)
    assert "33" not in printed
    assert metrics.read_table(out).head(5) == metrics.read_table(tmp_path / "table.csv").head(4)
    ((age, size, *_),) = metrics.read_table(failing).head(5)
    assert (age, size) == ("33", "1")
    columns = columns_of(metrics.read_table(failing))
    title = "normalized entropy l for illness"
    reasons = f"k is 1 but must be at least 2; {text('limits.class_not_above', title=title, found=0, limit=0)}"
    assert (columns["repair_round"], columns["repair_reasons"]) == (["1"], [reasons])


def test_repair_to_limits_prints_counts_by_limit_and_no_class(
    crowd: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    failing = tmp_path / "failing.csv"
    limits = ["--k", "2", "--l", "2", "--method", "suppress", "--classes-out", str(failing)]
    assert main([*crowd, str(tmp_path / "out.csv"), *limits]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == text("repair.failing", classes=4, records=6)
    assert lines[1:3] == ["  k below 2: 3 classes", "  l for illness below 2: 4 classes"]
    assert not any(age in line for line in lines for age in ("21", "25", "33", "61"))
    columns = columns_of(metrics.read_table(failing))
    assert (columns["age"], columns["size"]) == (["21", "25", "61", "61"], ["1", "1", "3", "1"])
    assert columns["repair_reasons"][2] == "l for illness is 1 but must be at least 2"
    # Its name is refused before anything is written, as that of the table is.
    assert main([*crowd, str(tmp_path / "more.csv"), "--k", "2", "--classes-out", str(tmp_path / "c.txt")]) == 2
    assert main([*crowd, str(tmp_path / "more.csv"), "--k", "2", "--classes-out", str(tmp_path / "more.csv")]) == 2
    assert not (tmp_path / "more.csv").exists()


def test_limits_of_a_policy_that_no_repair_enforces_are_named(
    small: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, policy = tmp_path / "out.csv", tmp_path / "policy.json"
    policy.write_text('{"name": "two", "limits": {"k_anonymity": 2, "km_anonymity": 40}}')
    assert main([*small, str(out), "--policy", str(policy)]) == 0
    assert "Not enforced by the repair: kᵐ-anonymity." in capsys.readouterr().out
    policy.write_text('{"name": "one", "limits": {"km_anonymity": 40}}')
    assert main([*small, str(tmp_path / "none.csv"), "--policy", str(policy)]) == 2
    assert "none of the policy's limits: kᵐ-anonymity" in capsys.readouterr().err
    assert not (tmp_path / "none.csv").exists()


def test_the_list_of_failing_classes_and_the_terminal_have_no_isolates(
    crowd: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("table.csv", "roles.yaml"):
        path = tmp_path / name
        path.write_text(path.read_text().replace("illness", "مرض"))
    failing = tmp_path / "failing.csv"
    limits = ["--k", "2", "--l", "2", "--method", "suppress", "--classes-out", str(failing)]
    assert main([*crowd, str(tmp_path / "out.csv"), *limits]) == 0
    columns = columns_of(metrics.read_table(failing))
    assert columns["repair_reasons"][2] == "l for مرض is 1 but must be at least 2"
    assert "\u2068" not in capsys.readouterr().out


@pytest.mark.parametrize("method", ["delete", "merge"])
def test_a_table_whose_p29_cannot_be_raised_is_refused(
    small: list[str], tmp_path: Path, method: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "table.csv").write_text("age,illness\n21,a\n25,a\n")
    assert main([*small, str(tmp_path / "out.csv"), "--method", method]) == 2
    assert "cannot meet the limits" in capsys.readouterr().err
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("method", ["merge", "cells"])
def test_levels_kept_are_named_where_limits_cannot_be_met(
    small: list[str], tmp_path: Path, method: str, capsys: pytest.CaptureFixture[str]
) -> None:
    roles = tmp_path / "roles.yaml"
    roles.write_text(f"{roles.read_text()}\nhighest_levels: {{age: 0}}\n")
    assert main([*small, str(tmp_path / "out.csv"), "--method", method, "--k", "5"]) == 2
    assert "the levels kept of age may be the reason" in capsys.readouterr().err


def test_merging_keeps_every_record(small: list[str], tmp_path: Path) -> None:
    assert main([*small, str(tmp_path / "out.csv"), "--method", "merge"]) == 0
    assert metrics.read_table(tmp_path / "out.csv").rows == 5


ROLED = ("age", "sex")
CROWD = "age,sex,illness\n" + "21,f,a\n21,f,b\n21,m,a\n25,f,b\n33,m,a\n33,m,b\n" + "61,f,a\n" * 3 + "61,m,b\n"


@pytest.fixture
def crowd(tmp_path: Path) -> list[str]:
    """Arguments for a table with classes of one to three records."""
    (tmp_path / "table.csv").write_text(CROWD)
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [age, sex]\nsensitive: [illness]\n")
    table, roles = str(tmp_path / "table.csv"), str(tmp_path / "roles.yaml")
    return ["repair", "--anonymized", table, "--roles", roles, "--out"]


@pytest.mark.parametrize(
    ("method", "limits"),
    [
        ("delete", ["--k", "2"]),
        ("suppress", ["--k", "2", "--l", "2"]),
        ("cells", ["--t", "0.35"]),
        ("merge", ["--p29", "0"]),
    ],
)
def test_repairs_to_limits_hold_when_scored_from_the_file(
    crowd: list[str], tmp_path: Path, method: str, limits: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "out.csv")
    assert main([*crowd, out, "--method", method, *limits]) == 0
    capsys.readouterr()
    requirements = {"--k": "k_anonymity >= 2", "--l": "distinct_l_diversity >= 2", "--t": "t_closeness <= 0.35"}
    wanted = [requirements[option] for option in limits[::2] if option in requirements] or ["p29 > 0"]
    roles = str(tmp_path / "roles.yaml")
    assert main(["score", "--anonymized", out, "--roles", roles, "--require", *wanted]) == 0
    rows = metrics.read_table(out).rows
    assert rows < 10 if method == "delete" else rows == 10


def test_deleting_removes_exactly_the_records_that_suppressing_keeps_as_stars(crowd: list[str], tmp_path: Path) -> None:
    assert main([*crowd, str(tmp_path / "deleted.csv"), "--k", "2"]) == 0
    assert main([*crowd, str(tmp_path / "suppressed.csv"), "--k", "2", "--method", "suppress"]) == 0
    kept = [row for row in (tmp_path / "suppressed.csv").read_text().splitlines() if not row.startswith('"*","*"')]
    assert (tmp_path / "deleted.csv").read_text().splitlines() == kept
    assert len(kept) == 1 + 7


def test_cells_of_the_more_important_column_are_kept(
    crowd: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [*crowd, str(tmp_path / "out.csv"), "--k", "2", "--l", "2", "--method", "cells", "--importance"]
    kept = {}
    for first in ("age", "sex"):
        assert main([*arguments, first]) == 0
        found = metrics.read_table(tmp_path / "out.csv")
        kept[first] = {name: int((found[name].codes != found[name].code_of.get("*", -1)).sum()) for name in ROLED}
    assert kept["age"]["age"] > kept["sex"]["age"]
    assert kept["sex"]["sex"] > kept["age"]["sex"]
    capsys.readouterr()
    assert main([*arguments, "illness"]) == 2
    assert "quasi-identifiers" in capsys.readouterr().err
    assert main([*crowd, str(tmp_path / "out.csv"), "--importance", "age"]) == 2
    assert "--importance has no effect with --method delete" in capsys.readouterr().err


def test_repair_names_the_limit_that_cannot_be_met(
    crowd: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.csv"
    for limits, printed in (
        (["--k", "4"], text("limits.class_below", title="k", found=3, limit=4)),
        (["--k", "2", "--max-suppression", "0.2"], "3 records are suppressed (limit 2)"),
        (
            ["--l", "3", "--method", "cells"],
            text("limits.class_below", title="l for illness", found=2, limit=3),
        ),
        (["--t", "2"], "the limit of t_closeness is out of range"),
    ):
        assert main([*crowd, str(out), *limits]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert printed in line
        assert not out.exists()


def test_repair_refuses_to_overwrite_its_input_an_unknown_format_and_untagged_tables(
    small: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*small, str(tmp_path / "table.csv")]) == 2
    assert (tmp_path / "table.csv").read_text() == SMALL
    assert main([*small, str(tmp_path / "out.txt")]) == 2
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [age]\n")
    assert main([*small, str(tmp_path / "out.csv")]) == 2
    printed = capsys.readouterr().err.splitlines()
    assert len(printed) == 3
    assert "no column is tagged as sensitive" in printed[2]
    assert not (tmp_path / "out.csv").exists()


def test_the_output_names_every_record_that_is_deleted(
    crowd: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "table.csv").write_text(CROWD + "*,*,a\n*,*,b\n")
    out = tmp_path / "out.csv"
    for limit, failing in (("1", 0), ("2", 3)):
        assert main([*crowd, str(out), "--k", limit]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert text("repair.suppressed_before_deleted", records=2) in lines
        assert any(f"removed {failing} records." in line for line in lines) == bool(failing)
        assert metrics.read_table(out).rows == 12 - 2 - failing


def test_a_repaired_table_of_too_few_people_ends_with_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """k counts six records, all of one person."""
    (tmp_path / "visits.csv").write_text("town,person\n" + "a,1\n" * 6 + "".join(f"b,{n}\n" for n in range(2, 8)))
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [town]\nperson: person\n")
    inputs = ["--anonymized", str(tmp_path / "visits.csv"), "--roles", str(tmp_path / "roles.yaml")]
    made = ["repair", *inputs, "--k", "5", "--method", "suppress", "--out", str(tmp_path / "out.csv")]
    assert main(made) == 1
    assert text("people_per_class.too_few", people=1, limit=5) in capsys.readouterr().out
    made[made.index("5")] = "1"
    assert main(made) == 0


def test_items_that_too_few_people_share_are_generalized_or_suppressed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    baskets = ["a1 b1 b2", "a2 b1", "a2 b1 b2", "a1 a2 b2"]
    rows = [f"{who},x,{item}" for who, items in enumerate(baskets) for item in items.split()]
    (tmp_path / "table.csv").write_text("\n".join(["who,q,item", *rows]) + "\n")
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [q]\nperson: who\nitem: item\n")
    (tmp_path / "trees").mkdir()
    (tmp_path / "trees" / "item.csv").write_text("a1;A;*\na2;A;*\nb1;B;*\nb2;B;*\n")
    inputs = ["--anonymized", tmp_path / "table.csv", "--roles", tmp_path / "roles.yaml"]
    given = [*inputs, "--hierarchies", tmp_path / "trees", "--out", tmp_path / "out.csv", "--method", "items"]
    done = call(capsys, "repair", *given, "--set", "km_anonymity.k=2")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("Items: 2 generalized, 0 suppressed")
    assert "a1" not in (tmp_path / "out.csv").read_text()
    recipe = tmp_path / "recipe.yaml"
    call(capsys, "repair", *given, "--set", "km_anonymity.k=2", "--recipe", recipe)
    call(capsys, "apply", "--recipe", recipe, "--input", tmp_path / "table.csv", "--out", tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "out.csv").read_bytes()
    refused = call(capsys, "repair", *given, "--classes-out", tmp_path / "classes.csv")
    assert (refused.status, refused.err.count("writes no classes")) == (2, 1)
