"""t-closeness: how far the sensitive values of a class lie from those of the whole table."""
