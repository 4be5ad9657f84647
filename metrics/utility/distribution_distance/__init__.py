"""Distance of each column's distribution before and after."""
