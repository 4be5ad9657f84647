"""Tests of the metrics package, one file per module."""
