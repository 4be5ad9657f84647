"""The environment in `.venv`: made once, trusted only when complete, and started. Standard library alone."""

import contextlib
import errno
import hashlib
import importlib.util
import json
import os
import platform
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NoReturn, TextIO

from dashboard import hash_pins

ROOT = Path(__file__).resolve().parents[1]
RUN_REQUIREMENTS = ("requirements.txt",)
TEST_REQUIREMENTS = ("requirements.txt", "requirements-test.txt")
# Exact versions with hashes for each set of requirements files; `python -m maintenance.lock` makes them.
LOCKS: Mapping[Sequence[str], str] = {
    RUN_REQUIREMENTS: "requirements-lock.txt",
    TEST_REQUIREMENTS: "requirements-test-lock.txt",
}

PROJECT = "QUASI_PROJECT"
"""The ARX project that each session opens."""
TABLES_FOLDER = "QUASI_TABLES"
"""The variable that names the folder whose tables the server offers, see `dashboard.server_tables`."""

_STAMP = "quasi-ready.json"
_LOCK = "quasi.lock"
_NO_CONNECTION = (
    "NewConnectionError",
    "ConnectTimeoutError",
    "ReadTimeoutError",
    "ProxyError",
    "SSLError",
    "ProtocolError",
    "ConnectionResetError",
    "name resolution",
)
_NO_NETWORK = (*_NO_CONNECTION, "(from versions: none)")
_NO_FIT = (
    "No matching distribution found",
    "Could not find a version",
    "requires a different Python",
    "Hashes are required",
)
_OTHER_BYTES = "DO NOT MATCH THE HASHES"


class SetupError(Exception):
    """The environment or the dashboard cannot be started; the message is one sentence with the remedy."""


def ensure(root: Path, requirements: Sequence[str], say: Callable[[str], None]) -> Path:
    """Return the interpreter of an environment in which the requirements files are installed.

    Makes or completes `root/.venv` if need be; `say` receives a line for each step that takes time.
    Raises SetupError if that is impossible. Nothing outside `root/.venv` is written.
    """
    if is_ready(root, requirements):
        return interpreter(root)
    _require_modules()
    folder = root / ".venv"
    try:
        _take_ownership(folder)
        with (folder / _LOCK).open("a") as lock, _exclusive(lock, say):
            if not is_ready(root, requirements):
                _set_up(root, requirements, say)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SetupError(
            f"The environment in {folder} cannot be written ({reason}): free some space there, or move Quasi "
            "to a folder you may write to, and run the command again."
        ) from error
    return interpreter(root)


def is_ready(root: Path, requirements: Sequence[str]) -> bool:
    """Whether `.venv` was completed for these requirements files as they are now, and its Python starts."""
    stamp = _read_stamp(root)
    return (
        _belongs_here(root, stamp)
        and all(stamp.get(name) == _digest(root / name) for name in _requirement_files(root, requirements))
        and _starts(root)
    )


def lock_header(root: Path, requirements: Sequence[str]) -> str:
    """First lines of a lock: the requirements files it was made for, by their content."""
    return "".join(f"# sha256 {name} {_digest(root / name)}\n" for name in requirements)


def lock_of(root: Path, requirements: Sequence[str]) -> Path | None:
    """The lock of the requirements files as they are now; None if there is none, or they have changed since."""
    name = LOCKS.get(tuple(requirements))
    if name is None or not (root / name).is_file():
        return None
    text = (root / name).read_text(encoding="utf-8")
    return root / name if text.startswith(lock_header(root, requirements)) else None


def interpreter(root: Path) -> Path:
    """Path of the environment's Python, whether it exists or not."""
    parts = ("Scripts", "python.exe") if sys.platform == "win32" else ("bin", "python")
    return root.joinpath(".venv", *parts)


def allow_tables(folder: Path) -> None:
    """Let what is started from here offer the tables in a folder. Raises SetupError where it cannot be read."""
    if not folder.is_dir() or not os.access(folder, os.R_OK | os.X_OK):
        raise SetupError(
            f"The folder of tables {folder} is not there, or may not be read: name another one with --tables-folder."
        )
    os.environ[TABLES_FOLDER] = str(folder.resolve())


def open_project(path: Path) -> None:
    """Let what is started from here open an ARX project in each session. Raises SetupError where it cannot be read."""
    if not path.is_file() or not os.access(path, os.R_OK):
        raise SetupError(f"The project {path} is not there, or may not be read: name the .deid file that ARX saved.")
    os.environ[PROJECT] = str(path.resolve())


def require_free_port(port: int) -> None:
    """Raise SetupError if the dashboard cannot listen on a TCP port of this machine."""
    for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        try:
            with socket.socket(family, socket.SOCK_STREAM) as probe:
                if sys.platform != "win32":
                    # A port whose connections closed a moment ago is free (Windows: means something else).
                    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((address, port))
        except PermissionError as error:
            raise SetupError(
                f"Port {port} is reserved by the system: choose one above 1023, for example --port 8501."
            ) from error
        except OSError as error:
            # A machine without IPv6 refuses ::1 for reasons that are not ours; 127.0.0.1 must work.
            if family == socket.AF_INET or error.errno == errno.EADDRINUSE:
                raise SetupError(
                    f"Port {port} is already in use: open http://localhost:{port} if that is Quasi, or "
                    f"choose another port, for example --port {port + 1 if port < 65535 else 8501}."
                ) from error


def dashboard_command(python: Path, script: Path, port: int, open_browser: bool) -> list[str]:
    """Command line that serves a Streamlit script; its settings stand in `.streamlit` beside the script."""
    headless = "false" if open_browser else "true"
    streamlit = [str(python), "-m", "dashboard.serving.run"]
    return [*streamlit, "run", str(script), "--server.port", str(port), "--server.headless", headless]


def exec_process(command: list[str], folder: Path) -> NoReturn:
    """Run a command in a folder instead of this process; ends with the command's exit status."""
    sys.stdout.flush()
    sys.stderr.flush()
    if sys.platform == "win32":
        # There, exec returns to the shell at once: stay, and leave Ctrl-C to the child, which gets it too.
        process = subprocess.Popen(command, cwd=folder)
        while True:
            with contextlib.suppress(KeyboardInterrupt):
                sys.exit(process.wait())
    else:
        os.chdir(folder)
        os.execv(command[0], command)


def pip_failure(output: str) -> str:
    """One sentence for what pip printed when it failed: what went wrong and what to do."""
    message = _pip_error(output)
    if _OTHER_BYTES in output:
        return (
            "A package that was downloaded is not the one that is locked (its hash differs), so nothing of it was "
            "installed: check the index that pip is told to use, and run the command again."
        )
    if "No space left on device" in output:
        return "The disk is full: free about 1 GB for the environment and run the command again."
    if any(phrase in output for phrase in _NO_NETWORK):
        return (
            f"The packages cannot be downloaded (pip: {message}): check the network connection, or the proxy "
            "and index that pip is told to use, and run the command again."
        )
    return f"The packages cannot be installed (pip: {message}): correct that and run the command again."


def _pip_error(output: str) -> str:
    """The first error that pip printed."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")] or lines[-1:] or ["ERROR: no output"]
    return errors[0].removeprefix("ERROR:").strip().rstrip(".")


def _require_modules() -> None:
    for module in ("venv", "ensurepip"):
        if importlib.util.find_spec(module) is None:
            version = f"{sys.version_info.major}.{sys.version_info.minor}"
            raise SetupError(
                f"This Python has no `{module}` module, which makes environments: install it (Debian and "
                f"Ubuntu: apt install python{version}-venv) and run the command again."
            )


def _take_ownership(folder: Path) -> None:
    """Make the folder; refuse one that is not an environment, or lies elsewhere, since setting up empties it."""
    if folder.is_symlink():
        raise SetupError(
            f"{folder} is a link, and setting up would empty the folder it leads to: remove the link and run the "
            "command again."
        )
    if folder.is_dir() and any(folder.iterdir()):
        is_usable = (folder / "pyvenv.cfg").exists() or (folder / _LOCK).exists()
    else:
        is_usable = not folder.exists() or folder.is_dir()  # in this order: another start may make it in between
    if not is_usable:
        raise SetupError(f"{folder} is not a Python environment: move it away and run the command again.")
    folder.mkdir(exist_ok=True)


def _set_up(root: Path, requirements: Sequence[str], say: Callable[[str], None]) -> None:
    """Install into `.venv`; the stamp goes first and comes back last: a partial one is never trusted."""
    started = time.monotonic()
    is_intact = _belongs_here(root, _read_stamp(root)) and _starts(root)
    (root / ".venv" / _STAMP).unlink(missing_ok=True)
    say(f"{'Updating' if is_intact else 'Setting up'} the environment in .venv (once; about a minute) ...")
    if not is_intact:
        _create(root)
    # Read before pip installs: a file edited meanwhile must not pass for installed.
    included = [files for files in LOCKS if set(files) <= set(requirements)]
    installed_files = {name for files in (requirements, *included) for name in _requirement_files(root, files)}
    stamp = _identity(root) | {name: _digest(root / name) for name in installed_files}
    _install_requirements(root, requirements, say)
    partial_stamp = root / ".venv" / f"{_STAMP}.part"
    partial_stamp.write_text(json.dumps(stamp, indent=1), encoding="utf-8")
    partial_stamp.replace(root / ".venv" / _STAMP)
    say(f"The environment is ready ({time.monotonic() - started:.0f} s).")


def _install_requirements(root: Path, requirements: Sequence[str], say: Callable[[str], None]) -> None:
    """Install the locked versions, or with the user's consent others where those are not for this Python or platform.

    Raises SetupError.
    """
    lock = lock_of(root, requirements)
    failure = None if lock is None else _install(root, ["--require-hashes", "--requirement", str(lock)])
    if failure is not None and _does_not_fit(failure):
        _require_consent(failure)
        say(f"The locked versions are not available for {hash_pins.here()}; installing others that fit ...")
        lock = None
    if lock is None:
        failure = _install(root, [part for name in requirements for part in ("--requirement", str(root / name))])
    if failure is not None:
        raise SetupError(pip_failure(failure))


def _require_consent(failure: str) -> None:
    """Raise SetupError where the lock fits, so that only the index can be the reason, or the user does not agree."""
    if hash_pins.lock_fits():
        raise SetupError(
            f"The package index lacks a locked version or one of its files (pip: {_pip_error(failure)}), so nothing "
            "was installed: check the index that pip is told to use, and run the command again."
        )
    if not hash_pins.user_agrees():
        raise SetupError(
            f"The locked versions are not available for {hash_pins.here()}: use another Python, or set "
            f"{hash_pins.WITHOUT_HASHES}=1 to install others without checking their hashes, and run the command again."
        )


def _requirement_files(root: Path, requirements: Sequence[str]) -> list[str]:
    """The files that say what to install: the requirements, and their lock if there is one."""
    lock = LOCKS.get(tuple(requirements))
    return [*requirements, *([lock] if lock is not None and (root / lock).is_file() else [])]


def _install(root: Path, options: Sequence[str]) -> str | None:
    """Let pip install; return what it printed if it failed, else None."""
    arguments = ["install", "--quiet", "--disable-pip-version-check", "--no-input", "--retries", "3", *options]
    # Isolated, and not into the user's own folder: PYTHONPATH and PIP_USER would put packages elsewhere.
    result = _run([str(interpreter(root)), "-I", "-m", "pip", *arguments], os.environ | {"PIP_USER": "0"})
    return result.stdout if result.returncode != 0 else None


def _does_not_fit(output: str) -> bool:
    """Whether pip failed because locked versions are not there, rather than by the network, or by other bytes."""
    if _OTHER_BYTES in output or any(phrase in output for phrase in _NO_CONNECTION):
        return False
    return any(phrase in output for phrase in _NO_FIT)


def _create(root: Path) -> None:
    folder = root / ".venv"
    for entry in folder.iterdir():
        if entry.name == _LOCK:
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    # The environment's own Python, if it runs this process, has just been deleted: use the one it was made from.
    base = getattr(sys, "_base_executable", None) or sys.executable
    result = _run([base, "-I", "-m", "venv", str(folder)], os.environ)
    if result.returncode != 0:
        lines = [line.strip() for line in result.stdout.splitlines() if line.strip()] or ["no output"]
        raise SetupError(
            f"Python's venv module failed ({lines[-1]}): install a complete Python 3.11 or newer (Debian and "
            "Ubuntu: with python3-venv) and run the command again."
        )


def _run(command: list[str], variables: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
        close_fds=False,  # of this program's files the lock alone is inherited
    )


def _identity(root: Path) -> dict[str, str]:
    """Facts that tie an environment to its place and Python: scripts and links in it hold both."""
    version = f"{platform.python_implementation()} {sys.version_info.major}.{sys.version_info.minor}"
    return {"location": str(root / ".venv"), "python": version}


def _belongs_here(root: Path, stamp: dict[str, str]) -> bool:
    return all(stamp.get(key) == value for key, value in _identity(root).items())


def _read_stamp(root: Path) -> dict[str, str]:
    try:
        stamp = json.loads((root / ".venv" / _STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:
        raise SetupError(f"{path} is missing: fetch a complete copy of Quasi and start again.") from None


def _starts(root: Path) -> bool:
    try:
        command = [str(interpreter(root)), "-I", "-S", "-c", ""]
        return subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


@contextlib.contextmanager
def _exclusive(lock: TextIO, say: Callable[[str], None]) -> Iterator[None]:
    """Hold a lock file, waiting while another process does; the system frees it when the process ends.

    What it has started holds it too: killed alone, it leaves a pip behind that the next start has to wait for.
    """
    os.set_inheritable(lock.fileno(), True)
    if not _try_lock(lock):
        say("Another start is setting up the environment; waiting for it ...")
        while not _try_lock(lock):
            time.sleep(0.2)
    yield


def _try_lock(lock: TextIO) -> bool:
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
    else:
        import fcntl

        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            # A file system without locks: better to start than to refuse.
            if error.errno not in (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS):
                raise
    return True
