"""Learn: the measures by small examples that change under the reader's hands."""
