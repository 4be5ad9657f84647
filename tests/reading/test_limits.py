"""Bombs and files too large for the machine are refused before memory is spent."""

import gzip
import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from metrics.errors import InputError
from metrics.reading import limits, read_table
from metrics.tables.free_memory import available_memory
from tests.reading.expectations import columns, refusal
from tests.support.command_line import ROOT

BOMB = 20_000_000


def packed(size: int) -> bytes:
    """`size` bytes of one line each, packed piece by piece."""
    target = io.BytesIO()
    with gzip.GzipFile(fileobj=target, mode="wb", compresslevel=9) as file:
        file.write(b"a,b\n")
        piece = b"1,2\n" * 250_000
        for _ in range(size // len(piece)):
            file.write(piece)
    return target.getvalue()


def test_a_gzip_file_that_unpacks_to_100_times_its_size_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_SMALL", 1 << 20)
    content = packed(BOMB)
    error = refusal(content, name="x.csv.gz")
    assert "unpacks to more than 100 times its size" in str(error)


def test_unpacking_stops_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_SMALL", 1000)
    parts = [b"x" * 1000, b"x", b"y"]
    unpacked = limits.limited_parts("x.gz", 1, parts, in_memory=True)
    assert next(unpacked) == parts[0]
    with pytest.raises(InputError, match="unpacks to more than"):
        next(unpacked)


def test_a_gzip_file_that_exceeds_the_free_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "available_memory", lambda: 1_000_000)
    monkeypatch.setattr(limits, "_SMALL", 1 << 20)
    content = gzip.compress(b"a,b\n" + b"".join(b"%d,2\n" % number for number in range(130_000)))
    assert "of memory, and 1 MB are free" in str(refusal(content, name="x.csv.gz"))


def test_a_cut_gzip_file_is_damaged_whatever_its_last_bytes_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "available_memory", lambda: 1 << 30)
    cut = gzip.compress(b"a,b\n" + b"1,2\n" * 20_000)[:-8]
    for end in (b"\xff\xff\xff\xff", b""):
        assert "damaged or incomplete" in str(refusal(cut + end, name="x.csv.gz"))


@pytest.mark.parametrize("kind", ["csv", "parquet", "xlsx"])
def test_files_that_exceed_the_free_memory_are_refused(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "available_memory", lambda: 1000)
    monkeypatch.setattr(limits, "_SMALL", 0)
    target = io.BytesIO()
    if kind == "parquet":
        pq.write_table(pa.table({"a": ["x"] * 200}), target)
    elif kind == "xlsx":
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("xl/workbook.xml", bytes(5000))
        monkeypatch.setattr(limits, "_MAX_GROWTH", 10_000)
    else:
        target.write(b"a,b\n" + b"1,2\n" * 500)
    error = refusal(target.getvalue(), name=f"x.{kind}")
    assert "of memory, and 0 MB are free" in str(error)


def test_a_workbook_that_unpacks_beyond_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_SMALL", 1 << 20)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", bytes(50_000_000))
    assert "unpacks to more than" in str(refusal(target.getvalue(), name="x.xlsx"))


@pytest.mark.parametrize("member", [b"1,2\n", b"1"])
def test_bombs_of_several_parts_are_refused(member: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_SMALL", 1 << 20)
    part = gzip.compress(member * (2_000_000 // len(member)))
    for content in (gzip.compress(b"a,b\n") + part * 10, packed(BOMB)):
        assert "unpacks to more than 100 times its size" in str(refusal(content, name="x.csv.gz"))


def test_gzip_of_several_parts_is_read() -> None:
    content = gzip.compress(b"a,b\n1,2\n") + gzip.compress(b"3,4\n")
    assert columns(read_table(content)) == {"a": ["1", "3"], "b": ["2", "4"]}


def test_the_available_memory_of_this_machine_is_positive_or_unknown() -> None:
    memory = available_memory()
    assert memory is None or memory > 0


def test_a_small_gzip_file_is_read_despite_the_limits() -> None:
    assert columns(read_table(gzip.compress(b"a,b\n1,2\n"))) == {"a": ["1"], "b": ["2"]}


def wide(kind: str, count: int) -> bytes:
    """A table of one record with many columns."""
    names = [f"c{place}" for place in range(count)]
    if kind == "parquet":
        target = io.BytesIO()
        pq.write_table(pa.table({name: ["1"] for name in names}), target)
        return target.getvalue()
    return f"{','.join(names)}\n{','.join('1' * count)}\n".encode()


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_table_with_more_columns_than_the_limit_is_refused(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_MAX_COLUMNS", 30)
    assert len(read_table(wide(kind, 30)).names) == 30
    error = refusal(wide(kind, 31), name=f"x.{kind}")
    assert error.problem == "the table has 31 columns, more than the 30 that can be read"


def test_too_many_columns_are_reported_before_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("metrics.reading.strict._arrow")
    assert refusal(wide("csv", 20_001)).row == 1


HOSTILE: dict[str, Callable[[int], bytes]] = {
    "a cell without a digit": lambda times: b"a,b\n" + b"x" * times + b",1\ny,2\n",
    "commas": lambda times: b"," * times + b"\n1,2\n",
    "line ends in a cell": lambda times: b'a,b\n1,"' + b"\n" * times + b'"\n2,3\n',
    "quotes": lambda times: b"a,b\n" + b'"' * times + b",1\n2,3\n",
    "quotes within a cell": lambda times: b"a,b\n" + b'x"' * times + b",1\n2,3\n",
    "apostrophes": lambda times: b"a,b\n" + b"','" * (times // 10) + b"\n",
    "an open quote": lambda times: b'a,b\n1,"2\n' + b"3,4\n" * times,
    "an open quote at the end": lambda times: b"a,b\n" + b"3,4\n" * times + b'1,"2\n3,4\n',
    "blanks": lambda times: b"a,b\n" + b" " * times + b",1\n2,3\n",
    "blank lines": lambda times: b"a,b\n1,2\n" + b"\n" * times + b"1,2\n",
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_text_is_read_or_refused(case: str) -> None:
    """Quadratic time would take many minutes here, so that the limit of every test holds it."""
    try:
        rows = read_table(HOSTILE[case](300_000)).rows
    except InputError:
        rows = 2
    assert rows == 2


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


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux holds a process to its limit of memory")
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


# Reads the files that it is given, and prints for each how many bytes the largest estimate allows for, and how many the
# process came to take; both beyond what it took before.
ESTIMATED = """
import json, re, sys
from metrics.reading import limits, read_table
def taken(what):
    return 1024 * int(re.search(what + r":\\s+(\\d+)", open("/proc/self/status").read())[1])
class Plenty:
    def __lt__(self, needed):
        estimates.append(taken("VmRSS") - before + needed)
        return False
limits._SMALL, limits.available_memory, estimates, before = 0, Plenty, [], 0
read_table(b"a,b\\n1,2\\n")
before = taken("VmHWM")
estimates.clear()
read_table(sys.argv[1], skip_lines=0, header_lines=1, blank_lines="cells", delimiter=",")
print(json.dumps([max(estimates), taken("VmHWM") - before]))
"""
SLACK = 20 << 20
N_DISTINCT = 600_000
DISTINCT: dict[str, Callable[[], pa.Array]] = {
    "whole numbers": lambda: pa.array(range(N_DISTINCT)),
    "fractions": lambda: pa.array([number / 7 for number in range(N_DISTINCT)]),
    "texts": lambda: pa.array([f"{number:09}" for number in range(N_DISTINCT)]),
    "long texts": lambda: pa.array([f"{number:036}" for number in range(N_DISTINCT)]),
    "few values": lambda: pa.array([number % 5 for number in range(4 * N_DISTINCT)], pa.int8()),
}


SAMPLED = {("csv", "texts"), ("csv", "few values"), ("parquet", "fractions"), ("parquet", "whole numbers")}


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux says what a process takes")
@pytest.mark.parametrize(
    ("kind", "case"),
    [
        pytest.param(kind, case, marks=[] if (kind, case) in SAMPLED else pytest.mark.slow)
        for kind in ("csv", "parquet")
        for case in DISTINCT
    ],
)
def test_estimates_are_near_the_memory_that_a_column_takes(kind: str, case: str, tmp_path: Path) -> None:
    content, path = pa.table({"a": DISTINCT[case]()}), tmp_path / f"t.{kind}"
    if kind == "csv":
        pa.csv.write_csv(content, path, pa.csv.WriteOptions(quoting_style="none"))
    else:
        # Packed as differences, numbers in order take hardly any bytes.
        packed = {"a": "DELTA_BINARY_PACKED"} if case == "whole numbers" else None
        pq.write_table(content, path, use_dictionary=packed is None, column_encoding=packed)
    done = subprocess.run(
        [sys.executable, "-c", ESTIMATED, path], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    estimate, taken = json.loads(done.stdout)
    assert 0.8 * taken - SLACK <= estimate <= 3 * taken + SLACK
