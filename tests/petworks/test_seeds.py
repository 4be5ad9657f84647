"""The seeds' own scripts print the seeds' own output, to the last digit."""

import pytest

from tests.petworks.scripts import run, seed, with_metrics

pytestmark = pytest.mark.reference


@pytest.mark.parametrize("name", ["ambiguity", "non_uniform_entropy", "profitability", "t_closeness"])
def test_script_prints_what_the_page_shows(name: str) -> None:
    script, output = seed(name)
    changed = with_metrics(script)
    assert "PETWorks import" not in changed
    assert '"data/' not in changed
    if name == "ambiguity":
        # The page's figure is that of the older hierarchies, with intervals for age.
        changed = changed.replace("/adult_hierarchy", "/adult_hierarchy_intervals")
    assert run(changed) == output
