"""The wheel: what it puts into an environment, and the `quasi` command that it installs, far from the checkout."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from dashboard.command import main
from dashboard.environment import ROOT
from metrics.version import VERSION
from tests.browser.serving import Server, end, free_port, wait_until_healthy
from tests.support.visitor import Visitor

SOURCES = ("metrics", "dashboard", "pages", "sample_data")
FILES = ("pyproject.toml", "setup.py", "requirements.txt", "README.md", "LICENSE")
BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
# What the command that pip puts beside Python does.
QUASI = (
    "import sys; from importlib.metadata import entry_points; "
    "(quasi,) = entry_points(group='console_scripts', name='quasi'); sys.exit(quasi.load()())"
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, because a build leaves files beside its sources."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("out")
    for name in SOURCES:
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, source)
    subprocess.run([sys.executable, "-c", BUILD, out], cwd=source, check=True, capture_output=True)
    (built,) = out.iterdir()
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment that holds the wheel; it takes the libraries from the one that runs the tests."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=sys.platform != "win32")
    zipfile.ZipFile(wheel).extractall(packages(folder))
    libraries = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    (packages(folder) / "libraries.pth").write_text("\n".join(libraries), encoding="utf-8")
    return folder


def packages(environment: Path) -> Path:
    """Where an environment's packages lie."""
    base = {"base": str(environment), "platbase": str(environment)}
    return Path(sysconfig.get_path("purelib", scheme="venv", vars=base))


def variables() -> dict[str, str]:
    """Those of this process, without the checkout on Python's path."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"PYTHONUNBUFFERED": "1"}


def test_a_wheel_holds_two_packages_and_every_file_of_theirs(wheel: Path) -> None:
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert {name.partition("/")[0] for name in held} == {"metrics", "quasi_dashboard"}
    files = [file for name in SOURCES for file in (ROOT / name).rglob("*") if file.is_file()]
    listed = {file.relative_to(ROOT).as_posix() for file in files if "__pycache__" not in file.parts}
    assert held == {name if name.startswith("metrics/") else f"quasi_dashboard/{name}" for name in listed}


def test_quasi_opens_the_dashboard_from_any_folder(environment: Path, tmp_path: Path) -> None:
    port = free_port()
    python = environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    command = [str(python), "-c", QUASI, "--no-browser", "--port", str(port)]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=tmp_path, env=variables(), stdout=log, stderr=subprocess.STDOUT)
        server = Server(f"http://localhost:{port}", tmp_path / "log", process.pid)
        try:
            wait_until_healthy(server, process)
            with Visitor(server.url).open() as visitor:
                visitor.upload("upload_anonymized", "small.csv", b"age,ill\n34,flu\n37,cold\n41,flu\n")
                assert any("3 records" in text for text in visitor.texts), visitor.texts
        finally:
            end(process)
    assert "Traceback" not in server.logged()


@pytest.fixture
def run_quasi(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """The exit status and the output of the `quasi` command within this process."""
    monkeypatch.setattr(sys, "path", [*sys.path])

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["quasi", *arguments])
        try:
            status = main()
        except SystemExit as ended:
            status = int(ended.code or 0)
        return status, *capsys.readouterr()

    return run


def test_the_installed_command_prints_its_help_and_version(run_quasi: Callable[..., tuple[int, str, str]]) -> None:
    status, text, _ = run_quasi("--help")
    assert (status, text.startswith("usage: quasi ")) == (0, True)
    assert "score" in text
    assert "opens the dashboard" in text
    assert run_quasi("--version") == (0, f"Quasi {VERSION}\n", "")


def test_quasi_carries_out_commands(run_quasi: Callable[..., tuple[int, str, str]]) -> None:
    sample = ROOT / "sample_data"
    options = ("--anonymized", str(sample / "candidate_strict.csv"), "--roles", str(sample / "roles.yaml"), "--json")
    status, text, error = run_quasi("score", *options, "--metrics", "k_anonymity")
    assert (status, error) == (0, "")
    assert json.loads(text)["metrics"]["k_anonymity"]["value"] == 41


def test_quasi_refuses_a_folder_that_is_not_there(run_quasi: Callable[..., tuple[int, str, str]]) -> None:
    status, _, error = run_quasi("--tables-folder", "nowhere")
    assert (status, error.count("\n")) == (2, 1)
    assert "nowhere" in error
