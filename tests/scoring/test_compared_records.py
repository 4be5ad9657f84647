"""What every measure of loss takes for equal, empty and perturbed, whatever way it is written."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import METRICS, Hierarchy, Roles, Scorecard, read_table, score
from metrics.engines.duckdb_files import DuckDB
from metrics.matching.column_reading import perturbed_pairs
from metrics.metric import Family
from metrics.scoring.compared_records import as_read
from metrics.scoring.working import working
from metrics.utility.cells.changes import changes_by_column
from tests.engines.alike import COUNTED, differences
from tests.support.examples import fewer_examples
from tests.support.small_tables import Cells, table

LOSSES = [
    metric.id
    for metric in METRICS
    if metric.family is Family.UTILITY and not metric.on_demand and metric.id != "suppressed_cells"
]
GENERALIZING = ["non_uniform_entropy", "ambiguity", "precision", "granularity"]
AGES = ["31", "32", "39", "41", "45", "46"]
TENS = Hierarchy([[str(age), f"{age // 10 * 10}-{age // 10 * 10 + 9}", "*"] for age in range(20, 60)])
ROLES = Roles(quasi_identifiers=["age", "sex"], sensitive=["s"])


def card_of(before: dict[str, Cells], after: dict[str, Cells], roles: Roles = ROLES, **given: Any) -> Scorecard:
    return score(table(after), roles, original=table(before), **given)


def of_ages(before: Cells, after: Cells, **given: Any) -> Scorecard:
    return card_of({"age": before}, {"age": after}, Roles(quasi_identifiers=["age"]), **given)


def near(figure: Any) -> Any:
    return pytest.approx(figure, rel=1e-12, abs=1e-12) if isinstance(figure, float) else figure


def same(card: Scorecard, other: Scorecard, ids: Sequence[str]) -> None:
    for one in ids:
        mine, theirs = card[one], other[one]
        assert (mine.value, mine.unavailable) == (near(theirs.value), theirs.unavailable), one
        assert dict(mine.attributes) == {name: near(figure) for name, figure in theirs.attributes.items()}, one


def test_an_emptied_age_costs_the_squared_error_of_a_suppressed_one() -> None:
    starred = of_ages(AGES, ["31", *"*****"])["variance_preserved"]
    for empty in ("", None, "NA", "removed", "n/a"):
        found = of_ages(AGES, ["31", *[empty] * 5])["variance_preserved"]
        assert found.value == near(starred.value)
        assert found.value == pytest.approx(0.2710, abs=1e-4)
        assert found.summary() == starred.summary()


def test_emptied_ages_cost_as_much_as_suppressed_ones_in_every_loss_measure() -> None:
    before = [str(20 + i % 40) for i in range(200)]
    starred = of_ages(before, ["*" if i % 9 == 0 else age for i, age in enumerate(before)])
    assert starred["granularity"].value < 0.9
    for hierarchies in ({}, {"age": TENS}):
        starred = of_ages(before, ["*" if i % 9 == 0 else age for i, age in enumerate(before)], hierarchies=hierarchies)
        for empty in ("", None, "NA"):
            after = [empty if i % 9 == 0 else age for i, age in enumerate(before)]
            same(of_ages(before, after, hierarchies=hierarchies), starred, LOSSES)


@st.composite
def emptied_tables(draw: st.DrawFn) -> tuple[dict[str, Cells], dict[str, Cells], dict[str, Cells], bool]:
    """An original, its table with some cells `*`, and the same with these cells emptied in any way."""
    rows = draw(st.integers(1, 20))
    before: dict[str, Cells] = {
        "age": draw(st.lists(st.sampled_from([*AGES, "20"]), min_size=rows, max_size=rows)),
        "sex": draw(st.lists(st.sampled_from(["f", "m", "d"]), min_size=rows, max_size=rows)),
    }
    missing = draw(st.lists(st.booleans(), min_size=rows, max_size=rows)) if draw(st.booleans()) else [False] * rows
    before["sex"] = [None if gone else cell for gone, cell in zip(missing, before["sex"], strict=True)]
    ways = {"age": ["*", "", None, "NA"], "sex": ["*", "", None]}
    starred: dict[str, Cells] = {}
    emptied: dict[str, Cells] = {}
    for name, cells in before.items():
        gone = draw(st.lists(st.booleans(), min_size=rows, max_size=rows))
        empty = draw(st.lists(st.sampled_from(ways[name]), min_size=rows, max_size=rows))
        is_lost = [lost and cell is not None for lost, cell in zip(gone, cells, strict=True)]
        starred[name] = ["*" if lost else cell for lost, cell in zip(is_lost, cells, strict=True)]
        emptied[name] = [way if lost else cell for lost, way, cell in zip(is_lost, empty, cells, strict=True)]
    for of in (before, starred, emptied):
        of["s"] = ["x"] * rows
    return before, starred, emptied, draw(st.booleans())


@fewer_examples()
@given(emptied_tables())
def test_an_emptied_cell_costs_what_a_suppressed_one_does(
    drawn: tuple[dict[str, Cells], dict[str, Cells], dict[str, Cells], bool],
) -> None:
    before, starred, emptied, with_hierarchy = drawn
    hierarchies = {"age": TENS} if with_hierarchy else {}
    card = card_of(before, emptied, hierarchies=hierarchies)
    same(card, card_of(before, starred, hierarchies=hierarchies), LOSSES)
    for metric_id in LOSSES:
        if card[metric_id].result is not None and card[metric_id].metric.working is not None:
            made = working(card, metric_id)
            if made.result is not None:
                assert made.result == pytest.approx(card[metric_id].value), metric_id


FORMS = ["{}", "{}.0", "{}.00", "{}e0", "+{}"]


@fewer_examples()
@given(
    st.lists(st.sampled_from([*AGES, "20"]), min_size=1, max_size=20),
    st.lists(st.sampled_from(["{}", "{}.0", "30-39", "*"]), min_size=20, max_size=20),
    st.lists(st.sampled_from(FORMS), min_size=20, max_size=20),
    st.booleans(),
)
def test_equal_numbers_are_equal_values(ages: list[str], labels: list[str], forms: list[str], tree: bool) -> None:
    what = [form if form != "30-39" or age[0] == "3" else "*" for age, form in zip(ages, labels, strict=False)]
    plain = [form.replace(".0", "").format(age) for age, form in zip(ages, what, strict=True)]
    mixed = [cell if "{}" not in form else of.format(cell) for cell, form, of in zip(plain, what, forms, strict=False)]
    hierarchies = {"age": TENS} if tree else {}
    wanted = of_ages(ages, plain, hierarchies=hierarchies)
    same(of_ages(ages, mixed, hierarchies=hierarchies), wanted, LOSSES)
    same(of_ages([f"{age}.0" for age in ages], plain, hierarchies=hierarchies), wanted, LOSSES)


def test_a_column_written_with_decimals_changes_no_metric() -> None:
    before: dict[str, Cells] = {"age": [*AGES, *AGES], "sex": [*"ffffffmmmmmm"], "s": [*"abcabcabcabc"]}
    after = {**before, "age": [f"{age}.0" for age in before["age"]]}
    for hierarchies in ({}, {"age": TENS}):
        wanted, found = (card_of(before, cells, hierarchies=hierarchies) for cells in (before, after))
        same(found, wanted, [metric.id for metric in METRICS if not metric.on_demand])
        assert found["precision"].value == 1
        changes = changes_by_column(as_read(found.aggregates))["age"].totals
        assert (changes.kept, changes.changed) == (12, 0)


WITH_TEXT: Cells = ["31", "NA", "39", "41", "NA", "46"]
WITH_TEXT_LEAVES = Hierarchy([["NA", "NA", "*"], *TENS.rows])


@pytest.mark.parametrize("hierarchies", [{}, {"age": WITH_TEXT_LEAVES}])
@pytest.mark.parametrize("decimals_in", ["anonymized", "original"])
def test_equal_numbers_are_equal_values_beside_text(decimals_in: str, hierarchies: dict[str, Hierarchy]) -> None:
    decimals = [cell if cell == "NA" else f"{cell}.0" for cell in WITH_TEXT]
    tables = (WITH_TEXT, decimals) if decimals_in == "anonymized" else (decimals, WITH_TEXT)
    found = of_ages(*tables, hierarchies=hierarchies)
    same(found, of_ages(WITH_TEXT, WITH_TEXT, hierarchies=hierarchies), LOSSES)
    assert {one: found[one].value for one in GENERALIZING} == dict.fromkeys(GENERALIZING, 1)


@pytest.mark.parametrize("hierarchies", [{}, {"age": Hierarchy([["unknown", "unknown", "*"], *TENS.rows])}])
def test_a_blank_beside_text_and_decimals_costs_what_it_does_beside_whole_numbers(
    hierarchies: dict[str, Hierarchy],
) -> None:
    before: Cells = ["31", None, "39", "41", "unknown", "46"]
    plain: Cells = ["31", None, "39", "*", "unknown", ""]
    decimals: Cells = ["31.0", None, "39.0", "*", "unknown", ""]
    wanted = of_ages(before, plain, hierarchies=hierarchies)
    same(of_ages(before, decimals, hierarchies=hierarchies), wanted, LOSSES)


def test_without_an_original_a_number_is_its_leaf_beside_text() -> None:
    roles = Roles(quasi_identifiers=["age"])
    plain, decimals = (
        score(table({"age": cells}), roles, hierarchies={"age": WITH_TEXT_LEAVES})
        for cells in (["31", "NA", "40-49"], ["31.0", "NA", "40-49"])
    )
    same(decimals, plain, GENERALIZING)
    assert plain["precision"].value == pytest.approx(5 / 6)


def test_a_cell_missing_in_both_tables_loses_nothing() -> None:
    card = of_ages([*AGES, None, ""], [*AGES, "", None])
    assert {one: card[one].value for one in (*GENERALIZING, "variance_preserved")} == dict.fromkeys(
        (*GENERALIZING, "variance_preserved"), 1
    )
    assert (card["kl_divergence"].value, card["distribution_distance"].value) == (pytest.approx(0, abs=1e-12), 0)
    lost = of_ages([*AGES, None], [*AGES[:-1], None, None])
    assert changes_by_column(as_read(lost.aggregates))["age"].totals.suppressed == 1


def test_a_distribution_with_filled_blanks_is_not_called_unchanged() -> None:
    before: Cells = ["31", None, "39", "41", None, "46"]
    card, unchanged = (of_ages(before, [cell or fill for cell in before]) for fill in ("35", None))
    for one in ("kl_divergence", "distribution_distance"):
        assert unchanged[one].value == card[one].value == pytest.approx(0, abs=1e-12)
        assert "is unchanged" in unchanged[one].summary()
        assert "unchanged" not in card[one].summary()
        assert "age contains labels or values that the original does not" in card[one].summary()


def test_without_an_original_a_blank_cell_is_suppressed_unless_its_hierarchy_has_a_blank_leaf() -> None:
    roles = Roles(quasi_identifiers=["age"])
    blank = score(table({"age": ["31", None, "34.0"]}), roles, hierarchies={"age": TENS})
    starred = score(table({"age": ["31", "*", "34"]}), roles, hierarchies={"age": TENS})
    same(blank, starred, GENERALIZING)
    assert blank["precision"].value == pytest.approx(2 / 3)
    leaf = Hierarchy([["31", "30-39", "*"], ["", "", "*"]])
    assert score(table({"age": ["31", None]}), roles, hierarchies={"age": leaf})["precision"].value == 1


# Perturbed values


def swapped(records: int, perturbed_records: int) -> tuple[Cells, Cells]:
    before = [AGES[i % 6] for i in range(records)]
    after = [AGES[(i + 1) % 6] if i < perturbed_records else age for i, age in enumerate(before)]
    return before, after


@pytest.mark.parametrize("hierarchies", [{}, {"age": TENS}])
def test_generalization_measures_have_no_figure_for_a_perturbed_column(hierarchies: dict[str, Hierarchy]) -> None:
    before, after = swapped(200, 3)
    card = of_ages(before, after, hierarchies=hierarchies)
    for one in GENERALIZING:
        assert card[one].value is None
        assert "1.5% of the released values of age" in (card[one].unavailable or "")
    sex: Cells = ["f", "*"] * 100
    beside = card_of({"age": before, "sex": ["f", "m"] * 100}, {"age": after, "sex": sex}, Roles(["age", "sex"]))
    for one in GENERALIZING:
        assert beside[one].attributes["age"] is None
        assert beside[one].attributes["sex"] is not None
        assert beside[one].details["not_generalized"] == {"age": pytest.approx(0.015)}
        assert "the true value; the score treats the changed values as unchanged" in beside[one].summary()
    kept = card_of(
        {"age": before, "sex": ["f", "m"] * 100}, {"age": after, "sex": ["f", "m"] * 100}, Roles(["age", "sex"])
    )
    for one in GENERALIZING:
        assert "every quasi-identifier" not in kept[one].summary()
        assert not kept[one].summary().startswith(("Every value stands", "A record could"))


@pytest.mark.parametrize("hierarchies", [{}, {"age": TENS}])
def test_a_few_perturbed_cells_cost_as_much_as_suppressed_ones(hierarchies: dict[str, Hierarchy]) -> None:
    before, after = swapped(200, 2)
    card = of_ages(before, after, hierarchies=hierarchies)
    starred = of_ages(before, ["*", "*", *before[2:]], hierarchies=hierarchies)
    same(card, starred, GENERALIZING)
    assert card["precision"].value == pytest.approx(0.99)
    assert card["non_uniform_entropy"].details["perturbed_cells"] == {"age": 2}
    # The distance of the numbers is still that of the numbers.
    assert card["variance_preserved"].value > starred["variance_preserved"].value


def test_a_released_value_that_is_no_ancestor_of_the_original_one_is_perturbed() -> None:
    before: Cells = ["39", "39", "39", "39", "39", "39", None, None]
    after: Cells = ["35", "30-39", "40-49", "3*", "4*", "*", "35", "30-39"]
    aggregates = as_read(of_ages([*before, "41", "35"], [*after, "41", "35"]).aggregates)
    pair = aggregates.comparison.pair("age")
    labels = pair.columns[1].labels
    found = {
        (pair.columns[0].labels[first], labels[second])
        for first, second, flag in zip(*pair.codes, perturbed_pairs(pair, None), strict=True)
        if flag
    }
    assert found == {("39", "35"), ("39", "40-49"), ("39", "4*"), (None, "35"), (None, "30-39")}


# Engines


@pytest.mark.parametrize(("typed", "keyed", "hierarchies"), [(False, True, {}), (True, False, {"age": TENS})])
def test_an_engine_compares_values_as_they_are_compared_in_memory(
    tmp_path: Path, typed: bool, keyed: bool, hierarchies: dict[str, Hierarchy]
) -> None:
    rows = 240
    ages = [20 + i % 40 for i in range(rows)]
    before: dict[str, Any] = {
        "id": [str(i) for i in range(rows)],
        "age": [str(age) for age in ages],
        "sex": [None if i % 11 == 0 else "fm"[i % 2] for i in range(rows)],
        "s": ["abc"[i % 3] for i in range(rows)],
    }
    emptied = ["34.0" if age == 34 else "" if i % 9 == 0 else str(age) for i, age in enumerate(ages)]
    after: dict[str, Any] = {
        **before,
        "age": [None if i % 9 == 0 else float(age) for i, age in enumerate(ages)] if typed else emptied,
        "sex": [None if i % 7 == 0 else cell for i, cell in enumerate(before["sex"])],
    }
    after["age"][1] = 22.0 if typed else "22"  # it was 21
    paths = [tmp_path / "original.parquet", tmp_path / "anonymized.parquet"]
    for path, cells in zip(paths, (before, after), strict=True):
        pq.write_table(pa.table(cells), path)
    roles = Roles(["age", "sex"], ["s"], key="id" if keyed else None)
    given: dict[str, Any] = {"hierarchies": hierarchies, "metrics": COUNTED}
    wanted = score(read_table(paths[1]), roles, original=read_table(paths[0]), **given)
    assert wanted["precision"].value is not None
    assert wanted["non_uniform_entropy"].details["perturbed_cells"]["age"] == 1
    with DuckDB() as engine:
        found = score(engine.table(paths[1]), roles, original=engine.table(paths[0]), **given)
        assert differences(wanted, found) == []
