"""Membership: how much more often released records cover people of the original than people who are not in it."""
