"""Methods other than the lattice to make a candidate from the original, reproducible by a seed on any machine."""
