"""Speed and memory, measured by one command: `python -m benchmarks`."""
