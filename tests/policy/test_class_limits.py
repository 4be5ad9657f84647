"""The limits that single classes are judged by are those of the policy, or ones that every class meets."""

from metrics.policy.class_limits import class_limits
from metrics.policy.policy import Policy


def test_the_limits_on_k_l_and_t_are_those_of_the_policy() -> None:
    found = class_limits(Policy("own", {"k_anonymity": 5, "t_closeness": 0.3, "distinct_l_diversity": 2}))
    assert (found.k_limit, found.l_limit, found.t_limit) == (5, 2, 0.3)


def test_without_a_limit_every_class_passes() -> None:
    found = class_limits(Policy("own", {"p29": 0.5}))
    assert (found.k_limit, found.l_limit, found.t_limit) == (1, 1, 1)


def test_a_limit_between_whole_numbers_is_the_next_larger_one() -> None:
    found = class_limits(Policy("own", {"k_anonymity": 4.2, "distinct_l_diversity": 1.5}))
    assert (found.k_limit, found.l_limit) == (5, 2)
