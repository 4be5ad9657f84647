"""Tests: one folder or file per package of metrics and dashboard, and the browser's in `browser`."""
