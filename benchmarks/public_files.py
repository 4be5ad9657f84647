"""Ordinary public files and what they hold: a list of repositories, and how each file is to be read.

None of the files belongs to this repository; `fetch` clones about 500 MB and keeps about 60.
"""

from __future__ import annotations

import csv
import hashlib
import subprocess
import tempfile
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pandas as pd

MAX_BYTES = 2_000_000
Rows = list[list[str]]

SOURCES: tuple[tuple[str, int, tuple[str, ...]], ...] = (
    ("vincentarelbundock/Rdatasets", 110, ("csv/*.csv",)),
    ("mwaskom/seaborn-data", 40, ("*.csv", "raw/*.csv")),
    ("vega/vega-datasets", 24, ("data/*.csv", "data/*.tsv")),
    ("plotly/datasets", 70, ("*.csv", "*.tsv", "*.xlsx", "mpg_2017.txt")),
    ("fivethirtyeight/data", 80, ("[!mw]*/*.csv", "[!mw]*/*.tsv", "*/*.xlsx", "ma[dry]*/*.csv", "mlb*/*.csv")),
    ("IFCA-Advanced-Computing/pycanon", 20, ("data/*/*.csv", "data/*/*.sav")),
    (
        "arx-deidentifier/arx",
        9,
        ("data/adult_subset.csv", "data/test.csv", "data/test[2_]*[!e].csv", "data/*.xlsx"),
    ),
    ("propublica/compas-analysis", 6, ("*.csv",)),
    ("jbrownlee/Datasets", 50, ("*.csv", "*.data")),
    ("selva86/datasets", 40, ("*.csv",)),
    ("algofairness/fairness-comparison", 12, ("fairness/data/raw/*.csv", "fairness/data/preprocessed/*_original.csv")),
    (
        "statsmodels/statsmodels",
        30,
        ("statsmodels/datasets/*/*.csv", "statsmodels/datasets/*/src/*.csv", "statsmodels/datasets/*/*.dta"),
    ),
    ("wesm/pydata-book", 12, ("datasets/titanic/*.csv", "datasets/babynames/yob19[05]0.txt", "examples/ex[124].*")),
    ("ageron/handson-ml2", 5, ("datasets/*/*.csv",)),
    ("datasciencedojo/datasets", 4, ("*.csv", "*/*.csv")),
    ("datasets/country-codes", 7, ("*/*.csv",)),
    ("datasets/covid-19", 3, ("data/*.csv",)),
    ("guipsamora/pandas_exercises", 10, ("*/*/*.csv",)),
    ("jakevdp/PythonDataScienceHandbook", 10, ("notebooks_v1/data/*.csv",)),
    ("justmarkham/DAT8", 12, ("data/*.csv", "data/*.tsv", "data/u.data")),
    ("justmarkham/pandas-videos", 12, ("data/*.csv",)),
    ("matloff/fasteR", 2, ("data/mlb.txt", "data/prgeng.txt")),
    ("tidyverse/dplyr", 2, ("data-raw/*.csv",)),
    ("tidyverse/haven", 10, ("inst/*/*.sav", "inst/*/*.dta", "tests/testthat/*/*.sav", "tests/testthat/*/*.dta")),
    ("tidyverse/readr", 12, ("inst/extdata/*.csv", "tests/testthat/fixtures/*.csv")),
    ("tidyverse/readxl", 20, ("inst/extdata/*.xlsx", "tests/testthat/sheets/*-xlsx.xlsx")),
    ("Roche/pyreadstat", 16, ("test_data/basic/*.csv", "test_data/basic/*.sav", "test_data/basic/*.dta")),
    ("uiuc-cse/data-fa14", 4, ("data/iris.csv", "data/airlines.dat", "data/airports.dat")),
    ("JeffSackmann/tennis_wta", 4, ("wta_matches_19[69]8.csv", "wta_players.csv", "wta_rankings_80s.csv")),
)
"""Repository, the most files taken from it (those whose paths have the smallest digests), and which paths."""


@dataclass(frozen=True)
class Truth:
    """How a file is to be read, as a person saw by looking at it."""

    delimiter: str | None = None
    """By default a tab for .tsv, else a comma."""
    encoding: str = "utf-8-sig"
    header: int = 1
    skip: int = 0
    footer: int = 0
    quote: str = '"'
    """"" where no character quotes."""
    row_names: bool = False
    """Whether the header has no name for the first column, and no delimiter for it either, as R writes tables."""


NAMELESS, SEMICOLONS = Truth(header=0), Truth(";")
TRUTHS: dict[str, Truth | None] = {
    "arx*": SEMICOLONS,
    "jbrownlee*/airline*": Truth(),
    "jbrownlee*/daily*": Truth(),
    "jbrownlee*/monthly*": Truth(),
    "jbrownlee*/shampoo*": Truth(),
    "jbrownlee*/yearly*": Truth(),
    "jbrownlee*/pollution*": Truth(),
    "jbrownlee*/breast-cancer.csv": Truth(header=0, quote="'"),
    "jbrownlee*/mammography.csv": Truth(header=0, quote="'"),
    "jbrownlee*/ecoli.data": Truth(r"\s+", header=0),
    "jbrownlee*/housing.data": Truth(r"\s+", header=0),
    "jbrownlee*/horse-colic.data": Truth(r"\s+", header=0),
    "jbrownlee*": NAMELESS,
    "ageron*/gdp_per_capita.csv": Truth("\t", "cp1252", footer=1),
    "fivethirtyeight*/ahca_polls.csv": Truth(encoding="mac_roman"),
    "fivethirtyeight*/show-data.csv": Truth(encoding="mac_roman"),
    "fivethirtyeight*/tenth-circuit.csv": Truth(encoding="mac_roman"),
    "fivethirtyeight*/jets-buyer.csv": None,
    "tidyverse*/fixtures/raw.csv": None,
    "fivethirtyeight*/poll-of-pollsters-anonymous-answers-4.tsv": Truth(encoding="cp1252"),
    "fivethirtyeight*/NFL_fandom_data-google_trends.csv": Truth(skip=1),
    "fivethirtyeight*/NFL_fandom_data-surveymonkey.csv": Truth(header=2, footer=1),
    "plotly*/state-population-projections*": SEMICOLONS,
    "plotly*/spectral.csv": NAMELESS,
    "plotly*/mpg_2017.txt": Truth("\t", row_names=True),
    "justmarkham*/bank-additional.csv": SEMICOLONS,
    "justmarkham*/sms.tsv": Truth("\t", header=0, quote=""),
    "justmarkham*/u.data": Truth("\t", header=0),
    "matloff*/mlb.txt": Truth(" ", row_names=True),
    "matloff*/prgeng.txt": Truth(" "),
    "mwaskom*/brain_networks.csv": Truth(header=4),
    "mwaskom*/raw/planets.csv": Truth(skip=10),
    "statsmodels*/anes96/src/*": Truth(" "),
    "statsmodels*/E6_jmulti.csv": Truth(" ", header=0),
    "statsmodels*/modechoice.csv": SEMICOLONS,
    "statsmodels*/scotland/src/scotvote.csv": Truth(" ", row_names=True),
    "statsmodels*/spector.csv": Truth(" ", quote="'"),
    "tidyverse*/color-date*": NAMELESS,
    "tidyverse*/basic-df-singlequote.csv": Truth(quote="'"),
    "uiuc*.dat": NAMELESS,
    "wesm*/yob*": NAMELESS,
    "wesm*/ex2.csv": NAMELESS,
}
"""By a pattern of paths, what differs from a comma, UTF-8 and one header line; None for what is no table."""


def fetch(folder: Path, base: str) -> None:
    """Put the files of every source that is not there yet into its own folder."""
    for repository, max_files, patterns in SOURCES:
        target = folder / repository.replace("/", "+")
        if target.exists():
            continue
        with tempfile.TemporaryDirectory() as scratch:
            repository_path = Path(base) / repository
            if not repository_path.is_dir():
                repository_path = Path(scratch) / "clone"
                subprocess.run(
                    ["git", "clone", "-q", "--bare", "--depth", "1", f"{base}{repository}", repository_path], check=True
                )
            git = ["git", f"--git-dir={repository_path}"]
            listing = subprocess.run([*git, "ls-tree", "-rlz", "HEAD"], capture_output=True, check=True).stdout
            entries = [line.split("\t", 1) for line in listing.decode().split("\0") if line]
            paths = [path for head, path in entries if _wanted(path, patterns) and _fits(head.split()[3])]
            paths.sort(key=lambda path: hashlib.sha256(path.encode()).digest())
            for path in paths[:max_files]:
                blob = subprocess.run([*git, "show", f"HEAD:{path}"], capture_output=True, check=False)
                if blob.returncode == 0 and not blob.stdout.startswith(b"version https://git-lfs"):
                    (target / path).parent.mkdir(parents=True, exist_ok=True)
                    (target / path).write_bytes(blob.stdout)


def _wanted(path: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatch(path, pattern) and path.count("/") == pattern.count("/") for pattern in patterns)


def _fits(size: str) -> bool:
    return size.isdigit() and 0 < int(size) <= MAX_BYTES


def truth_of(path: Path, name: str) -> Rows | None:
    """Names (where the file has some) and records as pandas reads them; None if they are not equally long."""
    truth = next((truth for pattern, truth in TRUTHS.items() if fnmatch(name, pattern)), Truth())
    if truth is None:
        return None
    if path.suffix in (".xlsx", ".dta", ".sav"):
        typed_rows = _typed_truth(path)
        return typed_rows if typed_rows is None or truth.header else [[""] * len(typed_rows[0]), *typed_rows]
    rows = _text_truth(path, truth)
    if rows is None or any(not isinstance(cell, str) for row in rows for cell in row):
        return None
    return rows if truth.header == 1 else [[""] * len(rows[0]), *rows[truth.header :]]


def _text_truth(path: Path, truth: Truth) -> Rows | None:
    """The same of a text file, whose header is still among the records."""
    try:
        frame = pd.read_csv(
            path,
            sep=truth.delimiter or ("\t" if path.suffix == ".tsv" else ","),
            encoding=truth.encoding,
            header=0 if truth.row_names else None,
            dtype=str,
            skiprows=truth.skip,
            na_filter=False,
            quotechar=truth.quote or '"',
            quoting=csv.QUOTE_MINIMAL if truth.quote else csv.QUOTE_NONE,
        )
    except (pd.errors.ParserError, UnicodeDecodeError):
        return None
    rows = frame.iloc[: len(frame) - truth.footer].to_numpy().tolist()
    if truth.row_names:
        rows = [["", *frame.columns], *([str(name), *row] for name, row in zip(frame.index, rows, strict=True))]
    return _without_empty_ends(rows)


def _typed_truth(path: Path) -> Rows | None:
    """The same of a workbook's first sheet, or of a Stata or SPSS file with value labels."""
    try:
        if path.suffix == ".xlsx":
            frame = pd.read_excel(path, header=None, dtype=object, keep_default_na=False)
            return _without_empty_margins([list(map(_text, row)) for row in frame.itertuples(index=False)])
        frame = pd.read_stata(path) if path.suffix == ".dta" else pd.read_spss(path)
    except (KeyError, OverflowError):  # What these libraries cannot read themselves.
        return None
    return [list(map(str, frame.columns)), *(list(map(_text, row)) for row in frame.itertuples(index=False))]


def _text(cell: Any) -> str:
    return "" if pd.isna(cell) else str(cell)


def _without_empty_margins(rows: Rows) -> Rows:
    """The rows and columns of a sheet from the first ones that have a cell."""
    top = next(index for index, row in enumerate(rows) if any(row))
    first_column = min(next(index for index, cell in enumerate(row) if cell) for row in rows if any(row))
    return _without_empty_ends([row[first_column:] for row in rows[top:]])


def _without_empty_ends(rows: Rows) -> Rows:
    """The rows up to the last one that has a cell, and their columns up to the last one that has a name or a cell."""
    width = max(index + 1 for row in rows for index, cell in enumerate(row) if cell != "")
    height = max(index + 1 for index, row in enumerate(rows) if any(row))
    return [row[:width] for row in rows[:height]]
