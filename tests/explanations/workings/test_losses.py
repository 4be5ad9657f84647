"""Derivations of what was lost, on tables small enough to follow by hand."""

import pytest

from metrics import Hierarchy, Roles, score
from metrics.explanations.workings import Subject, working
from tests.explanations.workings.formulas import assert_sound
from tests.published.scoring import api, petworks
from tests.support.small_tables import written

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


@pytest.mark.reference
def test_the_workings_of_losses_end_at_the_scores_of_the_adult_table() -> None:
    adult = petworks("adult")
    names = ["age", "sex", "race"]
    card = api(
        adult / "adult_anonymized.csv", Roles(quasi_identifiers=names), adult / "adult.csv", adult / "adult_hierarchy"
    )
    for metric_id, columns in (("precision", names), ("granularity", names), ("discernibility", [""])):
        for column in columns:
            made = working(card, metric_id, Subject(0, column))
            value = card[metric_id].value
            assert value is not None
            assert made.result is not None
            assert abs(made.result - value) < 1e-12
            assert_sound(made)
