"""δ-disclosure privacy: how far the frequency of a sensitive value in a class is from the table's, in bits."""
