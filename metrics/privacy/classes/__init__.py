"""What metrics of privacy, and the figures of them, share: computations on equivalence classes."""
