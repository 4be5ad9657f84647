"""k-anonymity: the size of the smallest equivalence class."""
