"""Tests of metrics/estimates."""
