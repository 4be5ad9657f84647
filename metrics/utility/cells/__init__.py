"""What metrics of utility share: cells of quasi-identifiers before and after, and what can be said of them."""
