"""Requirements on a candidate: limits on its figures, and the criteria of a single class."""
