"""Strategies and scenes that count queries and k-marginals share."""

from hypothesis import strategies as st

from metrics import Hierarchy, Parameters, Roles, Scorecard, score
from metrics.scoring.metric_score import Score
from tests.oracle.counts import Codebook
from tests.support.small_tables import Cells, records, table

Pair = tuple[dict[str, Cells], dict[str, Cells]]
LETTERS = [["a", "AB", "*"], ["b", "AB", "*"], ["c", "CD", "*"], ["d", "CD", "*"]]
AGES = [[str(age), "0-2" if age < 3 else "3-5", "*"] for age in range(6)]
TREES = {"q": LETTERS, "n": AGES}


@st.composite
def pairs(draw: st.DrawFn, least: int = 1) -> Pair:
    """Letters and numbers with hierarchies, words without: kept, generalized, suppressed, missing or changed."""
    rows = draw(st.integers(least, 20))
    before: dict[str, Cells] = {
        "q": [draw(st.sampled_from([*"abcd", None])) for _ in range(rows)],
        "n": [draw(st.sampled_from([*"012345"])) for _ in range(rows)],
        "w": [draw(st.sampled_from(["x", "y", "z"])) for _ in range(rows)],
    }
    left = draw(st.sampled_from([rows, rows, max(rows - 1, 1)]))
    up = {row[0]: row[1] for row in (*LETTERS, *AGES)}
    after: dict[str, Cells] = {}
    for name, cells in before.items():
        others: list[str | None] = ["*", None, {"q": "c", "n": "7", "w": cells[0]}[name]]
        after[name] = [
            draw(st.sampled_from([cell, cell, up.get(cell or "", cell), *others])) if draw(st.booleans()) else cell
            for cell in cells[:left]
        ]
    return before, after


def codebook(pair: Pair) -> Codebook:
    """The domains as the oracle reads them."""
    before, after = map(records, pair)
    return Codebook(before, after, TREES)


def card_of(pair: Pair, *, trees: dict[str, list[list[str]]] | None = None, **settings: object) -> Scorecard:
    """The card with both metrics, every column a quasi-identifier."""
    before, after = pair
    return score(
        table(after, "after"),
        Roles(quasi_identifiers=list(after)),
        original=table(before, "before"),
        hierarchies={name: Hierarchy(rows) for name, rows in (TREES if trees is None else trees).items()},
        parameters=Parameters().with_settings({name.replace("__", "."): value for name, value in settings.items()}),
        metrics=["count_queries", "k_marginals"],
    )


def relabelled(pair: Pair) -> Pair:
    """The same tables by other letters and words, their records in another order."""
    names = {**{letter: f"of {letter}" for letter in ["a", "b", "c", "d", "AB", "CD"]}, "x": "X", "y": "Y", "z": "Z"}
    before, after = (
        {name: [names.get(cell or "", cell) for cell in cells] for name, cells in one.items()} for one in pair
    )
    return {name: cells[::-1] for name, cells in before.items()}, {name: cells[::-1] for name, cells in after.items()}


RELABELLED = {**TREES, "q": [[f"of {leaf}", f"of {group}", "*"] for leaf, group, _ in LETTERS]}


def of(card: Scorecard, metric: str) -> Score:
    """A score that there is."""
    found = card[metric]
    assert found.result is not None, found.unavailable
    return found
