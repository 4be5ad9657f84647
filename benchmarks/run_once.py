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
"""The ten metrics of the documents that Quasi began with: they need no attack and no model."""


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


def quasi(chosen: Sequence[str] | None, original: Path, anonymized: Path, hierarchies: Path) -> Figures:
    """Read both tables, compute metrics, by default those of the default call, their JSON and the table of classes."""
    import metrics

    roles = metrics.Roles(quasi_identifiers=list(QUASI_IDENTIFIERS), sensitive=list(SENSITIVE))
    trees = metrics.read_hierarchies(hierarchies)
    start = perf_counter()
    before = metrics.read_table(original)
    after = metrics.read_table(anonymized)
    read_end = perf_counter()
    card = metrics.score(after, roles, original=before, hierarchies=trees, metrics=chosen)
    result = card.to_dict()
    classes = card.classes.to_arrow()
    score_end = perf_counter()
    # In a small table a class can have fewer values than l; no c holds then.
    expected = [identifier for identifier in SEEDS if identifier != "recursive_cl_diversity"]
    missing = [identifier for identifier in expected if result["metrics"][identifier]["unavailable"] is not None]
    if missing:
        raise AssertionError(f"metrics unavailable: {missing}")
    return {
        "seconds": score_end - start,
        "read": read_end - start,
        "score": score_end - read_end,
        "classes": classes.num_rows,
        "metrics": len(result["metrics"]),
    }


STEPS: dict[str, Callable[[Path, Path, Path], Figures]] = {
    "limit": read_limit,
    "default": partial(quasi, None),
    "seeds": partial(quasi, SEEDS),
    "every": partial(quasi, ["all"]),
}


if __name__ == "__main__":
    step, *paths = sys.argv[1:]
    figures = STEPS[step](*(Path(path) for path in paths))
    print(json.dumps(figures | {"peak_megabytes": peak_megabytes()}))
