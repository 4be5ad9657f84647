"""A table too large for the machine is refused with the estimate by every command, before memory is spent."""

import gzip
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.support.command_line import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Only Linux holds a process to its limit of memory")
MARGIN = 100 << 20
# Runs the commands that it is given as JSON, the first of them with all memory, the others with little more than that
# one took.
LITTLE_MEMORY = f"""
import contextlib, io, json, pathlib, resource, sys
from metrics.cli import main
import metrics.candidates.search.lattice, metrics.report
def taken():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
def run(arguments):
    printed = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(printed):
        return main(arguments), printed.getvalue()
first, *others = json.load(sys.stdin)
assert run(first) == (0, "")
pages = int(pathlib.Path("/proc/self/statm").read_text().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + {MARGIN}, -1))
before = taken()
answers = [run(arguments) for arguments in others]
print(json.dumps([answers, taken() - before]))
"""
REFUSED = re.compile(
    r"(\S+): reading it needs about (\d+) MB of memory, and (\d+) MB are free; "
    r"load fewer columns or records, use a machine with more memory, or score it with an engine\.\n"
)


def with_little_memory(commands: Sequence[Sequence[object]]) -> tuple[list[tuple[int, str]], int]:
    """Status and standard error of each command but the first, and how many bytes more the others took at the most."""
    done = subprocess.run(
        [sys.executable, "-c", LITTLE_MEMORY],
        cwd=ROOT,
        input=json.dumps([[*map(str, command)] for command in commands]),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    answers, grown = json.loads(done.stdout)
    return [(status, printed) for status, printed in answers], grown


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small table, larger ones of every kind, roles and a hierarchy."""
    folder = tmp_path_factory.mktemp("large")
    record = b"1,2\n"
    (folder / "small.csv").write_bytes(b"a,s\n" + record * 10)
    (folder / "large.csv").write_bytes(b"a,s\n" + record * (9 << 20))
    (folder / "large.csv.gz").write_bytes(gzip.compress(b"a,s\n" + record * (9 << 20), 1))
    part = pa.table({name: pa.array([1] * 500_000, pa.int8()) for name in "as"})
    with pq.ParquetWriter(folder / "large.parquet", part.schema) as writer:
        for _ in range(14):
            writer.write_table(part)
    (folder / "roles.yaml").write_text("quasi_identifiers: [a]\nsensitive: [s]\n", encoding="utf-8")
    (folder / "hierarchies").mkdir()
    (folder / "hierarchies" / "a.csv").write_text("1;*\n", encoding="utf-8")
    return folder


def test_every_command_refuses_a_table_too_large_for_memory_with_the_estimate(folder: Path) -> None:
    small, large, roles = folder / "small.csv", folder / "large.csv", ["--roles", folder / "roles.yaml"]
    good = ["score", "--anonymized", small, "--original", small, *roles]
    refused: list[list[object]] = [
        *(["score", "--anonymized", path, *roles] for path in sorted(folder.glob("large.*"))),
        ["score", "--anonymized", small, "--original", large, *roles],
        ["score", "--anonymized", small, "--population", large, *roles],
        ["classes", "--anonymized", large, *roles, "--out", folder / "out.csv"],
        ["compare", "--anonymized", large, *roles],
        ["compare", "--anonymized", small, large, *roles, "--out", folder / "compared.csv"],
        ["explore", "--original", large, *roles, "--hierarchies", folder / "hierarchies"],
        ["repair", "--anonymized", large, *roles, "--out", folder / "out.csv"],
        ["report", "--anonymized", large, *roles, "--out", folder / "out.html"],
    ]
    answers, grown = with_little_memory([good, *refused, good])
    for (status, printed), command in zip(answers, refused, strict=False):
        assert status == 2, command
        found = REFUSED.fullmatch(printed)
        assert found, printed
        name, needed, free = found.groups()
        assert name in [Path(str(part)).name for part in command]
        assert int(free) <= MARGIN // 10**6 + 1 <= int(needed)
    assert answers[-1] == (0, "")
    assert grown < MARGIN / 2
    # The others of a comparison are compared all the same.
    assert sorted(path.name for path in folder.glob("[!lsr]*")) == ["compared.csv", "hierarchies"]
