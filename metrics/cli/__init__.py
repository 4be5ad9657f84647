"""The command line: one module per command, and what the commands share."""

from metrics.cli.program import main

__all__ = ["main"]
