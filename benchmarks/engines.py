"""Scoring Parquet files beyond memory with DuckDB: a hundred million records, and a million classes."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter

from benchmarks.report import Line, Section
from benchmarks.tables import QUASI_IDENTIFIERS, SENSITIVE
from dashboard.environment import ROOT

MILLIONS = (1, 10, 100)
SECONDS = 60.0
MEGABYTES = 500.0
MEGABYTES_OF_MANY = 1500.0


def measure() -> list[Section]:
    """Score repeated copies of the million records of `tables.py`, whose classes stay few, and random records."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(folder)
        _python("-m", "benchmarks.tables", str(directory), "few")
        few = directory / "few"
        roles = {"quasi_identifiers": QUASI_IDENTIFIERS, "sensitive": SENSITIVE}
        options = ["--hierarchies", str(few / "hierarchies"), *_roles(directory / "few.yaml", roles)]
        for millions in MILLIONS:
            files = [directory / f"{name}.parquet" for name in ("anonymized", "original")]
            for file in files:
                _copy(f"read_parquet({[str(few / file.name)] * millions!r})", file)
            figures = _scored("--anonymized", str(files[0]), "--original", str(files[1]), *options)
            is_largest = millions == max(MILLIONS)
            name = f"{millions},000,000 records"
            lines.append(Line(f"{name}: DuckDB scores", figures["seconds"], "s", SECONDS if is_largest else None))
            lines.append(Line(f"{name}: peak memory", figures["megabytes"], "MB", MEGABYTES if is_largest else None))
        many = directory / "many.parquet"
        _copy(
            "(SELECT (a // 10000)::INT::VARCHAR AS x, (a // 100 % 100)::INT::VARCHAR AS y, (a % 100)::VARCHAR AS z, "
            "b::VARCHAR AS s FROM (SELECT hash(i) % 1000000 AS a, hash(-i) % 60 AS b FROM range(20000000) AS t(i)))",
            many,
        )
        roles = {"quasi_identifiers": ["x", "y", "z"], "sensitive": ["s"]}
        figures = _scored("--anonymized", str(many), *_roles(directory / "many.yaml", roles))
        lines.append(Line("a million classes of 20,000,000 records: DuckDB scores", figures["seconds"], "s"))
        lines.append(Line("a million classes: peak memory", figures["megabytes"], "MB", MEGABYTES_OF_MANY))
    how = (
        "Parquet files made by DuckDB, `score --engine duckdb` as a process of its own, all included, once each. "
        "All metrics that are not on demand; an original beside the anonymized table except for the million classes."
    )
    return [Section("Beyond memory: DuckDB", how, lines)]


def _roles(path: Path, roles: dict[str, Iterable[str]]) -> list[str]:
    # JSON is YAML.
    path.write_text(json.dumps({role: list(columns) for role, columns in roles.items()}), encoding="utf-8")
    return ["--roles", str(path)]


def _copy(source: str, path: Path) -> None:
    _python("-c", f'import duckdb; duckdb.sql("""COPY (FROM {source}) TO \'{path}\' (FORMAT parquet)""")')


def _python(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)


def _scored(*arguments: str) -> dict[str, float]:
    """Score in a child process and print its peak memory; a separate process keeps other children out of it."""
    command = ["-m", "benchmarks.engines", "score", "--engine", "duckdb", *arguments]
    completed = subprocess.run(
        [sys.executable, *command], cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", check=True
    )
    figures: dict[str, float] = json.loads(completed.stdout)
    return figures


if __name__ == "__main__":
    started = perf_counter()
    _python("-m", "metrics", *sys.argv[1:])
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(json.dumps({"seconds": perf_counter() - started, "megabytes": peak * 1024 / 1e6}))
