"""Tables as dictionary-encoded columns, and how they are written and shown."""
