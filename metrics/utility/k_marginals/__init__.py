"""The score of all marginals of k columns, and the sample of the original that has the same."""
