"""The whole catalog on adult, compared with the metrics of the seeds."""

from __future__ import annotations

from statistics import median

from benchmarks.explore import adult_folder
from benchmarks.processes import figures_of, say
from benchmarks.report import Line, Section
from benchmarks.run_once import SEEDS

SECONDS = 3.0
REPETITIONS = 5


def measure(repetitions: int = REPETITIONS) -> list[Section]:
    """In processes of their own; nothing where the reference data are absent."""
    folder = adult_folder()
    if not folder.is_dir():
        return [Section("catalogue", "The reference data are absent: set REFERENCE_DATA to their folder.", ())]
    files = [str(folder / name) for name in ("adult.csv", "adult_anonymized.csv", "adult_hierarchy_intervals")]
    say("catalogue")
    runs = [figures_of("benchmarks.run_once", "catalogue", *files) for _ in range(repetitions)]
    lines = [
        Line(f"the seeds' {len(SEEDS)} metrics", median(run["seeds"] for run in runs), "s", None),
        Line("all that are not on demand", median(run["usual"] for run in runs), "s", None),
        Line("every metric, those on demand included", median(run["everything"] for run in runs), "s", SECONDS),
    ]
    how = (
        "adult, 30,162 records, seven quasi-identifiers, two sensitive attributes. Seconds: median of "
        f"{repetitions} processes, reading and imports of the package excluded."
    )
    return [Section("catalogue", how, lines)]
