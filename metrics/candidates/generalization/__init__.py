"""A generalization: the columns on levels of their hierarchies, its classes, and its table."""
