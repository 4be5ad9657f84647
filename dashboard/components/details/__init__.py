"""Sections of the pages on single metrics: P_29, t-closeness, information loss, profitability."""
