"""The seeds' figures of large tables, on tables made from a seed: what the oracle gives, to the last digits.

These are in every clone; the published tables themselves are tested where they lie (`test_reference.py`).
"""

from pathlib import Path

import pandas as pd
import pytest

import metrics
from metrics import Hierarchy, Scorecard
from metrics.petworks import PETValidation, calculate_P_29_score
from metrics.petworks.attributetypes import QUASI_IDENTIFIER
from metrics.texts import text
from tests import oracle
from tests.petworks.test_p29_notebook import frames
from tests.published.scoring import command, printed, roles_file
from tests.support.command_line import call
from tests.support.generated_tables import ADMISSIONS, CENSUS, Records, admissions, census, csv_of
from tests.support.small_tables import columns_of, table


def scored(records: Records) -> Scorecard:
    return metrics.score(table_of(records), ADMISSIONS, metrics=["p29"])


def table_of(records: Records) -> metrics.Table:
    return table({name: [record[name] for record in records] for name in records[0]})


def check_p29(found: dict[str, object], expected: oracle.P29) -> None:
    """The JSON of P_29 is what the oracle says."""
    details = found["details"]
    assert isinstance(details, dict)
    assert found["value"] == pytest.approx(expected.score, abs=1e-12)
    for name, figure in {
        "k_min": expected.k_min, "Nk": expected.nk, "Nl": expected.nl, "Nt": expected.nt,
        "min_l": expected.smallest_l, "max_t": expected.largest_t,
    }.items():  # fmt: skip
        assert details[name] == pytest.approx(float(figure), abs=1e-12), name
    failing = expected.violating_classes
    assert (details["violating_classes"], details["violating_records"]) == (len(failing), expected.violating_records)
    assert details["violating_by_condition"] == {
        gate: sum(any(name == gate for name, _ in reasons) for reasons in failing.values()) for gate in "klt"
    }


def test_the_generated_table_fails_each_condition_and_meets_all_once_repaired() -> None:
    made = admissions()
    reasons = {name for reasons in made.found_before.violating_classes.values() for name, _ in reasons}
    assert (reasons, made.found_before.score) == ({"k", "l", "t"}, 0)
    assert made.found_after.violating_classes == {}
    assert 0.7 < made.found_after.score < 0.9


def test_p29_of_the_generated_table_before_and_after_deletion_is_as_expected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = admissions()
    for records, expected in ((made.before, made.found_before), (made.after, made.found_after)):
        check_p29(scored(records)["p29"].to_dict(), expected)
        (tmp_path / "table.csv").write_text(csv_of(records), encoding="utf-8")
        check_p29(printed(command(capsys, tmp_path / "table.csv", roles_file(tmp_path, ADMISSIONS)))["p29"], expected)


def test_the_functions_of_the_notebook_give_its_figures() -> None:
    made = admissions()
    names = ADMISSIONS.quasi_identifiers, ADMISSIONS.sensitive
    for records, expected in ((made.before, made.found_before), (made.after, made.found_after)):
        score, problems, _, k_min, smallest, largest = calculate_P_29_score(*frames(pd.DataFrame(records), *names))
        assert score == pytest.approx(expected.score, abs=1e-12)
        assert len({name for name, _ in problems}) == len(expected.violating_classes)
        assert k_min == expected.k_min
        assert (smallest, largest) == pytest.approx((expected.smallest_l, float(expected.largest_t)), abs=1e-12)


def test_the_repair_deletes_the_failing_classes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made, out = admissions(), tmp_path / "repaired.parquet"
    (tmp_path / "table.csv").write_text(csv_of(made.before), encoding="utf-8")
    given = ["repair", "--anonymized", tmp_path / "table.csv", "--roles", roles_file(tmp_path, ADMISSIONS)]
    done = call(capsys, *given, "--out", out)
    assert (done.status, done.err) == (0, "")
    assert columns_of(metrics.read_table(out)) == columns_of(table_of(made.after))
    number, records = len(made.found_before.violating_classes), made.found_before.violating_records
    lines = done.out.splitlines()
    assert lines[0] == text("repair.failing", classes=number, records=records)
    assert text("repair.p29_after", score=made.found_after.score) in lines


def test_the_losses_of_nine_quasi_identifiers_equal_those_of_the_oracle(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made, names = census(), CENSUS.quasi_identifiers
    entropy = oracle.non_uniform_entropy(made.original, made.anonymized, names, made.hierarchies)
    ambiguity = oracle.ambiguity(made.original, made.anonymized, names, made.hierarchies)
    (tmp_path / "hierarchies").mkdir()
    for name, rows in made.hierarchies.items():
        (tmp_path / "hierarchies" / f"{name}.csv").write_text("".join(";".join(row) + "\n" for row in rows))
    for name, records in (("original", made.original), ("anonymized", made.anonymized)):
        # An interval holds a comma.
        text = pd.DataFrame(records).to_csv(index=False, sep=";")
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    files = [tmp_path / "original.csv", tmp_path / "hierarchies"]
    shown = command(capsys, tmp_path / "anonymized.csv", roles_file(tmp_path, CENSUS), *files)
    found = printed(shown)
    assert found["non_uniform_entropy"]["value"] == pytest.approx(entropy.score, abs=1e-12)
    assert found["non_uniform_entropy"]["details"]["loss_by_column"] == pytest.approx(entropy.loss, rel=1e-9)
    assert found["ambiguity"]["value"] == pytest.approx(float(ambiguity.score), abs=1e-12)
    mean = found["ambiguity"]["details"]["mean_combinations"]
    assert mean == pytest.approx(float(ambiguity.mean_combinations), rel=1e-12)
    suppressed = sum(record["sex"] == "*" for record in made.anonymized)
    assert 1_000 < suppressed < 2_000
    assert shown.object["tables"]["anonymized"].items() >= {"rows": 5_000, "suppressed_rows": suppressed}.items()
    card = metrics.score(
        table_of(made.anonymized),
        CENSUS,
        original=table_of(made.original),
        hierarchies={name: Hierarchy(rows) for name, rows in made.hierarchies.items()},
    )
    expected = card.to_dict()["metrics"]
    assert {name: score["value"] for name, score in found.items()} == {
        name: score["value"] for name, score in expected.items()
    }


def test_petworks_names_print_what_nine_quasi_identifiers_lost() -> None:
    made, names = census(), CENSUS.quasi_identifiers
    given = (made.original, made.anonymized, names, made.hierarchies)
    tables = [pd.DataFrame(records) for records in given[:2]]
    options = {
        "dataHierarchy": {name: Hierarchy(rows) for name, rows in made.hierarchies.items()},
        "attributeTypes": dict.fromkeys(names, QUASI_IDENTIFIER),
    }
    entropy = PETValidation(*tables, "Non-Uniform Entropy", **options)
    assert entropy == {"Non-Uniform Entropy": pytest.approx(oracle.non_uniform_entropy(*given).score, abs=1e-12)}
    ambiguity = PETValidation(*tables, "Ambiguity", **options)
    assert ambiguity == {"ambiguity": pytest.approx(float(oracle.ambiguity(*given).score), abs=1e-12)}
