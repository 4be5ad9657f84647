"""Non-uniform entropy: how much information about the quasi-identifiers generalization has left."""
