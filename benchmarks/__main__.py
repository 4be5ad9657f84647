"""`python -m benchmarks [NAME …] [--out PATH | --docs]`: measure what is named, or all but what takes long."""

from __future__ import annotations

import argparse
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchmarks import report
from benchmarks.processes import say
from dashboard.environment import ROOT


def _score() -> list[report.Section]:
    from benchmarks import score

    return score.measure()


def _catalogue() -> list[report.Section]:
    from benchmarks import catalogue

    return catalogue.measure()


def _peers() -> list[report.Section]:
    from benchmarks import peers

    return peers.measure()


def _growth() -> list[report.Section]:
    from benchmarks import growth

    return growth.measure()


def _explore() -> list[report.Section]:
    from benchmarks import explore

    return explore.measure()


def _start() -> list[report.Section]:
    from benchmarks import start

    return start.measure()


def _slider() -> list[report.Section]:
    from benchmarks import slider

    return slider.measure()


def _pages() -> list[report.Section]:
    from benchmarks import pages

    return pages.measure()


def _engines() -> list[report.Section]:
    from benchmarks import engines

    return engines.measure()


def _fresh() -> list[report.Section]:
    from benchmarks import start

    return start.measure_from_nothing()


def _load() -> list[report.Section]:
    from benchmarks import load

    return load.measure()


# Imported when run: `score` needs no browser.
BENCHMARKS: dict[str, Callable[[], list[report.Section]]] = {
    "score": _score,
    "catalogue": _catalogue,
    "peers": _peers,
    "growth": _growth,
    "explore": _explore,
    "start": _start,
    "slider": _slider,
    "pages": _pages,
    "engines": _engines,
    "fresh": _fresh,
    "load": _load,
}
ON_DEMAND = ("fresh", "load")
"""Only when named: one installs everything anew, the other takes a quarter of an hour."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the chosen benchmarks, or all; 1 if a target is missed or a benchmark failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "which", nargs="*", metavar="|".join(BENCHMARKS), help="all but fresh and load if none is named"
    )
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--out", type=Path, help="keep the figures in PATH.json, PATH.md and the chart PATH.png")
    place.add_argument("--docs", action="store_true", help="--out docs/benchmarks, and README's part on speed")
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.which if name not in BENCHMARKS]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]}; there are {', '.join(BENCHMARKS)}")
    wanted = chosen.which or [name for name in BENCHMARKS if name not in ON_DEMAND]
    out = ROOT / "docs" / "benchmarks" if chosen.docs else chosen.out
    measured: dict[str, report.Run] = {}
    # In this order, whatever the order asked for: what this process has used would show in the peaks of its children.
    for name, run in BENCHMARKS.items():
        if name not in wanted:
            continue
        say(name)
        try:
            measured[name] = report.Run(report.machine(), run())
        except Exception:
            # The others can still be measured, and figures from before stay.
            traceback.print_exc()
            say(f"{name} failed")
            continue
        if out:
            keep(measured, out)
    print(report.markdown(measured), end="")
    if out:
        draw(out)
    if chosen.docs:
        from benchmarks import readme

        readme.update(ROOT / "README.md", report.read(out.with_suffix(".json")))
    missed = [line for run in measured.values() for section in run.sections for line in section.lines if line.missed]
    return int(bool(missed) or len(measured) < len(set(wanted)))


def keep(measured: Mapping[str, report.Run], out: Path) -> None:
    """Write the files, with what they hold of benchmarks that were not run now."""
    runs = report.read(out.with_suffix(".json")) | dict(measured)
    report.write({name: runs[name] for name in BENCHMARKS if name in runs}, out)


def draw(out: Path) -> None:
    """Draw the chart, in a process of its own, for it fails where there is no browser."""
    if not {"peers", "growth"} <= report.read(out.with_suffix(".json")).keys():
        say("no chart: it shows what `peers` and `growth` measure")
        return
    command = [sys.executable, "-m", "benchmarks.chart", str(out.with_suffix(".json").resolve())]
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        say("the chart was not drawn: it needs Playwright and Chromium")


if __name__ == "__main__":
    raise SystemExit(main())
