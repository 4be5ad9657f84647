"""What differs from the standard is said setting by setting, and the mark stands at the measures that it changes."""

from dataclasses import replace

from metrics.config.parameters import GroundDistance, P29Parameters, Parameters, TClosenessParameters
from metrics.explanations.changed_settings import all_changes, changed_settings, marked_title, with_standard
from metrics.policy.policy import Policy

POLICY = Policy("Ours", {"k_anonymity": 5, "t_closeness": 0.4})
CHANGED = Parameters(
    p29=P29Parameters(t_max=0.9),
    t_closeness=TClosenessParameters(0.4, {"illness": GroundDistance.EQUAL}),
)


def test_the_limit_of_a_policy_is_no_changed_setting() -> None:
    assert not changed_settings("t_closeness", Parameters(t_closeness=TClosenessParameters(0.4)))
    assert all_changes(POLICY.limit_parameters(Parameters()), POLICY, POLICY) == []


def test_each_setting_is_said_with_its_standard() -> None:
    assert all_changes(CHANGED, POLICY.with_limit("suppression", 0.1).with_limit("k_anonymity", None), POLICY) == [
        "P_29: condition: t at most 0.9 instead of 0.5.",
        "t-closeness: ground distance of illness equal instead of automatic.",
        "Ours: no limit on k-anonymity instead of k ≥ 5, suppression ≤ 10% instead of no limit on record suppression.",
    ]


def test_the_mark_stands_at_the_measures_that_a_setting_changes_only() -> None:
    changed = {name for name in ("p29", "t_closeness", "k_anonymity", "suppression") if marked_title("", name, CHANGED)}
    assert changed == {"p29", "t_closeness"}
    assert not marked_title("", "p29", Parameters())


def test_the_standard_keeps_the_limits_of_the_policy_and_the_facts_of_the_case() -> None:
    amounts = Parameters().with_settings({"profitability.adversary_cost": 60}).profitability
    assert with_standard(replace(CHANGED, profitability=amounts)) == Parameters(
        t_closeness=TClosenessParameters(0.4), profitability=amounts
    )
