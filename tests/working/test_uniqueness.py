"""The workings of uniqueness end in the figures, also of those that are computed on demand only."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics import Parameters, Roles, Scorecard, score
from metrics.working import WORKINGS, Unit, decisive_subject, subject_count, working
from tests.scenes import Scene, sensitive_scenes
from tests.tables import Cells, table
from tests.working.test_working import assert_derives

IDS = ("sample_uniqueness", "population_uniqueness", "minimal_sample_uniques", "quasi_identifier_ranking")


def scored(columns: dict[str, Cells], names: list[str], **chosen: object) -> Scorecard:
    parameters = Parameters().with_settings(chosen)
    return score(table(columns), Roles(quasi_identifiers=names), metrics=IDS, parameters=parameters)


@settings(max_examples=50, deadline=None)
@given(sensitive_scenes(20), st.sampled_from([0, 20, 100, 10**11]), st.integers(1, 4))
def test_generated_tables(scene: Scene, size: int, most: int) -> None:
    names = [*scene.quasi_identifiers, *scene.sensitive]
    chosen = {
        "population_uniqueness.size": size,
        "minimal_sample_uniques.most": most,
        "quasi_identifier_ranking.most": most,
    }
    card = scored(scene.anonymized, names, **chosen)
    for name in IDS:
        assert_derives(card, name)


SIZES = {"pitman": [1] * 9 + [2] * 4 + [3, 5, 9], "zayatz": [1] * 12, "snb": [1] * 30 + [2] * 16 + [3] * 9 + [4] * 6}


@pytest.mark.parametrize("model", SIZES)
def test_each_model(model: str) -> None:
    cells: Cells = [f"v{i}" for i, size in enumerate(SIZES[model]) for _ in range(size)]
    people = 2 * len(cells) if model == "snb" else 100 * len(cells)
    card = scored({"q": cells}, ["q"], **{"population_uniqueness.size": people})
    assert card["population_uniqueness"].details["model"] == model
    assert_derives(card, "population_uniqueness")
    titles = [step.title for step in working(card, "population_uniqueness").steps]
    assert titles[:3] == [
        "Count the classes by size",
        "How much of the population was drawn",
        "What three models expect",
    ]
    named = {"pitman": "Pitman's", "zayatz": "Zayatz's", "snb": "The slide negative binomial"}[model]
    assert titles[3] == f"{named} model"
    table_of_models = working(card, "population_uniqueness").steps[2].table
    assert table_of_models is not None
    assert [row[3] for row in table_of_models.rows].count("yes") == 1


@pytest.mark.parametrize("name", IDS)
def test_they_are_about_the_whole_table(name: str) -> None:
    card = scored({"q": ["a", "a", "b"], "r": ["x", "y", "x"]}, ["q", "r"])
    assert WORKINGS[name].unit is Unit.TABLE
    assert subject_count(card, name) == 1
    assert decisive_subject(card, name).index == 0
    assert working(card, name).subject == "the whole table"
