"""The whole catalog on adult, compared with a few of its metrics."""

from __future__ import annotations

from statistics import median

from benchmarks.explore import adult_folder
from benchmarks.processes import figures_of, say
from benchmarks.report import Line, Section
from benchmarks.run_once import SCORED

SECONDS = 3.0
REPETITIONS = 5


def measure(repetitions: int = REPETITIONS) -> list[Section]:
    """In processes of their own; nothing where the reference data are absent."""
    folder = adult_folder()
    if not folder.is_dir():
        return [Section("catalogue", "The reference data are absent: set REFERENCE_DATA to their folder.", ())]
    files = [str(folder / name) for name in ("adult.csv", "adult_anonymized.csv", "adult_hierarchy_intervals")]
    say("catalogue")
    kinds = {
        "scored": (f"the {len(SCORED)} metrics of *Scoring*", None),
        "usual": ("all that are not on demand", None),
        "everything": ("every metric, those on demand included", SECONDS),
    }
    runs: dict[str, list[float]] = {kind: [] for kind in kinds}
    for _ in range(repetitions):
        for kind, seconds in runs.items():
            seconds.append(figures_of("benchmarks.run_once", kind, *files)["seconds"])
    lines = [Line(title, median(runs[kind]), "s", target) for kind, (title, target) in kinds.items()]
    how = (
        "adult, 30,162 records, seven quasi-identifiers, two sensitive attributes. Seconds: median of "
        f"{repetitions} processes of each kind that take turns, reading and imports of the package excluded."
    )
    return [Section("catalogue", how, lines)]
