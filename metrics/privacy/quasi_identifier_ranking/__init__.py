"""Which quasi-identifiers tell people apart: distinction and separation of every subset of them."""
