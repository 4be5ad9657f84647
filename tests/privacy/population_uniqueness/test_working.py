"""The workings of uniqueness end in the figures, also of those that are computed on demand only."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Parameters, Roles, Scorecard, score
from metrics.scoring.working import Unit, decisive_subject, derivation, subject_count, working
from tests.support.scenes import Scene, sensitive_scenes
from tests.support.small_tables import Cells, table
from tests.working.formulas import assert_derives

IDS = ("sample_uniqueness", "population_uniqueness", "minimal_sample_uniques", "quasi_identifier_ranking")


def scored(columns: dict[str, Cells], names: list[str], **chosen: object) -> Scorecard:
    parameters = Parameters().with_settings(chosen)
    return score(table(columns), Roles(quasi_identifiers=names), metrics=IDS, parameters=parameters)


@given(sensitive_scenes(20), st.sampled_from([20, 100, 10**11]), st.integers(1, 4))
def test_workings_of_uniqueness_end_at_the_score_for_random_tables(scene: Scene, size: int, most: int) -> None:
    names = [*scene.quasi_identifiers, *scene.sensitive]
    chosen = {
        "population_uniqueness.size": size,
        "minimal_sample_uniques.max_columns": most,
        "quasi_identifier_ranking.max_columns": most,
    }
    card = scored(scene.anonymized, names, **chosen)
    for name in IDS:
        assert_derives(card, name)


SIZES = {"pitman": [1] * 9 + [2] * 4 + [3, 5, 9], "zayatz": [1] * 12, "snb": [1] * 30 + [2] * 16 + [3] * 9 + [4] * 6}
FRACTIONS = {"pitman": 0.01, "zayatz": 0.5, "snb": 0.5}


@pytest.mark.parametrize("model", SIZES)
def test_the_working_names_the_population_model_chosen_and_ends_at_its_figure(model: str) -> None:
    cells: Cells = [f"v{i}" for i, size in enumerate(SIZES[model]) for _ in range(size)]
    card = scored({"q": cells}, ["q"], **{"population_uniqueness.sampling_fraction": FRACTIONS[model]})
    assert card["population_uniqueness"].details["model"] == model
    assert_derives(card, "population_uniqueness")
    titles = [step.title for step in working(card, "population_uniqueness").steps]
    named = {"pitman": "Pitman's", "zayatz": "Zayatz's", "snb": "The slide negative binomial"}[model]
    assert titles[3] == f"{named} model"
    table_of_models = working(card, "population_uniqueness").steps[2].table
    assert table_of_models is not None
    assert [row[2] for row in table_of_models.rows].count("yes") == 1


@pytest.mark.parametrize("name", IDS)
def test_workings_of_uniqueness_refer_to_the_whole_table(name: str) -> None:
    card = scored({"q": ["a", "a", "b"], "r": ["x", "y", "x"]}, ["q", "r"], **{"population_uniqueness.size": 9})
    assert derivation(name).unit is Unit.TABLE
    assert subject_count(card, name) == 1
    assert decisive_subject(card, name).index == 0
    assert working(card, name).subject == "the whole table"
