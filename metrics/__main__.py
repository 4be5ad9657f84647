"""`python -m metrics`: the command line."""

import sys

from metrics.cli import main

if __name__ == "__main__":
    sys.exit(main(program="python -m metrics"))
