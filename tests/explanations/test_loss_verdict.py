"""What was lost, in a sentence."""

from metrics.explanations.loss_verdict import loss_verdict
from tests.utility.losses import lost_by_four


def test_the_verdict_on_losses_leaves_out_unavailable_figures() -> None:
    changes, entropy, _ = lost_by_four()
    left = f"At most {entropy.value:.1%} of the information is kept"
    assert loss_verdict(entropy, changes) == f"{left} and 62.5% of the cells were changed."
    assert loss_verdict(entropy, {}) == f"{left}."
    assert loss_verdict(None, changes) == "62.5% of the cells were changed."
    assert loss_verdict(None, {}) == ""
