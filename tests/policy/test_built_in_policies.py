"""Built-in policies: each names the source of its limits, which an edited copy does not."""

import pytest

from metrics import Policy
from metrics.policy.built_in_policies import (
    NO_LIMITS,
    POLICIES,
    PUBLIC_CLINICAL_DATA,
    option_name,
    read_policy,
    source_of,
)


@pytest.mark.parametrize("policy", [one for one in POLICIES.values() if one != NO_LIMITS], ids=str)
def test_every_limit_set_has_a_source_with_link_and_date(policy: Policy) -> None:
    source = source_of(policy)
    assert source is not None
    assert source.url.startswith("https://")
    assert source.date[:4].isdigit()
    assert source.summary().startswith(f"{source.basis}: {source.title}, {source.date}.")
    assert read_policy(option_name(policy.name)) is policy


def test_a_changed_limit_or_an_own_policy_has_no_source() -> None:
    assert source_of(PUBLIC_CLINICAL_DATA.with_limit("k_anonymity", 11)) is None
    assert source_of(Policy("Own", {"k_anonymity": 3})) is None
    assert source_of(NO_LIMITS) is None


def test_a_group_of_eleven_exceeds_a_risk_of_nine_percent() -> None:
    limits = PUBLIC_CLINICAL_DATA.limits
    assert 1 / 11 > limits["reidentification_risk"] >= 1 / limits["k_anonymity"]


def test_the_guidance_is_cited_in_its_last_revision() -> None:
    source = source_of(PUBLIC_CLINICAL_DATA)
    assert source is not None
    assert ("EMA/90915/2016, version 1.5" in source.title, source.date) == (True, "2025-05-14")
