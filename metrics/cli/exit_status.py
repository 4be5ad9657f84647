"""The exit statuses of every command."""

import signal
from typing import Final

DONE: Final = 0
REQUIREMENT_FAILED: Final = 1
BAD_INPUT: Final = 2
STOPPED: Final = 128 + signal.SIGINT
