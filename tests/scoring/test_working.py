"""Every derivation ends in the figure that `score` gives, for every class, record and column."""

from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import METRICS, Hierarchy, Parameters, Roles, Scorecard, score
from metrics.errors import Unavailable
from metrics.scoring.catalog import BY_ID
from metrics.scoring.scorecard import score_metric
from metrics.scoring.working import (
    Subject,
    derivation,
    subject_count,
    subject_name,
    working,
)
from tests.support.scenes import Scene, pair_scenes, sensitive_scenes
from tests.support.small_tables import written
from tests.working.formulas import assert_derives, assert_sound
from tests.working.own_figures import close

DIVERSITIES = [
    "distinct_l_diversity",
    "entropy_l_diversity",
    "recursive_cl_diversity",
    "normalized_entropy_l_diversity",
]
LOSSES = ["precision", "granularity", "discernibility", "average_class_size", "suppressed_cells"]
LIKENESSES = ["alpha_k_anonymity", "basic_beta_likeness", "enhanced_beta_likeness", "delta_disclosure"]
DISEASES = Hierarchy([["flu", "lungs", "any"], ["cancer", "stomach", "any"], ["gastritis", "stomach", "any"]])
FIVE = written(
    """year salary disease
    197* 3000 cancer
    197* 4000 flu
    198* 5000 flu
    198* 6000 gastritis
    198* 8000 cancer"""
)


def five(**settings: object) -> Scorecard:
    roles = Roles(quasi_identifiers=["year"], sensitive=["salary", "disease"])
    parameters = Parameters().with_settings(settings)
    return score(FIVE, roles, hierarchies={"disease": DISEASES}, parameters=parameters)


def test_every_declared_working_exists_and_a_metric_without_one_says_so() -> None:
    for spec in METRICS:
        if spec.working is not None:
            assert derivation(spec.id).derive
        else:
            with pytest.raises(Unavailable, match="no step-by-step working"):
                derivation(spec.id)


@pytest.mark.parametrize("metric_id", [spec.id for spec in METRICS if spec.working is not None])
def test_the_workings_of_the_five_row_table_end_at_its_scores(metric_id: str) -> None:
    assert_derives(five(), metric_id)


@given(sensitive_scenes(14), st.sampled_from([2, 3]), st.sampled_from(["equal", "automatic"]), st.booleans())
def test_workings_of_metrics_of_one_table_end_at_the_score(
    scene: Scene, least: int, distance: str, known: bool
) -> None:
    chosen = {f"t_closeness.distance.{name}": "equal" for name in scene.sensitive if distance == "equal"}
    mode = {"sensitive.others_as_quasi_identifiers": known}
    metrics = ("k_anonymity", *DIVERSITIES, "t_closeness", *LIKENESSES, "p29")
    card = scene.score(*metrics, **{"recursive_cl_diversity.l": least}, **chosen, **mode)
    for metric_id in metrics:
        assert_derives(card, metric_id)


@given(
    pair_scenes(14),
    st.sampled_from([0, 0.1, 4, 300]),
    st.sampled_from([0, 0.3, 300]),
    st.sampled_from([0, 100, 1200]),
    st.booleans(),
    st.booleans(),
)
def test_workings_of_metrics_of_two_tables_end_at_the_score(
    scene: Scene, cost: float, gain: float, benefit: float, allow_attack: bool, information_loss: bool
) -> None:
    metrics = ("k_anonymity", "non_uniform_entropy", "ambiguity", *LOSSES, "profitability")
    card = scene.score(
        *metrics,
        **{
            "profitability.adversary_cost": cost,
            "profitability.adversary_gain": gain,
            "profitability.publisher_benefit": benefit,
            "profitability.allow_attack": allow_attack,
            "profitability.information_loss": information_loss,
        },
    )
    for metric_id in metrics:
        assert_derives(card, metric_id)


def test_workings_end_at_the_score_for_records_matched_by_a_key_and_deleted_ones() -> None:
    original = written("id year sex\n1 1970 f\n2 1981 m\n3 1983 m\n4 1988 f\n5 1979 f")
    anonymized = written("id year sex\n4 198* f\n2 198* m\n1 197* f\n3 198* *")
    years = Hierarchy([[year, f"{year[:3]}*", "*"] for year in ("1970", "1979", "1981", "1983", "1988")])
    roles = Roles(quasi_identifiers=["year", "sex"], identifiers=["id"], key="id")
    card = score(anonymized, roles, original=original, hierarchies={"year": years})
    for metric_id in ("non_uniform_entropy", "ambiguity"):
        assert subject_count(card, metric_id) == 5
        assert_derives(card, metric_id)
    for metric_id in LOSSES:
        assert_derives(card, metric_id)
    heights = working(card, "precision", Subject(0, "year")).steps[0].table
    assert heights is not None
    assert heights.rows == (("suppressed or deleted", 2, 2, 1), ("198*", 1, 2, 3), ("197*", 1, 2, 1))
    first = working(card, "non_uniform_entropy", Subject(0, "year"))
    assert "1988 became 198*" in first.steps[0].sentence
    deleted = working(card, "non_uniform_entropy", Subject(4, "year"))
    assert "1979 became *" in deleted.steps[0].sentence


def test_a_product_too_large_for_a_double_is_still_derived() -> None:
    names = [f"q{i}" for i in range(400)]
    cells = written(" ".join(names) + "\n" + " ".join("*" * 400) + "\n" + " ".join("a" * 400), "wide")
    leaves = Hierarchy([[leaf, "*"] for leaf in "abcdefghij"])
    card = score(cells, Roles(quasi_identifiers=names), hierarchies=dict.fromkeys(names, leaves))
    made = working(card, "ambiguity", Subject(0))
    assert close(made.result, card["ambiguity"].value)
    assert made.steps[1].formula is not None
    assert r"1.000 \times 10^{400}" in made.steps[1].formula


def test_the_working_begins_where_the_figure_is_decided() -> None:
    card = five()
    assert working(card, "k_anonymity").subject == "year = 197*"
    assert working(card, "t_closeness").steps[-2].number == 0.375
    assert "This class fails" in working(card, "p29").steps[-2].sentence
    assert subject_name(card, "k_anonymity", 1) == "year = 198* (3 records)"


@pytest.mark.parametrize("subject", [Subject(2, "salary"), Subject(-1, "salary")])
def test_a_working_of_a_class_that_does_not_exist_is_refused(subject: Subject) -> None:
    with pytest.raises(IndexError, match="no such class"):
        working(five(), "t_closeness", subject)


def test_a_working_of_a_column_that_does_not_exist_is_refused() -> None:
    with pytest.raises(KeyError, match="no such column"):
        working(five(), "t_closeness", Subject(0, "year"))


def test_the_steps_of_the_five_row_table_show_the_published_fractions() -> None:
    card = five()
    salary = working(card, "t_closeness", Subject(0, "salary")).steps[2]
    assert salary.table is not None
    assert salary.table.rows == (
        ("3000", "4000", "3/10", "3/40"),
        ("4000", "5000", "3/5", "3/20"),
        ("5000", "6000", "2/5", "1/10"),
        ("6000", "8000", "1/5", "1/20"),
    )
    assert salary.formula is not None
    assert r"\frac{3}{40} + \frac{3}{20} + \frac{1}{10} + \frac{1}{20}" in salary.formula
    assert r"\frac{3}{8} = 0.375" in salary.formula
    disease = working(card, "t_closeness", Subject(0, "disease")).steps[2]
    assert disease.table is not None
    assert disease.table.rows == (
        ("lungs", 1, "1/10", "0", "0", "0", "1/10"),
        ("stomach", 1, "1/10", "−1/5", "1/10", "1/20", "−1/10"),
        ("any", 2, "1/10", "−1/10", "1/10", "1/10", "0"),
    )
    assert disease.formula is not None
    assert r"\frac{3}{20} = 0.15" in disease.formula


def test_workings_of_metrics_for_perturbed_tables_end_at_the_score() -> None:
    original = pd.DataFrame(
        {"age": ["31", "45", "52", "67"], "income": ["100", "260", "240", "400"], "s": list("aabb")}
    )
    released = original.assign(age=["32", "45", "50", "66"], income=["110", "255", "250", "390"])
    roles = Roles(quasi_identifiers=["age", "income"], sensitive=["s"])
    card = score(released, roles, original=original)
    metric_ids = {spec.id for spec in METRICS if spec.about_perturbation} - {
        "local_dp"
    }  # nothing is known of how it was drawn
    for metric_id in metric_ids:
        scored = score_metric(BY_ID[metric_id], card.aggregates, card.parameters)
        assert scored.result is not None, metric_id
        assert_derives(replace(card, scores={**card.scores, metric_id: scored}), metric_id)


YEARS = Hierarchy([[str(year), f"{str(year)[:3]}*", "*"] for year in range(1970, 1990)], name="born")
BEFORE = written("born sex\n1970 m\n1981 f\n1983 f\n1988 m")
AFTER = written("born sex\n197* m\n198* f\n198* *\n* *")
CARD = score(AFTER, Roles(quasi_identifiers=["born", "sex"]), original=BEFORE, hierarchies={"born": YEARS})


def formulas(metric_id: str, column: str = "") -> list[str | None]:
    made = working(CARD, metric_id, Subject(0, column))
    assert_sound(made)
    return [step.formula for step in made.steps]


def test_the_working_of_precision_averages_the_levels_of_each_column() -> None:
    _, mean, last = formulas("precision", "born")
    assert mean is not None
    assert r"\frac{3 \times 1 + 1 \times 2}{4 \times 2}" in mean
    assert r"= \frac{5}{8}" in mean
    assert last is not None
    assert r"1 - \frac{0.625 + 0.5}{2} &\approx 0.4375" in last
    assert working(CARD, "precision").subject == "born"


def test_the_working_of_granularity_averages_the_widths_of_each_column() -> None:
    _, mean, last = formulas("granularity", "born")
    assert mean is not None
    assert r"\frac{1 \times 20 + 3 \times 10}{4 \times 20}" in mean
    assert last is not None
    assert last.startswith(r"\frac{0.394737 + 0.5}{2}")
    assert working(CARD, "granularity").subject == "born"


def test_the_working_of_the_certainty_penalty_ends_at_the_score() -> None:
    assert CARD["normalized_certainty_penalty"].value is not None
    assert_derives(CARD, "normalized_certainty_penalty")


def test_the_working_of_discernibility_compares_squared_class_sizes_before_and_after() -> None:
    now, before, score_formula = formulas("discernibility")
    assert now is not None
    assert r"1 \times 4 + 3 \times 1^2" in now
    assert before is not None
    assert r"D_0 &= 4 \times 1^2" in before
    assert score_formula is not None
    assert r"\frac{7 - 4}{16 - 4}" in score_formula


def test_the_working_of_average_class_size_ends_at_1_if_the_classes_are_no_larger() -> None:
    before = written("q\na\na\na\nb", "original")
    card = score(written("q\n*\n*\n*\nb"), Roles(quasi_identifiers=["q"]), original=before)
    made = working(card, "average_class_size")
    assert [step.number for step in made.steps] == [1, 2, 1]
    assert made.steps[-1].sentence.endswith("so the score is 1.")
    assert_sound(made)


def test_the_working_of_suppressed_cells_counts_them_and_gives_their_share() -> None:
    count, share = formulas("suppressed_cells")
    assert count == "1 + 2 = 3"
    assert share is not None
    assert r"\frac{3}{4 \times 2} &= \frac{3}{8}" in share
