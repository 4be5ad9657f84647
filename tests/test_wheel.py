"""The wheel: what it puts into an environment, and the `quasi` command that it installs, far from the checkout."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from dashboard.environment import ROOT
from metrics.version import VERSION
from tests.browser.serving import Server, end, free_port, wait_until_healthy
from tests.support.visitor import Visitor

SOURCES = ("metrics", "dashboard", "pages", "sample_data")
FILES = ("pyproject.toml", "setup.py", "requirements.txt", "README.md", "LICENSE")


def run(*command: str | Path, folder: Path) -> str:
    """What a command prints, run in a folder and without the checkout on Python's path."""
    done = subprocess.run(
        [str(part) for part in command], cwd=folder, env=variables(), capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def variables() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"PYTHONUNBUFFERED": "1"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, because a build leaves files beside its sources."""
    source = tmp_path_factory.mktemp("source")
    for name in SOURCES:
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, source)
    offline = ("--no-build-isolation", "--no-deps", "--no-index", "--quiet")
    run(sys.executable, "-m", "pip", "wheel", *offline, "--wheel-dir", source / "out", source, folder=source)
    (built,) = (source / "out").iterdir()
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment that holds the wheel; it takes the libraries from the one that runs the tests."""
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", folder, folder=folder)
    offline = ("--no-deps", "--no-index", "--quiet")
    run(
        *(sys.executable, "-m", "pip", "--python", program(folder, "python"), "install", *offline, wheel), folder=folder
    )
    libraries = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    (packages(folder) / "libraries.pth").write_text("\n".join(libraries), encoding="utf-8")
    return folder


def program(environment: Path, name: str) -> Path:
    return environment / ("Scripts" if sys.platform == "win32" else "bin") / name


def packages(environment: Path) -> Path:
    """Where an environment's packages lie."""
    base = {"base": str(environment), "platbase": str(environment)}
    return Path(sysconfig.get_path("purelib", scheme="venv", vars=base))


def test_a_wheel_holds_two_packages_and_every_file_of_theirs(wheel: Path) -> None:
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert {name.partition("/")[0] for name in held} == {"metrics", "quasi_dashboard"}
    files = [file for name in SOURCES for file in (ROOT / name).rglob("*") if file.is_file()]
    listed = {file.relative_to(ROOT).as_posix() for file in files if "__pycache__" not in file.parts}
    assert held == {name if name.startswith("metrics/") else f"quasi_dashboard/{name}" for name in listed}


def test_quasi_scores_the_sample_from_any_folder(environment: Path, tmp_path: Path) -> None:
    sample = packages(environment) / "quasi_dashboard" / "sample_data"
    options = ("--anonymized", sample / "candidate_strict.csv", "--roles", sample / "roles.yaml", "--json")
    printed = run(program(environment, "quasi"), "score", *options, folder=tmp_path)
    assert json.loads(printed)["metrics"]["k_anonymity"]["value"] == 41


def test_quasi_describes_itself(environment: Path, tmp_path: Path) -> None:
    text = run(program(environment, "quasi"), "--help", folder=tmp_path)
    assert text.startswith("usage: quasi ")
    assert "score" in text
    assert "opens the dashboard" in text
    assert run(program(environment, "quasi"), "--version", folder=tmp_path) == f"Quasi {VERSION}\n"


def test_quasi_refuses_a_folder_that_is_not_there(environment: Path, tmp_path: Path) -> None:
    quasi = str(program(environment, "quasi"))
    done = subprocess.run(
        [quasi, "--tables-folder", "nowhere"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "nowhere" in done.stderr


def test_quasi_opens_the_dashboard_from_any_folder(environment: Path, tmp_path: Path) -> None:
    port = free_port()
    command = [str(program(environment, "quasi")), "--no-browser", "--port", str(port)]
    table = (ROOT / "sample_data" / "candidate_strict.csv").read_bytes()
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=tmp_path, env=variables(), stdout=log, stderr=subprocess.STDOUT)
        server = Server(f"http://localhost:{port}", tmp_path / "log", process.pid)
        try:
            wait_until_healthy(server, process)
            with Visitor(server.url).open() as visitor:
                visitor.upload("upload_anonymized", "strict.csv", table)
                assert any("10,000 records" in text for text in visitor.texts), visitor.texts
        finally:
            end(process)
    assert "Traceback" not in server.logged()
