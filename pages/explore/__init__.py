"""Explore: find levels of generalization that meet the policy, from the original and its hierarchies."""
