"""Change in association: how far the relation between two columns differs from before."""
