"""Small candidates of which measures of loss are computed by hand."""

from metrics import Hierarchy, Roles, Table, score
from metrics.scoring.scorecard import Score
from metrics.texts import text
from metrics.utility.ambiguity.measure import Ambiguity
from metrics.utility.cells.changes import PairChanges, changes_by_column
from metrics.utility.non_uniform_entropy.measure import NonUniformEntropy
from tests.support.small_tables import table, written

BEFORE = written(
    """born sex
    1970 m
    1981 f
    1983 f
    1988 m"""
)
GONE = written("born sex\n* *\n* *\n* *\n* *")
YEARS = Hierarchy([[str(year), f"{str(year)[:3]}*", "*"] for year in range(1970, 1990)], name="born")
LACKING = text("unavailable.incomplete_hierarchy_anonymized", column="born", values=1)
SIZES = [5_999_999, 3_000_001, 999_983]
"""Of the classes of nearly ten million records."""


def of_table(after: Table, metric: str) -> Score:
    """A table that was made of `BEFORE`."""
    roles = Roles(quasi_identifiers=["born", "sex"])
    return score(after, roles, original=BEFORE, hierarchies={"born": YEARS}, metrics=[metric])[metric]


def by_hand(metric: str) -> Score:
    """Decades, a lone suppressed cell and a suppressed record."""
    return of_table(written("born sex\n197* m\n198* f\n198* *\n* *"), metric)


def of_years(*born: str, metric: str) -> Score:
    """The same people with a single quasi-identifier."""
    return score(
        written("\n".join(["born", *born])),
        Roles(quasi_identifiers=["born"]),
        original=BEFORE,
        hierarchies={"born": YEARS},
        metrics=[metric],
    )[metric]


def alone(born: str, metric: str, hierarchy: Hierarchy | None = None) -> Score:
    """A release without its original."""
    content = written("\n".join(["born", *born.split()]))
    hierarchies = {"born": hierarchy} if hierarchy else {}
    return score(content, Roles(quasi_identifiers=["born"]), hierarchies=hierarchies, metrics=[metric])[metric]


def of_short_branch(cells: str, metric: str) -> Score:
    """One record, whose `q` has a hierarchy of which one branch ends a level below the others."""
    tree = Hierarchy([["a", "A", "*"], ["b", "*", "*"]])
    roles = Roles(quasi_identifiers=["q", "r"])
    original = written("q r\nb x")
    return score(written(f"q r\n{cells}"), roles, original=original, hierarchies={"q": tree}, metrics=[metric])[metric]


def of_single_leaf(metric: str) -> Score:
    """A column whose hierarchy has one value and one level."""
    original, single = written("q r\na x\na y"), {"q": Hierarchy([["a"]])}
    roles = Roles(quasi_identifiers=["q", "r"])
    return score(written("q r\n* x\na y"), roles, original=original, hierarchies=single, metrics=[metric])[metric]


def lost_by_four() -> tuple[dict[str, PairChanges], NonUniformEntropy, Ambiguity]:
    """What became of four records, one of them suppressed and one perturbed."""
    card = score(
        table({"sex": ["m", "f", "*", "f"], "age": ["30-39", "30-39", "*", "35"]}),
        Roles(quasi_identifiers=["sex", "age"]),
        original=table({"sex": ["m", "f", "f", "f"], "age": ["35", "39", "48", "39"]}),
        hierarchies={"age": Hierarchy([["35", "30-39"], ["39", "30-39"], ["48", "40-49"]])},
        metrics=["non_uniform_entropy", "ambiguity"],
    )
    entropy, ambiguity = card["non_uniform_entropy"].result, card["ambiguity"].result
    assert isinstance(entropy, NonUniformEntropy)
    assert isinstance(ambiguity, Ambiguity)
    return dict(changes_by_column(card.aggregates)), entropy, ambiguity
