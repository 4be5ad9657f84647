"""One measurement in this process, as JSON: `python -m benchmarks.run_once STEP ORIGINAL ANONYMIZED HIERARCHIES`.

A fresh process each time: imports are done before the clock starts, and the peak of memory is that of this step alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from benchmarks.processes import Figures, peak_megabytes
from benchmarks.tables import COLUMNS, DELIMITER, QUASI_IDENTIFIERS, SENSITIVE

SCORED = (
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
"""The metrics whose time is compared with pyarrow's: those that need no attack and no model."""
SCORED_METRICS = (
    f"{len(SCORED)} of the catalog's metrics (P_29, k-anonymity, t-closeness, distinct, entropy, recursive and "
    "normalized entropy l-diversity, non-uniform entropy, ambiguity, profitability)"
)


def read_limit(original: Path, anonymized: Path, hierarchies: Path) -> Figures:
    """What pyarrow alone needs to read both files into dictionary columns; from Parquet, also into dictionaries."""
    code = pa.dictionary(pa.int32(), pa.string())
    parse = pyarrow.csv.ParseOptions(delimiter=DELIMITER)
    convert = pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(COLUMNS, code))
    start = perf_counter()
    tables = [
        pyarrow.parquet.read_table(path, read_dictionary=list(COLUMNS))
        if path.suffix == ".parquet"
        else pyarrow.csv.read_csv(path, parse_options=parse, convert_options=convert)
        for path in (original, anonymized)
    ]
    seconds = perf_counter() - start
    if any(not pa.types.is_dictionary(table[name].type) for table in tables for name in COLUMNS):
        raise AssertionError("pyarrow did not read dictionaries")
    return {"seconds": seconds}


def quasi(original: Path, anonymized: Path, hierarchies: Path) -> Figures:
    """Read both tables, compute some metrics, the object of `score --json` and the table of classes."""
    import metrics

    roles = metrics.Roles(quasi_identifiers=list(QUASI_IDENTIFIERS), sensitive=list(SENSITIVE))
    trees = metrics.read_hierarchies(hierarchies)
    start = perf_counter()
    before = metrics.read_table(original)
    after = metrics.read_table(anonymized)
    read_end = perf_counter()
    card = metrics.score(after, roles, original=before, hierarchies=trees, metrics=SCORED)
    result = card.to_dict()
    classes = card.classes.to_arrow()
    score_end = perf_counter()
    # In a small table a class can have fewer values than l; no c holds then.
    expected = [identifier for identifier in SCORED if identifier != "recursive_cl_diversity"]
    missing = [identifier for identifier in expected if result["metrics"][identifier]["unavailable"] is not None]
    if missing:
        raise AssertionError(f"metrics unavailable: {missing}")
    return {
        "seconds": score_end - start,
        "read": read_end - start,
        "score": score_end - read_end,
        "classes": classes.num_rows,
        "metrics": len(SCORED),
    }


def catalogue(chosen: Sequence[str] | None, original: Path, anonymized: Path, hierarchies: Path) -> Figures:
    """Score some metrics of the catalog, by default those that are not on demand; reading is not timed."""
    import metrics

    roles = metrics.Roles(quasi_identifiers=list(QUASI_IDENTIFIERS), sensitive=list(SENSITIVE))
    trees = metrics.read_hierarchies(hierarchies)
    before, after = metrics.read_table(original), metrics.read_table(anonymized)
    start = perf_counter()
    metrics.score(after, roles, original=before, hierarchies=trees, metrics=chosen)
    return {"seconds": perf_counter() - start}


STEPS: dict[str, Callable[[Path, Path, Path], Figures]] = {
    "limit": read_limit,
    "quasi": quasi,
    "scored": partial(catalogue, SCORED),
    "usual": partial(catalogue, None),
    "everything": partial(catalogue, ["all"]),
}


if __name__ == "__main__":
    step, *paths = sys.argv[1:]
    figures = STEPS[step](*(Path(path) for path in paths))
    print(json.dumps(figures | {"peak_megabytes": peak_megabytes()}))
