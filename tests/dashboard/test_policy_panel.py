"""The policy in the sidebar: where its limits come from."""

from metrics.policy.release_contexts import PUBLIC_CLINICAL_DATA, source_of
from tests.dashboard.application import choose, sample, state_of


def test_a_built_in_policy_names_its_source() -> None:
    app = choose(sample(), "policy", PUBLIC_CLINICAL_DATA.name)
    source = source_of(PUBLIC_CLINICAL_DATA)
    assert source is not None
    assert any(source.url in text.value for text in app.sidebar.markdown)
    assert any("a risk of at most 0.09" in text.value.replace("\\", "") for text in app.sidebar.caption)
    state_of(app).set_limit("k_anonymity", 11)
    app.run()
    assert not any(source.url in text.value for text in app.sidebar.markdown)
