"""Average class size (AECS): how many records look alike, averaged over equivalence classes."""
