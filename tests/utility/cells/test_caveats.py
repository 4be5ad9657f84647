"""Caveats on measures of loss."""

from metrics.utility.cells.caveats import with_caveat


def test_a_caveat_follows_a_finding_or_replaces_one_that_would_not_hold() -> None:
    shares = {"age": 0.25}
    assert with_caveat("A finding.", {}) == "A finding."
    assert with_caveat("A finding.", shares).startswith("A finding. ")
    assert "25%" in with_caveat("A finding.", shares)
    assert with_caveat("A finding.", shares, "Another.").startswith("Another. ")
