"""What a candidate must meet: limits on its figures, and the criteria of a single class."""
