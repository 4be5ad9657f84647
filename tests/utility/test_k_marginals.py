"""k-marginal score: by hand, against the oracle, and the sample that it equals."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import metrics
from metrics import Hierarchy, Roles, score
from metrics.texts import text
from metrics.utility.k_marginals.marginals import Samples, mean_deviation
from metrics.utility.k_marginals.measure import KMarginals
from tests.oracle import counts as oracle
from tests.support.small_tables import Cells, records, written
from tests.utility.count_cells import LETTERS, RELABELLED, Pair, card_of, codebook, of, pairs, relabelled
from tests.working.formulas import assert_derives


def test_worked_example() -> None:
    original = written("letter sex\na f\na f\nb f\nb m")
    released = written("letter sex\nAB f\nAB f\n*  f\nAB m")
    trees = {"letter": Hierarchy(LETTERS), "sex": Hierarchy([["f", "*"], ["m", "*"]])}
    roles = Roles(quasi_identifiers=["letter", "sex"])
    card = score(released, roles, original=original, hierarchies=trees, metrics=["k_marginals"])
    found = card["k_marginals"]
    # Of the original's records 1/2 are a f, 1/4 b f and 1/4 b m. Without the record with *, the release has AB f twice
    # and AB m once: 1/3 a f, 1/3 b f, 1/6 a m, 1/6 b m.
    distance = abs(1 / 2 - 1 / 3) + abs(1 / 4 - 1 / 3) + abs(0 - 1 / 6) + abs(1 / 4 - 1 / 6)
    assert found.value == pytest.approx(500 * (2 - distance))
    # Nothing but the domain is known of 4 letters and 2 sexes: 1/8 in each of 8 cells, 5 of which are empty.
    suppressed = (1 / 2 - 1 / 8) + 2 * (1 / 4 - 1 / 8) + 5 / 8
    assert found.details["all_suppressed"] == pytest.approx(500 * (2 - suppressed))
    # A sample of one record of four is apart by 2 (1 − Σ p²) = 1.25, one of two by 5/6, which is farther than 2/3; one
    # of three by 5/12. So three records are needed, which 62.5% are.
    assert found.details["equals_sample"] == 0.625
    # The labels tell apart AB, and the sexes: 3/4 and 1/4 before, 2/3 and 1/3 after.
    assert found.details["as_released"]["value"] == pytest.approx(500 * (2 - 1 / 6))
    assert_derives(card, "k_marginals")
    (bars,) = card.chart("k_marginals").data
    assert list(bars.x) == pytest.approx([found.value])


def test_the_deviation_in_closed_form_is_that_of_the_definition() -> None:
    for rows in (1, 2, 7, 20):
        marked = np.arange(rows + 1)
        for drawn in range(1, rows + 1):
            expected = [oracle.deviation(rows, int(one), drawn) for one in marked]
            assert mean_deviation(rows, marked, drawn) == pytest.approx(expected, abs=1e-12)


def test_the_expected_score_of_a_sample_is_that_of_drawn_ones() -> None:
    generator = np.random.default_rng(1)
    cells = np.repeat(np.arange(5), [40, 30, 20, 9, 1])
    before = np.bincount(cells) / 100
    drawn = [generator.choice(cells, 20, replace=False) for _ in range(4_000)]
    distances = [np.abs(before - np.bincount(one, minlength=5) / 20).sum() for one in drawn]
    assert Samples([np.bincount(cells)]).score(0.2) == pytest.approx(500 * (2 - np.mean(distances)), abs=1)


def test_the_score_of_a_sample_never_falls_as_it_grows() -> None:
    scores = [Samples([np.array([40, 30, 20, 9, 1]), np.array([99, 1])]).score(share / 200) for share in range(1, 201)]
    assert scores == sorted(scores)
    assert scores[-1] == 1000


@given(pairs(), st.sampled_from([1, 2, 3]))
def test_every_figure_equals_that_of_the_oracle(pair: Pair, k: int) -> None:
    before, after = map(records, pair)
    assume(any(cell is not None for cell in pair[0]["q"]))
    names, book = list(pair[0]), codebook(pair)
    sets = [
        columns
        for columns in combinations(names, k)
        if any(all(book.covers(name, record[name]) is not None for name in columns) for record in before)
    ]
    found = card_of(pair, k_marginals__k=k)["k_marginals"]
    expected = oracle.marginals(before, after, names, k, book, sets=sets)
    assert expected is not None
    assert found.value == pytest.approx(expected.score, rel=1e-12)
    details = found.details
    assert details["equals_sample"] == expected.equals_sample
    assert found.result is not None
    assert found.result.by_value.distances == pytest.approx(expected.l1)  # type: ignore[attr-defined]
    assert details["samples"][2] == {"share": 0.1, "score": pytest.approx(expected.sampled(0.1))}
    nothing = oracle.marginals(before, after, names, k, book, sets=sets, all_suppressed=True)
    assert nothing is not None
    assert details["all_suppressed"] == pytest.approx(nothing.score, rel=1e-12)
    blocks = oracle.marginals(before, after, names, k, book, sets=sets, as_released=True)
    if blocks is None:
        assert details["as_released"] is None
    else:
        as_released = {"value": pytest.approx(blocks.score), "equals_sample": blocks.equals_sample}
        assert details["as_released"] == as_released


@given(pairs())
def test_order_and_names_do_not_matter_and_a_table_equals_itself(pair: Pair) -> None:
    assume(any(cell is not None for cell in pair[0]["q"]))
    one, other = card_of(pair)["k_marginals"], card_of(relabelled(pair), trees=RELABELLED)["k_marginals"]
    assert other.value == pytest.approx(one.value, rel=1e-12)
    assert other.details["as_released"] == pytest.approx(one.details["as_released"])
    assert of(card_of((pair[0], pair[0])), "k_marginals").value == pytest.approx(1000, abs=1e-9)


def test_suppressing_a_record_equals_deleting_it() -> None:
    before: dict[str, Cells] = {"q": [*"aabbcd"], "n": [*"012345"]}
    after: dict[str, Cells] = {"q": ["AB", "AB", "b", "b", "c"], "n": ["0-2", "0-2", "0-2", "3", "4"]}
    suppressed: dict[str, Cells] = {name: [*cells, "*"] for name, cells in after.items()}
    assert of(card_of((before, after)), "k_marginals").value == of(card_of((before, suppressed)), "k_marginals").value


def test_a_suppressed_table_has_the_score_of_all_suppressed_and_one_of_one_class_no_groups() -> None:
    before: dict[str, Cells] = {"q": [*"aabbcd"], "n": [*"012345"]}
    for label in ("*", None):
        found = of(card_of((before, {name: [label] * 6 for name in before})), "k_marginals")
        assert found.value == pytest.approx(found.details["all_suppressed"], rel=1e-12)
        assert found.details["as_released"] is None
    one_class = of(card_of((before, {"q": ["AB"] * 6, "n": ["0-5"] * 6})), "k_marginals")
    assert float(one_class.value or 0) < 1000


def test_without_a_common_known_record_nothing_is_shared() -> None:
    before: dict[str, Cells] = {"q": ["a", "b"], "n": ["1", "2"]}
    found = of(card_of((before, {"q": ["a", "*"], "n": ["*", "2"]})), "k_marginals")
    assert (found.value, found.result.by_value.distances[("q", "n")]) == (0, 2)  # type: ignore[union-attr]


def test_values_outside_the_domain_are_elsewhere() -> None:
    before: dict[str, Cells] = {"q": ["a", "b"], "n": ["1", "2"]}
    found = of(card_of((before, {"q": ["a", "b"], "n": ["1", "7"]})), "k_marginals")
    assert found.value == pytest.approx(500 * (2 - (0 + 1 / 2 + 1 / 2)))


def test_columns_of_many_values_are_left_out_and_named() -> None:
    rows = 201
    cells: dict[str, Cells] = {
        "q": ["a", "b", "c"] * 67,
        "n": ["1", "2", "3"] * 67,
        "id": [f"v{i}" for i in range(rows)],
    }
    found = of(card_of((cells, cells), trees={}), "k_marginals")
    assert (found.value, found.details["left_out"], found.details["sets"]) == (1000, ["id"], 1)
    too_few = card_of((cells, cells), trees={}, k_marginals__k=3)["k_marginals"]
    assert too_few.unavailable == text("k_marginals.unavailable.few_columns", columns=3, limit=200)


def test_the_summary_compares_with_a_sample_and_k_is_checked() -> None:
    before: dict[str, Cells] = {"q": [*"aabbcd"] * 500, "n": [*"012345"] * 500}
    after: dict[str, Cells] = {"q": ["AB", "AB", "b", "b", "c", "d"] * 500, "n": [*"012345"] * 500}
    found = of(card_of((before, after)), "k_marginals")
    assert "come as near the original's as those of a sample of" in found.summary()
    assert "farther from the original's" in of(card_of((before, {**after, "q": ["*"] * 3000})), "k_marginals").summary()
    assert card_of((before, after), k_marginals__k=1)["k_marginals"].value != found.value
    with pytest.raises(metrics.InputError, match=r"k_marginals\.k is not between 1 and 3"):
        card_of((before, after), k_marginals__k=4)


def test_details_are_ready_for_json() -> None:
    before: dict[str, Cells] = {"q": [*"aabbcd"], "n": [*"012345"]}
    result: Any = of(card_of((before, {"q": [*"aabbcd"], "n": ["0-2"] * 3 + ["3-5"] * 3})), "k_marginals").result
    assert isinstance(result, KMarginals)
    details = result.details()
    assert details["worst"] == [{"columns": ["q", "n"], "score": result.value}]
    assert [one["share"] for one in details["samples"]] == [0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    assert result.attributes == {"q": result.value, "n": result.value}
