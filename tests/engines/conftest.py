"""Spark on this machine: its settings for small tables, and a cluster of a master and two workers."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from maintenance.test_programs import has_java
from tests.browser.serving import free_port
from tests.engines.spark_tables import write_pair
from tests.support.missing import missing

_HOST = "127.0.0.1"
# Small tables on few cores: what a session starts with, and Java begins fast rather than runs fast.
_JAVA = (
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:MetaspaceSize=256m "
    "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
)
_SETTINGS = {
    "spark.sql.shuffle.partitions": "2",
    "spark.shuffle.compress": "false",  # for bytes that can be foretold
    # To compile each plan takes longer than to run it as it is on these tables.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.driver.memory": "512m",
    "spark.driver.maxResultSize": "2m",  # little, so that a test can exceed it
    "spark.executor.memory": "512m",
    "spark.driver.extraJavaOptions": _JAVA,
    "spark.executor.extraJavaOptions": _JAVA,
}


@dataclass(frozen=True)
class Cluster:
    """Where it is, and its workers' processes."""

    master: str
    workers: tuple[subprocess.Popen[bytes], ...]


@pytest.fixture(scope="session")
def java() -> None:
    """PySpark and Java."""
    if importlib.util.find_spec("pyspark") is None:
        missing("PySpark is not installed: pip install pyspark, then run the tests again.")
    if not has_java():
        missing("No Java on this machine: install Java 17, or let `python3 -m dashboard test` do so.")


@pytest.fixture(scope="session")
def spark_folder(java: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where Spark finds its settings, and keeps its files."""
    import pyspark

    folder = tmp_path_factory.mktemp("spark")
    (folder / "spark-defaults.conf").write_text("".join(f"{name} {value}\n" for name, value in _SETTINGS.items()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_LOCAL_IP", _HOST)
        patch.setenv("SPARK_HOME", str(Path(pyspark.__file__).parent))
        patch.setenv("SPARK_CONF_DIR", str(folder))
        patch.setenv("SPARK_LOCAL_DIRS", str(folder))
        yield folder


@pytest.fixture(scope="session")
def cluster(spark_folder: Path) -> Iterator[Cluster]:
    """A standalone cluster of two workers with a core each."""
    command = Path(os.environ["SPARK_HOME"]) / "bin" / "spark-class"
    variables = {**os.environ, "SPARK_DAEMON_MEMORY": "128m", "SPARK_DAEMON_JAVA_OPTS": _JAVA}
    port = free_port()
    master = f"spark://{_HOST}:{port}"
    running: list[subprocess.Popen[bytes]] = []

    def begin(name: str, kind: str, *arguments: str) -> None:
        given = [str(command), f"org.apache.spark.deploy.{kind}", *arguments]
        with (spark_folder / f"{name}.log").open("wb") as log:
            # A group of its own: what it starts ends with it.
            running.append(
                subprocess.Popen(given, stdout=log, stderr=log, cwd=spark_folder, env=variables, start_new_session=True)
            )

    try:
        begin("master", "master.Master", "--host", _HOST, "--port", str(port), "--webui-port", "0")
        for name in ("one", "two"):
            begin(
                name, "worker.Worker", "--host", _HOST, "--cores", "1", "--memory", "512m", "--webui-port", "0",
                "--work-dir", str(spark_folder / name), master,
            )  # fmt: skip
        for name in ("one", "two"):
            _await(spark_folder / f"{name}.log", "Successfully registered with master")
        yield Cluster(master, tuple(running[1:]))
    finally:
        for process in running:
            end(process)


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The original and the anonymized table of the tests of Spark."""
    return write_pair(tmp_path_factory.mktemp("tables"))


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=30)


def _await(log: Path, line: str) -> None:
    since = time.monotonic()
    while line not in log.read_text(errors="replace"):
        if time.monotonic() - since > 90:
            pytest.fail(f"the cluster did not start: no {line!r} in {log.name}", pytrace=False)
        time.sleep(0.2)
