"""The wheel: what it puts into an environment, and the `quasi` command that it installs, far from the checkout."""

import email
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from dashboard.environment import ROOT
from tests.browser.serving import Server, end, free_port, wait_until_healthy
from tests.support.visitor import Visitor

SOURCES = ("metrics", "dashboard", "pages", "sample_data")
FILES = ("pyproject.toml", "setup.py", "MANIFEST.in", "requirements.txt", "README.md", "LICENSE")
BUILD = "import sys; from setuptools import build_meta; build_meta.build_{}(sys.argv[1])"
EXTRAS = {"app": {"streamlit", "altair"}, "files": {"openpyxl", "pyreadstat"}}
# What the command that pip puts beside Python does.
QUASI = (
    "import sys; from importlib.metadata import entry_points; "
    "(quasi,) = entry_points(group='console_scripts', name='quasi'); sys.exit(quasi.load()())"
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the source distribution of a copy, because a build leaves files beside its sources."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("out")
    for name in SOURCES:
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, source)
    subprocess.run([sys.executable, "-c", BUILD.format("sdist"), out], cwd=source, check=True, capture_output=True)
    (distribution,) = out.iterdir()
    with tarfile.open(distribution) as archive:
        archive.extractall(out, filter="data")
    (unpacked,) = (path for path in out.iterdir() if path.is_dir())
    command = [sys.executable, "-c", BUILD.format("wheel"), tmp_path_factory.mktemp("wheel")]
    subprocess.run(command, cwd=unpacked, check=True, capture_output=True)
    (built,) = Path(command[-1]).iterdir()
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


def quasi(environment: Path, *arguments: str) -> list[str]:
    """The `quasi` command of an environment."""
    python = environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    return [str(python), "-c", QUASI, *arguments]


def variables() -> dict[str, str]:
    """Those of this process, without the checkout on Python's path."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"PYTHONUNBUFFERED": "1"}


def test_a_wheel_holds_the_library_by_both_names_and_the_dashboard_and_every_file_of_theirs(wheel: Path) -> None:
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert {name.partition("/")[0] for name in held} == {"metrics", "quasi", "quasi_dashboard"}
    files = [file for name in SOURCES for file in (ROOT / name).rglob("*") if file.is_file()]
    listed = {file.relative_to(ROOT).as_posix() for file in files if "__pycache__" not in file.parts}
    library = {name for name in listed if name.startswith("metrics/")}
    copied = {name.replace("metrics/", "quasi/", 1) for name in library}
    assert held == {*library, *copied, *(f"quasi_dashboard/{name}" for name in listed - library)}


def test_quasi_opens_the_dashboard_from_any_folder(environment: Path, tmp_path: Path) -> None:
    port = free_port()
    with (tmp_path / "log").open("wb") as log:
        command = quasi(environment, "--no-browser", "--port", str(port))
        process = subprocess.Popen(command, cwd=tmp_path, env=variables(), stdout=log, stderr=subprocess.STDOUT)
        server = Server(f"http://localhost:{port}", tmp_path / "log", process.pid)
        try:
            wait_until_healthy(server, process)
            with Visitor(server.url).open() as visitor:
                visitor.press("load_sample")
                assert any("10,000 records in " in text for text in visitor.texts), visitor.texts
        finally:
            end(process)
    assert "Traceback" not in server.logged()


def test_the_installed_command_scores_the_sample_that_it_brings(environment: Path, tmp_path: Path) -> None:
    sample = packages(environment) / "quasi_dashboard" / "sample_data"
    options = ("--anonymized", str(sample / "candidate_strict.csv"), "--roles", str(sample / "roles.yaml"), "--json")
    command = quasi(environment, "score", *options, "--metrics", "k_anonymity")
    done = subprocess.run(command, cwd=tmp_path, env=variables(), capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["metrics"]["k_anonymity"]["value"] == 41


def test_the_library_is_imported_as_quasi_beside_another_metrics(environment: Path, tmp_path: Path) -> None:
    (tmp_path / "metrics.py").write_text("score = 'another'", encoding="utf-8")
    sample = packages(environment) / "quasi_dashboard" / "sample_data"
    script = tmp_path / "script.py"
    script.write_text(
        "import json, sys, metrics, quasi\n"
        f"roles = quasi.read_roles({str(sample / 'roles.yaml')!r}).roles\n"
        f"card = quasi.score(quasi.read_table({str(sample / 'candidate_strict.csv')!r}), roles)\n"
        "names = sorted(name for name in sys.modules if name.startswith('metrics'))\n"
        "print(json.dumps([card['k_anonymity'].value, metrics.score, names, type(card).__module__]))\n",
        encoding="utf-8",
    )
    command = [quasi(environment)[0], str(script)]
    done = subprocess.run(command, env=variables(), capture_output=True, text=True, check=False)
    assert json.loads(done.stdout) == [41, "another", ["metrics"], "quasi.scoring.scorecard"], done.stderr


def test_a_script_of_an_installed_copy_uses_names_that_nothing_hides(environment: Path, tmp_path: Path) -> None:
    (tmp_path / "metrics.py").write_text("raise SystemExit('another')", encoding="utf-8")
    sample = packages(environment) / "quasi_dashboard" / "sample_data"
    shutil.copy(sample / "candidate_strict.csv", tmp_path)
    made = (
        "from quasi import read_roles\n"
        "from quasi.policy.settings import Settings\n"
        "from quasi.recipes.scripts import Script\n"
        f"script = Script(Settings(read_roles({str(sample / 'roles.yaml')!r}).roles), 'candidate_strict.csv')\n"
        "open('script.py', 'w').write(script.python())\n"
        "print(script.commands())\n"
    )
    python = quasi(environment)[0]
    options = {"cwd": tmp_path, "env": variables(), "capture_output": True, "text": True, "check": True}
    commands = subprocess.run([python, "-c", made], **options).stdout
    assert "\nquasi score --anonymized candidate_strict.csv --settings settings.json\n" in commands
    assert "not installed" not in commands
    assert "k_anonymity 41\n" in subprocess.run([python, "script.py"], **options).stdout


def test_the_wheel_requires_what_the_checkout_does(wheel: Path) -> None:
    (metadata,) = [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".dist-info/METADATA")]
    fields = email.message_from_bytes(zipfile.ZipFile(wheel).read(metadata))
    marked = [Requirement(line) for line in fields.get_all("Requires-Dist", ())]
    extras = {extra: {r.name for r in marked if r.marker and r.marker.evaluate({"extra": extra})} for extra in EXTRAS}
    assert extras == EXTRAS
    wanted = [r for r in marked if r.marker is None or r.name in {*EXTRAS["app"], *EXTRAS["files"]}]
    required = {(r.name, r.specifier) for r in wanted}
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    listed = [Requirement(line) for line in lines if line and not line.startswith("#")]
    assert required == {(r.name, r.specifier) for r in listed}
