"""Only regular files are read: a FIFO, in a folder or on the command line, keeps nobody waiting."""

import os
from pathlib import Path

import pytest

from metrics import InputError, read_table
from metrics.config.roles_file import read_roles
from metrics.policy.settings_file import read_settings
from metrics.tables.regular_file import open_regular
from tests.support.command_line import call

# Where a FIFO is opened as a file is, nothing else ends the test.
pytestmark = pytest.mark.timeout(60)


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    os.mkfifo(path)
    return path


@pytest.mark.parametrize("read", [read_table, read_roles, read_settings])
def test_a_fifo_is_refused_in_a_sentence(fifo: Path, read: object) -> None:
    with pytest.raises(InputError, match=r"table\.csv: the file cannot be (opened \(not a regular file\)|read); check"):
        read(fifo)  # type: ignore[operator]


def test_a_device_is_refused_as_no_regular_file() -> None:
    with pytest.raises(OSError, match="not a regular file"):
        open_regular(os.devnull)


def test_a_link_to_a_regular_file_is_followed(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_bytes(b"a,b\n1,2\n")
    (tmp_path / "link.csv").symlink_to(tmp_path / "table.csv")
    assert read_table(tmp_path / "link.csv").rows == 1


def test_the_command_refuses_a_fifo_as_a_table_in_one_line(
    fifo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [a]\n", encoding="utf-8")
    done = call(capsys, "score", "--anonymized", fifo, "--roles", tmp_path / "roles.yaml")
    assert done.status == 2
    assert done.err.count("\n") == 1
    assert "not a regular file" in done.err


def test_the_command_refuses_a_fifo_as_a_reading_plan(
    fifo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ok.csv").write_bytes(b"a,b\n1,2\n")
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [a]\n", encoding="utf-8")
    tables = ["--anonymized", tmp_path / "ok.csv", "--roles", tmp_path / "roles.yaml"]
    done = call(capsys, "score", *tables, "--read-plan", fifo)
    assert done.status == 2
    assert done.err == f"{fifo}: the file cannot be read; check the path.\n"
