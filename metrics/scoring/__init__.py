"""The list of all metrics, and a table's score by each: the scorecard and the table of classes."""
