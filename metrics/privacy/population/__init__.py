"""The population that a table is a sample of: whom classes represent, and how many people are unique in it."""
