"""`score --junit`: a test case for each requirement and limit."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.command_line import call
from tests.support.sample import SAMPLE

ARGUMENTS = ("score", "--anonymized", SAMPLE / "candidate_light.csv", "--roles", SAMPLE / "roles.yaml", "--json")


def test_each_requirement_and_limit_is_a_test_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "junit.xml"
    done = call(
        capsys, *ARGUMENTS, "--junit", path, "--require", "k_anonymity >= 1", "--policy", "public-clinical-data"
    )
    assert done.status == 1
    assert done.object["policy"]["source"]["basis"] == "Guidance"
    (suite,) = ElementTree.parse(path).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("3", "2")
    found = {case.get("name"): [failure.get("message") for failure in case] for case in suite}
    assert found == {
        "k_anonymity >= 1": [],
        "k-anonymity at least 12": ["k-anonymity is 1 (at least 12 required)"],
        "Highest risk at most 9%": ["Highest risk is 100% (at most 9% required)"],
    }


def test_nothing_to_test_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = call(capsys, *ARGUMENTS, "--junit", tmp_path / "junit.xml", "--policy", "no-limits")
    assert done.status == 2
    assert "there is nothing to test; add --require or --policy" in done.err
    assert not (tmp_path / "junit.xml").exists()


def test_preset_is_the_former_name_of_the_option_policy(capsys: pytest.CaptureFixture[str]) -> None:
    done = call(capsys, *ARGUMENTS, "--json", "--preset", "statistical-tables")
    assert done.object["policy"]["name"] == "Statistical tables"
