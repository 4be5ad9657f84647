"""β-likeness: how much more frequent a sensitive value is in a class than in the table, relative to the latter."""
