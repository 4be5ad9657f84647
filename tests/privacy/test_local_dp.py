"""Local differential privacy: ε of randomized columns, of a record and of a person."""

import math

import numpy as np
import pytest

from dashboard.environment import ROOT
from metrics import (
    Hierarchy,
    InputError,
    Policy,
    Roles,
    Table,
    TransitionMatrix,
    generalized_table,
    k_rr,
    local_dp,
    make_candidate,
    read_table,
    score,
)
from metrics.privacy.local_dp.measure import LocalDP
from metrics.scoring.metric_score import Score
from metrics.tables.randomization import Randomization, Redrawn
from metrics.texts import text
from tests.support.small_tables import Cells, table

ROLES = Roles(["age"], ["ill"])
BEFORE: dict[str, Cells] = {"age": list("1234"), "ill": ["flu", "flu", "flu", None]}
AFTER: dict[str, Cells] = {"age": list("1234"), "ill": ["flu", None, "flu", None]}


def test_worked_example() -> None:
    # A flu is published with 3/4, a missing cell with 1/4 of the flus: ln(0.75/0.25) = ln 3.
    released = table(AFTER).randomized({"ill": k_rr(["flu", None], math.log(3))})
    found = score(released, ROLES, original=table(BEFORE), metrics=["local_dp"])["local_dp"]
    assert found.value == pytest.approx(math.log(3))
    # The attacker says flu whatever is published: 3/4 · 3/4 > 1/4 · 1/4, and 3/4 · 1/4 = 1/4 · 3/4.
    assert found.details["columns"]["ill"] == pytest.approx(math.log(3))
    successes = [found.details[name]["ill"] for name in ("uniform_success", "success", "guessing")]
    assert successes == pytest.approx([0.75] * 3)
    flu, missing = found.details["frequencies"]["ill"]
    # Half of the cells are published as a flu: (1/2 − 1/4) / (1/2) of the people have one, of three in truth.
    assert (flu["value"], flu["released"], flu["estimated"]) == pytest.approx(("flu", 0.5, 0.5))
    assert "true" not in flu  # it is what the table is to hide
    assert flu["low"] < 0.5 < flu["high"]
    assert missing["value"] is None
    assert local_dp(table(AFTER), ["age"], randomization={"ill": k_rr(["flu", None], 2)}) == pytest.approx(2)


def scored(released: Table, roles: Roles = ROLES, original: Table | None = None) -> Score:
    return score(released, roles, original=original, metrics=["local_dp"])["local_dp"]


def test_columns_and_the_records_of_a_person_add_up() -> None:
    cells = {**AFTER, "who": ["x", "y", "x", "x"], "sex": list("MMFF")}
    by = {"ill": k_rr(["flu", None], 1), "sex": k_rr(["M", "F"], 0.5)}
    released = table(cells).randomized(by)
    found = scored(released, Roles(["age"], ["ill"], person="who"))
    assert found.attributes == pytest.approx({"ill": 1, "sex": 0.5})
    assert [found.value, found.details["record_epsilon"]] == pytest.approx([4.5, 1.5])
    assert "3 records" in found.summary()
    assert found.summary().startswith("ε = 4.5 in all: 1 for ill and 0.5 for sex per record;")
    # The exact ratio of a record's probabilities: the Kronecker product of both matrices.
    whole = np.kron(*(one.kept * np.eye(2) + one.drawn for one in by.values()))
    assert TransitionMatrix(tuple("abcd"), whole.astype(np.float64)).epsilon == pytest.approx(1.5)


def test_pram_knows_its_matrix_which_is_no_guarantee() -> None:
    cells: dict[str, Cells] = {"age": ["1"] * 20, "ill": ["flu"] * 15 + ["asthma"] * 5}
    released = make_candidate(table(cells), "pram", ROLES, seed=1, columns=("ill",))
    found = scored(released, original=table(cells))
    assert found.value == pytest.approx(math.log(1 + 0.8 / (0.2 * 0.25)))
    assert found.result is not None
    assert found.result.understates_risk
    assert text("local_dp.from_data") in found.summary()
    card = score(released, ROLES, original=table(cells), metrics=["local_dp"])
    assert Policy("p", {"local_dp": 9}).check(card).status == "fails"
    kept = make_candidate(table(cells), "pram", ROLES, seed=1, columns=("ill",), probability=0)
    assert scored(kept).value == math.inf
    assert "∞" in scored(kept).summary()
    assert scored(released.take(np.arange(5))).value == found.value


def test_why_there_is_none() -> None:
    assert scored(table(AFTER)).unavailable == text("local_dp.unavailable.unknown")
    other = table(AFTER).randomized({"ill": k_rr(["a", "b"], 1)})
    assert scored(other).unavailable == text("local_dp.unavailable.other_values", column="ill")
    one = table(AFTER).randomized({"age": Redrawn(("1",), 1, np.zeros(1))})
    assert scored(one).unavailable == text("local_dp.unavailable.one_value", column="age")
    with pytest.raises(InputError, match="no such column"):
        table(AFTER).randomized({"sex": k_rr(["F", "M"], 1)})


def test_no_epsilon_where_the_original_shows_that_the_column_was_not_drawn_so() -> None:
    by = k_rr(["flu", "cold"], 1)  # keeps 73.1% of the cells
    before: dict[str, Cells] = {"age": ["1"] * 400, "ill": ["flu", "cold"] * 200}
    same = scored(table(before).randomized({"ill": by}), original=table(before))
    assert same.value is None
    reason = text(
        "local_dp.unavailable.contradicted", column="ill", observed=1.0, expected=float(by.kept + by.drawn[0])
    )
    assert same.unavailable == reason
    # Half of a standard deviation above the mean is chance; so is all of it without the original, or for few records.
    drawn: dict[str, Cells] = {**before, "ill": [*before["ill"][:296], *["cold", "flu"] * 52]}
    assert scored(table(drawn).randomized({"ill": by}), original=table(before)).value == pytest.approx(1)
    assert scored(table(before).randomized({"ill": by})).value == pytest.approx(1)
    few = table({name: list(cells)[:8] for name, cells in before.items()})
    assert scored(few.randomized({"ill": by}), original=few).value == pytest.approx(1)
    matrix = TransitionMatrix(by.values, np.diag(np.full(2, by.kept)) + by.drawn)
    assert scored(table(before).randomized({"ill": matrix}), original=table(before)).unavailable == reason


@pytest.mark.parametrize("keeps_share", [False, True])
def test_no_epsilon_where_other_values_follow_a_rule(*, keeps_share: bool) -> None:
    """Each changed value becomes the one that follows it; as many as stated are kept, or none."""
    by = k_rr(list("abc"), 1)
    before = [*"abc"] * 600
    follows = {"a": "b", "b": "c", "c": "a"}
    kept = round(1800 * (by.kept + by.drawn[0])) if keeps_share else 0
    after = [*before[:kept], *(follows[value] for value in before[kept:])]
    cells: dict[str, Cells] = {"age": ["1"] * 1800, "ill": after}
    found = scored(table(cells).randomized({"ill": by}), original=table({**cells, "ill": before}))
    assert "was not randomized by them" in (found.unavailable or "")


def test_true_draws_are_not_contradicted() -> None:
    generator = np.random.default_rng(7)
    for values, epsilon in (("ab", 0.1), ("abcd", 1), ("abcdefgh", 3), ("abc", 8)):
        by = k_rr(list(values), epsilon)
        before = generator.choice(list(values), 500, p=generator.dirichlet(np.ones(len(values))))
        redrawn = generator.choice(list(values), 500)
        after = np.where(generator.random(500) < by.kept, before, redrawn)
        cells: dict[str, Cells] = {"age": ["1"] * 500, "ill": after.tolist()}
        found = scored(table(cells).randomized({"ill": by}), original=table({**cells, "ill": before.tolist()}))
        assert found.value == pytest.approx(epsilon)


def test_a_value_that_is_never_published() -> None:
    by = TransitionMatrix(("a", "b", "c"), np.array([[0.6, 0.4, 0], [0.4, 0.6, 0], [0.5, 0.5, 0]]))
    for last, reason in (("a", None), ("c", text("local_dp.unavailable.other_values", column="ill"))):
        released = table({"age": ["1"] * 3, "ill": ["a", "b", last]}).randomized({"ill": by})
        assert scored(released).unavailable == reason


def test_a_person_whose_records_are_not_named_in_the_release_counts_by_the_original() -> None:
    roles = Roles(quasi_identifiers=["age"], person="person")
    before = table({"age": ["1"] * 4, "ill": ["a", "b", "a", "b"], "person": ["p", "p", "p", "q"]})
    for names in (["*"] * 4, ["p", None, "*", "q"]):
        cells: dict[str, Cells] = {"age": ["1"] * 4, "ill": ["b", "a", "a", "b"], "person": names}
        released = table(cells).randomized({"ill": k_rr(["a", "b"], 1)})
        assert scored(released, roles, before).value == pytest.approx(3)
        assert scored(released, roles).unavailable == text("local_dp.unavailable.unknown_person", column="person")


def test_suppressed_cells_and_an_original_of_other_values() -> None:
    released = table({**AFTER, "ill": ["flu", "*", "flu", None]}).randomized({"ill": k_rr(["flu", None], 1)})
    found = scored(released, original=table({**BEFORE, "ill": ["flu", "cold", "flu", None]}))
    assert found.value == pytest.approx(1)
    assert found.details["success"]["ill"] is None
    assert "equally likely" in found.summary()


def test_a_column_that_is_generalized_afterwards_is_no_longer_known() -> None:
    released = table(AFTER).randomized({"age": k_rr(list("1234"), 1)})
    coarser = generalized_table(released, ROLES, {"age": Hierarchy([[age, "1-4", "*"] for age in "1234"])}, {"age": 1})
    assert scored(coarser).unavailable == text("local_dp.unavailable.unknown")


def test_pram_of_the_sample_looks_like_noise_and_is_almost_none() -> None:
    original = read_table(ROOT / "sample_data" / "hospital.csv")
    columns = ("sex", "diagnosis", "zip_code")
    made = make_candidate(original, "pram", Roles(["sex", "zip_code"], ["diagnosis"]), columns=columns)
    found = {name: made[name].randomization.epsilon for name in columns}  # type: ignore[union-attr]
    assert found == pytest.approx({"sex": 2.226, "diagnosis": 5.804, "zip_code": 6.960}, abs=5e-4)


def test_the_promise_names_the_factor_of_each_column_and_of_all_and_what_it_does_not_cover() -> None:
    cells = {**AFTER, "sex": list("MMFF")}
    by: dict[str, Randomization] = {
        "ill": k_rr(["flu", None], 1),
        "sex": TransitionMatrix(("M", "F"), np.array([[1.0, 0.0], [0.5, 0.5]])),
    }
    drawn: LocalDP = scored(table(cells).randomized({"ill": by["ill"]}), original=table(BEFORE)).result  # type: ignore[assignment]
    assert "by a factor of at most 2.72 (ε = 1). An attacker who sees" in drawn.promise
    assert drawn.promise.endswith(text("local_dp.promise.not_covered"))
    both: LocalDP = scored(table(cells).randomized(by)).result  # type: ignore[assignment]
    assert text("local_dp.promise.nothing", column="sex") in both.promise
    assert "together" not in both.promise
    pairs = {**cells, "sex": ["flu", None, "flu", "flu"]}
    twice: LocalDP = scored(table(pairs).randomized(dict.fromkeys(("ill", "sex"), by["ill"]))).result  # type: ignore[assignment]
    assert text("local_dp.promise.together", epsilon=2.0, factor=float(np.exp(2))) in twice.promise
