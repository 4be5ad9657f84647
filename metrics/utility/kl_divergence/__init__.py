"""Kullback-Leibler divergence: how far the quasi-identifiers' joint distribution has moved."""
