"""Analyses on the original and on the release, against the oracle and on small tables."""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Crosstab, Hierarchy, Linear, Logistic, Mean, Roles, Term, score
from metrics.aggregates import TableAggregates
from metrics.config.analyses import Estimated
from metrics.errors import Unavailable
from metrics.estimates.analyze import analyze
from metrics.estimates.estimate import Lost
from metrics.estimates.result import AnalysisResult
from tests.oracle import analyses as oracle
from tests.support.small_tables import Cells, records, table

TREE = Hierarchy([["a", "ab", "*"], ["b", "ab", "*"], ["c", "cd", "*"], ["d", "cd", "*"]])
COVERS: oracle.Covers = {
    **{value: frozenset(value) for value in "abcd"},
    "ab": frozenset("ab"),
    "cd": frozenset("cd"),
}
SEX: oracle.Covers = {"f": frozenset("f"), "m": frozenset("m")}


def run(
    before: Mapping[str, Cells], after: Mapping[str, Cells], analysis: Estimated, **trees: Hierarchy
) -> AnalysisResult:
    roles = Roles(quasi_identifiers=next(iter(before)))
    return analyze(TableAggregates(table(after), roles, table(before), trees), analysis)


def drawn(rows: int, seed: int = 0) -> dict[str, list[str]]:
    """A table whose outcomes depend on group, sex and age."""
    random_numbers = random.Random(seed)
    groups = [random_numbers.choice("aaabbcd") for _ in range(rows)]
    sexes = [random_numbers.choice("fm") for _ in range(rows)]
    ages = [random_numbers.randrange(20, 60) for _ in range(rows)]
    stays = [
        round(age / 10 + "abcd".index(group) + (sex == "m") + random_numbers.gauss(0, 1), 2)
        for group, sex, age in zip(groups, sexes, ages, strict=True)
    ]
    ill = [str(int(stay + random_numbers.gauss(0, 3) > 5)) for stay in stays]
    return {"g": groups, "sex": sexes, "age": list(map(str, ages)), "stay": list(map(str, stays)), "ill": ill}


def recoded(columns: dict[str, list[str]], share: float, seed: int = 1) -> dict[str, list[str]]:
    """The table with some groups written as their parents: local recoding."""
    random_numbers = random.Random(seed)
    cells = [TREE.rows["abcd".index(cell)][random_numbers.random() < share] for cell in columns["g"]]
    return {**columns, "g": cells}


BEFORE: dict[str, Any] = drawn(400)
AFTER: dict[str, Any] = recoded(BEFORE, 0.3)


@pytest.mark.parametrize("share", [0, 0.3, 1])
def test_means_are_those_of_the_oracle(share: float) -> None:
    after = recoded(BEFORE, share)
    found = run(BEFORE, after, Mean("stay", ["g", "sex"]), g=TREE)
    numbers = [float(cell) for cell in BEFORE["stay"]]
    covers = {"g": COVERS, "sex": SEX}
    cells = oracle.cells(records(after), covers, {"g": "abcd", "sex": "fm"})  # type: ignore[arg-type]
    assert len(found.estimates) == len(cells)
    for estimate, cell in zip(found.estimates, cells, strict=True):
        for rows, value in ((records(BEFORE), estimate.original), (records(after), estimate.released)):
            weights = oracle.weights(rows, covers, cell)  # type: ignore[arg-type]
            assert value is not None
            assert value.median is not None
            expected = oracle.interval(numbers, weights)
            assert (value.estimate, value.low, value.high) == pytest.approx(expected, rel=1e-9)
            assert value.is_significant == oracle.is_different(numbers, weights)
            assert value.median.estimate == pytest.approx(oracle.median(numbers, weights))
        ends = [(value.low, value.high) for value in (estimate.original, estimate.released) if value]
        assert estimate.overlap_signed == pytest.approx(oracle.overlap(*ends))
    assert found.own == 8
    assert found.value == pytest.approx(sum(estimate.overlap for estimate in found.estimates) / 8)


@pytest.mark.parametrize("share", [0.3, 1])
def test_cells_are_those_of_the_oracle(share: float) -> None:
    after = recoded(BEFORE, share)
    found = run(BEFORE, after, Crosstab(["g", "sex"]), g=TREE)
    covers = {"g": COVERS, "sex": SEX}
    variation = 0.0
    cells = oracle.cells(records(after), covers, {"g": "abcd", "sex": "fm"})  # type: ignore[arg-type]
    for estimate, cell in zip(found.estimates, cells, strict=True):
        shares = [sum(oracle.weights(records(rows), covers, cell)) / 400 for rows in (BEFORE, after)]  # type: ignore[arg-type]
        for value, expected in zip((estimate.original, estimate.released), shares, strict=True):
            assert value is not None
            assert (value.estimate, value.low, value.high) == pytest.approx((expected, *oracle.wilson(expected, 400)))
        variation += abs(shares[0] - shares[1]) / 2
    assert found.total_variation == pytest.approx(variation)


def _design(rows: Sequence[dict[str, Any]], groups: Sequence[str]) -> list[list[float]]:
    return [
        [1.0, float(row["age"]), *(oracle.share(COVERS, row["g"], frozenset(group)) for group in groups)]
        for row in rows
    ]


@pytest.mark.parametrize("logistic", [False, True])
def test_coefficients_are_those_of_the_oracle(logistic: bool) -> None:
    """Four groups that are told apart in part, and two blocks that are all that is told."""
    analysis: Estimated = Logistic("ill", "1", ["age", "g"]) if logistic else Linear("stay", ["age", "g"])
    fit = oracle.likelihood if logistic else oracle.least_squares
    outcome = [float(cell) for cell in BEFORE["ill" if logistic else "stay"]]
    for share, groups in ((0.3, ["b", "c", "d"]), (1.0, ["cd"])):
        after = recoded(BEFORE, share)
        found = run(BEFORE, after, analysis, g=TREE)
        own = fit(_design(records(BEFORE), ["b", "c", "d"]), outcome)[1:]
        of_blocks = fit(_design(records(BEFORE), groups), outcome)[1:]
        released = fit(_design(records(after), groups), outcome)[1:]
        assert [estimate.name for estimate in found.estimates] == ["age", *(f"g: {group}" for group in groups)]
        for estimate, one, block, other in zip(found.estimates, own, of_blocks, released, strict=False):
            value = estimate.original
            expected = block if estimate.name == "g: cd" else one
            assert (value.estimate, value.low, value.high) == pytest.approx(expected, rel=1e-7)
            assert estimate.released is not None
            assert (estimate.released.estimate, estimate.released.low, estimate.released.high) == pytest.approx(
                other, rel=1e-7
            )
        assert found.detail == len(found.estimates) / 4


def test_published_overlaps() -> None:
    """IHSN's gender coefficient: Karr's 0.865461, and 0.864507 of the mean width."""
    estimate = run(BEFORE, AFTER, Mean("stay")).estimates[0]
    one, other = ([-0.658085143, -0.3281727396], [-0.71564602, -0.3630823543])
    pair = replace(
        estimate,
        original=replace(estimate.original, low=one[0], high=one[1], estimate=sum(one) / 2),
        released=replace(estimate.original, low=other[0], high=other[1], estimate=sum(other) / 2),
    )
    assert pair.overlap_signed == pytest.approx(0.865461, abs=5e-7)
    assert pair.overlap_average_width == pytest.approx(0.864507, abs=5e-7)
    apart = replace(pair, released=replace(pair.original, low=0.0, high=0.2, estimate=0.1))
    assert apart.overlap_signed is not None
    assert apart.overlap_signed < 0
    assert (apart.overlap, apart.overlap_average_width, apart.within, apart.survives) == (0, 0, False, False)


ANALYSES: dict[str, Estimated] = {
    "mean": Mean("stay", ["g", "sex"]),
    "alone": Mean("stay"),
    "level": Mean("age", Term("g", level=1)),
    "crosstab": Crosstab(["g", "ill"]),
    "linear": Linear("stay", ["age", "g", Term("sex", control=True)]),
    "groups": Linear("stay", [Term("ill", groups=True), "age"]),
    "logistic": Logistic("ill", ["1"], ["age", Term("g", reference="d")]),
    "weighted": Mean("stay", "g", weight="age"),
    "weighted crosstab": Crosstab(["g", "sex"], weight="age"),
    "weighted linear": Linear("stay", ["g", "sex"], weight="age"),
    "weighted logistic": Logistic("ill", "1", ["g", "sex"], weight="age"),
}


@pytest.mark.parametrize("analysis", ANALYSES.values(), ids=list(ANALYSES))
def test_a_table_keeps_its_own_analyses_and_neither_order_nor_names_matter(analysis: Estimated) -> None:
    own = run(BEFORE, BEFORE, analysis, g=TREE)
    assert (own.value, own.surviving, own.detail, own.agreement) == (1, 1, 1, 1)
    assert all(estimate.overlap_average_width == estimate.overlap == 1 for estimate in own.estimates)
    assert all(estimate.standardized_difference == 0 for estimate in own.estimates)
    found = run(BEFORE, AFTER, analysis, g=TREE)
    order = list(range(400))
    random.Random(2).shuffle(order)
    turned: dict[str, Any] = {name: [cells[place] for place in order] for name, cells in AFTER.items()}
    assert run(BEFORE, turned, analysis, g=TREE).value == pytest.approx(found.value, rel=1e-9)
    assert run(turned, BEFORE, analysis, g=TREE).surviving == run(AFTER, BEFORE, analysis, g=TREE).surviving
    names = dict(zip(["a", "b", "c", "d", "ab", "cd"], ["p", "q", "r", "s", "x y", "z"], strict=True))
    before, after = ({**rows, "g": [names[cell] for cell in rows["g"]]} for rows in (BEFORE, AFTER))
    tree = Hierarchy([[*(names[label] for label in row[:2]), "*"] for row in TREE.rows])
    if "reference" not in str(analysis.to_dict()):
        assert run(before, after, analysis, g=tree).value == pytest.approx(found.value, rel=1e-9)


@given(st.integers(0, 10**6), st.integers(0, 40), st.floats(0, 1))
def test_figures_keep_their_range_on_any_small_table(seed: int, rows: int, share: float) -> None:
    before: dict[str, Any] = drawn(max(rows, 1), seed)
    after: dict[str, Any] = recoded(drawn(rows, seed), share)
    for analysis in ANALYSES.values():
        try:
            found = run(before, after, analysis, g=TREE)
        except Unavailable:
            continue
        for figure in (found.value, found.detail, found.agreement, found.surviving):
            assert 0 <= figure <= 1 + 1e-12
        assert found.compared <= found.most
        assert all(math.isfinite(one.original.low + one.original.high) for one in found.estimates)


def test_weighted_coefficients_are_those_of_repeated_records_with_the_sandwich() -> None:
    """Weights of 1 give least squares with HC0 times n / (n - 1)."""
    ones: dict[str, Any] = {**BEFORE, "w": ["1"] * 400}
    weighted = run(ones, ones, Linear("stay", "sex", weight="w")).estimates[0].original
    plain = run(ones, ones, Linear("stay", "sex")).estimates[0].original
    assert weighted.estimate == pytest.approx(plain.estimate)
    numbers = {sex: [float(y) for y, s in zip(BEFORE["stay"], BEFORE["sex"], strict=True) if s == sex] for sex in "fm"}
    variances = [sum((y - sum(group) / len(group)) ** 2 for y in group) / len(group) ** 2 for group in numbers.values()]
    assert weighted.error == pytest.approx(math.sqrt(sum(variances) * 400 / 399))


def test_what_is_lost_says_why() -> None:
    without = {name: [cell for cell, group in zip(cells, BEFORE["g"], strict=True) if group != "d"]
               for name, cells in BEFORE.items()}  # fmt: skip
    found = run(BEFORE, without, Mean("stay", "g"), g=TREE)
    assert [(one.groups, one.lost) for one in found.estimates if one.lost] == [(("d",), Lost.GROUP)]
    assert (found.compared, found.kept) == (4, 3)
    assert found.summary().startswith("3 of 4 means can still be estimated")
    hidden: dict[str, Any] = {**BEFORE, "age": ["*"] * 400}
    lost = run(BEFORE, hidden, Linear("stay", ["age", "sex"])).estimates
    assert [(one.name, one.lost) for one in lost] == [("age", Lost.TERM), ("sex: f", None)]
    assert Lost.TERM.reason == "its column is removed"
    lacking: dict[str, Any] = {name: cells for name, cells in BEFORE.items() if name != "age"}
    assert [one.lost for one in run(BEFORE, lacking, Linear("stay", ["sex", "age"])).estimates] == [None, Lost.TERM]
    constant: dict[str, Any] = {**BEFORE, "age": ["40"] * 400}
    assert run(BEFORE, constant, Linear("stay", ["age", "sex"])).estimates[0].lost is Lost.COLLINEAR
    healthy = ["0" if sex == "m" else ill for sex, ill in zip(BEFORE["sex"], BEFORE["ill"], strict=True)]
    separated = run(BEFORE, {**BEFORE, "ill": healthy}, Logistic("ill", "1", ["sex", "age"]))
    assert [one.lost for one in separated.estimates] == [Lost.SEPARATED, None]


@pytest.mark.parametrize("analysis", ANALYSES.values(), ids=list(ANALYSES))
def test_nothing_is_left_of_a_table_without_records_or_values(analysis: Estimated) -> None:
    for after in ({name: [] for name in BEFORE}, {name: ["*"] * 400 for name in BEFORE}, {"g": ["*"]}):
        found = run(BEFORE, after, analysis, g=TREE)
        if analysis.kind == "crosstab" and found.rows_released:
            continue  # both columns unknown: one cell with all records is no estimate
        assert (found.value, found.surviving) == (0, 0)
        assert all(one.lost for one in found.estimates)


def test_what_the_original_does_not_support() -> None:
    cases: list[tuple[Estimated, str]] = [
        (Mean("height"), 'the original has no column "height"'),
        (Mean("sex"), '"sex" contains no numbers'),
        (Mean("stay", "age2"), "no column"),
        (Mean("age", "stay"), "more than 100 groups"),
        (Mean("stay", Term("sex", level=1)), "no level 1"),
        (Mean("stay", Term("g", level=9)), "no level 9"),
        (Linear("stay", ["age", "twice"]), "age and twice are collinear"),
        (Linear("stay", Term("sex", reference="x")), "no group of the name"),
        (Logistic("ill", "9", "age"), "none of the values"),
        (Logistic("old", "1", "age"), "divide the outcomes"),
        (Logistic("ill", ["0", "1"], "age"), "every known value of"),
        (Linear("stay", ["age", "stay"]), "both the outcome and a term"),
        (Linear("stay", ["sex", "sex"]), '"sex" is named twice'),
        (Crosstab(["sex", "sex"]), '"sex" is named twice'),
        (Crosstab(["one", "two"]), "in the same cell"),
        (Linear("stay", "one"), "leaves no coefficient"),
        (Linear("stay", ["one", Term("age", control=True)]), "leaves no coefficient"),
        (Mean("nothing"), "contains no numbers"),
        (Mean("huge", "sex"), "numbers beyond 1e"),
        (Linear("stay", "huge"), "numbers beyond 1e"),
        (Mean("stay", weight="huge"), "numbers beyond 1e"),
    ]
    before: dict[str, Any] = {
        **BEFORE,
        "twice": [str(2 * int(age)) for age in BEFORE["age"]],
        "old": [str(int(int(age) > 40)) for age in BEFORE["age"]],
        "nothing": [None] * 400,
        "huge": ["1e308", *["1"] * 399],
        **dict.fromkeys(("one", "two"), ["a"] * 400),
    }
    for analysis, reason in cases:
        with pytest.raises(Unavailable, match=reason):
            run(before, before, analysis, g=TREE)


@pytest.mark.parametrize("number", ["1e308", "-1e308", "1e-300"])
@pytest.mark.parametrize("analysis", [*ANALYSES.values()], ids=list(ANALYSES))
def test_a_number_of_any_size_in_the_release_has_results(analysis: Estimated, number: str) -> None:
    for name in ("stay", "age"):
        after = {**BEFORE, name: [number, *BEFORE[name][1:]]}
        assert 0 <= run(BEFORE, after, analysis, g=TREE).value <= 1


def test_the_test_of_tiny_numbers_is_that_of_usual_ones() -> None:
    tiny = {**BEFORE, "stay": [f"{stay}e-100" for stay in BEFORE["stay"]]}
    usual, small = (run(rows, rows, Mean("stay", "g"), g=TREE).estimates for rows in (BEFORE, tiny))
    assert [each.original.is_significant for each in usual] == [each.original.is_significant for each in small]


def test_numbers_of_labels() -> None:
    """[30-40) of whole numbers is 34.5, 65+ is 65, and a generalized outcome counts by its share of events."""
    before: dict[str, Any] = {"age": ["30", "39", "70", "65"], "ill": ["a", "b", "c", "d"]}
    after: dict[str, Any] = {"age": ["[30-40)", "[30-40)", "65+", "65+"], "ill": ["ab", "ab", "cd", "cd"]}
    found = run(before, after, Mean("age"))
    assert found.estimates[0].released is not None
    assert found.estimates[0].released.estimate == (34.5 + 65) / 2
    both = {name: [*cells] * 30 for name, cells in before.items()}
    coarse: dict[str, Any] = {"age": both["age"], "ill": ["ab", "ab", "cd", "cd"] * 30}
    events = run(both, coarse, Logistic("ill", ["a", "c"], "age"), ill=TREE)
    assert events.estimates[0].released is not None
    assert events.estimates[0].released.estimate == pytest.approx(0, abs=1e-9)


def test_median_interval_by_order_statistics() -> None:
    """Of 10 numbers the second and the ninth, as P(Bin(10, 1/2) <= 1) is 1.07%."""
    numbers: dict[str, Any] = {"y": [str(number) for number in range(1, 11)]}
    median = run(numbers, numbers, Mean("y")).estimates[0].original.median
    assert median is not None
    assert (median.estimate, median.low, median.high) == (5.5, 2, 9)
    few: dict[str, Any] = {"y": ["1", "2", "3", "4", "5"]}
    short = run(few, few, Mean("y")).estimates[0].original.median
    assert short is not None
    assert (short.low, short.high) == (None, None)


def test_a_group_of_one_outcome_in_the_original_is_not_counted() -> None:
    """If it is the one that others are compared with, no contrast of its column is."""
    pairs = list(zip(BEFORE["g"], BEFORE["ill"], strict=True))
    without = {one: ["0" if group == one else ill for group, ill in pairs] for one in "ad"}
    for group, names in (("d", ["age", "g: b", "g: c"]), ("a", ["age"])):
        before: dict[str, Any] = {**BEFORE, "ill": without[group]}
        found = run(before, before, Logistic("ill", "1", ["age", "g"]), g=TREE)
        assert [estimate.name for estimate in found.estimates] == names
        assert (found.own, found.value) == (len(names), 1)
    lost = run(BEFORE, {**BEFORE, "ill": without["a"]}, Logistic("ill", "1", ["age", "g"]), g=TREE)
    assert [estimate.lost for estimate in lost.estimates] == [None, *[Lost.SEPARATED] * 3]


def test_an_engine_gives_the_same() -> None:
    numbered = [{"id": list(map(str, range(400))), **cells} for cells in (BEFORE, AFTER)]
    frames = [duckdb.from_arrow(pa.table(cells)) for cells in numbered]
    more: dict[str, Any] = {"hierarchies": {"g": TREE}, "analyses": ANALYSES, "metrics": ["analyses"]}
    roles = Roles("g", key="id")
    engine = score(frames[1], roles, original=frames[0], **more)
    memory = score(table(numbered[1]), roles, original=table(numbered[0]), **more)
    assert engine.to_dict()["analyses"] == memory.to_dict()["analyses"]


def test_a_label_of_two_meanings_survives_only_where_its_result_is_right() -> None:
    """Some records that say "other" are of a, which the hierarchy has apart: read as b or c, they move the mean."""
    tree = Hierarchy([["a", "A", "other"], ["b", "other", "other"], ["c", "other", "other"]])
    groups = ["abc"[number % 3] for number in range(300)]
    labels = ["A" if group == "a" and number % 2 else "other" for number, group in enumerate(groups)]
    for of_a, expected in ((10, "changed"), (5, "coarser")):
        numbers = [str((of_a if group == "a" else 5) + number % 7 / 10) for number, group in enumerate(groups)]
        before, after = ({"g": cells, "y": numbers} for cells in (groups, labels))
        found = run(before, after, Mean("y", "g"), g=tree)
        assert {one.name: one.outcome for one in found.estimates} == {"a": "survives", "other": expected}


def test_a_group_without_a_label_of_its_own_is_said_to_rest_on_shares() -> None:
    """Every a is written ab, some b as b: of a there are only shares."""
    cells = ["ab" if cell == "a" or (cell == "b" and row % 2) else cell for row, cell in enumerate(BEFORE["g"])]
    for analysis in (Mean("age", "g"), Linear("age", [Term("g", reference="d")])):
        found = run(BEFORE, {**BEFORE, "g": cells}, analysis, g=TREE)
        assert [own.name[-1] for own in found.originals if own.estimate and own.estimate.is_shared] == ["a"]
        assert "(guessed from broader labels)" in found.in_short
        assert found.single_survivors < found.survivors


def test_a_merged_coefficient_has_that_of_the_original_with_removed_terms_beside_it() -> None:
    """The age is suppressed throughout, or the sex, and c and d are merged."""
    merged = {**BEFORE, "g": ["cd" if cell in "cd" else cell for cell in BEFORE["g"]]}
    stay, none = [float(cell) for cell in BEFORE["stay"]], ["*"] * len(BEFORE["g"])
    for removed, values in (
        ("age", map(float, BEFORE["age"])),
        ("sex", [float(cell == "m") for cell in BEFORE["sex"]]),
    ):
        found = run(BEFORE, {**merged, removed: none}, Linear("stay", [Term("g", reference="a"), removed]), g=TREE)
        (cd,) = [each for each in found.estimates if each.is_merged]
        design = [
            [1.0, float(group == "b"), float(group in "cd"), value]
            for group, value in zip(BEFORE["g"], values, strict=True)
        ]
        assert cd.adjusted is not None
        expected = oracle.least_squares(design, stay)[2]
        assert (cd.adjusted.estimate, cd.adjusted.low, cd.adjusted.high) == pytest.approx(expected, rel=1e-6)
        assert all(each.adjusted is None for each in found.estimates if not each.is_merged)
