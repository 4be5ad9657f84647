"""What reading processes are asked in tests instead of reading: a module that imports next to nothing, as each does."""

import os
import re

SECRET = "Quetzalcoatl"


def hold_the_interpreter(content: bytes, *, name: str) -> None:
    """Work that never lets go of the interpreter: this match takes longer than anybody lives."""
    re.fullmatch(r"(a+)+b", "a" * 200 + name)


def fail(content: bytes, *, name: str) -> None:
    """An exception whose text holds a cell."""
    raise KeyError(SECRET)


def die(content: bytes, *, name: str) -> None:
    """End as a process does that the system kills."""
    os._exit(9)


def look_around(content: bytes, *, name: str) -> dict[str, str]:
    """The environment that a reading process has."""
    return dict(os.environ)


def process_number(content: bytes, *, name: str) -> int:
    """The number of the process that answers."""
    return os.getpid()
