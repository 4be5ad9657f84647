"""What happens to a test where a program that it needs is missing."""

import os
from typing import NoReturn

import pytest


def missing(line: str) -> NoReturn:
    """Skip the test; under CI, where nothing may be left out, let it fail."""
    if os.environ.get("CI") == "true":
        pytest.fail(line, pytrace=False)
    pytest.skip(line)
