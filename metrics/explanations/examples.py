"""Small worked examples of the measures, as data.

The tables are those of the PETWorks-framework manual, in English. The table of P_29 was made for this collection; its
second part uses the figures of the notebook that defines the score.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from metrics.config.roles import Role
from metrics.explanations.example import Example, ExampleColumn, Trial
from metrics.texts import text

_YEARS_OF_BIRTH: Final = (
    ExampleColumn("Year of birth", "Year of birth", Role.QUASI_IDENTIFIER, original=True),
    ExampleColumn("Published as", "Year of birth", Role.QUASI_IDENTIFIER),
)
NON_UNIFORM_ENTROPY: Final = Example(
    id="entropy",
    title="Information kept",
    metric_id="non_uniform_entropy",
    story=text("non_uniform_entropy.example.story"),
    columns=_YEARS_OF_BIRTH,
    rows=(("1970", "197*"), ("1981", "198*"), ("1983", "198*"), ("1988", "198*")),
    expected={"non_uniform_entropy": 0.40563906222956625, "loss": 4.754887502163468, "largest_loss": 8},
    trials=(
        Trial(
            text("non_uniform_entropy.example.equal_classes"),
            {"non_uniform_entropy": 0.5},
            {(2, "Year of birth"): "1975", (2, "Published as"): "197*"},
        ),
        Trial(
            text("non_uniform_entropy.example.unchanged"), {"non_uniform_entropy": 0.75}, {(4, "Published as"): "1988"}
        ),
        Trial(
            text("non_uniform_entropy.example.suppressed"),
            {"non_uniform_entropy": 0.0},
            {(i, "Published as"): "*" for i in range(1, 5)},
        ),
    ),
)

AMBIGUITY: Final = Example(
    id="ambiguity",
    title="Ambiguity",
    metric_id="ambiguity",
    story=text("ambiguity.example.story"),
    columns=_YEARS_OF_BIRTH,
    rows=(("1977", "1970 - 1979"), ("1988", "1980 - 1989")),
    expected={"mean_combinations": 10, "ambiguity": 10 / 19},
    trials=(
        Trial(text("ambiguity.example.original_value"), {"mean_combinations": 5.5}, {(1, "Published as"): "1977"}),
        Trial(
            text("ambiguity.example.smaller_interval"), {"mean_combinations": 7.5}, {(1, "Published as"): "1975 - 1979"}
        ),
        Trial(
            text("ambiguity.example.suppressed"),
            {"mean_combinations": 12, "ambiguity": 0},
            {(1, "Published as"): "*", (2, "Published as"): "*"},
        ),
    ),
    note=text("ambiguity.example.note"),
)

T_CLOSENESS: Final = Example(
    id="t-closeness",
    by_class=True,
    title="t-closeness",
    metric_id="t_closeness",
    story=text("t_closeness.example.story"),
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
    parameters={"t_closeness.t": 1.0},
    expected={"Salary, 197*": 3 / 8, "Salary, 198*": 1 / 4, "Disease, 197*": 3 / 20, "Disease, 198*": 1 / 10},
    trials=(
        Trial(
            text("t_closeness.example.only_order_counts"),
            {"Salary, 197*": 3 / 8, "Salary, 198*": 1 / 4},
            {(5, "Salary"): "80000"},
        ),
        Trial(
            text("t_closeness.example.exchanged"),
            {"Salary, 197*": 7 / 40, "Salary, 198*": 7 / 60},
            {(1, "Salary"): "8000", (5, "Salary"): "3000"},
        ),
        Trial(
            text("t_closeness.example.same_branch"),
            {"Disease, 197*": 3 / 20, "Disease, 198*": 1 / 10},
            {(1, "Disease"): "gastritis"},
        ),
        Trial(text("t_closeness.example.one_value"), {"Disease, 197*": 2 / 5}, {(1, "Disease"): "flu"}),
    ),
    note=text("t_closeness.example.note"),
)

PROFITABILITY: Final = Example(
    id="profitability",
    title="Profitability",
    metric_id="profitability",
    story=text("profitability.example.story"),
    columns=(ExampleColumn("Born", "Born", Role.QUASI_IDENTIFIER),),
    rows=(("197*",), ("198*",), ("198*",)),
    parameters={
        "profitability.adversary_cost": None,
        "profitability.adversary_gain": None,
        "profitability.publisher_loss": None,
        "profitability.publisher_benefit": None,
        "profitability.allow_attack": None,
    },
    expected={"profitability": True, "no_attack": False, "publisher_payout": 3000},
    trials=(
        Trial(
            text("profitability.example.no_attacks"),
            {"profitability": False, "no_attack": False},
            settings={"profitability.allow_attack": False},
        ),
        Trial(
            text("profitability.example.small_benefit"),
            {"profitability": False},
            settings={"profitability.publisher_benefit": 300.0},
        ),
        Trial(
            text("profitability.example.larger_class"),
            {"profitability": True, "no_attack": False, "publisher_payout": 3600},
            {(1, "Born"): "198*"},
            {"profitability.adversary_cost": 100.0},
        ),
    ),
)

LEARNING_ATTACK: Final = Example(
    id="learning",
    title="Learning attack",
    metric_id="learning_attack",
    story=text("learning_attack.example.story"),
    columns=(
        ExampleColumn("Age", "Age", Role.QUASI_IDENTIFIER, original=True),
        ExampleColumn("Smokes", "Smokes", Role.QUASI_IDENTIFIER, original=True),
        ExampleColumn("Age label", "Age", Role.QUASI_IDENTIFIER),
        ExampleColumn("Smoking label", "Smokes", Role.QUASI_IDENTIFIER),
        ExampleColumn("Disease", "Disease", Role.SENSITIVE),
    ),
    rows=(
        ("30", "yes", "30-39", "*", "cancer"),
        ("35", "no", "30-39", "*", "flu"),
        ("40", "yes", "40-49", "yes", "cancer"),
        ("45", "yes", "40-49", "yes", "bronchitis"),
        ("41", "no", "40-49", "no", "flu"),
        ("46", "no", "40-49", "no", "gastritis"),
        ("50", "yes", "50-59", "*", "bronchitis"),
        ("55", "no", "50-59", "*", "gastritis"),
    ),
    expected={"learning_attack": 0.75, "baseline": 0.25, "null_mean": 0.25},
    trials=(
        Trial(
            text("learning_attack.example.suppressed"),
            {"learning_attack": 0.375},
            {(i, "Smoking label"): "*" for i in range(3, 7)},
        ),
        Trial(
            text("learning_attack.example.ages"),
            {"learning_attack": 0.5},
            {(i, "Age label"): "30-59" for i in range(1, 9)},
        ),
        Trial(
            text("learning_attack.example.alike"),
            {"learning_attack": 0.875, "baseline": 0.375},
            {(4, "Disease"): "cancer"},
        ),
    ),
)

P_29: Final = Example(
    id="p29",
    title="P_29",
    metric_id="p29",
    story=text("p29.example.story"),
    columns=(ExampleColumn("Age", "Age", Role.QUASI_IDENTIFIER), ExampleColumn("Disease", "Disease", Role.SENSITIVE)),
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
    parameters={"p29.w_k": 1.0, "p29.w_l": 1.0, "p29.w_t": 1.0, "p29.t_max": 1.0},
    expected={"p29": 0.600334176647398, "violating_classes": 0},
    trials=(
        Trial(
            text("p29.example.single_value"), {"p29": 0.0, "violating_classes": 1}, {(8, "Disease"): "stomach cancer"}
        ),
        Trial(text("p29.example.unique_people"), {"p29": 0.0, "violating_classes": 2}, {(8, "Age"): "60-69"}),
        Trial(
            text("p29.example.one_weight"),
            {"p29": 0.9727653},
            settings={"p29.w_k": 0.0, "p29.w_l": 1.0, "p29.w_t": 0.0},
        ),
    ),
)

EXAMPLES: Final = (NON_UNIFORM_ENTROPY, AMBIGUITY, T_CLOSENESS, PROFITABILITY, LEARNING_ATTACK, P_29)


@dataclass(frozen=True)
class P29Measures:
    "The components of a P_29 score, without the table behind it."

    k_min: int
    Nl: float
    Nt: float
    expected: float


NOTEBOOK: Final = P29Measures(13, 0.6468849936894951, 0.26991424066830283, 0.8057811497937597)
"""The notebook's figures of 63 classes of diabetes patients."""
