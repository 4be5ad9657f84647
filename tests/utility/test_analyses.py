"""Analyses kept: how far the results of saved analyses can still be obtained."""

import json
from typing import Any

import pytest

import metrics
from metrics import Mean, Roles, score
from metrics.errors import InputError
from metrics.estimates.result import outcome_terms
from metrics.policy.limitable_measures import SURVIVING, measured
from metrics.policy.policy import Policy
from metrics.policy.requirement import parse_requirement
from metrics.texts import text
from metrics.utility.analyses import Analyses, sentences
from tests.support.sample import SAMPLE
from tests.support.small_tables import table, written
from tests.working.formulas import assert_derives

BEFORE = """
    sex ward stay
    f   a    1
    f   b    3
    f   a    2
    m   b    2
    m   b    4
    m   a    6
"""


def test_worked_example() -> None:
    """By sex both means are left, by ward one of two: the release says of all that they were in a or b.

    The only mean left, 3, has the interval that the original gives all records together.
    """
    before = written(BEFORE)
    after = written(BEFORE.replace(" a ", " ab ").replace(" b ", " ab "))
    tree = metrics.Hierarchy([["a", "ab", "*"], ["b", "ab", "*"], ["c", "c", "*"]])
    saved = {"by_sex": Mean("stay", "sex"), "by_ward": Mean("stay", "ward")}
    card = score(
        after, Roles("ward"), original=before, hierarchies={"ward": tree}, analyses=saved, metrics=["analyses"]
    )
    found = card["analyses"]
    assert (found.value, found.details) == ((1 + 0.5) / 2, {"surviving": 0.75, "estimates": 4})
    assert found.summary() == (
        "2 of 4 results survive; 2 are merged into 1, of which 1 agrees. "
        "Analyses kept: 75%, the mean over 2 analyses of detail times overlap of the 95% intervals."
    )
    printed = card.to_dict()["analyses"]["by_ward"]
    assert (printed["value"], printed["detail"], printed["agreement"], printed["surviving"]) == (0.5, 0.5, 1, 0.5)
    assert (printed["rows_original"], printed["rows_released"]) == (6, 6)
    assert (printed["estimates_original"], printed["estimates_compared"]) == (2, 1)
    (estimate,) = printed["estimates"]
    assert estimate["name"] == "ab"
    assert estimate["original"] == estimate["released"]
    assert estimate["released"]["estimate"] == 3


@pytest.fixture(scope="module")
def card() -> metrics.Scorecard:
    analyses: dict[str, Any] = {
        "stay": Mean("length_of_stay", "sex"),
        "model": metrics.Linear("length_of_stay", ["age", "sex", "marital_status"]),
        "none": Mean("sex"),
    }
    roles = metrics.read_roles(SAMPLE / "roles.yaml").roles
    return metrics.score(
        metrics.read_table(SAMPLE / "candidate_balanced.csv"),
        roles,
        original=metrics.read_table(SAMPLE / "hospital.csv"),
        hierarchies=metrics.read_hierarchies(SAMPLE / "hierarchies"),
        analyses=analyses,
        metrics=["analyses"],
    )


def test_what_the_original_does_not_support_is_not_counted(card: metrics.Scorecard) -> None:
    printed = card.to_dict()["analyses"]
    assert printed["none"] == {"value": None, "unavailable": '"sex" contains no numbers', "estimates": []}
    assert card["analyses"].value == pytest.approx((printed["stay"]["value"] + printed["model"]["value"]) / 2)
    why = 'The original does not support "none", which does not count: "sex" contains no numbers.'
    assert card["analyses"].summary().endswith(why)
    assert set(printed["model"]["estimates"][0]) == {
        *("name", "original", "released", "overlap", "overlap_signed", "overlap_average_width"),
        *("standardized_difference", "same_sign", "same_significance", "within", "survives"),
    }


def test_limits(card: metrics.Scorecard) -> None:
    assert measured(SURVIVING, card).value == card["analyses"].details["surviving"]
    result = Policy("own", {"analyses": 0.5, "surviving": 0.9}).check(card)
    assert {one.metric: str(one.outcome) for one in result.limits if not one.metric.startswith("direct")} == {
        "analyses": "met",
        "surviving": "failed",
    }
    assert parse_requirement("analyses.surviving >= 0.6").holds(card)
    assert not parse_requirement("analyses >= 0.9").holds(card)


def test_without_what_it_needs() -> None:
    cells: dict[str, Any] = {"q": ["a", "b"]}
    missing = score(table(cells), Roles("q"), original=table(cells), analyses={"x": Mean("q")})
    assert missing["analyses"].unavailable == text(
        "analyses.unavailable.none_supported", name="x", reason=text("analyses.unavailable.no_numbers", column="q")
    )
    assert score(table(cells), Roles("q"), analyses={"x": Mean("q")})["analyses"].unavailable == text(
        "unavailable.no_original"
    )
    assert "analyses" not in score(table(cells), Roles("q"), original=table(cells)).to_dict()


def test_what_is_no_analysis_of_these_tables() -> None:
    cells: dict[str, Any] = {"q": ["a", "b"], "r": ["c", "c"]}

    def refusal(analyses: Any) -> str:
        with pytest.raises(InputError) as caught:
            score(table({"q": ["a", "b"]}), Roles("q"), original=table(cells), analyses=analyses, metrics=["analyses"])
        return str(caught.value)

    assert "names a column that no table has" in refusal({"x": Mean("q"), "y": Mean("r", ["q", "s"])})
    assert refusal({"y": metrics.Count({"r": ["c"], "t": ["c"]})}).startswith('column "t": the analysis "y" names')
    assert refusal([Mean("q")]).startswith("the analyses have no names; write {")
    assert refusal({"m": {"kind": "mean", "number": "q"}}).startswith('"m" is not an analysis; use one of Mean, ')


def test_it_is_a_part_of_settings_and_no_setting_of_a_metric(card: metrics.Scorecard) -> None:
    settings = metrics.Settings(parameters=card.parameters)
    from metrics.policy.settings_file import parse_settings

    assert parse_settings(settings.to_json().encode(), "s.json").parameters.analyses == card.parameters.analyses
    broken = json.dumps({"schema_version": 1, "analyses": {"x": {"kind": "mean"}}}).encode()
    with pytest.raises(InputError, match=r's.json: "analyses.x" has no number'):
        parse_settings(broken, "s.json")
    with pytest.raises(InputError, match="no parameter"):
        metrics.Parameters().with_settings({"analyses.x": 1})


def test_a_significant_group_is_hidden_where_the_group_it_is_merged_with_outweighs_it() -> None:
    """In ward a people stay for 1 day, in b for 5 and in c for 3, as they do on average in a and b."""
    stays = [*"11121", *"55545", *"33323333"]
    before = table({"ward": [*"aaaaabbbbbcccccccc"], "stay": stays})
    tree = metrics.Hierarchy([["a", "ab", "*"], ["b", "ab", "*"], ["c", "c", "*"]])
    after = table({"ward": [*["ab"] * 10, *"cccccccc"], "stay": stays})
    saved = {"by ward": Mean("stay", "ward")}
    card = score(
        after, Roles("ward"), original=before, hierarchies={"ward": tree}, analyses=saved, metrics=["analyses"]
    )
    result = card["analyses"].result
    assert isinstance(result, Analyses)
    by_ward = result.results["by ward"]
    assert by_ward.in_short == "1 survives; 2 merged into 1, which agrees"
    assert by_ward.remark == "2 significant results of single groups hidden"
    assert (by_ward.is_whole, by_ward.is_only_coarser) == (False, False)
    assert [own.is_hidden for own in by_ward.originals] == [True, True, False]
    terms = outcome_terms([by_ward])
    assert [term.split("**")[1] for term in terms] == ["Survives", "Agrees", "Hidden"]


def test_a_significant_group_is_hidden_where_the_group_it_is_merged_with_has_the_opposite_sign() -> None:
    """In ward a people stay for 3 days, longer than others on average; those of a and b stay for less."""
    stays = [*"3332344", *"111211121112111211121112", *"24242424242424242424242424242424"]
    before = table({"ward": [*"a" * 7, *"b" * 24, *"c" * 32], "stay": stays})
    tree = metrics.Hierarchy([["a", "ab", "*"], ["b", "ab", "*"], ["c", "c", "*"]])
    after = table({"ward": [*["ab"] * 31, *"c" * 32], "stay": stays})
    card = score(
        after,
        Roles("ward"),
        original=before,
        hierarchies={"ward": tree},
        analyses={"by ward": Mean("stay", "ward")},
        metrics=["analyses"],
    )
    result = card["analyses"].result
    assert isinstance(result, Analyses)
    by_ward = result.results["by ward"]
    assert [(own.original.is_significant, own.original.sign) for own in by_ward.originals[:2]] == [
        (True, 1),
        (True, -1),
    ]
    assert [own.is_hidden for own in by_ward.originals] == [True, False, False]
    assert not any(own.is_only_merged for own in by_ward.originals)
    assert by_ward.originals[0].fate[0] == "merged, significant result hidden by an opposite one"


def test_a_column_without_any_label_is_removed_and_not_coarser() -> None:
    """All that is left by ward is the mean of all records, which lies in its own interval; by sex nothing changed."""
    before = written(BEFORE)
    after = written(BEFORE.replace(" a ", " * ").replace(" b ", " * "))
    saved: dict[str, Any] = {
        "by ward": Mean("stay", "ward"),
        "cells": metrics.Crosstab(["sex", "ward"]),
        "explained": metrics.Linear("stay", ["sex", "ward"]),
        "by sex": Mean("stay", "sex"),
    }
    card = score(after, Roles("ward"), original=before, analyses=saved, metrics=["analyses"])
    found = card["analyses"]
    assert "3 of 10 results survive; 7 lost." in found.summary()
    without = text("analyses.kept.without", columns="ward"), text("analyses.kept.unadjusted", columns="ward")
    assert {
        name: any(each in told for each in without) for name, told in (line.split(": ") for line in sentences_of(card))
    } == {
        "by ward": True,
        "cells": True,
        "explained": True,
        "by sex": False,
    }
    assert not any("merged groups" in told for told in sentences_of(card))
    printed = card.to_dict()["analyses"]
    assert [found["removed"] for found in printed.values()] == [["ward"]] * 3 + [[]]


def sentences_of(card: metrics.Scorecard) -> list[str]:
    return list(sentences(card.aggregates, card.parameters))


def test_the_working_and_the_chart_show_each_analysis(card: metrics.Scorecard) -> None:
    assert_derives(card, "analyses")
    (bars,) = card.chart("analyses").data
    kept = [found["value"] for found in card.to_dict()["analyses"].values() if found["value"] is not None]
    assert [round(number / 100, 9) for number in bars.x] == [round(value, 9) for value in kept]
