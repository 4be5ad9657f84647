"""Sections of the page Verdict: the answer, its figure, every metric as a row."""
