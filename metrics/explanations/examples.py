"""Small worked examples of the measures, as data.

The tables are those of the PETWorks-framework manual, in English. The table of P_29 was made for this collection; its
second part uses the figures of the notebook that defines the score.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from metrics.config.roles import Role
from metrics.explanations.example import Example, ExampleColumn, ExampleParameter, Trial

NON_UNIFORM_ENTROPY: Final = Example(
    id="entropy",
    title="Non-uniform entropy",
    metric_id="non_uniform_entropy",
    story=(
        "Four people gave their year of birth; before publication, each year was replaced by its decade. "
        "A decade is less informative than a year, and how much less depends on how many people share it: the "
        "only person born in the seventies is as recognizable as before, while the three born in the eighties "
        "are now indistinguishable. Non-uniform entropy measures the information that is preserved, from 1 "
        "(everything) to 0 (nothing)."
    ),
    columns=(
        ExampleColumn("Year of birth", "Year of birth", Role.QUASI_IDENTIFIER, original=True),
        ExampleColumn("Published as", "Year of birth", Role.QUASI_IDENTIFIER),
    ),
    rows=(("1970", "197*"), ("1981", "198*"), ("1983", "198*"), ("1988", "198*")),
    expected={
        "Non-uniform entropy": 0.40563906222956625,
        "Bits lost": 4.754887502163468,
        "Largest possible loss in bits": 8,
    },
    trials=(
        Trial(
            "Change 1981 to 1975, published as 197*: the score rises, because two classes of two lose less than a "
            "class of one and a class of three.",
            {"Non-uniform entropy": 0.5},
            {(2, "Year of birth"): "1975", (2, "Published as"): "197*"},
        ),
        Trial(
            "Publish 1988 unchanged: only two records are still indistinguishable.",
            {"Non-uniform entropy": 0.75},
            {(4, "Published as"): "1988"},
        ),
        Trial(
            "Publish every year as *: no information is preserved.",
            {"Non-uniform entropy": 0.0},
            {(i, "Published as"): "*" for i in range(1, 5)},
        ),
    ),
)

AMBIGUITY: Final = Example(
    id="ambiguity",
    title="Ambiguity",
    metric_id="ambiguity",
    story=(
        "Two years of birth were published as decades. The decade 1970 - 1979 is consistent with ten original "
        "years. Ambiguity is based on the mean of these numbers over all records; with several columns, the numbers "
        "of a record are multiplied. The score reverses the direction: 1 if every record is consistent with a single "
        "combination, 0 if with every possible one."
    ),
    columns=(
        ExampleColumn("Year of birth", "Year of birth", Role.QUASI_IDENTIFIER, original=True),
        ExampleColumn("Published as", "Year of birth", Role.QUASI_IDENTIFIER),
    ),
    rows=(("1977", "1970 - 1979"), ("1988", "1980 - 1989")),
    expected={"Mean combinations": 10, "Ambiguity": 10 / 19},
    trials=(
        Trial(
            "Publish 1977 as 1977: a single year is possible, and the mean is (1 + 10) / 2.",
            {"Mean combinations": 5.5},
            {(1, "Published as"): "1977"},
        ),
        Trial(
            "Publish 1977 as 1975 - 1979: half as many years are possible.",
            {"Mean combinations": 7.5},
            {(1, "Published as"): "1975 - 1979"},
        ),
        Trial(
            "Publish both as *: every year in the range, 1977 to 1988, is possible.",
            {"Mean combinations": 12, "Ambiguity": 0},
            {(1, "Published as"): "*", (2, "Published as"): "*"},
        ),
    ),
    note=(
        "The manual states that a table compared with itself has ambiguity 0; by its own formula it is 1, "
        "because each record is consistent with a single combination."
    ),
)

T_CLOSENESS: Final = Example(
    id="t-closeness",
    by_class=True,
    title="t-closeness",
    metric_id="t_closeness",
    story=(
        "Five patients with salary and disease, published by decade of birth. Anyone who knows that "
        "a person was born in the seventies learns that the salary is 3000 or 4000: low compared with the "
        "whole table. t-closeness measures the distance between the values of an equivalence class and those of the "
        "whole table as the work of moving one distribution onto the other. For salaries, the distance is counted in "
        "ranks; for diseases, in levels of the hierarchy: flu is a respiratory infection, stomach "
        "cancer and gastritis are stomach diseases."
    ),
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
            "Raise the salary of 8000 to 80000: nothing changes, because only the order counts.",
            {"Salary, 197*": 3 / 8, "Salary, 198*": 1 / 4},
            {(5, "Salary"): "80000"},
        ),
        Trial(
            "Exchange 3000 and 8000: the distance of the first class falls to less than half.",
            {"Salary, 197*": 7 / 40, "Salary, 198*": 7 / 60},
            {(1, "Salary"): "8000", (5, "Salary"): "3000"},
        ),
        Trial(
            "Change the first disease to gastritis: nothing changes, because one stomach disease replaces another.",
            {"Disease, 197*": 3 / 20, "Disease, 198*": 1 / 10},
            {(1, "Disease"): "gastritis"},
        ),
        Trial(
            "Change the first disease to flu: the whole class has it, and its distance rises to 0.4.",
            {"Disease, 197*": 2 / 5},
            {(1, "Disease"): "flu"},
        ),
    ),
    note=(
        "In the manual's last table, two cells are exchanged (disease of the first class is 3/20, salary of the "
        "second 1/4), and one of its steps contains an error: the remainder at stomach disease is −1/10, not "
        "1/20. The working below shows the correct steps."
    ),
)

PROFITABILITY: Final = Example(
    id="profitability",
    title="Profitability",
    metric_id="profitability",
    story=(
        "Three records by decade of birth. The first is unique, so an attacker who looks for it finds "
        "it; the other two are indistinguishable. An attacker attacks a record if the expected gain exceeds "
        "the cost; the publisher earns from each record and loses when one is re-identified. The basic "
        "definition requires that publishing every record is profitable, the strict one also that no attack is."
    ),
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
        ExampleParameter("profitability.adversary_cost", "Attacker's cost"),
        ExampleParameter("profitability.adversary_gain", "Attacker's gain"),
        ExampleParameter("profitability.publisher_loss", "Publisher's loss"),
        ExampleParameter("profitability.publisher_benefit", "Publisher's benefit"),
        ExampleParameter("profitability.allow_attack", "Attacks are acceptable"),
    ),
    expected={"Profitability": True, "No profitable attack": False, "Publisher's payout": 3000},
    trials=(
        Trial(
            "Do not accept attacks: the strict definition fails, because an attack on every record is profitable.",
            {"Profitability": False, "No profitable attack": False},
            settings={"profitability.allow_attack": False},
        ),
        Trial(
            "Set the benefit to 300: the risk of the first record is also 300, and the basic definition fails.",
            {"Profitability": False},
            settings={"profitability.publisher_benefit": 300.0},
        ),
        Trial(
            "Publish the first record as 198* and set the attacker's cost to 100: in a class of three, an "
            "attack earns no more than it costs, and the publisher keeps the whole benefit.",
            {"Profitability": True, "No profitable attack": False, "Publisher's payout": 3600},
            {(1, "Born"): "198*"},
            {"profitability.adversary_cost": 100.0},
        ),
    ),
)

P_29: Final = Example(
    id="p29",
    title="P_29",
    metric_id="p29",
    story=(
        "Eight patients in three equivalence classes by age. P_29 combines three figures of the classes: the size of "
        "the smallest (k), the diversity of the diseases in each (l), and the distance of each from the whole "
        "table (t). Their weighted sum is the score; but if a single class fails one of the three conditions, "
        "the score is 0."
    ),
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
    expected={"P_29": 0.600334176647398, "Classes that fail": 0},
    trials=(
        Trial(
            "Change the last disease to stomach cancer: everyone in 50-59 has it, l is 0, and the score is 0.",
            {"P_29": 0.0, "Classes that fail": 1},
            {(8, "Disease"): "stomach cancer"},
        ),
        Trial(
            "Change the last age to 60-69: two people are unique, k is 1, and the score is 0.",
            {"P_29": 0.0, "Classes that fail": 2},
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
    "The components of a P_29 score, without the table behind it."

    k_min: int
    Nl: float
    Nt: float
    expected: float


NOTEBOOK: Final = P29Figures(13, 0.6468849936894951, 0.26991424066830283, 0.8057811497937597)
"""The notebook's figures of 63 classes of diabetes patients."""
