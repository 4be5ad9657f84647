"""Population uniqueness: the share of a population that its quasi-identifiers single out, estimated from a sample."""
