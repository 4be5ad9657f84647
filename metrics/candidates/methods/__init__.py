"""Ways to make a candidate from the original beside the lattice, each the same for the same seed on any machine."""
