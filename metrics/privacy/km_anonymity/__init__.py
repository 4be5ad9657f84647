"""k^m-anonymity: how many people share any m of the items that somebody has."""
