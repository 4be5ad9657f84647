"""Large tables made from a seed, in the place of the seeds' large tables, which are no part of the repository.

What their figures must be, the oracle says. They have what makes the published tables interesting: classes that fail
each condition of P_29 and a table without them that meets all; nine quasi-identifiers on different levels, and a
third of the records suppressed.
"""

import random
from collections import Counter
from dataclasses import dataclass
from functools import cache

from metrics import Roles
from tests.oracle import P29, p29
from tests.oracle.hierarchy import Rows

Records = list[dict[str, str | None]]

ADMISSIONS = Roles(
    quasi_identifiers=["race", "gender", "age"],
    sensitive=["diag_1", "diag_2", "diag_3", "max_glu_serum", "A1Cresult", "readmitted"],
)
_GROUPS = ["circulatory", "other", "respiratory", "digestive", "injury", "genitourinary", "neoplasms", "diabetes"]
_CHOICES: dict[str, tuple[list[str], list[int]]] = {
    "race": (["Caucasian", "AfricanAmerican", "Other", "Hispanic", "Asian"], [75, 19, 3, 2, 1]),
    "gender": (["Female", "Male"], [54, 46]),
    "age": ([f"[{low}-{low + 10})" for low in range(0, 100, 10)], [1, 2, 4, 9, 18, 32, 40, 46, 30, 5]),
    **{f"diag_{number}": (_GROUPS, [30, 25, 14, 9, 7, 5, 3, 7]) for number in (1, 2, 3)},
    "max_glu_serum": (["None", "Norm", ">200", ">300"], [80, 10, 6, 4]),
    "A1Cresult": (["None", ">8", "Norm", ">7"], [75, 10, 8, 7]),
    "readmitted": (["NO", ">30", "<30"], [54, 35, 11]),
}


@dataclass(frozen=True)
class Admissions:
    """A table whose P_29 is 0, the oracle's findings on it, and the same of the table without its failing classes."""

    before: Records
    found_before: P29
    after: Records
    found_after: P29


@cache
def admissions() -> Admissions:
    """6,000 admissions to a hospital, with the columns of the P_29 notebook."""
    chance = random.Random(29)
    columns = {name: chance.choices(values, weights, k=6_000) for name, (values, weights) in _CHOICES.items()}
    before: Records = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    given = ADMISSIONS.quasi_identifiers, ADMISSIONS.sensitive
    found = p29(before, *given)
    after = [row for row in before if tuple(row[name] for name in given[0]) not in found.violating_classes]
    return Admissions(before, found, after, p29(after, *given))


@dataclass(frozen=True)
class Census:
    """An original, its anonymized form, and the hierarchies of its quasi-identifiers."""

    original: Records
    anonymized: Records
    hierarchies: dict[str, Rows]


_WIDTHS = {"age": (17, 90, [5, 10, 20]), "hours": (1, 80, [10, 20, 40]), "born": (1920, 2010, [10, 30])}
_NAMED = {"sex": 2, "race": 5, "marital": 7, "education": 16, "occupation": 14, "country": 20}
_LEVELS = {"age": 3, "hours": 2, "born": 2, "sex": 0, "race": 1, "marital": 1, "education": 2, "occupation": 1,
           "country": 2}  # fmt: skip
CENSUS = Roles(quasi_identifiers=[*_WIDTHS, *_NAMED])


@cache
def census() -> Census:
    """5,000 people with nine quasi-identifiers, recoded globally, the records of small classes suppressed."""
    hierarchies = {name: _intervals(*bounds) for name, bounds in _WIDTHS.items()}
    hierarchies |= {name: _named(name, number) for name, number in _NAMED.items()}
    chance = random.Random(41)
    # Leaves that come first are more frequent, as in a register.
    drawn = {
        name: chance.choices(rows, [1 / (1 + rank) for rank in range(len(rows))], k=5_000)
        for name, rows in hierarchies.items()
    }
    original: Records = [
        {name: row[0] for name, row in zip(drawn, rows, strict=True)} for rows in zip(*drawn.values(), strict=True)
    ]
    recoded: Records = [
        {name: row[_LEVELS[name]] for name, row in zip(drawn, rows, strict=True)}
        for rows in zip(*drawn.values(), strict=True)
    ]
    sizes = Counter(tuple(row.values()) for row in recoded)
    suppressed: dict[str, str | None] = dict.fromkeys(drawn, "*")
    return Census(original, [row if sizes[tuple(row.values())] >= 5 else suppressed for row in recoded], hierarchies)


def _intervals(low: int, high: int, widths: list[int]) -> Rows:
    """Each integer, the intervals around it, and the root."""
    return [
        [str(number), *(f"[{number // width * width}, {number // width * width + width}[" for width in widths), "*"]
        for number in range(low, high + 1)
    ]


def _named(name: str, number: int) -> Rows:
    """Values in groups of four, and these in pairs."""
    return [[f"{name} {i}", f"{name}s {i // 4}", f"all {name}s {i // 8}", "*"] for i in range(number)]


def csv_of(records: Records) -> str:
    """The records as a CSV file."""
    lines = [",".join(records[0]), *(",".join(map(str, record.values())) for record in records)]
    return "\n".join(lines) + "\n"
