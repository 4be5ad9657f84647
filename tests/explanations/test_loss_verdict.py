"""What was lost, in a sentence."""

from metrics.explanations.loss_verdict import loss_verdict
from tests.utility.losses import lost_by_four


def test_the_verdict_on_losses_leaves_out_unavailable_figures() -> None:
    changes, entropy, ambiguity = lost_by_four()
    left = f"At most {entropy.value:.1%} of the information is kept"
    assert loss_verdict(entropy, changes, ambiguity) == (
        f"{left}, 62.5% of the cells were changed and a record is consistent with 2.75 combinations of values "
        "on average."
    )
    assert loss_verdict(entropy, {}, None) == f"{left}."
    assert loss_verdict(None, {}, ambiguity).startswith("A record is consistent with 2.75")
    assert loss_verdict(None, {}, None) == ""
