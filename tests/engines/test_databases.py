"""Tables in databases give the figures of the same tables in files, and nothing in them changes."""

import json
import sqlite3
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep

import pytest

import metrics
from dashboard.environment import ROOT
from dashboard.server_tables import ServerTables, TablesFolder
from metrics import InputError
from metrics.cli import main
from metrics.engines.databases import Databases
from tests.engines.alike import differences
from tests.support.postgres import server

SAMPLE = ROOT / "sample_data"
TABLES = {"release": "candidate_light.csv", "before": "hospital.csv"}
METRICS = ["k_anonymity", "t_closeness", "p29"]


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """A server with the tables of the sample."""
    psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'psycopg[binary]'")
    with server() as address, psycopg.connect(address) as connection:
        for name, file in TABLES.items():
            table = metrics.read_table(SAMPLE / file)
            columns = ", ".join(f'"{column}" text' for column in table.names)
            connection.execute(f"CREATE TABLE {name} ({columns})")
            with connection.cursor().copy(f"COPY {name} FROM STDIN") as copy:
                for record in table.head(table.rows):
                    copy.write_row(record)
        connection.commit()
        yield address


@pytest.fixture(scope="module")
def sqlite(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file with the tables of the sample."""
    path = tmp_path_factory.mktemp("sqlite") / "study.db"
    connection = sqlite3.connect(path)
    for name, file in TABLES.items():
        table = metrics.read_table(SAMPLE / file)
        connection.execute(f"CREATE TABLE {name} ({', '.join(f'[{column}] text' for column in table.names)})")
        marks = ", ".join("?" * len(table.names))
        connection.executemany(f"INSERT INTO {name} VALUES ({marks})", table.head(table.rows))
    connection.commit()
    connection.close()
    return f"sqlite:///{path}"


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> str:
    """The address of each of the databases."""
    address: str = request.getfixturevalue(request.param)
    return address


@pytest.mark.parametrize("wanted", ["release", "SELECT * FROM release"])
def test_figures_are_those_of_the_file(database: str, wanted: str) -> None:
    roles = metrics.read_roles(SAMPLE / "roles.yaml").roles
    expected = metrics.score(metrics.read_table(SAMPLE / TABLES["release"]), roles, metrics=METRICS)
    with Databases() as databases:
        card = metrics.score(databases.table(f"{database}#{wanted}"), roles, metrics=METRICS)
        assert differences(expected, card) == []


def test_the_command_line_counts_in_the_database(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--anonymized", f"{database}#release", "--roles", str(SAMPLE / "roles.yaml"), "--json"]
    assert main(["score", *options, "--metrics", "k_anonymity"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["metrics"]["k_anonymity"]["value"], printed["tables"]["anonymized"]["rows"]) == (1, 10000)


def test_other_commands_fetch_the_records(database: str, tmp_path: Path) -> None:
    out = tmp_path / "classes.csv"
    options = ["--anonymized", f"{database}#release", "--roles", str(SAMPLE / "roles.yaml"), "--out", str(out)]
    assert main(["classes", *options, "--metrics", "k_anonymity"]) == 0
    assert len(out.read_text(encoding="utf-8").splitlines()) == 2294


def test_nothing_is_changed_by_a_query(database: str) -> None:
    with Databases() as databases:
        query = "WITH gone AS (DELETE FROM release RETURNING *) SELECT * FROM gone"
        with pytest.raises(InputError, match="refuses the query"):
            databases.table(f"{database}#{query}")
        assert databases.table(f"{database}#release").rows == 10_000


def test_a_count_that_is_canceled_ends_as_by_ctrl_c(database: str) -> None:
    slow = "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) SELECT i FROM n"
    with Databases() as databases:
        table = databases.table(f"{database}#{slow}")
        with ThreadPoolExecutor(1) as pool:
            counting = pool.submit(lambda: table.rows)
            while not counting.done():
                sleep(0.1)
                databases.interrupt()
            assert isinstance(counting.exception(), KeyboardInterrupt)
        assert databases.table(f"{database}#release").rows == 10_000


def test_a_login_without_rights_is_told_what_to_ask_for(postgres: str) -> None:
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(postgres) as connection:
        connection.execute("CREATE ROLE visitor LOGIN; REVOKE TEMPORARY ON DATABASE postgres FROM PUBLIC")
    address = postgres.replace("quasi@", "visitor@")
    with Databases() as databases:
        with pytest.raises(InputError, match=r"GRANT it SELECT\."):
            _ = databases.table(f"{address}#release").rows
        with pytest.raises(InputError, match="or TEMPORARY"):
            databases.table(f"{address}#SELECT 1 AS one")


def test_identifiers_of_databases_own_types_are_read_as_text(postgres: str) -> None:
    with Databases() as databases:
        query = "SELECT CAST('32ffcff9-6439-4184-b553-cf8318b8c1cd' AS uuid) AS key"
        assert databases.read(f"{postgres}#{query}").head(1) == [["32ffcff9-6439-4184-b553-cf8318b8c1cd"]]


@pytest.mark.parametrize("option", ["--engine duckdb", "--holdout before.csv", "--population before.csv"])
def test_an_option_that_a_database_rules_out_is_named_with_its_remedy(
    sqlite: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    address = ["--anonymized", f"{sqlite}#release", "--roles", str(SAMPLE / "roles.yaml")]
    assert main(["score", *address, *option.split()]) == 2
    printed = capsys.readouterr().err
    assert "database" in printed
    assert f"remove {option.split()[0]}" in printed


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("sqlite:////nowhere/study.db#release", "cannot be reached"),
        ("postgresql://quasi:password@localhost:1/none#release", "cannot be reached"),
        ("postgresql://quasi:#password@localhost:1/none#release", "%23"),
        ("sqlite:////nowhere/study.db", "names no table"),
        ("release.csv", "not in one database"),
    ],
)
def test_an_address_that_leads_nowhere_is_refused_without_its_password(address: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as error, Databases() as databases:
        databases.table(address)
    assert "password" not in str(error.value).replace("a password's", "")


@pytest.mark.parametrize("address", ["mysql://quasi:password@host/db#release", "postgresql://u:#/password@host/db#t"])
@pytest.mark.parametrize("command", ["score", "compare", "identifiers"])
def test_no_command_prints_the_password_of_an_address(
    command: str, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = [] if command == "identifiers" else ["--roles", str(SAMPLE / "roles.yaml"), "--anonymized"]
    for unknown in ([], [address]):  # the second time as an argument that the command does not know
        assert main([command, *options, address, "--unknown", *unknown][: None if unknown else -1]) == 2
        printed = capsys.readouterr()
        assert len(printed.err.splitlines()) == 1
        assert "password" not in printed.err.replace("a password's", "") + printed.out


def test_a_missing_driver_is_one_sentence_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(InputError, match=r"pip install 'quasi\[databases\]'"), Databases() as databases:
        databases.table("postgresql://quasi@localhost:1/none#release")


def test_the_dashboard_opens_only_what_its_owner_lists(sqlite: str, tmp_path: Path) -> None:
    (tmp_path / "release.database").write_text(f"{sqlite}#release\n", encoding="utf-8")
    (tmp_path / "before.csv").write_bytes((SAMPLE / "hospital.csv").read_bytes())
    folder, tables = TablesFolder(tmp_path), ServerTables()
    assert folder.names() == ["before.csv", "release.database"]
    opened = tables.open(folder, "release.database")
    assert (opened.table.rows, opened.name) == (10_000, "release.database")
    with pytest.raises(InputError, match="of this database only"):
        tables.open(folder, "before.csv")
    (tmp_path / "junk.database").write_bytes(b"\xff\x00junk")
    with pytest.raises(InputError, match="does not hold the address"):
        tables.open(folder, "junk.database")
    tables.close()
