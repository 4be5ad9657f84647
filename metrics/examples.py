"""Small worked examples of the measures, as data: tables, roles, parameters, figures, and what to try.

The tables are those of the PETWorks-framework manual, whose headings are given in Chinese beside the English ones; the
one of P_29 is made for this place, and its second part takes the figures of the notebook that defines the score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import pyarrow as pa

from metrics.errors import InputError
from metrics.hierarchy import Hierarchy
from metrics.parameters import Parameters
from metrics.privacy.t_closeness import TCloseness
from metrics.roles import Role, Roles
from metrics.scorecard import Scorecard, score
from metrics.table import Column, Source, Table
from metrics.values import parse_number

Rows: TypeAlias = tuple[tuple[str, ...], ...]
Figures: TypeAlias = Mapping[str, float | bool | None]


@dataclass(frozen=True)
class ExampleColumn:
    """One column of an example's table: a cell of the original or of the anonymized record."""

    heading: str
    name: str
    role: Role
    original: bool = False
    numeric: bool = False
    """Whether only numbers make sense in it."""


@dataclass(frozen=True)
class ExampleParameter:
    """A parameter to play with; `largest` 1 makes it a share, None an amount."""

    setting: str
    label: str
    largest: float | None = None


@dataclass(frozen=True)
class Trial:
    """A change worth making, and the figures that it leads to."""

    say: str
    figures: Figures
    cells: Mapping[tuple[int, str], str] = field(default_factory=dict)
    """New cells by record, counted from 1, and heading."""
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Example:
    """A table small enough to work out by hand, and what comes out."""

    id: str
    title: str
    metric_id: str
    story: str
    columns: tuple[ExampleColumn, ...]
    rows: Rows
    expected: Figures
    trials: tuple[Trial, ...]
    hierarchies: Mapping[str, Rows] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    parameters: tuple[ExampleParameter, ...] = ()
    note: str | None = None

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings of the table."""
        return tuple(column.heading for column in self.columns)

    def card(
        self,
        rows: Sequence[Sequence[str]] | None = None,
        hierarchies: Mapping[str, Sequence[Sequence[str]]] | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> Scorecard:
        """The example's scores, as it is or with other rows, hierarchies and settings.

        Raises InputError where there is no record, a cell is blank or no number where one is needed, a hierarchy is
        not sound, or a setting is out of range.
        """
        cells = self.rows if rows is None else rows
        self._check(cells)
        original = self._table(cells, original=True)
        return score(
            self._table(cells, original=False),
            Roles.from_mapping({column.name: column.role for column in self.columns if not column.original}),
            original=original if original.columns else None,
            hierarchies={name: _hierarchy(levels, name) for name, levels in (hierarchies or self.hierarchies).items()},
            parameters=Parameters().with_settings({**self.settings, **(settings or {})}),
        )

    def figures(self, card: Scorecard) -> Figures:
        """The figures to watch, by name; none where the metric has none."""
        found = card[self.metric_id]
        if isinstance(found.result, TCloseness):
            return _distances(card, found.result)
        if found.result is None:
            return {}
        details = found.details
        return {name: found.value if name == found.metric.title else details[_DETAILS[name]] for name in self.expected}

    def _check(self, rows: Sequence[Sequence[str]]) -> None:
        if not rows:
            raise InputError("the table has no record", remedy="add one, or reset the example")
        for number, row in enumerate(rows, 1):
            for column, cell in zip(self.columns, row, strict=True):
                if not cell.strip():
                    raise InputError(f"record {number} has a blank cell", remedy="fill it in", column=column.heading)
                if column.numeric and parse_number(cell.strip()) is None:
                    raise InputError(
                        f"record {number} does not hold a number",
                        remedy="write digits only, such as 4000",
                        column=column.heading,
                    )

    def _table(self, rows: Sequence[Sequence[str]], *, original: bool) -> Table:
        columns = tuple(
            Column.from_arrow(column.name, pa.array([row[i] for row in rows], pa.string()))
            for i, column in enumerate(self.columns)
            if column.original is original
        )
        return Table("original" if original else "anonymized", columns, len(rows), Source("memory"))


def _hierarchy(rows: Sequence[Sequence[str]], name: str) -> Hierarchy:
    for number, row in enumerate(rows, 1):
        if any(not label.strip() for label in row):
            raise InputError(
                f"row {number} of its hierarchy has a blank cell", remedy="fill it in or delete the row", column=name
            )
    return Hierarchy(rows, name=f"hierarchy of {name}")


def _distances(card: Scorecard, result: TCloseness) -> Figures:
    """The distance of each class, by attribute and class."""
    found: dict[str, float | bool | None] = {}
    for name, distances in result.per_class.items():
        for index, distance in enumerate(distances.tolist()):
            labels = ", ".join(str(label) for label in card.evidence.classes.labels(index).values())
            found[f"{name}, {labels}"] = distance
    return found


_DETAILS: Final = {
    "Mean combinations": "mean_combinations",
    "No attack pays": "no_attack",
    "Publisher's payout": "publisher_payout",
    "Bits lost": "loss",
    "Bits at stake": "largest_loss",
    "Violating classes": "violating_classes",
}
"""Figures that are details of their metric."""

NON_UNIFORM_ENTROPY: Final = Example(
    id="entropy",
    title="Non-uniform entropy",
    metric_id="non_uniform_entropy",
    story="Four people gave their year of birth (出生年); before publication, each year was replaced by its "
    "decade. A decade says less than a year, but how much less depends on how many share it: the one "
    "born in the seventies is as recognizable as before, the three of the eighties now look alike. "
    "Non-uniform entropy counts what is left, from 1 (everything) to 0 (nothing).",
    columns=(
        ExampleColumn("Year of birth", "Year of birth", Role.QUASI_IDENTIFIER, original=True),
        ExampleColumn("Published as", "Year of birth", Role.QUASI_IDENTIFIER),
    ),
    rows=(("1970", "197*"), ("1981", "198*"), ("1983", "198*"), ("1988", "198*")),
    expected={"Non-uniform entropy": 0.40563906222956625, "Bits lost": 4.754887502163468, "Bits at stake": 8},
    trials=(
        Trial(
            "Change 1981 to 1975, published as 197*, and watch it rise: two pairs lose less than one alone and three.",
            {"Non-uniform entropy": 0.5},
            {(2, "Year of birth"): "1975", (2, "Published as"): "197*"},
        ),
        Trial(
            "Publish 1988 as it is: only two records still look alike.",
            {"Non-uniform entropy": 0.75},
            {(4, "Published as"): "1988"},
        ),
        Trial(
            "Publish every year as *: nothing is left.",
            {"Non-uniform entropy": 0.0},
            {(i, "Published as"): "*" for i in range(1, 5)},
        ),
    ),
)

AMBIGUITY: Final = Example(
    id="ambiguity",
    title="Ambiguity",
    metric_id="ambiguity",
    story="Two years of birth were published as decades (出生年代). Whoever reads 1970 - 1979 knows ten "
    "years that could have stood there. Ambiguity is the mean of these numbers over all records; with "
    "several columns, the numbers of a record are multiplied. The score turns it round: 1 if every "
    "record stands for itself alone, 0 if for any.",
    columns=(
        ExampleColumn("Year of birth", "Year of birth", Role.QUASI_IDENTIFIER, original=True),
        ExampleColumn("Published as", "Year of birth", Role.QUASI_IDENTIFIER),
    ),
    rows=(("1977", "1970 - 1979"), ("1988", "1980 - 1989")),
    expected={"Mean combinations": 10, "Ambiguity": 10 / 19},
    trials=(
        Trial(
            "Publish 1977 as 1977: it stands for itself alone, and the mean is (1 + 10) / 2.",
            {"Mean combinations": 5.5},
            {(1, "Published as"): "1977"},
        ),
        Trial(
            "Publish 1977 as 1975 - 1979: half as many years.",
            {"Mean combinations": 7.5},
            {(1, "Published as"): "1975 - 1979"},
        ),
        Trial(
            "Publish both as *: each could be any of the years that occur, 1977 to 1988.",
            {"Mean combinations": 12, "Ambiguity": 0},
            {(1, "Published as"): "*", (2, "Published as"): "*"},
        ),
    ),
    note="The manual says that a table against itself has ambiguity 0; by its own formula it is 1, each "
    "record standing for itself.",
)

T_CLOSENESS: Final = Example(
    id="t-closeness",
    title="t-closeness",
    metric_id="t_closeness",
    story="Five patients with salary (薪水) and disease (疾病), published by decade of birth. Who knows that "
    "somebody was born in the seventies learns that the salary is 3000 or 4000: low, compared with the "
    "whole table. t-closeness measures how far the values of a group lie from everybody's, as the work "
    "of moving one distribution onto the other. For salaries the way is counted in ranks, for diseases "
    "in levels of the hierarchy: flu (流感) is a respiratory infection (呼吸感染), stomach cancer "
    "(胃癌) and gastritis (胃炎) are stomach diseases (胃部疾病).",
    columns=(
        ExampleColumn("Born", "Born", Role.QUASI_IDENTIFIER),
        ExampleColumn("Salary", "Salary", Role.SENSITIVE, numeric=True),
        ExampleColumn("Disease", "Disease", Role.SENSITIVE),
    ),
    rows=(
        ("197*", "3000", "stomach cancer"),
        ("197*", "4000", "flu"),
        ("198*", "5000", "flu"),
        ("198*", "6000", "gastritis"),
        ("198*", "8000", "stomach cancer"),
    ),
    hierarchies={
        "Disease": (
            ("flu", "respiratory infection", "disease"),
            ("stomach cancer", "stomach disease", "disease"),
            ("gastritis", "stomach disease", "disease"),
        )
    },
    settings={
        "t_closeness.distance.Salary": "ordered",
        "t_closeness.distance.Disease": "hierarchical",
        "t_closeness.t": 0.4,
    },
    parameters=(ExampleParameter("t_closeness.t", "Limit t", 1.0),),
    expected={"Salary, 197*": 3 / 8, "Salary, 198*": 1 / 4, "Disease, 197*": 3 / 20, "Disease, 198*": 1 / 10},
    trials=(
        Trial(
            "Raise the salary of 8000 to 80000: nothing moves, because only the order counts.",
            {"Salary, 197*": 3 / 8, "Salary, 198*": 1 / 4},
            {(5, "Salary"): "80000"},
        ),
        Trial(
            "Exchange 3000 and 8000: the first group's distance falls to less than half.",
            {"Salary, 197*": 7 / 40, "Salary, 198*": 7 / 60},
            {(1, "Salary"): "8000", (5, "Salary"): "3000"},
        ),
        Trial(
            "Make the first disease gastritis: nothing changes, one stomach disease for another.",
            {"Disease, 197*": 3 / 20, "Disease, 198*": 1 / 10},
            {(1, "Disease"): "gastritis"},
        ),
        Trial(
            "Make the first disease flu: the whole group has it, and its distance jumps to 0.4.",
            {"Disease, 197*": 2 / 5},
            {(1, "Disease"): "flu"},
        ),
    ),
    note="The manual's last table has two cells exchanged (disease of the first group is 3/20, salary of "
    "the second 1/4), and one of its steps a slip: what is left over at stomach disease is −1/10, not "
    "1/20. The working below shows it.",
)

PROFITABILITY: Final = Example(
    id="profitability",
    title="Profitability",
    metric_id="profitability",
    story="Three records by decade of birth (出生年). The first is alone, so whoever looks for it finds it; "
    "the others hide each other. An adversary attacks a record if that is expected to earn more than "
    "it costs; the publisher gains from each record and loses when one is found. The basic definition "
    "asks whether publishing every record pays, the strict one besides that no attack does.",
    columns=(ExampleColumn("Born", "Born", Role.QUASI_IDENTIFIER),),
    rows=(("197*",), ("198*",), ("198*",)),
    settings={
        "profitability.adversary_cost": 4.0,
        "profitability.adversary_gain": 300.0,
        "profitability.publisher_loss": 300.0,
        "profitability.publisher_benefit": 1200.0,
        "profitability.allow_attack": True,
    },
    parameters=(
        ExampleParameter("profitability.adversary_cost", "Adversary's cost"),
        ExampleParameter("profitability.adversary_gain", "Adversary's gain"),
        ExampleParameter("profitability.publisher_loss", "Publisher's loss"),
        ExampleParameter("profitability.publisher_benefit", "Publisher's benefit"),
        ExampleParameter("profitability.allow_attack", "Attacks are acceptable"),
    ),
    expected={"Profitability": True, "No attack pays": False, "Publisher's payout": 3000},
    trials=(
        Trial(
            "Do not accept attacks: the strict definition fails, for every record is worth attacking.",
            {"Profitability": False, "No attack pays": False},
            settings={"profitability.allow_attack": False},
        ),
        Trial(
            "Set the benefit to 300: the first record's risk is 300 too, and the basic definition fails.",
            {"Profitability": False},
            settings={"profitability.publisher_benefit": 300.0},
        ),
        Trial(
            "Publish the first record as 198* and set the adversary's cost to 100: with three in the group an attack "
            "earns no more than it costs, and the whole benefit stays.",
            {"Profitability": True, "No attack pays": False, "Publisher's payout": 3600},
            {(1, "Born"): "198*"},
            {"profitability.adversary_cost": 100.0},
        ),
    ),
)

P_29: Final = Example(
    id="p29",
    title="P_29",
    metric_id="p29",
    story="Eight patients in three groups by age. P_29 puts three questions to every group: how many are in "
    "it (k), how mixed are its diseases (l), and how far are they from everybody's (t)? The answers "
    "are weighed into one score; but if a single group fails a question outright, a gate shuts and the "
    "score is 0.",
    columns=(
        ExampleColumn("Age", "Age", Role.QUASI_IDENTIFIER),
        ExampleColumn("Disease", "Disease", Role.SENSITIVE),
    ),
    rows=(
        ("30-39", "flu"),
        ("30-39", "flu"),
        ("30-39", "stomach cancer"),
        ("40-49", "flu"),
        ("40-49", "stomach cancer"),
        ("40-49", "gastritis"),
        ("50-59", "stomach cancer"),
        ("50-59", "gastritis"),
    ),
    parameters=(
        ExampleParameter("p29.w_k", "Weight of k", 1.0),
        ExampleParameter("p29.w_l", "Weight of l", 1.0),
        ExampleParameter("p29.w_t", "Weight of t", 1.0),
        ExampleParameter("p29.t_max", "Limit on t", 1.0),
    ),
    expected={"P_29": 0.600334176647398, "Violating classes": 0},
    trials=(
        Trial(
            "Make the last disease stomach cancer: everybody of 50-59 has it, l is 0, and a gate shuts.",
            {"P_29": 0.0, "Violating classes": 1},
            {(8, "Disease"): "stomach cancer"},
        ),
        Trial(
            "Change the last age to 60-69: two people stand alone, k is 1, and the score is 0.",
            {"P_29": 0.0, "Violating classes": 2},
            {(8, "Age"): "60-69"},
        ),
        Trial(
            "Set the weights to 0, 1 and 0: the score is the mean of l alone.",
            {"P_29": 0.9727653},
            settings={"p29.w_k": 0.0, "p29.w_l": 1.0, "p29.w_t": 0.0},
        ),
    ),
)

EXAMPLES: Final = (NON_UNIFORM_ENTROPY, AMBIGUITY, T_CLOSENESS, PROFITABILITY, P_29)


@dataclass(frozen=True)
class P29Figures:
    """What a P_29 score is made of, without the table behind it."""

    k_min: int
    Nl: float
    Nt: float
    expected: float


NOTEBOOK: Final = P29Figures(13, 0.6468849936894951, 0.26991424066830283, 0.8057811497937597)
"""The notebook's figures of 63 classes of diabetes patients."""
