"""`python3 -m dashboard` on a fresh machine: what it makes, what it trusts, what it says when it fails."""

import ast
import importlib.util
import json
import os
import re
import runpy
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from dashboard import __main__ as command
from dashboard import environment, hash_pins

FILES = environment.TEST_REQUIREMENTS


@dataclass
class Tools:
    """Stands in for venv and pip: records what is asked of them, and fails with a given output."""

    venv_output: str | None = None
    pip_output: str | None = None
    locked_output: str | None = None
    asked: list[str] = field(default_factory=list)
    lines: list[list[str]] = field(default_factory=list)

    def __call__(self, line: list[str], variables: object) -> subprocess.CompletedProcess[str]:
        tool = line[line.index("-m") + 1]
        self.asked.append(tool)
        self.lines.append(line)
        of_pip = self.locked_output if "--require-hashes" in line else self.pip_output
        output = self.venv_output if tool == "venv" else of_pip
        if output is None and tool == "venv":
            python = Path(line[-1]) / "bin" / "python"
            python.parent.mkdir()
            python.symlink_to(sys.executable)
        return subprocess.CompletedProcess(line, 0 if output is None else 1, output or "")


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> Tools:
    if sys.platform == "win32":
        pytest.skip("the stand-in for venv makes links as POSIX systems do")
    stand_in = Tools()
    monkeypatch.setattr(environment, "_run", stand_in)
    return stand_in


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in FILES:
        (tmp_path / name).write_text("# nothing\n", encoding="utf-8")
    return tmp_path


def said(root: Path, files: tuple[str, ...] = FILES) -> list[str]:
    lines: list[str] = []
    assert environment.ensure(root, files, lines.append) == environment.interpreter(root)
    return lines


def test_the_environment_is_made_once_and_reused(root: Path, tools: Tools) -> None:
    assert len(said(root)) == 2
    assert said(root) == []
    assert tools.asked == ["venv", "pip"]


def test_nothing_but_the_environment_is_written(root: Path, tools: Tools) -> None:
    said(root)
    assert sorted(entry.name for entry in root.iterdir()) == sorted([".venv", *FILES])


@pytest.mark.parametrize("name", FILES)
def test_changed_requirements_are_installed(root: Path, tools: Tools, name: str) -> None:
    said(root)
    (root / name).write_text("# something else\n", encoding="utf-8")
    assert said(root)[0].startswith("Updating")
    assert tools.asked == ["venv", "pip", "pip"]


def test_test_requirements_come_on_top(root: Path, tools: Tools) -> None:
    said(root, environment.RUN_REQUIREMENTS)
    assert not environment.is_ready(root, FILES)
    said(root)
    assert said(root, environment.RUN_REQUIREMENTS) == []
    assert tools.asked == ["venv", "pip", "pip"]


def lock(root: Path) -> None:
    """Locks of the requirements files as they are now."""
    for files, name in environment.LOCKS.items():
        (root / name).write_text(environment.lock_header(root, files) + "# nothing\n", encoding="utf-8")


def test_locked_packages_are_installed_with_their_hashes(root: Path, tools: Tools) -> None:
    lock(root)
    said(root)
    assert tools.lines[-1][-3:] == ["--require-hashes", "--requirement", str(root / "requirements-test-lock.txt")]
    assert said(root, environment.RUN_REQUIREMENTS) == []
    (root / "requirements-lock.txt").write_text("# another\n", encoding="utf-8")
    assert not environment.is_ready(root, environment.RUN_REQUIREMENTS)


def test_a_lock_of_other_requirements_is_left_alone(root: Path, tools: Tools) -> None:
    lock(root)
    (root / "requirements.txt").write_text("# changed\n", encoding="utf-8")
    said(root)
    assert "--require-hashes" not in tools.lines[-1]
    assert tools.lines[-1][-4:] == [part for name in FILES for part in ("--requirement", str(root / name))]


MISSING = [
    "ERROR: No matching distribution found for numpy==2.4.6\n",
    "ERROR: Ignored the following versions that require a different python version: 2.4.6 Requires-Python >=3.99\n"
    "ERROR: Could not find a version that satisfies the requirement numpy==2.4.6 (from versions: 2.4.5)\n",
    "ERROR: Package 'numpy' requires a different Python: 3.12.1 not in '>=3.99'\n",
    "ERROR: Hashes are required in --require-hashes mode, but they are missing from some requirements here.\n",
]
"""What pip prints where a locked version does not fit, or the index says so."""


@pytest.mark.parametrize("output", MISSING)
def test_an_index_that_withholds_a_locked_version_cannot_switch_the_hashes_off(
    root: Path, tools: Tools, monkeypatch: pytest.MonkeyPatch, output: str
) -> None:
    lock(root)
    tools.locked_output = output
    monkeypatch.setattr(hash_pins, "lock_fits", lambda: True)
    monkeypatch.setattr(hash_pins, "user_agrees", lambda: True)
    with pytest.raises(environment.SetupError, match="The package index lacks a locked version") as caught:
        said(root)
    assert "\n" not in str(caught.value)
    assert tools.asked == ["venv", "pip"]
    assert not environment.is_ready(root, FILES)


@pytest.mark.parametrize("agrees", [True, False])
def test_where_the_lock_is_for_other_pythons_others_are_taken_only_if_the_user_agrees(
    root: Path, tools: Tools, monkeypatch: pytest.MonkeyPatch, agrees: bool
) -> None:
    lock(root)
    tools.locked_output = MISSING[0]
    monkeypatch.setattr(hash_pins, "lock_fits", lambda: False)
    monkeypatch.setattr(hash_pins, "user_agrees", lambda: agrees)
    if agrees:
        assert "installing others that fit" in said(root)[1]
    else:
        with pytest.raises(environment.SetupError, match="QUASI_WITHOUT_HASHES=1"):
            said(root)
    assert tools.asked == ["venv", "pip", "pip"][: 2 + agrees]


def test_other_bytes_than_the_locked_ones_are_refused(root: Path, tools: Tools) -> None:
    lock(root)
    tools.locked_output = "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.\n"
    with pytest.raises(environment.SetupError, match="its hash differs"):
        said(root)
    assert tools.asked == ["venv", "pip"]
    assert not environment.is_ready(root, FILES)


def test_a_python_that_does_not_start_is_replaced(root: Path, tools: Tools) -> None:
    said(root)
    python = environment.interpreter(root)
    python.unlink()
    python.symlink_to(root / "gone")
    said(root)
    assert tools.asked == ["venv", "pip", "venv", "pip"]
    assert environment.is_ready(root, FILES)


def test_a_moved_environment_is_rebuilt(root: Path, tools: Tools) -> None:
    said(root)
    moved = root / "moved"
    moved.mkdir()
    for name in (".venv", *FILES):
        shutil.move(root / name, moved / name)
    assert not environment.is_ready(moved, FILES)
    said(moved)
    assert tools.asked == ["venv", "pip", "venv", "pip"]


def test_a_link_to_another_environment_is_refused_and_left_as_it_is(root: Path, tools: Tools) -> None:
    other = root / "other"
    other.mkdir()
    for name in FILES:
        shutil.copy(root / name, other / name)
    said(other)
    held = sorted((other / ".venv").rglob("*"))
    (root / ".venv").symlink_to(other / ".venv")
    with pytest.raises(environment.SetupError, match="is a link"):
        said(root)
    assert sorted((other / ".venv").rglob("*")) == held


def test_an_environment_of_another_python_is_rebuilt(root: Path, tools: Tools) -> None:
    said(root)
    stamp = root / ".venv" / "quasi-ready.json"
    stamp.write_text(json.dumps(json.loads(stamp.read_text()) | {"python": "CPython 3.10"}))
    said(root)
    assert tools.asked == ["venv", "pip", "venv", "pip"]


@pytest.mark.parametrize("content", ["", "[]", "{", '{"python": 3}'])
def test_an_environment_with_a_damaged_stamp_file_is_not_ready(root: Path, tools: Tools, content: str) -> None:
    said(root)
    (root / ".venv" / "quasi-ready.json").write_text(content)
    assert not environment.is_ready(root, FILES)


@pytest.mark.parametrize("already_made", [False, True])
def test_a_partial_environment_is_not_trusted(root: Path, tools: Tools, already_made: bool) -> None:
    if already_made:
        said(root)
        (root / FILES[0]).write_text("# something else\n", encoding="utf-8")
    tools.pip_output = "ERROR: wheel is broken"
    with pytest.raises(environment.SetupError, match=r"\(pip: wheel is broken\)"):
        said(root)
    assert not environment.is_ready(root, FILES)
    tools.pip_output = None
    tools.asked.clear()
    said(root)
    assert tools.asked == ["venv", "pip"]


def test_a_failure_of_venv_is_reported_in_one_sentence(root: Path, tools: Tools) -> None:
    tools.venv_output = "something\nError: ensurepip failed\n\n"
    with pytest.raises(environment.SetupError, match=r"\(Error: ensurepip failed\): install .*python3-venv"):
        said(root)


def test_missing_requirements_file_is_named(root: Path, tools: Tools) -> None:
    said(root)
    (root / "requirements.txt").unlink()
    with pytest.raises(environment.SetupError, match=r"requirements\.txt is missing"):
        said(root)


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_missing_module_is_named(root: Path, tools: Tools, monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == module else find_spec(name))
    with pytest.raises(environment.SetupError, match=rf"`{module}` module.*apt install python3\.\d+-venv"):
        said(root)
    assert tools.asked == []


@pytest.mark.parametrize("make", [Path.touch, lambda path: shutil.copytree(path.parent, path)])
def test_a_folder_of_the_user_is_left_alone(root: Path, tools: Tools, make: object) -> None:
    assert callable(make)
    make(root / ".venv")
    with pytest.raises(environment.SetupError, match="is not a Python environment: move it away"):
        said(root)
    assert tools.asked == []


def test_an_unwritable_folder_is_reported_in_one_sentence(
    root: Path, tools: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(environment.SetupError, match=r"cannot be written \(Permission denied\)"):
        said(root)


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (
            "WARNING: Retrying after connection broken by 'NewConnectionError(...)'\n"
            "ERROR: Could not find a version that satisfies the requirement pandas (from versions: none)\n"
            "ERROR: No matching distribution found for pandas\n",
            r"cannot be downloaded \(pip: Could not find .*\): check the network",
        ),
        ("ERROR: Could not install: [Errno 28] No space left on device\n", "The disk is full"),
        (
            "ERROR: Package 'x' requires a different Python: 3.11 not in '>=3.12'\n",
            r"installed \(pip: Package",
        ),
        ("", r"installed \(pip: no output\)"),
    ],
)
def test_pip_failures_say_what_to_do(output: str, expected: str) -> None:
    line = environment.pip_failure(output)
    assert "\n" not in line
    assert line.endswith("run the command again.")
    assert re.search(expected, line)


def test_two_starts_at_once_share_one_environment(root: Path, tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    other_waits = threading.Event()

    def say(line: str) -> None:
        lines.append(line)
        if line.startswith("Another start is setting up"):
            other_waits.set()

    def run(line: list[str], variables: object) -> subprocess.CompletedProcess[str]:
        assert other_waits.wait(60)
        return tools(line, variables)

    monkeypatch.setattr(environment, "_run", run)
    with ThreadPoolExecutor(2) as starts:
        made = [starts.submit(environment.ensure, root, FILES, say) for _ in range(2)]
    assert [one.result() for one in made] == [environment.interpreter(root)] * 2
    assert tools.asked == ["venv", "pip"]
    assert environment.is_ready(root, FILES)


@pytest.mark.skipif(sys.platform == "win32", reason="a lock is not inherited on Windows")
def test_a_start_waits_for_the_pip_that_a_killed_one_left_behind(root: Path) -> None:
    pipe = root / "pipe"
    os.mkfifo(pipe)
    install = ["sh", "-c", f"exec > {pipe}; echo $$; exec sleep 600"]
    starting = (
        "from pathlib import Path; from dashboard import environment; "
        f"environment._set_up = lambda *_: environment._run({install!r}, {{}}); "
        f"environment.ensure(Path({str(root)!r}), {FILES!r}, print)"
    )
    with subprocess.Popen([sys.executable, "-c", starting], cwd=environment.ROOT) as start:
        with pipe.open() as written:
            pip = int(written.readline())
        start.kill()
    with (root / ".venv" / "quasi.lock").open("a") as lock:
        assert not environment._try_lock(lock)
        os.kill(pip, signal.SIGKILL)
        while not environment._try_lock(lock):
            time.sleep(0.01)


def test_an_unreachable_package_is_reported_in_one_sentence(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the real venv, and the real pip, which is forbidden to ask an index."""
    real = environment._run

    def run(line: list[str], variables: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        """Does what is asked, but lends the environment the pip that runs here: to write its own takes seconds."""
        done = real([*line, "--without-pip"] if "venv" in line else line, variables)
        packages = sysconfig.get_path("purelib", scheme="venv", vars={"base": str(root / ".venv")})
        (Path(packages) / "pip.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
        return done

    monkeypatch.setattr(environment, "_run", run)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    (root / "requirements.txt").write_text("quasi-no-such-package>=1\n", encoding="utf-8")
    with pytest.raises(environment.SetupError, match=r"cannot be downloaded \(pip: Could not find") as caught:
        said(root)
    assert "\n" not in str(caught.value)
    assert not environment.is_ready(root, FILES)


def test_a_busy_port_is_reported_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert command.main(["--no-browser", "--port", str(port)]) == 2
    line = capsys.readouterr().err
    assert line.startswith(f"Port {port} is already in use")
    assert "--port" in line
    assert line.count("\n") == 1
    environment.require_free_port(port)


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http", "8501.0", "٣"])
def test_bad_port_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        command.main([f"--port={port}"])
    assert caught.value.code == 2
    assert "a port is a whole number from 1 to 65535" in capsys.readouterr().err


def test_an_interruption_is_reported_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(environment, "ensure", interrupt)
    assert command.main(["test"]) == 130
    assert capsys.readouterr().err == "Stopped.\n"


def test_test_arguments_go_to_pytest(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def ensure(_root: Path, files: tuple[str, ...], _say: object) -> Path:
        asked.append(files)
        return Path("python")

    def exec_process(line: list[str], _folder: Path) -> None:
        asked.append(line)
        raise SystemExit(0)

    monkeypatch.setattr(environment, "ensure", ensure)
    monkeypatch.setattr(environment, "exec_process", exec_process)
    with pytest.raises(SystemExit):
        command.main(["test", "-k", "environment", "--port"])
    assert asked == [FILES, ["python", "-m", "pytest", "-k", "environment", "--port"]]


@pytest.mark.parametrize(
    ("arguments", "display", "headless"),
    [([], ":0", "false"), ([], "", "true"), (["--no-browser"], ":0", "true")],
)
def test_a_browser_is_opened_where_one_can_be(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], display: str, headless: str
) -> None:
    lines: list[list[str]] = []

    def exec_process(line: list[str], _folder: Path) -> None:
        lines.append(line)
        raise SystemExit(0)

    monkeypatch.setattr("platform.system", lambda: "Linux")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.setattr(environment, "require_free_port", lambda _port: None)
    monkeypatch.setattr(environment, "ensure", lambda *_arguments: Path("python"))
    monkeypatch.setattr(environment, "exec_process", exec_process)
    with pytest.raises(SystemExit):
        command.main(arguments)
    assert lines[0][-4:] == ["--server.port", "8501", "--server.headless", headless]


def test_a_folder_of_tables_is_handed_on_by_its_true_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def exec_process(_line: list[str], _folder: Path) -> None:
        raise SystemExit(0)

    monkeypatch.setenv(environment.TABLES_FOLDER, "")
    monkeypatch.setattr(environment, "require_free_port", lambda _port: None)
    monkeypatch.setattr(environment, "ensure", lambda *_arguments: Path("python"))
    monkeypatch.setattr(environment, "exec_process", exec_process)
    (tmp_path / "tables").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "tables")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        command.main(["--tables-folder", "link"])
    assert os.environ[environment.TABLES_FOLDER] == str((tmp_path / "tables").resolve())
    capsys.readouterr()
    assert command.main(["--tables-folder", "nowhere"]) == 2
    line = capsys.readouterr().err
    assert line.startswith("The folder of tables nowhere is not there, or may not be read")
    assert line.count("\n") == 1


def test_an_old_python_is_reported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 4, "final", 0))
    with pytest.raises(SystemExit) as caught:
        runpy.run_path(str(environment.ROOT / "dashboard" / "__main__.py"))
    assert caught.value.code == 2
    line = capsys.readouterr().err
    assert line.startswith("Quasi needs Python 3.11 or newer, and this is 3.10")
    assert line.count("\n") == 1


@pytest.mark.parametrize("name", ["__init__.py", "__main__.py"])
def test_an_old_python_can_read_the_check(name: str) -> None:
    source = (environment.ROOT / "dashboard" / name).read_text(encoding="utf-8")
    assert ast.parse(source, feature_version=(3, 6))
