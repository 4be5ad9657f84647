"""Hashes of packages are left out only for a Python or platform that the lock is not for, and with consent."""

import io
import platform
import sys
import sysconfig

import pytest

from dashboard import hash_pins


class Terminal(io.StringIO):
    """Answers that a person types."""

    def isatty(self) -> bool:
        """Whether a person can be asked."""
        return True


@pytest.fixture
def usual(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python and a platform that the lock is for."""
    monkeypatch.setattr(sys, "version_info", (3, 12, 1, "final", 0))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(platform, "libc_ver", lambda: ("glibc", "2.36"))


@pytest.mark.usefixtures("usual")
def test_the_lock_fits_the_usual_pythons_and_platforms() -> None:
    assert hash_pins.lock_fits()
    assert hash_pins.here() == "Python 3.12 on linux (x86_64)"


@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize(
    ("owner", "name", "value"),
    [
        (sys, "version_info", (3, 99, 0, "final", 0)),
        (sys, "platform", "freebsd14"),
        (sys, "maxsize", 2**31 - 1),
        (platform, "machine", lambda: "riscv64"),
        (platform, "libc_ver", lambda: ("", "")),
        (platform, "libc_ver", lambda: ("glibc", "2.17")),
        (platform, "python_implementation", lambda: "PyPy"),
        (sysconfig, "get_config_var", lambda name: 1),
    ],
)
def test_the_lock_is_not_for_others(owner: object, name: str, value: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owner, name, value)
    assert not hash_pins.lock_fits()


@pytest.mark.parametrize(
    ("answer", "agrees"), [("y\n", True), ("YES\n", True), ("\n", False), ("", False), ("n\n", False)]
)
def test_the_user_is_asked_at_a_terminal(answer: str, agrees: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(hash_pins.WITHOUT_HASHES, raising=False)
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    assert hash_pins.user_agrees() is agrees


@pytest.mark.parametrize(("value", "agrees"), [("1", True), ("", False), ("0", False)])
def test_without_a_terminal_only_the_variable_agrees(value: str, agrees: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(hash_pins.WITHOUT_HASHES, value)
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    assert hash_pins.user_agrees() is agrees
