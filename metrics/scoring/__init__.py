"""The catalog of metrics, the scorecard, and the table of classes."""
