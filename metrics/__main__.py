"""`python -m metrics`: the command line."""

import os
import sys
from contextlib import suppress

from metrics.cli import main
from metrics.cli.exit_status import BAD_INPUT

if __name__ == "__main__":
    status = main(program="python -m metrics")
    if status == BAD_INPUT:
        # Threads of Arrow that a refused file left behind may abort the process while the interpreter ends.
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)
    sys.exit(status)
