"""Files made to exhaust their reader: time, memory, and the processor time for which one step held the interpreter.

`python -m benchmarks.hostile` makes each file in a temporary folder and proposes and reads it in a process of its own.
"""

from __future__ import annotations

import gzip
import io
import json
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.processes import figures_of, peak_megabytes

MAX_SECONDS, MAX_MEGABYTES, MAX_HELD_MS = 5.0, 1000.0, 200.0
TICK_S = 0.005
OUTCOMES = ("read", "asked, read", "refused", "asked, refused", "refused by its own plan")
HEAD = b"id,town,age\n1,Oslo,5\n"


def zip_bomb() -> bytes:
    """A workbook whose only sheet is a gigabyte of blanks."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/workbook.xml", "<workbook/>")
        with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
            for _ in range(1000):
                sheet.write(b" " * 1_000_000)
    return buffer.getvalue()


def gzip_bomb() -> bytes:
    """A gigabyte of records in a few megabytes."""
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=9) as stream:
        stream.write(HEAD)
        for _ in range(1000):
            stream.write(b"1,Oslo,5\n" * 111_111)
    return buffer.getvalue()


def gzip_below_the_bound() -> bytes:
    """Records that vary just enough for their gzip file to be accepted, and take a few hundred megabytes."""
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=9) as stream:
        stream.write(HEAD)
        for block in range(300):
            stream.write(
                b"".join(b"%d,Oslo,5\n" % (block * record % 9973) for record in range(3000)) + b"1,Oslo,5\n" * 111_111
            )
    return buffer.getvalue()


FILES: dict[str, Callable[[], bytes]] = {
    "zip bomb, 1 GB": zip_bomb,
    "gzip bomb, 1 GB": gzip_bomb,
    "gzip just below the bound, 300 MB": gzip_below_the_bound,
    "a cell of 10 million line breaks": lambda: HEAD + b'2,"' + b"\n" * 10_000_000 + b'",7\n',
    "10 million line breaks outside cells": lambda: HEAD + b"\n" * 10_000_000 + b"2,Rome,7\n",
    "a line of 1 million commas": lambda: HEAD + b"," * 1_000_000 + b"\n2,Rome,7\n",
    "a header of 1 million commas": lambda: b"," * 1_000_000 + b"\n" + b"1" + b"," * 1_000_000 + b"\n",
    "20,000 columns, 5 records": lambda: b"".join(
        b",".join(b"%s%d" % (prefix, column) for column in range(20_000)) + b"\n"
        for prefix in (b"c", b"", b"1", b"2", b"3", b"4")
    ),
    "8 million quotes": lambda: HEAD + b'"' * 8_000_000 + b"\n",
    "8 million quotes in separate cells": lambda: HEAD + b'2,"",7\n' * 4_000_000,
    "2 million quotes within unquoted cells": lambda: HEAD + b'2,O"slo,7\n' * 2_000_000,
    "a quote not closed over 20 MB": lambda: HEAD + b'2,"Rome,7\n' + b"3,Bonn,9\n" * 2_200_000,
    "a first cell of 1 million characters": lambda: b"x" * 1_000_000 + b",town\n1,Oslo\n2,Rome\n",
    "20 MB in one line": lambda: b"x" * 20_000_000,
    "20 MB not UTF-8": lambda: HEAD + b"2,Troms\xf8,7\n" * 1_700_000,
    "20 MB of random bytes": lambda: bytes((i * i >> 7) & 255 for i in range(1 << 16)) * 320,
}


def once(path: Path) -> dict[str, float]:
    """Propose a plan and read a file; a refusal is no error here, because hostile files may be refused."""
    from metrics.errors import InputError
    from metrics.reading import propose, read_table

    read_table(HEAD, plan=propose(HEAD).plan)  # Imports and pools are no part of what is measured.
    gaps, finished = [0.0], threading.Event()
    # The processor time that reading used between two ticks: unlike the time that passed, it holds on a busy machine.
    clock = time.pthread_getcpuclockid(threading.get_ident())

    def tick() -> None:
        before = time.clock_gettime(clock)
        while not finished.is_set():
            time.sleep(TICK_S)
            now = time.clock_gettime(clock)
            gaps.append(now - before)
            before = now

    ticker = threading.Thread(target=tick)
    ticker.start()
    start = time.perf_counter()
    outcome = "refused"
    try:
        proposal = propose(path)
        outcome = "asked, refused" if proposal.questions else "refused by its own plan"
        read_table(path, plan=proposal.plan)
        outcome = "asked, read" if proposal.questions else "read"
    except InputError as error:
        print(error, file=sys.stderr)
    seconds = time.perf_counter() - start
    finished.set()
    ticker.join()
    return {
        "seconds": seconds,
        "megabytes": peak_megabytes(),
        "held_ms": max(gaps) * 1000,
        "outcome": OUTCOMES.index(outcome),
    }


def main() -> None:
    """Print one line per file, with a mark if a limit is exceeded."""
    print(f"{'':40}{'seconds':>9}{'MB':>8}{'held ms':>9}  outcome")
    with tempfile.TemporaryDirectory() as folder:
        for name, make in FILES.items():
            path = Path(folder) / "file"
            path.write_bytes(make())
            figures = figures_of("benchmarks.hostile", str(path))
            bounds = {"seconds": MAX_SECONDS, "megabytes": MAX_MEGABYTES, "held_ms": MAX_HELD_MS}
            exceeded = [figure for figure, limit in bounds.items() if figures[figure] > limit]
            note = f"  above the bound: {', '.join(exceeded)}" if exceeded else ""
            print(
                f"{name:40}{figures['seconds']:9.2f}{figures['megabytes']:8.0f}{figures['held_ms']:9.0f}  "
                f"{OUTCOMES[int(figures['outcome'])]}{note}",
                flush=True,
            )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(once(Path(sys.argv[1]))))
    else:
        main()
