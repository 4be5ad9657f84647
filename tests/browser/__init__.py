"""Tests in a real browser, against the dashboard as a user starts it."""
