"""Compare: which version to choose under the policy, and every version in detail."""
