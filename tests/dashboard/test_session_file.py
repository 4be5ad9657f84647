"""A session's file: a version made at random keeps the probabilities that its cells were drawn with."""

import json
from io import BytesIO
from zipfile import ZipFile

import pytest

from dashboard.session_file import restore_session, session_file
from dashboard.workspace import Workspace
from metrics import InputError, make_candidate
from metrics.candidates.methods.pram import PRAM
from metrics.candidates.methods.randomized_response import RandomizedResponse
from metrics.config.parameters import P29Parameters
from metrics.recipes.recipe import recipe_of_method
from metrics.tables.matching_rule import MatchingRule
from tests.dashboard.application import sample_workspace


def test_a_restored_version_keeps_its_epsilon_though_nothing_can_draw_it_again() -> None:
    state = sample_workspace(300)
    inputs = state.search_inputs()
    labels = []
    for method, seed in ((RandomizedResponse(1, ("diagnosis",)), None), (PRAM(columns=("sex",)), 7)):
        made = make_candidate(inputs.original, method.name, inputs.roles, inputs.hierarchies, columns=method.columns)
        recipe = recipe_of_method(method, inputs.original, inputs.roles, inputs.hierarchies, seed=seed)
        labels.append(state.keep(method.name, made, MatchingRule(), recipe))
    saved = session_file(state)
    again = Workspace()
    restore_session(again, "session.zip", saved)
    before, after = ([one.tables.versions[label].table for label in labels] for one in (state, again))
    assert [list(table.randomization) for table in after] == [["diagnosis"], ["sex"]]
    for one, other, name in zip(before, after, ("diagnosis", "sex"), strict=True):
        assert other.randomization[name].values == one.randomization[name].values
        assert other.randomization[name].epsilon == one.randomization[name].epsilon
        assert other.randomization[name].from_data == one.randomization[name].from_data


def test_what_pages_show_and_try_is_restored() -> None:
    state = sample_workspace(300)
    weights = P29Parameters(w_k=0.7, w_l=0.2, w_t=0.1)
    state.policy.try_settings("p29", weights)
    state.policy.try_limit("k_anonymity", 7)
    state.policy.try_limit("t_closeness", None)
    state.compared, state.currency = ["candidate_strict.csv", "candidate_light.csv"], "EUR"
    again = Workspace()
    restore_session(again, "session.zip", session_file(state, "candidate_strict.csv"))
    assert again.policy.tried_settings == {"p29": weights}
    assert again.policy.tried_limits == {"k_anonymity": 7, "t_closeness": None}
    assert (again.compared, again.currency) == (state.compared, "EUR")
    assert again.restored_version == "candidate_strict.csv"


@pytest.mark.parametrize("wrong", [{}, {"values": ["a"], "kept": 0.5, "drawn": [0.2, 0.3], "from_data": False}, 3])
def test_probabilities_that_are_none_are_refused(wrong: object) -> None:
    state = sample_workspace(300)
    inputs = state.search_inputs()
    made = make_candidate(inputs.original, "k-rr", inputs.roles, inputs.hierarchies)
    recipe = recipe_of_method(RandomizedResponse(), inputs.original, inputs.roles, inputs.hierarchies, seed=None)
    state.keep("made", made, MatchingRule(), recipe)
    content = BytesIO()
    with ZipFile(BytesIO(session_file(state))) as saved, ZipFile(content, "w") as changed:
        for entry in saved.infolist():
            file = saved.read(entry)
            if entry.filename == "versions.json":
                versions = json.loads(file)
                versions[0]["randomization"] = {"diagnosis": wrong}
                file = json.dumps(versions).encode()
            changed.writestr(entry.filename, file)
    with pytest.raises(InputError, match="no saved session"):
        restore_session(Workspace(), "session.zip", content.getvalue())
