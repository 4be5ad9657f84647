"""Other versions of a table: repaired, generalized, compared."""
