"""The calls of `score` on adult."""

from __future__ import annotations

from statistics import median

from benchmarks.explore import adult_folder
from benchmarks.processes import figures_of, say
from benchmarks.report import Line, Section
from benchmarks.score import CALLS

SECONDS = 3.0
REPETITIONS = 5


def measure(repetitions: int = REPETITIONS) -> list[Section]:
    """In processes of their own; nothing where the reference data are absent."""
    folder = adult_folder()
    if not folder.is_dir():
        return [Section("catalogue", "The reference data are absent: set REFERENCE_DATA to their folder.", ())]
    files = [str(folder / name) for name in ("adult.csv", "adult_anonymized.csv", "adult_hierarchy_intervals")]
    say("catalogue")
    runs: dict[str, list[float]] = {step: [] for step in CALLS}
    for _ in range(repetitions):
        for step, seconds in runs.items():
            seconds.append(figures_of("benchmarks.run_once", step, *files)["score"])
    targets = {"every": SECONDS}
    lines = [Line(title, median(runs[step]), "s", targets.get(step)) for step, title in CALLS.items()]
    how = (
        "adult, 30,162 records, seven quasi-identifiers, two sensitive attributes. Seconds: median of "
        f"{repetitions} processes of each kind that take turns, reading and imports of the package excluded."
    )
    return [Section("catalogue", how, lines)]
