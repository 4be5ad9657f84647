"""pyCANON's k, l and t of a CSV file, as JSON: `python -m benchmarks.pycanon_run FILE DELIMITER QUASI SENSITIVE`.

Run by the Python of an environment that has pyCANON and nothing of Quasi's; the columns come as JSON lists.
"""

from __future__ import annotations

import json
import sys
from time import perf_counter

import pandas as pd
from pycanon import anonymity

from benchmarks.processes import peak_megabytes

if __name__ == "__main__":
    path, delimiter, *columns = sys.argv[1:]
    quasi_identifiers, sensitive = map(json.loads, columns)
    started = perf_counter()
    frame = pd.read_csv(path, sep=delimiter)
    read = perf_counter()
    found = {
        "k": float(anonymity.k_anonymity(frame, quasi_identifiers)),
        "l": float(anonymity.l_diversity(frame, quasi_identifiers, sensitive)),
        "t": float(anonymity.t_closeness(frame, quasi_identifiers, sensitive)),
    }
    scored = perf_counter()
    times = {"seconds": scored - started, "read": read - started, "score": scored - read}
    print(json.dumps(times | found | {"peak_megabytes": peak_megabytes()}))
