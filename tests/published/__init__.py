"""Figures that papers, the seeds and other programs published for the reference tables."""
