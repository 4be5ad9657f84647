"""How well counts of records are answered from the released table."""
