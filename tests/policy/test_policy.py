"""A policy: which limits it accepts, how a scorecard is judged, and how it is written and read."""

import json
import pickle
from pathlib import Path

import pytest

import metrics
from metrics import InputError, Policy, Roles, Settings
from metrics.policy.built_in_policies import INTERNAL_SHARING, NO_LIMITS, read_policy
from metrics.policy.limitable_measures import Outcome
from metrics.policy.policy import Status
from metrics.scoring.scorecard import Scorecard
from tests.support.small_tables import table

ROLES = Roles(["zip"], ["illness"])


@pytest.fixture(scope="module")
def card() -> Scorecard:
    """Ten original records; the release holds two classes of three, one suppressed record, and three are missing."""
    original = table({"zip": list("1112223456"), "illness": list("abaabababa")}, name="original.csv")
    release = table({"zip": ["1", "1", "1", "2", "2", "2", "*"], "illness": list("abaabab")}, name="release.csv")
    return metrics.score(release, ROLES, original=original)


def outcomes(policy: Policy, card: Scorecard) -> dict[str, Outcome]:
    return {one.metric: one.outcome for one in policy.check(card).limits}


def test_suppressed_and_missing_records_count_towards_the_limit_on_suppression(card: Scorecard) -> None:
    judged = Policy("a", {"suppression": 0.4}).check(card).limits[0]
    assert (judged.value, judged.outcome) == (0.4, Outcome.MET)
    assert outcomes(Policy("a", {"suppression": 0.39}), card) == {"suppression": Outcome.FAILED}


def test_each_limit_is_judged_in_the_direction_of_its_metric(card: Scorecard) -> None:
    limits = {"suppression": 0.0, "reidentification_risk": 0.5, "k_anonymity": 4, "no_attack": True}
    assert outcomes(Policy("a", limits), card) == {
        "k_anonymity": Outcome.FAILED,
        "reidentification_risk": Outcome.MET,
        "suppression": Outcome.FAILED,
        "no_attack": Outcome.FAILED if not card["profitability"].details["no_attack"] else Outcome.MET,
    }


def test_a_policy_is_met_only_if_every_limit_is_measured_and_met() -> None:
    release = metrics.score(table({"zip": ["1"] * 5}), Roles(["zip"]))
    met = Policy("a", {"k_anonymity": 5}).check(release)
    assert (met.status, met.failed, met.not_measured) == (Status.MEETS, (), ())
    assert met.summary().startswith("Meets the policy")
    unmeasured = Policy("a", {"k_anonymity": 5, "t_closeness": 0.5}).check(release)
    assert (unmeasured.status, [one.metric for one in unmeasured.not_measured]) == (Status.FAILS, ["t_closeness"])
    assert unmeasured.summary().startswith("Fails the policy")
    none = NO_LIMITS.check(release)
    assert (none.status, none.limits) == (Status.NO_LIMITS, ())
    assert none.summary().startswith("No limits set")


def test_a_limit_is_not_measured_where_a_column_has_no_figure() -> None:
    """The score over all columns counts the perturbed column as unchanged, so no limit on it can be judged."""
    ages, sexes = [str(20 + i % 6) for i in range(60)], ["f", "m"] * 30
    roles = Roles(["age", "sex"])
    unchanged = metrics.score(table({"age": ages, "sex": sexes}), roles, original=table({"age": ages, "sex": sexes}))
    release = table({"age": [*ages[1:], ages[0]], "sex": sexes})
    card = metrics.score(release, roles, original=table({"age": ages, "sex": sexes}))
    limits = dict.fromkeys(["precision", "granularity", "ambiguity", "non_uniform_entropy"], 0.9)
    policy = Policy("a", {**limits, "normalized_certainty_penalty": 0.1})
    assert policy.check(unchanged).status is Status.MEETS
    judged = policy.check(card)
    assert judged.status is Status.FAILS
    assert {one.outcome for one in judged.limits} == {Outcome.NOT_MEASURED}
    for one in judged.limits:
        assert one.value == card[one.metric].value is not None
        assert "100% of the released values of age" in (one.to_dict()["reason"] or "")
    assert "100% of the released values of age" in judged.summary()
    assert all(one["reason"] is None for one in policy.check(unchanged).to_dict()["limits"])


def test_a_release_without_records_meets_no_limit() -> None:
    empty = metrics.score(table({"zip": [], "illness": []}), ROLES)
    assert set(outcomes(INTERNAL_SHARING, empty).values()) == {Outcome.NOT_MEASURED}


@pytest.mark.parametrize("policy", [INTERNAL_SHARING, NO_LIMITS, Policy("eigene", {"profitability": True})])
def test_a_policy_is_read_back_as_it_was_written(policy: Policy, tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    path.write_text(json.dumps(policy.to_dict()), encoding="utf-8")
    assert read_policy(path) == Policy.from_dict(policy.to_dict()) == pickle.loads(pickle.dumps(policy)) == policy
    assert hash(read_policy(path)) == hash(policy)
    settings = tmp_path / "settings.json"
    settings.write_text(Settings(policy=policy).to_json(), encoding="utf-8")
    assert read_policy(settings) == policy


def test_a_changed_limit_makes_another_policy() -> None:
    changed = INTERNAL_SHARING.with_limit("k_anonymity", 11, name="Custom").with_limit("suppression", None)
    assert (changed.name, changed.limits["k_anonymity"], changed.max_suppression) == ("Custom", 11, None)
    assert set(changed.limits) == {*INTERNAL_SHARING.limits} - {"suppression"}
    assert (INTERNAL_SHARING.limits["k_anonymity"], INTERNAL_SHARING.max_suppression) == (5, 0.1)


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        "{}",
        '{"schema_version": 1}',
        '{"name": "", "limits": {}}',
        '{"name": "a", "limits": []}',
        '{"name": "a", "limit": {}}',
        '{"name": "a", "limits": {"p30": 1}}',
        '{"name": "a", "limits": {"p29": "1"}}',
        '{"name": "a", "limits": {"p29": NaN}}',
        '{"name": "a", "limits": {"k_anonymity": 1' + "0" * 400 + "}}",
        '{"name": "a", "limits": {"no_attack": false}}',
        '{"name": "a", "limits": {"suppression": 1.1}}',
    ],
)
def test_a_wrong_policy_file_is_refused_by_name(content: str, tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"^policy\.json: "):
        read_policy(path)


def test_built_in_policies_are_found_by_name_and_others_by_path(tmp_path: Path) -> None:
    assert read_policy("internal-sharing") is read_policy("Internal Sharing") is INTERNAL_SHARING
    path = tmp_path / "own.json"
    path.write_text('{"name": "Own", "limits": {"k_anonymity": 3}}', encoding="utf-8")
    assert read_policy(str(path)) == Policy("Own", {"k_anonymity": 3.0})
    with pytest.raises(InputError, match="internal-sharing"):
        read_policy("unknown")


def test_a_limit_on_k_also_applies_to_people() -> None:
    """Six records in each class, of one person in the first and of six in the second."""
    release = table({"town": ["a"] * 6 + ["b"] * 6, "person": ["1"] * 6 + list("234567")})
    policy = Policy("a", {"k_anonymity": 5})
    assert policy.check(metrics.score(release, Roles(["town"]))).status is Status.MEETS
    judged = policy.check(metrics.score(release, Roles(["town"], person="person")))
    assert [(one.metric, one.value) for one in judged.failed] == [("people_per_class", 1)]
    by_risk = Policy("a", {"reidentification_risk": 0.2}).check(
        metrics.score(release, Roles(["town"], person="person"))
    )
    assert [(one.metric, one.limit) for one in by_risk.failed] == [("people_per_class", 5)]
    shared = table({"town": ["a"] * 6 + ["b"] * 6, "person": list("123456") * 2})
    assert policy.check(metrics.score(shared, Roles(["town"], person="person"))).status is Status.MEETS


def test_added_records_make_up_for_no_suppressed_ones() -> None:
    original = table({"id": [str(number) for number in range(10)], "zip": ["1"] * 10})
    release = table({"id": [str(number) for number in (*range(5), *range(100, 140))], "zip": ["1"] * 45})
    card = metrics.score(release, Roles(["zip"], key="id", unmatched="leave_out"), original=original)
    (suppression,) = Policy("a", {"suppression": 0.4}).check(card).limits
    assert (suppression.value, suppression.outcome) == (0.5, Outcome.FAILED)


def test_limits_on_k_and_the_highest_risk_are_told_as_one_where_they_say_the_same() -> None:
    release = metrics.score(table({"zip": list("1111")}), Roles(["zip"]))
    same = Policy("a", {"k_anonymity": 5, "reidentification_risk": 0.2}).check(release)
    assert [limit["metric"] for limit in same.to_dict()["limits"]] == ["k_anonymity", "reidentification_risk"]
    (told,) = same.stated
    assert (told.metric, told.requirement) == ("k_anonymity", "at least 5 (highest risk at most 20%)")
    assert same.summary() == (
        "Fails the policy “a”: its only limit is not met: k-anonymity is 4 (at least 5 required), "
        "highest risk 25% (at most 20%)."
    )
    (stricter,) = Policy("a", {"k_anonymity": 5, "reidentification_risk": 0.1}).check(release).stated
    assert stricter.requirement == "at most 10% (k-anonymity at least 5)"
    assert Policy("a", {"k_anonymity": 3, "reidentification_risk": 0.3}).check(release).status is Status.MEETS


def test_limits_on_k_and_the_highest_risk_are_two_where_cells_are_wildcards() -> None:
    release = table({"zip": ["1", "1", "*"], "age": ["1", "1", "2"]})
    wildcards = {"classes.missing_cell": "wildcard", "classes.suppressed_cell": "wildcard"}
    card = metrics.score(release, Roles(["zip", "age"]), parameters=metrics.Parameters().with_settings(wildcards))
    assert len(Policy("a", {"k_anonymity": 5, "reidentification_risk": 0.2}).check(card).stated) == 2


def test_a_value_that_misses_its_limit_is_not_written_as_the_limit() -> None:
    release = metrics.score(table({"zip": list("1" * 499)}), Roles(["zip"]))
    (risk,) = Policy("a", {"reidentification_risk": 0.002}).check(release).limits
    assert risk.summary() == "Highest risk is 0.2004% (at most 0.2% required)"
