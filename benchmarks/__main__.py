"""`python -m benchmarks [NAME …] [--out PATH | --docs]`: run the named benchmarks, or all but the longest."""

from __future__ import annotations

import argparse
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from pkgutil import resolve_name

from benchmarks import report
from benchmarks.processes import say
from dashboard.environment import ROOT


def _deferred(reference: str) -> Callable[[], list[report.Section]]:
    """A benchmark that is imported when it is run: `score` needs no browser."""
    return lambda: resolve_name(reference)()


BENCHMARKS: dict[str, Callable[[], list[report.Section]]] = {
    "score": _deferred("benchmarks.score:measure"),
    "catalogue": _deferred("benchmarks.catalogue:measure"),
    "peers": _deferred("benchmarks.peers:measure"),
    "growth": _deferred("benchmarks.growth:measure"),
    "explore": _deferred("benchmarks.explore:measure"),
    "search": _deferred("benchmarks.large_search:measure"),
    "methods": _deferred("benchmarks.methods:measure"),
    "start": _deferred("benchmarks.start:measure"),
    "slider": _deferred("benchmarks.slider:measure"),
    "pages": _deferred("benchmarks.pages:measure"),
    "engines": _deferred("benchmarks.engines:measure"),
    "uniqueness": _deferred("benchmarks.uniqueness:measure"),
    "intervals": _deferred("benchmarks.attack_intervals:measure"),
    "learning": _deferred("benchmarks.learning:measure"),
    "randomization": _deferred("benchmarks.randomization:measure"),
    "health": _deferred("benchmarks.health:measure"),
    "walk": _deferred("benchmarks.walk:measure"),
    "fresh": _deferred("benchmarks.start:measure_from_nothing"),
    "load": _deferred("benchmarks.load:measure"),
}
ON_DEMAND = ("fresh", "load", "search")
"""Run only if named: one installs everything again, the others take minutes."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the chosen benchmarks, or all; 1 if a target is missed or a benchmark failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "which",
        nargs="*",
        metavar="|".join(BENCHMARKS),
        help="benchmarks to run (default: all but fresh, load and search)",
    )
    outputs = parser.add_mutually_exclusive_group()
    outputs.add_argument("--out", type=Path, help="save the results as PATH.json, PATH.md and the chart PATH.png")
    outputs.add_argument("--docs", action="store_true", help="--out docs/benchmarks, and the figures in docs/speed.md")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.which if name not in BENCHMARKS]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]}; there are {', '.join(BENCHMARKS)}")
    names = options.which or [name for name in BENCHMARKS if name not in ON_DEMAND]
    out = ROOT / "docs" / "benchmarks" if options.docs else options.out
    runs = _run(names, out)
    print(report.markdown(runs), end="")
    if out:
        draw(out)
    if options.docs:
        from benchmarks import speed_page

        speed_page.update(ROOT / "docs" / "speed.md", report.read(out.with_suffix(".json")))
    missed_lines = [line for run in runs.values() for section in run.sections for line in section.lines if line.missed]
    return int(bool(missed_lines) or len(runs) < len(set(names)))


def _run(names: Sequence[str], out: Path | None) -> dict[str, report.Run]:
    """Run the named benchmarks and save each one's results; those that fail are left out."""
    runs: dict[str, report.Run] = {}
    # In the order of BENCHMARKS: what this process has used would show in the peaks of its children.
    for name in (name for name in BENCHMARKS if name in names):
        say(name)
        try:
            runs[name] = report.Run(report.machine(), BENCHMARKS[name]())
        except Exception:
            # The others can still be measured, and figures from before stay.
            traceback.print_exc()
            say(f"{name} failed")
            continue
        if out:
            keep(runs, out)
    return runs


def keep(measured: Mapping[str, report.Run], out: Path) -> None:
    """Write the files; results of benchmarks that were not run are kept."""
    runs = report.read(out.with_suffix(".json")) | dict(measured)
    report.write({name: runs[name] for name in BENCHMARKS if name in runs}, out)


def draw(out: Path) -> None:
    """Draw the chart, in a separate process, because it fails where there is no browser."""
    if not {"peers", "growth"} <= report.read(out.with_suffix(".json")).keys():
        say("no chart: it needs the results of `peers` and `growth`")
        return
    command = [sys.executable, "-m", "benchmarks.chart", str(out.with_suffix(".json").resolve())]
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        say("no chart: it needs Playwright and Chromium")


if __name__ == "__main__":
    raise SystemExit(main())
