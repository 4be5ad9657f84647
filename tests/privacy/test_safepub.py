"""SafePub: the published figures, exact sums of binomial probabilities, and the classes of a table by hand."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import metrics
from metrics import InputError, Parameters, Roles, Scorecard, score
from metrics.privacy.safepub.bound import delta_of, k_for, largest_sampling
from metrics.scoring.metric_score import Score
from metrics.tables.randomization import Sampling
from metrics.texts import text
from tests.support.command_line import call
from tests.support.examples import fewer_examples
from tests.support.small_tables import Cells, table, written

ROLES = Roles(["age"], ["disease"])


def test_worked_example() -> None:
    released = written("age disease\n20-29 flu\n20-29 flu\n30-39 flu\n30-39 flu")
    found = score(released, ROLES, parameters=Parameters().with_settings({"safepub.epsilon": math.log(2)}))["safepub"]
    # β = 1/2 and gamma = 3/4. Of m = 2 records both are kept with 1/4. Of m = 3, 2 do not count: ⌊9/4⌋ + 1 = 3, with
    # 1/8; of m = 4, ⌊3⌋ + 1 = 4. Of m = 5, 4 or more are kept with 6/32, and larger m have less.
    assert found.details["k"] == 2
    assert found.value == pytest.approx(1 / 4)


def scored(cells: dict[str, Cells], roles: Roles = ROLES, **settings: object) -> Scorecard:
    chosen = Parameters().with_settings({f"safepub.{name}": value for name, value in settings.items()})
    return score(table(cells), roles, parameters=chosen, metrics=["safepub"])


def exact_delta(k: int, epsilon: float, beta: float, sizes: int) -> Fraction:
    """The largest probability of all true sizes up to a number, by sums of binomial probabilities."""
    keep = Fraction(beta)
    gamma = 1 - (1 - keep) * Fraction(math.exp(-epsilon))

    def tail(m: int) -> Fraction:
        least = max(k, math.floor(gamma * m) + 1)
        return sum((math.comb(m, n) * keep**n * (1 - keep) ** (m - n) for n in range(least, m + 1)), start=Fraction(0))

    return max(tail(m) for m in range(1, sizes + 1))


@example(k=20, epsilon=1.0, part=1.0)
@example(k=1, epsilon=3.0, part=1.0)
@example(k=3, epsilon=1.0, part=0.5)
@fewer_examples()
@given(k=st.integers(1, 12), epsilon=st.floats(0.3, 3), part=st.sampled_from([0.3, 0.7, 1.0]))
def test_delta_is_the_largest_of_the_exact_probabilities(k: int, epsilon: float, part: float) -> None:
    beta = part * largest_sampling(epsilon)
    gamma = 1 - (1 - beta) * math.exp(-epsilon)
    sizes = 4 * math.ceil(k / gamma) + 20
    assert delta_of(k, epsilon, beta) == pytest.approx(float(exact_delta(k, epsilon, beta, sizes)), rel=1e-9)


def test_the_published_figures() -> None:
    pairs = [((1, 1e-5), 61), ((1, 1e-6), 74), ((2, 1e-5), 113), ((0.5, 1e-6), 63)]
    assert [k_for(*given) for given, _ in pairs] == [k for _, k in pairs]
    assert delta_of(20, 1) == pytest.approx(0.011770722676538892, rel=1e-10)
    assert k_for(1, 1e-5, as_arx=True) == 62


@given(st.floats(0.01, 5), st.floats(1e-9, 0.9))
def test_k_is_the_least_and_delta_never_rises_with_it(epsilon: float, delta: float) -> None:
    k = k_for(epsilon, delta)
    assert k is not None
    assert delta_of(k, epsilon) <= delta
    assert k == 1 or delta_of(k - 1, epsilon) > delta
    assert delta_of(k + 1, epsilon) <= delta_of(k, epsilon)


def test_delta_is_no_monotone_function_of_epsilon() -> None:
    assert delta_of(20, 0.5) < delta_of(20, 2)  # more records are kept
    assert delta_of(20, 2, 0.3) < delta_of(20, 1, 0.3)  # as many are


def test_more_sampling_than_epsilon_allows_proves_nothing() -> None:
    assert delta_of(1000, 1, 0.7) == 1
    assert k_for(1, 1e-6, 0.7) is None
    found = scored({"age": ["a"] * 9, "disease": ["b"] * 9}, beta=0.7)["safepub"]
    assert (found.value, found.details["k_needed"]) == (1, None)
    assert found.summary() == text("safepub.nothing", beta=0.7, epsilon=1.0, most=largest_sampling(1))


def test_the_smallest_and_largest_settings() -> None:
    for epsilon in (1e-12, 1e-3, 5, 10):
        k = k_for(epsilon, 1e-6)
        assert k is not None
        assert delta_of(k, epsilon) <= 1e-6 < delta_of(k - 1, epsilon)
    assert scored({"age": ["a"] * 9, "disease": ["b"] * 9}, epsilon=0)["safepub"].unavailable == text(
        "safepub.unavailable.no_epsilon"
    )
    for settings in ({"epsilon": -1}, {"epsilon": "nan"}, {"epsilon": 11}, {"delta": 0}, {"delta": 1}, {"beta": 1}):
        with pytest.raises(InputError, match=r"safepub\.\w+ is not between"):
            scored({"age": ["a"], "disease": ["b"]}, **settings)


def test_classes_are_of_all_columns_that_hold_a_value() -> None:
    cells: dict[str, Cells] = {"age": ["a"] * 4, "disease": ["b", "b", "c", "c"], "other": ["x"] * 4, "name": ["*"] * 4}
    roles = Roles(["age"], ["disease"], identifiers=["name"])
    assert scored(cells, roles)["safepub"].details["k"] == 2
    assert scored({**cells, "other": ["x", "x", "x", "y"]}, roles)["safepub"].details["k"] == 1
    assert scored({**cells, "name": ["", None, "*", "*"]}, roles)["safepub"].details["k"] == 2
    # A suppressed record that shows a value counts; one that shows none does not.
    assert scored({"age": ["a", "a", "*"], "disease": ["b", "b", "b"]})["safepub"].details["k"] == 1
    assert scored({"age": ["a", "a", "*"], "disease": ["b", "b", "*"]})["safepub"].details["k"] == 2


def test_without_a_record_or_a_value_there_is_no_class() -> None:
    assert scored({"age": [], "disease": []})["safepub"].unavailable == text("unavailable.no_records")
    gone = scored({"age": ["*"] * 3, "disease": ["*"] * 3})["safepub"]
    assert gone.unavailable == text("unavailable.all_suppressed")


def test_an_engine_finds_the_same_class() -> None:
    import polars as pl

    cells = {"age": [*"aabbbcccc"] * 4, "disease": [*"xxyyyxxxx"] * 4}
    lazy = score(pl.LazyFrame(cells), ROLES, metrics=["safepub"], max_classes=2)
    assert lazy["safepub"].details == scored(dict(cells))["safepub"].details
    assert lazy["safepub"].details["k"] == 8


def test_the_sentence_is_a_condition() -> None:
    cells: dict[str, Cells] = {"age": ["a"] * 41, "disease": ["b"] * 41}
    assert scored(cells)["safepub"].summary() == (
        "If the records had been sampled with 63% and the levels chosen without the data, classes of 41 would give "
        "(1, 0.00024)-DP. A δ of 0.000001 needs classes of 74."
    )
    assert scored({"age": ["a"], "disease": ["b"]})["safepub"].summary().startswith("Some record is alone")
    assert "needs classes of 75" in scored(cells, as_arx=True)["safepub"].summary()
    assert metrics.safepub(table(cells), ["age"]) == delta_of(41, 1)


def made_by(cells: dict[str, Cells], sampling: Sampling, original: int | None = None, **settings: object) -> Score:
    chosen = Parameters().with_settings({f"safepub.{name}": value for name, value in settings.items()})
    before = None if original is None else table({"age": ["a"] * original, "disease": ["b"] * original})
    released = replace(table(cells), sampled=sampling)
    return score(released, ROLES, original=before, parameters=chosen, metrics=["safepub"])["safepub"]


def test_a_table_that_is_known_to_be_sampled_states_what_that_proves() -> None:
    cells: dict[str, Cells] = {"age": ["a"] * 80, "disease": ["b"] * 80}
    sampling = Sampling(1, 1e-6, 0.6321, 74)
    found = made_by(cells, sampling, 127)
    assert found.summary() == text("safepub.made", epsilon=1, delta=1e-6, beta=0.63, k=74, factor=math.e)
    assert found.details["sampled"] == {"epsilon": 1, "delta": 1e-6, "beta": 0.6321, "k": 74}
    # The ε of a policy is another one; the sampling is the table's own.
    other = made_by(cells, sampling, epsilon=2)
    assert other.value == delta_of(80, 2, 0.6321)
    assert other.summary().startswith(f"{found.summary()} At ε = 2, δ is ")
    assert made_by(cells, sampling, epsilon=0.5).value == 1


def test_a_table_that_cannot_have_been_sampled_so_proves_nothing() -> None:
    cells: dict[str, Cells] = {"age": ["a"] * 80, "disease": ["b"] * 80}
    sampling = Sampling(1, 1e-6, 0.6321, 74)
    # Of 80 records 50.57 are kept on average, with a standard deviation of 4.31.
    most = text("safepub.unavailable.records", records=80, original=80, most=77)
    assert made_by(cells, sampling, 80).unavailable == most
    assert made_by(cells, replace(sampling, k=81)).unavailable == text("safepub.unavailable.classes", k=80, least=81)


def test_a_person_with_several_records_is_not_protected_as_stated() -> None:
    cells: dict[str, Cells] = {"age": ["a"] * 80, "disease": ["b"] * 80, "who": ["*"] * 80}
    roles = Roles(["age"], ["disease"], person="who")
    released = replace(table(cells), sampled=Sampling(1, 1e-6, 0.6321, 74))
    for persons, reason in ((127, None), (126, text("safepub.unavailable.several_records", column="who"))):
        who = [str(number % persons) for number in range(127)]
        before = table({"age": ["a"] * 127, "disease": ["b"] * 127, "who": who})
        assert score(released, roles, original=before, metrics=["safepub"])["safepub"].unavailable == reason


def test_the_command_line_takes_the_settings(capsys: pytest.CaptureFixture[str], tmp_path: object) -> None:
    from dashboard.environment import ROOT

    sample = ROOT / "sample_data"
    given = ("--anonymized", sample / "candidate_light.csv", "--roles", sample / "roles.yaml", "--json")
    done = call(capsys, "score", *given, "--set", "safepub.epsilon=2", "--set", "safepub.delta=1e-5")
    found = done.object["metrics"]["safepub"]
    assert found["details"]["k_needed"] == 113
    assert found["value"] == pytest.approx(delta_of(found["details"]["k"], 2))
