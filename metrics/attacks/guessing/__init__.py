"""Guesses of a sensitive value: from the possible records of a person, and from counts alone."""
