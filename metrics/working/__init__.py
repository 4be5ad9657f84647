"""Steps and formulas by which a metric shows how its value comes about."""
