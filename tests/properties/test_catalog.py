"""What every metric of the catalog owes: metrics by the properties they have, in the manner of scikit-learn's
test_common. A metric that is new in METRICS is tested here without a further line, unless it names itself below."""

import ast
import json
import math
import re
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from metrics import METRICS, Hierarchy, Parameters, Roles, Scorecard, Table, score
from metrics.metric import Direction, Family
from metrics.scoring.scorecard import Score
from metrics.texts import text
from tests.properties.families import OF_SENSITIVE
from tests.support.scenes import pair_scenes, sensitive_scenes
from tests.support.small_tables import Cells, table

IDS = [metric.id for metric in METRICS]

OF_UTILITY = {metric.id for metric in METRICS if metric.family is Family.UTILITY}
OF_ATTACKS = {metric.id for metric in METRICS if metric.family is Family.ATTACKS}
# They need numbers, or train a model.
OF_NUMBERS_OR_MODELS = {"standardized_difference", "eigenvalue_difference", "pmse", "classification_accuracy"}
# The figure is unchanged where the whole table stands there twice.
SCALE_FREE = (OF_SENSITIVE - {"p29"}) | (OF_UTILITY - OF_NUMBERS_OR_MODELS)
# What doubling does to others.
DOUBLED: dict[str, Callable[[Any], Any]] = {
    "sample_uniqueness": lambda share: 0,
    "k_anonymity": lambda k: 2 * k,
    "reidentification_risk": lambda risk: risk / 2,
}
# At their best where anonymizing changed nothing.
LOSSLESS = OF_UTILITY - OF_NUMBERS_OR_MODELS - {"analyses", "variance_preserved"}
# They compare with the original, and take a suppressed record as lost, or attack its person, rather than leave it out.
OF_PAIRS = OF_ATTACKS | (OF_UTILITY - {"average_class_size"})
# They look at all columns that hold a value, whatever their role, or at that of items.
OF_ALL_COLUMNS = {"safepub", "km_anonymity"}

ROLES = Roles(quasi_identifiers=["q", "r"], sensitive=["s", "S"])
# P_29's extremes over attributes and such are compared as figures are: one rounding may differ with the order.
CLOSE = 1e-12

words = st.sampled_from(["a", "b", "c", "d", "e", "g"])


def test_the_exceptions_name_metrics_that_exist() -> None:
    assert {*OF_NUMBERS_OR_MODELS, *DOUBLED, "p29", "variance_preserved", "average_class_size"} <= set(IDS)


def test_every_metric_has_a_worked_example_at_the_head_of_its_tests() -> None:
    shown: set[object] = set()
    families = [Path(__file__).parents[1] / family for family in ("privacy", "attacks", "utility", "economics")]
    for path in (path for family in families for path in family.glob("test_*.py")):
        tests = (one for one in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(one, ast.FunctionDef))
        first = next(tests, None)
        if first is not None and first.name == "test_worked_example":
            shown |= {node.value for node in ast.walk(first) if isinstance(node, ast.Constant)}
    assert set(IDS) - shown == set()


@st.composite
def candidates(draw: st.DrawFn, least: int = 1) -> tuple[dict[str, Cells], dict[str, Cells]]:
    """Original and anonymized cells: words, each kept, generalized to a capital letter, or suppressed."""
    rows = draw(st.integers(least, 30))
    before = {name: draw(st.lists(words, min_size=rows, max_size=rows)) for name in ("q", "r")}
    what = {name: draw(st.lists(st.sampled_from([0, 1, 1, 2]), min_size=rows, max_size=rows)) for name in before}
    sensitive = {
        "s": draw(st.lists(words, min_size=rows, max_size=rows)),
        "S": draw(st.lists(st.integers(0, 5).map(str), min_size=rows, max_size=rows)),
    }
    after: dict[str, Cells] = {
        name: [[cell, "AB" if cell < "c" else "CG", "*"][how] for cell, how in zip(cells, what[name], strict=True)]
        for name, cells in before.items()
    }
    return {**before, **sensitive}, {**after, **sensitive}


def card_of(before: dict[str, Cells], after: dict[str, Cells], roles: Roles = ROLES, **given: Any) -> Scorecard:
    return score(table(after), roles, original=table(before), **given)


def differing(card: Scorecard, other: Scorecard, metrics: Collection[str] = IDS) -> list[str]:
    """The metrics whose value, attributes or reason differ by more than rounding."""
    return [identifier for identifier in metrics if not same(card[identifier], other[identifier])]


def same(one: Score, other: Score) -> bool:
    if (one.unavailable, one.attributes.keys()) != (other.unavailable, other.attributes.keys()):
        return False
    pairs = [(one.value, other.value), *((figure, other.attributes[name]) for name, figure in one.attributes.items())]
    return all(close(*pair) for pair in pairs)


def close(one: float | bool | None, other: float | bool | None) -> bool:
    return one is other if one is None or other is None else math.isclose(one, other, rel_tol=CLOSE, abs_tol=CLOSE)


def reordered(columns: dict[str, Cells], order: Sequence[int]) -> dict[str, Cells]:
    return {name: [cells[i] for i in order] for name, cells in columns.items()}


# Invariances


@given(candidates(), st.data())
def test_neither_the_order_of_records_columns_and_roles_nor_columns_without_a_role_matter(
    candidate: tuple[dict[str, Cells], dict[str, Cells]], data: st.DataObject
) -> None:
    before, after = candidate
    order = data.draw(st.permutations(range(len(before["q"]))))
    more = {"other": ["1"] * len(order), **after, "last": list(map(str, order))}
    backwards = {name: more[name] for name in reversed(more)}
    turned = Roles(quasi_identifiers=ROLES.quasi_identifiers[::-1], sensitive=ROLES.sensitive[::-1])
    card = card_of(before, after)
    other = card_of(reordered(before, order), reordered(backwards, order), turned)
    assert not differing(card, other, set(IDS) - OF_ALL_COLUMNS)


@given(candidates(), st.permutations(["甲", "乙", "丙", "丁", "戊", "己"]), st.booleans())
def test_names_of_values_do_not_matter(
    candidate: tuple[dict[str, Cells], dict[str, Cells]], names: list[str], with_hierarchies: bool
) -> None:
    # "S" holds numbers, whose order counts: it keeps them.
    before, after = candidate
    new = dict(zip("abcdeg", names, strict=True)) | {"AB": "x y", "CG": "É", "*": "*"}

    def renamed(columns: dict[str, Cells]) -> dict[str, Cells]:
        return {name: cells if name == "S" else [new[str(cell)] for cell in cells] for name, cells in columns.items()}

    rows = [[word, "AB" if word < "c" else "CG", "*"] for word in "abcdeg"]
    columns = ("q", "s") if with_hierarchies else ()
    old_trees = {name: Hierarchy(rows) for name in columns}
    new_trees = {name: Hierarchy([[new[label] for label in row] for row in reversed(rows)]) for name in columns}
    card = card_of(before, after, hierarchies=old_trees)
    assert not differing(card, card_of(renamed(before), renamed(after), hierarchies=new_trees))


@given(candidates())
def test_duplicating_every_record_does_not_change_scale_free_metrics(
    candidate: tuple[dict[str, Cells], dict[str, Cells]],
) -> None:
    before, after = ({name: [*cells, *cells] for name, cells in columns.items()} for columns in candidate)
    metrics = [*SCALE_FREE, *DOUBLED]
    once, twice = card_of(*candidate, metrics=metrics), card_of(before, after, metrics=metrics)
    assert not differing(once, twice, SCALE_FREE)
    for identifier, doubled in DOUBLED.items():
        if once[identifier].value is not None:
            assert twice[identifier].value == doubled(once[identifier].value)


@given(candidates())
def test_duplicating_every_record_does_not_change_l_and_t_of_p29(
    candidate: tuple[dict[str, Cells], dict[str, Cells]],
) -> None:
    # Without weight on k nothing but the gate of single records can change, and no class of the doubled table is one.
    weights = Parameters().with_settings({"p29.w_k": 0, "p29.w_l": 0.5, "p29.w_t": 0.5})
    before, after = ({name: [*cells, *cells] for name, cells in columns.items()} for columns in candidate)
    given: dict[str, Any] = {"parameters": weights, "metrics": ["p29"]}
    once, twice = card_of(*candidate, **given)["p29"], card_of(before, after, **given)["p29"]
    if once.result is None:
        assert twice.unavailable == once.unavailable
        return
    for name in ("Nl", "Nt", "min_l", "max_t", "attribute_l", "attribute_t"):
        assert twice.details[name] == pytest.approx(once.details[name], rel=CLOSE, abs=CLOSE)
    if not once.details["violating_by_condition"]["k"]:
        assert close(once.value, twice.value)


@given(candidates())
def test_a_table_against_itself_has_lost_nothing(candidate: tuple[dict[str, Cells], dict[str, Cells]]) -> None:
    before, _ = candidate
    trees = {"q": Hierarchy([[word, "AB" if word < "c" else "CG", "*"] for word in "abcdeg"])}
    for hierarchies in ({}, trees):
        card = card_of(before, before, hierarchies=hierarchies, metrics=LOSSLESS)
        for identifier in LOSSLESS:
            metric = card[identifier].metric
            best = 0 if metric.direction is Direction.LOWER else metric.maximum
            assert card[identifier].value == best
            assert set(card[identifier].attributes.values()) <= {best}


@given(candidates(), st.data())
def test_suppressed_records_are_in_no_class(
    candidate: tuple[dict[str, Cells], dict[str, Cells]], data: st.DataObject
) -> None:
    # They change no figure but those that count what was lost.
    _, after = candidate
    more = data.draw(st.integers(1, 5))
    longer = {name: [*cells, *["*" if name in "qr" else "b"] * more] for name, cells in after.items()}
    longer["S"] = [*after["S"], *["0"] * more]
    metrics = set(IDS) - OF_PAIRS - OF_ALL_COLUMNS
    old, new = (score(table(cells), ROLES, metrics=metrics) for cells in (after, longer))
    assume(old.aggregates.classes.count)
    assert new.aggregates.classes.suppressed == old.aggregates.classes.suppressed + more
    for identifier in metrics:
        assert close(old[identifier].value, new[identifier].value), identifier


# Bounds and honesty


def check_sound(card: Scorecard) -> None:
    """A value in its range or a reason in words; strict JSON; a sentence; nothing that the table holds is missing."""
    text = json.dumps(card.to_dict(), allow_nan=False)
    assert "NaN" not in text
    for one in card:
        metric = one.metric
        assert one.summary()
        assert "nan" not in one.summary()
        if one.result is None:
            assert one.unavailable
            assert re.fullmatch(r"\S.*[^.\s]", one.unavailable), "the sentence gets its full stop when it is shown"
            assert (one.value, one.attributes, one.details) == (None, {}, {})
            continue
        assert one.unavailable is None
        if metric.direction is Direction.TRUE:
            assert isinstance(one.value, bool)
        for figure in (one.value, *one.attributes.values()):
            if figure is not None:
                assert math.isfinite(figure)
                assert metric.minimum is None or figure >= metric.minimum - CLOSE
                assert metric.maximum is None or figure <= metric.maximum + CLOSE
    rows = card.classes.to_arrow().to_pylist()
    assert len(rows) == card.aggregates.classes.count
    assert sum(row["size"] for row in rows if isinstance(row["size"], int)) == card.aggregates.classes.kept
    assert card._repr_html_()


@given(sensitive_scenes(25) | pair_scenes(25))
def test_every_candidate_gets_a_value_in_range_or_a_reason(scene: Any) -> None:
    check_sound(scene.score())


EMPTY: dict[str, Cells] = {"q": [], "r": [], "s": [], "S": []}
ONE: dict[str, Cells] = {"q": ["a"], "r": ["b"], "s": ["c"], "S": ["1"]}
CONSTANT: dict[str, Cells] = {"q": ["a"] * 9, "r": ["b"] * 9, "s": ["c"] * 9, "S": ["1"] * 9}
GONE: dict[str, Cells] = {"q": ["*"] * 9, "r": ["*"] * 9, "s": ["c", "d", "e"] * 3, "S": ["1", "2", "3"] * 3}
ONE_CLASS: dict[str, Cells] = {"q": ["a"] * 9, "r": ["b"] * 9, "s": ["c", "d", "e"] * 3, "S": ["1", "2", "3"] * 3}
MISSING: dict[str, Cells] = {
    "q": [None, "a"] * 3,
    "r": [None] * 6,
    "s": [None, "x", "y"] * 2,
    "S": ["1", None, "2"] * 2,
}
BLANK: dict[str, Cells] = {"q": ["", "a"] * 3, "r": [""] * 6, "s": ["", "x", "y"] * 2, "S": ["1", "", "2"] * 2}
DIFFERENT: dict[str, Cells] = {name: [f"{name}{i}" for i in range(9)] for name in "qrsS"}
HUGE: dict[str, Cells] = {name: ["1e308", "-1e308", "9" * 308, "1e-320", "-0"] for name in "qrsS"}
EXTREMES = {
    "no records": EMPTY,
    "one record": ONE,
    "constant columns": CONSTANT,
    "all suppressed": GONE,
    "one class": ONE_CLASS,
    "missing values": MISSING,
    "blank values": BLANK,
    "all different": DIFFERENT,
    "huge numbers": HUGE,
}
TREES = {name: Hierarchy([[value, "*"] for value in ("a", "b", "c", "d", "e")]) for name in "qrs"}


def tables(columns: dict[str, Cells]) -> tuple[Table, Table]:
    """Anonymized and original; where all is suppressed there was something before."""
    before = {name: ["b" if cell == "*" else cell for cell in cells] for name, cells in columns.items()}
    return table(columns), table(before)


@pytest.mark.parametrize("name", EXTREMES)
@pytest.mark.parametrize(
    ("sensitive", "hierarchies", "original"),
    [(True, TREES, True), (True, {}, False), (False, TREES, False), (False, {}, True)],
    ids=["everything given", "neither hierarchies nor original", "hierarchies only", "original only"],
)
def test_extreme_tables_have_sound_figures_or_reasons(
    name: str, sensitive: bool, hierarchies: dict[str, Hierarchy], original: bool
) -> None:
    anonymized, before = tables(EXTREMES[name])
    roles = ROLES if sensitive else Roles(quasi_identifiers=ROLES.quasi_identifiers)
    card = score(anonymized, roles, original=before if original else None, hierarchies=hierarchies)
    check_sound(card)
    for identifier in IDS:
        reason = card[identifier].unavailable
        if not sensitive and identifier in OF_SENSITIVE:
            assert reason == text("unavailable.no_sensitive"), identifier
        elif name == "no records" and card[identifier].metric.examine is not None:
            assert reason == text("unavailable.no_records"), identifier
        elif name == "no records" or card[identifier].metric.on_demand:
            assert reason, identifier
        elif name == "all suppressed" and identifier not in OF_PAIRS | OF_ALL_COLUMNS:
            assert reason == text("unavailable.all_suppressed"), identifier
        elif identifier == "non_uniform_entropy" and not original:
            assert reason == text("unavailable.no_original")


def test_figures_of_extreme_tables_equal_those_computed_by_hand() -> None:
    one = card_of(ONE, ONE)
    assert [one[identifier].value for identifier in ("p29", "k_anonymity", "t_closeness")] == [0, 1, 0]
    assert one["p29"].details["violating_classes"] == 1
    one_class = card_of(ONE_CLASS, ONE_CLASS)
    # Everybody in one class of three equally frequent values: l = 1 and t = 0, whatever the ground distance.
    assert one_class["p29"].value == pytest.approx(0.5 * (1 - 1 / 9) + 0.25 + 0.25)
    assert one_class["t_closeness"].value == 0
    assert one_class["entropy_l_diversity"].value == pytest.approx(3)
    constant = card_of(CONSTANT, CONSTANT)
    assert constant["normalized_entropy_l_diversity"].value == 0
    assert constant["recursive_cl_diversity"].value is None
    assert constant["recursive_cl_diversity"].unavailable is None
    assert (constant["non_uniform_entropy"].value, constant["ambiguity"].value) == (1, 1)
    anonymized, before = tables(GONE)
    trees = {name: Hierarchy([["b", "*"], ["c", "*"]]) for name in "qr"}
    gone = score(anonymized, ROLES, original=before, hierarchies=trees)
    assert gone["ambiguity"].value == 0
    assert gone["ambiguity"].details["mean_combinations"] == 4
    different = card_of(DIFFERENT, {**DIFFERENT, "q": ["*"] * 9, "r": ["*"] * 9})
    assert different["non_uniform_entropy"].value == 0
