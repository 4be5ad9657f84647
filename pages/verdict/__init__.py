"""Verdict: whether a table meets the policy, and why."""
