"""Squared error of the numeric quasi-identifiers: how far generalized numbers lie from the original ones."""
