"""The notebook's functions give the notebook's figures, and agree with the metric and with slow counting."""

import io
from collections.abc import Sequence
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics import InputError
from metrics.petworks import (
    calculate_global_distribution,
    calculate_k_anonymity,
    calculate_normalized_entropy,
    calculate_P_29_score,
    calculate_t_closeness,
    compute_t_closeness,
)
from tests.oracle import privacy
from tests.support.examples import fewer_examples
from tests.support.reference_data import reference

QUASI_IDENTIFIERS = ["race", "gender", "age"]
SENSITIVE = ["diag_1", "diag_2", "diag_3", "max_glu_serum", "A1Cresult", "readmitted"]
Frames = tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]


def frames(table: pd.DataFrame, quasi_identifiers: Sequence[str], sensitive: Sequence[str]) -> Frames:
    """k, l and t of every class, made the way the notebook makes them."""
    rows = []
    for _, group in table.groupby(list(quasi_identifiers)):
        row: dict[str, Any] = {
            f"Normalized Entropy l-diversity_{name}": calculate_normalized_entropy(group[name]) for name in sensitive
        }
        row["Quasi-identifiers"] = ", ".join(f"{name}: {group[name].iloc[0]}" for name in quasi_identifiers)
        row["k-anonymity"] = calculate_k_anonymity(group)
        rows.append(row)
    made = pd.DataFrame(rows)
    entropies = [column for column in made.columns if column.startswith("Normalized")]
    return (
        made[["Quasi-identifiers", "k-anonymity"]],
        made[["Quasi-identifiers", *entropies]],
        calculate_t_closeness(table, quasi_identifiers, sensitive),
    )


@pytest.fixture(scope="module")
def after() -> pd.DataFrame:
    return pd.read_csv(reference("diabetes", "diabetes_after_deletion.csv.gz"), keep_default_na=False)


@pytest.fixture(scope="module")
def found(after: pd.DataFrame) -> Frames:
    return frames(after, QUASI_IDENTIFIERS, SENSITIVE)


@pytest.mark.reference
def test_p29_after_deletion_equals_the_figures_of_the_notebook(found: Frames) -> None:
    score, problems, reasons, k_min, smallest, largest = calculate_P_29_score(*found)
    assert score == 0.8057811497937597
    assert (problems, reasons, k_min) == ([], [], 13)
    assert smallest == pytest.approx(0.07358616908386309, rel=1e-15)
    assert largest == pytest.approx(0.4997312970313503, rel=1e-15)


@pytest.mark.reference
def test_k_l_and_t_of_each_class_after_deletion_equal_the_figures_of_the_notebook(found: Frames) -> None:
    k_value, l_value, t_value = found
    assert list(t_value.columns) == ["Quasi-identifiers", *(f"t-closeness_{name}" for name in SENSITIVE)]
    assert list(t_value["Quasi-identifiers"]) == list(k_value["Quasi-identifiers"])
    assert len(k_value) == 63
    assert k_value["Quasi-identifiers"][0] == "race: AfricanAmerican, gender: Female, age: [30-40)"
    assert list(k_value["k-anonymity"][:5]) == [750, 1547, 2457, 2429, 2450]
    assert list(k_value["k-anonymity"][58:62]) == [219, 377, 500, 445]
    printed = [0.774974, 0.744782, 0.754702, 0.080875, 0.525621, 0.836904]
    assert [round(value, 6) for value in l_value.iloc[0, 1:]] == printed
    printed = [0.303572, 0.238707, 0.184423, 0.034396, 0.074785, 0.044816]
    assert [round(value, 6) for value in t_value.iloc[0, 1:]] == printed
    printed = [0.120149, 0.117597, 0.088735, 0.014861, 0.011622, 0.080126]
    assert [round(value, 6) for value in t_value.iloc[61, 1:]] == printed
    means = l_value.iloc[:, 1:].mean()
    assert [round(value, 6) for value in means] == [0.816539, 0.777670, 0.771016, 0.198358, 0.499301, 0.818425]
    assert means.mean() == pytest.approx(0.6468849936894951, rel=1e-14)
    readmitted = t_value["t-closeness_readmitted"]
    assert (readmitted.max(), readmitted.min()) == pytest.approx((0.24786315576225965, 0.00559306543589707), rel=1e-14)


@pytest.mark.reference
def test_distributions_after_deletion_equal_the_figures_of_the_notebook(after: pd.DataFrame) -> None:
    table = calculate_global_distribution(after["readmitted"])
    assert list(table.items()) == [
        ("NO", pytest.approx(0.5378511299520261, rel=1e-15)),
        (">30", pytest.approx(0.3505415924931358, rel=1e-15)),
        ("<30", pytest.approx(0.1116072775548381, rel=1e-15)),
    ]
    chosen = (after["race"] == "AfricanAmerican") & (after["gender"] == "Female") & (after["age"] == "[30-40)")
    members = after.loc[chosen, "readmitted"]
    assert calculate_global_distribution(members) == {"NO": 437 / 750, ">30": 231 / 750, "<30": 82 / 750}
    assert compute_t_closeness(members, table) == pytest.approx(0.04481553671464057, rel=1e-14)


def test_the_text_none_read_as_missing_by_pandas_counts_as_a_value() -> None:
    text = "age,A1Cresult\n[30-40),None\n[30-40),>7\n[40-50),None\n[40-50),None\n[40-50),>8\n"
    kept, table = (pd.read_csv(io.StringIO(text), keep_default_na=keep) for keep in (False, True))
    assert table["A1Cresult"].isna().any()
    both = (frames(one, ["age"], ["A1Cresult"]) for one in (table, kept))
    for made, wanted in zip(*both, strict=True):
        pd.testing.assert_frame_equal(made, wanted, check_exact=False, rtol=1e-14)
    distribution = calculate_global_distribution(table["A1Cresult"])
    assert distribution[None] == pytest.approx(3 / 5, rel=1e-14)
    assert compute_t_closeness(table["A1Cresult"], distribution) == 0


@pytest.mark.reference
def test_p29_before_deletion_is_0_for_the_reasons_of_the_notebook() -> None:
    table = pd.read_csv(reference("diabetes", "diabetes_before_deletion.csv.gz"), keep_default_na=False)
    k_value, l_value, t_value = frames(table, QUASI_IDENTIFIERS, SENSITIVE)
    score, problems, reasons, k_min, smallest, _ = calculate_P_29_score(k_value, l_value, t_value)
    assert (score, k_min, smallest) == (0.0, 1, 0.0)
    assert reasons == [
        "k-anonymity is 1",
        "normalized entropy l-value is 0 for some attribute",
        "t-value exceeds 0.5 for some attribute",
    ]
    assert len({name for name, _ in problems}) == 35
    by_reason = {part: {name for name, reason in problems if part in reason} for part in ("is 1", "is 0", "exceeds")}
    assert {part: len(names) for part, names in by_reason.items()} == {"is 1": 4, "is 0": 26, "exceeds": 31}
    assert problems[0] == ("race: Asian, gender: Female, age: [0-10)", "k-anonymity is 1")
    violating = k_value["Quasi-identifiers"].isin({name for name, _ in problems})
    assert k_value.loc[violating, "k-anonymity"].sum() == 2334


tables = st.lists(
    st.tuples(*(st.sampled_from(choices) for choices in ("xy", "12", "abc", "uv"))), min_size=2, max_size=24
).map(lambda rows: pd.DataFrame(rows, columns=["zip", "age", "illness", "income"]))


@fewer_examples()
@given(tables)
def test_functions_agree_with_slow_counting_and_with_the_metric(table: pd.DataFrame) -> None:
    quasi_identifiers, sensitive = ["zip", "age"], ["illness", "income"]
    records = table.to_dict("records")
    k_value, l_value, t_value = frames(table, quasi_identifiers, sensitive)
    for name in sensitive:
        slow = privacy.t_closeness(records, quasi_identifiers, name, "equal").per_class
        assert sorted(t_value[f"t-closeness_{name}"]) == pytest.approx(sorted(map(float, slow.values())), abs=1e-12)
        entropy = privacy.normalized_entropy_l_diversity(records, quasi_identifiers, name).per_class
        assert sorted(l_value[f"Normalized Entropy l-diversity_{name}"]) == pytest.approx(
            sorted(entropy.values()), abs=1e-12
        )
        whole = calculate_global_distribution(table[name])
        members = [group[name] for _, group in table.groupby(quasi_identifiers)]
        alone = [compute_t_closeness(member, whole) for member in members]
        assert alone == pytest.approx(list(t_value[f"t-closeness_{name}"]), abs=1e-12)
    roles = metrics.Roles(quasi_identifiers=quasi_identifiers, sensitive=sensitive)
    card = metrics.score(metrics.read_table(table), roles, metrics=["p29"])
    assert calculate_P_29_score(k_value, l_value, t_value)[0] == pytest.approx(card["p29"].value, abs=1e-12)


def test_the_weights_of_p29_apply_and_equal_distances_count_as_1() -> None:
    table = pd.DataFrame({"zip": ["1", "1", "2", "2"], "illness": ["a", "b", "a", "b"]})
    made = frames(table, ["zip"], ["illness"])
    assert calculate_P_29_score(*made)[0] == pytest.approx(0.5 * 0.5 + 0.25 * 1 + 0.25 * 1)
    assert calculate_P_29_score(*made, w_k=0, w_l=0, w_t=1)[0] == 1
    with pytest.raises(InputError, match="sum 1"):
        calculate_P_29_score(*made, w_k=1)


def test_empty_uniform_and_missing_values_are_computed_as_in_the_notebook() -> None:
    assert calculate_normalized_entropy(pd.Series([], dtype=str)) == 0
    assert calculate_normalized_entropy(pd.Series(["a", "a"])) == 0
    assert calculate_normalized_entropy(pd.Series([1.5, None, 1.5, None], name="x")) == 1
    table = pd.DataFrame({"zip": [None, "1", "*"], "illness": ["a", "b", "c"]})
    made = calculate_t_closeness(table, ["zip"], ["illness"])
    assert list(made["Quasi-identifiers"]) == ["zip: nan", "zip: 1"]
    assert compute_t_closeness(pd.Series(["a"]), {"b": 1.0}) == 1


CLASSES = pd.DataFrame({"Quasi-identifiers": ["A"], "k-anonymity": [2]})
VALUES = pd.DataFrame({"Quasi-identifiers": ["A"], "x": [0.3]})


@pytest.mark.parametrize(
    ("given_frames", "message"),
    [
        ((CLASSES[:0], VALUES, VALUES), "no equivalence class"),
        ((CLASSES, VALUES[["Quasi-identifiers"]], VALUES), "no sensitive attribute"),
        ((CLASSES[["Quasi-identifiers"]], VALUES, VALUES), 'column "k-anonymity": there is no such column'),
        ((CLASSES, VALUES, VALUES.assign(x=["TOPSECRET"])), 'column "x": a class has no number'),
        ((CLASSES, VALUES.assign(x=[None]), VALUES), 'column "x": a class has no number'),
    ],
)
def test_class_tables_that_do_not_fit_together_are_refused(given_frames: Frames, message: str) -> None:
    with pytest.raises(InputError) as refused:
        calculate_P_29_score(*given_frames)
    assert message in str(refused.value)
    assert "TOPSECRET" not in str(refused.value)


def test_table_of_suppressed_records_has_no_class() -> None:
    with pytest.raises(InputError, match="every record is suppressed or empty"):
        calculate_t_closeness(pd.DataFrame({"zip": ["*"], "illness": ["a"]}), ["zip"], ["illness"])
