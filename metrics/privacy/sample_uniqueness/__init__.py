"""Sample uniqueness: the share of records that are alone in their equivalence class."""
