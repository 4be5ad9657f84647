"""What metrics of privacy, and their workings, share: computations on classes, which `metrics.counting` counts."""
