"""Classification accuracy: how well a model predicts a column from the quasi-identifiers, before and after."""
