"""Projects of ARX: their tables, roles, hierarchies, privacy models and result, read from the archive."""
