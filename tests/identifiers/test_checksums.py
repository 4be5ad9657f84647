"""The checks of national numbers: few random numbers pass one."""

import random

import pytest

from metrics.identifiers.checksums import PERSONAL_NUMBERS, passes


@pytest.mark.parametrize("length", range(8, 19))
def test_of_random_numbers_at_most_one_in_seven_passes_any_national_check(length: int) -> None:
    source = random.Random(length)
    numbers = [str(source.randrange(10 ** (length - 1), 10**length)) for _ in range(200)]
    for module in PERSONAL_NUMBERS:
        assert sum(passes(module, number) for number in numbers) / len(numbers) <= 1 / 6, module
