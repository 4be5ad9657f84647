"""Compare: which candidate to choose under the policy, and every candidate in detail."""
