"""Where packages may be installed without the hashes of the lock. Standard library alone.

A package index that withholds a locked version must not be able to switch the hashes off: they are left out only where
this Python or platform is one that the lock was not made for, and only with the user's consent.
"""

import os
import platform
import sys
import sysconfig

WITHOUT_HASHES = "QUASI_WITHOUT_HASHES"
"""The variable that consents in advance, where nobody can be asked."""

_OLDEST, _NEWEST = (3, 11), (3, 13)
"""The versions of Python that the locked packages are tested with."""
_PLATFORMS = {("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "arm64"), ("darwin", "x86_64"), ("win32", "amd64")}
_GLIBC = (2, 28)
"""The oldest C library that the locked packages are built for."""


def here() -> str:
    """This Python and platform, for messages."""
    implementation = platform.python_implementation().replace("CPython", "Python")
    return f"{implementation} {sys.version_info[0]}.{sys.version_info[1]} on {sys.platform} ({platform.machine()})"


def lock_fits() -> bool:
    """Whether the lock was made for this Python and platform: a version that is missing here is the index's doing."""
    return (
        platform.python_implementation() == "CPython"
        and _OLDEST <= sys.version_info[:2] <= _NEWEST
        and not sysconfig.get_config_var("Py_GIL_DISABLED")
        and (sys.platform, platform.machine().lower()) in _PLATFORMS
        and sys.maxsize > 2**32
        and (sys.platform != "linux" or _has_glibc())
    )


def user_agrees() -> bool:
    """Whether the user agrees to leave the hashes out; without a terminal only the variable says so."""
    if os.environ.get(WITHOUT_HASHES) == "1":
        return True
    if not sys.stdin.isatty():
        return False
    print(
        f"The locked versions are not available for {here()}. Install others, without checking their hashes? [y/N] ",
        end="",
        file=sys.stderr,
        flush=True,
    )
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _has_glibc() -> bool:
    name, version = platform.libc_ver()
    parts = version.split(".")
    return name == "glibc" and all(map(str.isdigit, parts)) and tuple(map(int, parts)) >= _GLIBC
