"""`python -m benchmarks [NAME …] [--out PATH]`: measure all or the named benchmarks, tell which targets are met."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import report


def _score() -> list[report.Section]:
    from benchmarks import score

    return score.measure()


def _catalogue() -> list[report.Section]:
    from benchmarks import catalogue

    return catalogue.measure()


def _explore() -> list[report.Section]:
    from benchmarks import explore

    return explore.measure()


def _slider() -> list[report.Section]:
    from benchmarks import slider

    return slider.measure()


def _load() -> list[report.Section]:
    from benchmarks import load

    return load.measure()


def _engines() -> list[report.Section]:
    from benchmarks import engines

    return engines.measure()


# Imported when run: `score` needs no browser.
BENCHMARKS: dict[str, Callable[[], list[report.Section]]] = {
    "score": _score,
    "catalogue": _catalogue,
    "explore": _explore,
    "slider": _slider,
    "load": _load,
    "engines": _engines,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the chosen benchmarks, or all; 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("which", nargs="*", metavar="|".join(BENCHMARKS), help="all if none is named")
    parser.add_argument("--out", type=Path, help="also write PATH.json and PATH.md")
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.which if name not in BENCHMARKS]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]}; there are {', '.join(BENCHMARKS)}")
    # In this order, whatever the order asked for: what this process has used would show in the peaks of its children.
    sections = [
        section for name, run in BENCHMARKS.items() if not chosen.which or name in chosen.which for section in run()
    ]
    print(report.markdown(sections), end="")
    if chosen.out:
        report.write(sections, chosen.out)
    return int(any(line.verdict == "MISSED" for section in sections for line in section.lines))


if __name__ == "__main__":
    raise SystemExit(main())
