"""Releases under attack: overlapping labels, lone `*`, missing cells, local recoding, perturbed values, duplicates."""

from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean
from typing import Any

import pytest
from hypothesis import strategies as st

from metrics import Hierarchy, Parameters, Roles, Scorecard, score
from metrics.scoring.working import Subject, working
from tests.oracle.classes import Record
from tests.support.labels import LABELS, TREE
from tests.support.small_tables import Cells, records, table

KNOWN = list(LABELS)
WORDS = ["flu", "cold", "cough"]
ROLES = Roles(quasi_identifiers=KNOWN, sensitive=["illness", "days"])


@dataclass(frozen=True)
class Scene:
    """The original, its release in the same order, and people who are not in it."""

    original: dict[str, Cells]
    released: dict[str, Cells]
    holdout: dict[str, Cells]

    @property
    def people(self) -> list[Record]:
        return list(records(self.original))

    @property
    def release(self) -> list[Record]:
        return list(records(self.released))

    @property
    def others(self) -> list[Record]:
        return list(records(self.holdout))

    def score(self, *metrics: str, holdout: bool = False, **settings: Any) -> Scorecard:
        return score(
            table(self.released),
            ROLES,
            original=table(self.original),
            hierarchies={name: Hierarchy(rows) for name, rows in TREE.items()},
            holdout=table(self.holdout) if holdout else None,
            parameters=Parameters().with_settings(settings),
            metrics=metrics,
        )


@st.composite
def people(draw: st.DrawFn, rows: int, missing: bool) -> dict[str, Cells]:
    cells: dict[str, Cells] = {}
    for name, labels in LABELS.items():
        values: list[str | None] = [*labels, None] if missing else list(labels)
        cells[name] = draw(st.lists(st.sampled_from(values), min_size=rows, max_size=rows))
    cells["illness"] = draw(st.lists(st.sampled_from(WORDS), min_size=rows, max_size=rows))
    cells["days"] = draw(st.lists(st.integers(0, 9).map(str), min_size=rows, max_size=rows))
    return cells


@st.composite
def releases(draw: st.DrawFn, original: dict[str, Cells], most: int = 3) -> dict[str, Cells]:
    """A release of these people: globally or locally recoded, some cells missing, some values of other people."""
    rows = len(original["age"])
    kind = draw(st.sampled_from(["global", "local", "perturbed"]))
    released: dict[str, Cells] = dict(original)
    for name, labels in LABELS.items():
        level = draw(st.integers(0, most))
        levels = [level] * rows
        cells = list(original[name])
        if kind == "local":
            levels = draw(st.lists(st.integers(0, most), min_size=rows, max_size=rows))
        if kind == "perturbed":
            levels = draw(st.lists(st.sampled_from([0, 0, 0, 1]), min_size=rows, max_size=rows))
            cells = draw(st.lists(st.sampled_from([*labels]), min_size=rows, max_size=rows))
        released[name] = [
            ("*" if of == 3 else None) if cell is None else labels[cell][of]
            for cell, of in zip(cells, levels, strict=True)
        ]
    gone = draw(st.sets(st.integers(0, rows - 1), max_size=2))
    emptied = [*KNOWN, *draw(st.sampled_from([[], ["illness"], ["illness", "days"]]))]
    for name in emptied:
        released[name] = ["*" if at in gone else cell for at, cell in enumerate(released[name])]
    return released


@st.composite
def scenes(draw: st.DrawFn, max_rows: int = 12) -> Scene:
    missing = draw(st.booleans())
    original = draw(people(draw(st.integers(1, max_rows)), missing))
    return Scene(original, draw(releases(original)), draw(people(draw(st.integers(1, 6)), missing)))


known_columns = st.lists(st.sampled_from(KNOWN), min_size=2, max_size=3, unique=True)


def near(figure: Fraction) -> Any:
    return pytest.approx(float(figure), rel=1e-12, abs=1e-12)


def mean_of(card: Scorecard, identifier: str, title: str, column: str = "") -> float:
    """The mean over all people of what a step of the working ends in."""
    found = [
        {step.title: step.number for step in working(card, identifier, Subject(at, column)).steps}[title]
        for at in range(card.aggregates.anonymized.rows)
    ]
    return fmean(float(number) for number in found if number is not None)
