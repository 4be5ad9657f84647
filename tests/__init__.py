"""Tests: one folder or file per room of metrics and dashboard, and the browser's in `browser`."""
