"""What holds whenever a column or a cell is generalized further: groups grow, and detail is lost."""

from hypothesis import given
from hypothesis import strategies as st

from metrics import Hierarchy, Roles, Scorecard, score
from metrics.metric import Direction
from tests.support.small_tables import Cells, table

TREES = {
    "q": [["a", "ab", "abc", "*"], ["b", "ab", "abc", "*"], ["c", "c2", "abc", "*"], ["d", "de", "de3", "*"]],
    "r": [["1", "1-2", "*"], ["2", "1-2", "*"], ["3", "3-4", "*"], ["4", "3-4", "*"], ["5", "5-6", "*"]],
}
HIERARCHIES = {name: Hierarchy(rows) for name, rows in TREES.items()}
ROLES = Roles(quasi_identifiers=["q", "r"], sensitive=["s"])
# Privacy that larger classes can only better: every value of the larger class was in one of the smaller ones.
SAFER = (
    "k_anonymity",
    "distinct_l_diversity",
    "entropy_l_diversity",
    "t_closeness",
    "alpha_k_anonymity",
    "basic_beta_likeness",
    "reidentification_risk",
    "sample_uniqueness",
)
POORER = (
    "non_uniform_entropy",
    "ambiguity",
    "precision",
    "granularity",
    "discernibility",
    "average_class_size",
    "kl_divergence",
)
# Detail that every single cell tells, whatever group its record is in.
POORER_BY_CELL = ("precision", "granularity")
CLOSE = 1e-9


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Cells]:
    """Records of leaves, with a sensitive value each."""
    rows = draw(st.integers(1, 25))
    leaves = {name: st.sampled_from([row[0] for row in tree]) for name, tree in TREES.items()}
    drawn = {name: draw(st.lists(of, min_size=rows, max_size=rows)) for name, of in leaves.items()}
    return {**drawn, "s": draw(st.lists(st.sampled_from("xyz"), min_size=rows, max_size=rows))}


def generalized(original: dict[str, Cells], levels: dict[str, int]) -> Scorecard:
    after = dict(original)
    for name, level in levels.items():
        label = {row[0]: row[level] for row in TREES[name]}
        after[name] = [label[str(cell)] for cell in original[name]]
    return score(table(after), ROLES, original=table(original), hierarchies=HIERARCHIES, metrics=[*SAFER, *POORER])


def better(card: Scorecard, other: Scorecard, identifier: str) -> float:
    """By how much the first is better than the second; below 0 where it is worse."""
    value, against = card[identifier].value, other[identifier].value
    assert value is not None
    assert against is not None
    return (value - against) * (-1 if card[identifier].metric.direction is Direction.LOWER else 1)


# Only below the roots: records whose every cell is a root are in no class.
@given(tables(), st.integers(0, 2), st.integers(0, 1), st.data())
def test_a_level_more_is_never_less_private_and_never_richer(
    original: dict[str, Cells], q: int, r: int, data: st.DataObject
) -> None:
    coarser = {"q": data.draw(st.integers(q, 2)), "r": data.draw(st.integers(r, 1))}
    fine, coarse = generalized(original, {"q": q, "r": r}), generalized(original, coarser)
    for identifier in SAFER:
        assert better(coarse, fine, identifier) >= -CLOSE, identifier
    for identifier in POORER:
        assert better(coarse, fine, identifier) <= CLOSE, identifier


LETTERS = [
    [leaf, pair, half, "any"] for leaf, pair, half in zip("abcdefg", "AACCEEG", ["abcd"] * 4 + ["efg"] * 3, strict=True)
]


@st.composite
def lifted(draw: st.DrawFn) -> tuple[dict[str, Cells], dict[str, list[int]]]:
    """Original cells and the level that every cell is generalized to; no cell is suppressed."""
    rows = draw(st.integers(1, 20))
    before: dict[str, Cells] = {
        name: draw(st.lists(st.sampled_from("abcdefg"), min_size=rows, max_size=rows)) for name in "qr"
    }
    levels = {name: draw(st.lists(st.integers(0, 2), min_size=rows, max_size=rows)) for name in "qr"}
    return before, levels


def at(before: dict[str, Cells], levels: dict[str, list[int]], *metrics: str) -> Scorecard:
    row_of = {row[0]: row for row in LETTERS}
    after = {
        name: [row_of[str(cell)][level] for cell, level in zip(before[name], levels[name], strict=True)]
        for name in levels
    }
    trees = dict.fromkeys(levels, Hierarchy(LETTERS))
    roles = Roles(quasi_identifiers=list(levels))
    return score(table(after), roles, original=table(before), hierarchies=trees, metrics=metrics)


@given(lifted(), st.data())
def test_a_cell_on_a_higher_level_is_never_richer(
    drawn: tuple[dict[str, Cells], dict[str, list[int]]], data: st.DataObject
) -> None:
    before, levels = drawn
    higher = {name: [level + data.draw(st.integers(0, 1)) for level in of] for name, of in levels.items()}
    low, high = at(before, levels, *POORER_BY_CELL), at(before, higher, *POORER_BY_CELL)
    for identifier in POORER_BY_CELL:
        assert better(high, low, identifier) <= 1e-12
        for name, figure in high[identifier].attributes.items():
            assert figure <= low[identifier].attributes[name] + 1e-12


@given(lifted(), st.sampled_from("qr"), st.integers(0, 2))
def test_a_whole_column_on_a_higher_level_is_never_richer_whatever_the_other_column_is(
    drawn: tuple[dict[str, Cells], dict[str, list[int]]], column: str, level: int
) -> None:
    before, levels = drawn
    whole = {**levels, column: [level] * len(levels[column])}
    higher = {**whole, column: [level + 1] * len(levels[column])}
    measures = (*POORER_BY_CELL, "discernibility", "average_class_size")
    low, high = at(before, whole, *measures), at(before, higher, *measures)
    for identifier in measures:
        assert better(high, low, identifier) <= 1e-12, identifier
