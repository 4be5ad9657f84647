"""Guesses of a sensitive value: from the candidates of a person, and from counts alone."""
