"""The limits of a policy that single classes can fail are those on metrics that judge each class."""

from metrics.policy.class_limits import class_limits, conditions_text
from metrics.policy.policy import Policy


def test_limits_on_figures_of_the_whole_table_do_not_apply_to_classes() -> None:
    limits = {"reidentification_risk": 0.2, "t_closeness": 0.3, "k_anonymity": 4.5, "p29": 0.5}
    applying = class_limits(Policy("own", {**limits, "suppression": 0.1, "no_attack": True, "granularity": 0.5}))
    assert list(applying.items()) == [
        ("k_anonymity", 4.5),
        ("t_closeness", 0.3),
        ("reidentification_risk", 0.2),
        ("p29", 0.5),
    ]


def test_conditions_name_each_limit_in_short() -> None:
    assert conditions_text({"k_anonymity": 5.0, "reidentification_risk": 0.2}) == "k ≥ 5 or highest risk ≤ 20%"
    assert conditions_text({}) == ""
