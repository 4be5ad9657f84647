"""Which values of several columns are the same."""

from metrics.matching.shared_values import shared_codes
from tests.support.small_tables import table


def test_numbers_are_the_same_however_written_and_codes_and_missing_values_are_themselves() -> None:
    left, right = table({"v": ["34", "00123", None, "x"]})["v"], table({"v": ["+34.0", "123", "x", None]})["v"]
    codes, count = shared_codes([left, right])
    first, second = (
        dict(zip(column.labels, numbers.tolist(), strict=True))
        for column, numbers in zip((left, right), codes, strict=True)
    )
    assert (first["34"], first["x"], first[None]) == (second["+34.0"], second["x"], second[None])
    assert len({*first.values(), *second.values()}) == count == 5
