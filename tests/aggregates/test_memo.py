"""Values computed once under a key."""

import pytest

from metrics.aggregates.memo import Memo


def test_a_value_is_computed_once_for_each_key_and_an_error_is_not_kept() -> None:
    memo, asked = Memo(), []

    def value() -> int:
        asked.append(1)
        return 12 // (len(asked) - 1)

    with pytest.raises(ZeroDivisionError):
        memo("twelfths", value)
    assert [memo("twelfths", value), memo("twelfths", value), memo("others", value)] == [12, 12, 6]
