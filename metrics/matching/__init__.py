"""Which anonymized record belongs to which original record."""
