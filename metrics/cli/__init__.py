"""The command line: one module per command, and what the commands share."""

from metrics.cli.program import end_process, main

__all__ = ["end_process", "main"]
