"""The seeds' own scripts print the seeds' own output, to the last digit."""

import json
from pathlib import Path

import pytest

from tests.petworks.scripts import run, seed, with_metrics

_VALIDATION = """\
from PETWorks import PETValidation, report
from PETWorks.attributetypes import INSENSITIVE_ATTRIBUTE, QUASI_IDENTIFIER, SENSITIVE_ATTRIBUTE

result = PETValidation({arguments})
report(result, "json")
"""
T_CLOSENESS = """
    None,
    "data/patient_anonymized.csv",
    "t-closeness",
    dataHierarchy="data/patient_hierarchy",
    attributeTypes={"ZIPCode": QUASI_IDENTIFIER, "Age": QUASI_IDENTIFIER, "Disease": SENSITIVE_ATTRIBUTE},
    tLimit=0.376,
"""
PROFITABILITY = """
    "data/delta.csv",
    "data/delta_anonymized.csv",
    "profitability",
    dataHierarchy="data/delta_hierarchy",
    attributeTypes={
        "zip": QUASI_IDENTIFIER,
        "age": QUASI_IDENTIFIER,
        "nationality": QUASI_IDENTIFIER,
        "salary-class": INSENSITIVE_ATTRIBUTE,
    },
    allowAttack=True,
    adversaryCost=4,
    adversaryGain=300,
    publisherLost=300,
    publisherBenefit=1200,
"""
PRINTED = {
    T_CLOSENESS: {"t": 0.376, "fulfill t-closeness": True},
    PROFITABILITY: {
        "allow attack": True,
        "adversary's cost": 4,
        "adversary's gain": 300,
        "publisher's loss": 300,
        "publisher's benefit": 1200,
        "profitability": True,
    },
}


@pytest.mark.parametrize("arguments", PRINTED, ids=["t-closeness", "profitability"])
def test_a_script_on_a_small_table_prints_what_the_page_shows(seed_tables: Path, arguments: str) -> None:
    script = with_metrics(_VALIDATION.replace("{arguments}", arguments), seed_tables)
    assert "PETWorks import" not in script
    assert '"data/' not in script
    assert run(script) == json.dumps(PRINTED[arguments], indent=4) + "\n"


@pytest.mark.reference
@pytest.mark.parametrize("name", ["ambiguity", "non_uniform_entropy", "profitability", "t_closeness"])
def test_an_unchanged_script_prints_the_output_shown_on_its_page(name: str) -> None:
    script, output = seed(name)
    changed = with_metrics(script)
    if name == "ambiguity":
        # The page's figure is that of the older hierarchies, with intervals for age.
        changed = changed.replace("/adult_hierarchy", "/adult_hierarchy_intervals")
    assert run(changed) == output
