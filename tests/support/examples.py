"""How many examples a slow property is tried with."""

from hypothesis import settings


def fewer_examples(share: float = 0.4) -> settings:
    """A share of the examples that the profile has, for a property whose single example takes long."""
    return settings(max_examples=max(round(share * settings().max_examples), 1))
