"""Locks that hold what the requirements ask for, a licence for each package, and what the audit of them says."""

import re
import subprocess
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from dashboard.environment import LOCKS, ROOT, RUN_REQUIREMENTS, TEST_REQUIREMENTS, lock_of
from maintenance import test_programs
from maintenance.audit import KNOWN, NONE_KNOWN, NOT_ASKED, audit
from maintenance.licences import PAGE, pins, versions
from maintenance.release import differences
from metrics.version import VERSION

FREE = (
    "MIT",
    "BSD",
    "Apache",
    "PSF",
    "Python Software Foundation",
    "ISC",
    "LGPL",  # python-stdnum: imported, never changed or copied
    "MPL",
    "HPND",
    "CMU",
    "Unlicense",
    "Zlib",
    "0BSD",
)


def required(root: Path, files: tuple[str, ...]) -> list[Requirement]:
    lines = [line.partition("#")[0].strip() for name in files for line in (root / name).read_text().splitlines()]
    return [Requirement(line) for line in lines if line]


@pytest.mark.parametrize("files", LOCKS)
def test_a_lock_contains_every_required_package(files: tuple[str, ...]) -> None:
    assert lock_of(ROOT, files) is not None, "The requirements have changed: run `python -m maintenance.lock`"
    locked = {canonicalize_name(name): found for name, found in versions(ROOT / LOCKS[files]).items()}
    for wanted in required(ROOT, files):
        assert all(map(wanted.specifier.contains, locked[canonicalize_name(wanted.name)])), wanted


@pytest.mark.parametrize("files", LOCKS)
def test_every_package_has_hashes_and_no_other_source(files: tuple[str, ...]) -> None:
    text = (ROOT / LOCKS[files]).read_text(encoding="utf-8")
    entries = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(entries) == len(list(pins(ROOT / LOCKS[files])))
    for entry in entries:
        assert re.findall(r"--hash=sha256:[0-9a-f]{64}", entry), entry
    assert "://" not in text
    assert " @ " not in text


def test_the_locked_packages_for_running_are_also_locked_for_testing() -> None:
    assert set(pins(ROOT / LOCKS[RUN_REQUIREMENTS])) <= set(pins(ROOT / LOCKS[TEST_REQUIREMENTS]))


def test_the_licence_of_each_package_is_reported() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z0-9-]\S*) \| (\d.*) \| (.+) \|$", text, re.MULTILINE)
    listed = {name: found.split(", ") for name, found, _ in rows}
    assert listed == versions(ROOT / LOCKS[TEST_REQUIREMENTS]), "Run `python -m maintenance.licences`"
    assert [row for row in rows if not any(free in row[2] for free in FREE)] == []
    assert {"MIT", "Apache-2.0"} < {said for _, _, said in rows}
    for font in sorted((ROOT / "dashboard" / "static").glob("*.woff2")):
        assert font.name in text


# As pip-audit prints it: the service knows neither package.
SKIPPED = """Name   Skip Reason
------ ------------------------------------------------------------------------
numpy  Dependency not found on PyPI and could not be audited: numpy (2.3.4)
pandas Dependency not found on PyPI and could not be audited: pandas (2.3.3)
"""


@pytest.mark.parametrize(
    ("answer", "status", "message"),
    [
        (("", "No known vulnerabilities found"), NONE_KNOWN, "No known vulnerability"),
        (("quart 1.0 PYSEC-1", "Found 1 known vulnerability in 1 package"), KNOWN, "quart 1.0 PYSEC-1"),
        ((f"quart 1.0 PYSEC-1\n{SKIPPED}", "Found 1 known vulnerability in 1 package"), KNOWN, "quart 1.0 PYSEC-1"),
        ((SKIPPED, "No known vulnerabilities found, ignored 0"), NOT_ASKED, "does not know 2 of the locked packages"),
        (("", "Failed to resolve 'pypi.org'"), NOT_ASKED, "could not be reached"),
        (None, NOT_ASKED, "no answer within"),
    ],
)
def test_the_audit_reports_known_vulnerabilities_or_that_the_service_did_not_answer(
    monkeypatch: pytest.MonkeyPatch, answer: tuple[str, str] | None, status: int, message: str
) -> None:
    """The workflow asks in earnest: what is known today is no property of the code, and needs the network."""

    def ask(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        assert str(ROOT / LOCKS[TEST_REQUIREMENTS]) in command
        if answer is None:
            raise subprocess.TimeoutExpired(command, 1)
        return subprocess.CompletedProcess(command, 0, *answer)

    monkeypatch.setattr(subprocess, "run", ask)
    found, line = audit()
    assert (found, message in line) == (status, True)


@pytest.mark.parametrize(
    ("arguments", "browser", "java"),
    [
        ([], True, True),
        (["-m", "slow"], True, True),
        (["-m", "not browser"], False, True),
        (["tests/browser/test_pages.py::test_one", "-n", "0"], True, False),
        (["tests/engines", "tests/privacy"], False, True),
        (["tests"], True, True),
        (["--collect-only", "--quiet"], False, False),
    ],
)
def test_the_command_for_tests_installs_the_programs_that_the_chosen_tests_need(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], browser: bool, java: bool
) -> None:
    commands: list[tuple[str, ...]] = []

    def run(command: tuple[str, ...], **_: object) -> subprocess.CompletedProcess[bytes]:
        commands.append(command)
        return subprocess.CompletedProcess(command, 1)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(test_programs, "chromium", lambda: None)
    monkeypatch.setattr(test_programs, "has_java", lambda: False)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    said: list[str] = []
    test_programs.install_missing(Path("python"), arguments, said.append)
    wanted = [("apt-get", "install", "-y", name) for name in ("chromium", "openjdk-17-jre-headless")]
    assert [command in commands for command in wanted] == [browser, java]
    assert (("python", "-m", "playwright", "install", "chromium") in commands) is browser
    assert len(said) == browser + java


def test_a_release_has_one_version_everywhere() -> None:
    assert list(differences(f"v{VERSION}")) == []
    assert len(list(differences("v0.0.0"))) == 5
