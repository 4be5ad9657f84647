"""What reading processes are asked in tests instead of reading: a module that imports next to nothing, as each does."""

import os
import re
import time
from pathlib import Path

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


def free_memory(content: bytes, *, name: str) -> int:
    """The bytes that the process may still take, once others have been asked, too."""
    from metrics.tables.free_memory import available_memory

    time.sleep(1)
    return available_memory() or 0


def take_memory(content: bytes, *, name: str) -> int:
    """Ask for nine tenths of what is free on the machine, without using it."""
    import numpy as np

    free = re.search(r"MemAvailable:\s+(\d+)", Path("/proc/meminfo").read_text(encoding="ascii"))
    return len(np.empty(int(free[1]) * 1024 * 9 // 10, dtype=np.uint8)) if free else 0


def first_to_end(content: bytes, *, name: str) -> str:
    """How readily the system ends the process where memory runs out."""
    return Path("/proc/self/oom_score_adj").read_text(encoding="ascii").strip()


def wait_for_another(content: bytes, *, name: str) -> None:
    """Start a process that writes to a pipe of this name and goes on for ten minutes."""
    import subprocess

    with open(name, "wb") as pipe:
        subprocess.run(["sh", "-c", "echo begun; exec sleep 600"], stdout=pipe, check=False)


def answer_with_a_function(content: bytes, *, name: str) -> object:
    """What a process may answer that a file has taken over."""
    return os.system
