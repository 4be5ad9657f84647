"""The search for the best of all generalizations: each of them or, where there are too many, branch and bound."""
