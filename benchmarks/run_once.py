"""One measurement in this process, as JSON: `python -m benchmarks.run_once STEP ORIGINAL ANONYMIZED HIERARCHIES`.

A fresh process each time: imports are done before the clock starts, and the peak of memory is that of this step alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from benchmarks.processes import Figures, peak_megabytes
from benchmarks.tables import COLUMNS, DELIMITER, QUASI_IDENTIFIERS, SENSITIVE

SEEDS = (
    "p29",
    "k_anonymity",
    "t_closeness",
    "distinct_l_diversity",
    "entropy_l_diversity",
    "recursive_cl_diversity",
    "normalized_entropy_l_diversity",
    "non_uniform_entropy",
    "ambiguity",
    "profitability",
)


def read_limit(original: Path, anonymized: Path, hierarchies: Path) -> Figures:
    """What pyarrow alone needs to read both files into dictionary columns; of Parquet, into dictionaries likewise."""
    code = pa.dictionary(pa.int32(), pa.string())
    parse = pyarrow.csv.ParseOptions(delimiter=DELIMITER)
    convert = pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(COLUMNS, code))
    started = perf_counter()
    tables = [
        pyarrow.parquet.read_table(path, read_dictionary=list(COLUMNS))
        if path.suffix == ".parquet"
        else pyarrow.csv.read_csv(path, parse_options=parse, convert_options=convert)
        for path in (original, anonymized)
    ]
    seconds = perf_counter() - started
    if any(not pa.types.is_dictionary(table[name].type) for table in tables for name in COLUMNS):
        raise AssertionError("pyarrow did not read dictionaries")
    return {"seconds": seconds}


def quasi(original: Path, anonymized: Path, hierarchies: Path) -> Figures:
    """Read both tables, compute the seeds' metrics, the object of `score --json` and the table of classes."""
    import metrics

    roles = metrics.Roles(quasi_identifiers=list(QUASI_IDENTIFIERS), sensitive=list(SENSITIVE))
    trees = metrics.read_hierarchies(hierarchies)
    started = perf_counter()
    before = metrics.read_table(original)
    after = metrics.read_table(anonymized)
    read = perf_counter()
    card = metrics.score(after, roles, original=before, hierarchies=trees, metrics=SEEDS)
    found = card.to_dict()
    classes = card.classes.to_arrow()
    scored = perf_counter()
    # In a small table a class can have fewer values than l; no c holds then.
    expected = [identifier for identifier in SEEDS if identifier != "recursive_cl_diversity"]
    missing = [identifier for identifier in expected if found["metrics"][identifier]["unavailable"] is not None]
    if missing:
        raise AssertionError(f"metrics unavailable: {missing}")
    return {
        "seconds": scored - started,
        "read": read - started,
        "score": scored - read,
        "classes": classes.num_rows,
        "metrics": len(SEEDS),
    }


def catalogue(original: Path, anonymized: Path, hierarchies: Path) -> Figures:
    """Score the seeds' metrics, then every other one of the catalog, those on demand included; reading is not timed."""
    import metrics

    roles = metrics.Roles(quasi_identifiers=list(QUASI_IDENTIFIERS), sensitive=list(SENSITIVE))
    trees = metrics.read_hierarchies(hierarchies)
    before, after = metrics.read_table(original), metrics.read_table(anonymized)
    started = perf_counter()
    metrics.score(after, roles, original=before, hierarchies=trees, metrics=SEEDS)
    seeds = perf_counter()
    metrics.score(after, roles, original=before, hierarchies=trees)
    usual = perf_counter()
    metrics.score(after, roles, original=before, hierarchies=trees, metrics=["all"])
    everything = perf_counter()
    return {"seeds": seeds - started, "usual": usual - seeds, "everything": everything - usual}


STEPS: dict[str, Callable[[Path, Path, Path], Figures]] = {"limit": read_limit, "quasi": quasi, "catalogue": catalogue}


if __name__ == "__main__":
    step, *paths = sys.argv[1:]
    figures = STEPS[step](*(Path(path) for path in paths))
    print(json.dumps(figures | {"peak_megabytes": peak_megabytes()}))
