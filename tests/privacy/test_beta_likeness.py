"""Basic and enhanced β-likeness: by hand; against the oracle in classes/test_worst_class.py."""

import math
from collections import Counter

import numpy as np
import pytest

from metrics import Roles, score
from tests.support.small_tables import table, written


def test_worked_example() -> None:
    released = written("""
        age   illness
        20-29 flu
        20-29 flu
        20-29 cold
        30-39 flu
        30-39 cold
        30-39 cold
    """)
    card = score(released, Roles(["age"], ["illness"]))
    gain = (2 / 3 - 1 / 2) / (1 / 2)  # flu: 2 of 3 in the first class, 3 of 6 in the table
    assert card["basic_beta_likeness"].value == pytest.approx(gain)
    assert gain <= -math.log(1 / 2)  # the most that the enhanced measure lets a value of this share gain
    assert card["enhanced_beta_likeness"].value == pytest.approx(gain)


ROLES = Roles(quasi_identifiers=["q"], sensitive=["s"])
BASIC, ENHANCED = "basic_beta_likeness", "enhanced_beta_likeness"


def test_a_frequent_value_may_gain_less() -> None:
    # In x all have a: it gains 1 of its share 1/2, and may gain ln 2.
    card = score(written("q s\nx a\nx a\ny b\ny b"), ROLES)
    assert card[BASIC].value == 1
    assert card[ENHANCED].value is None
    assert "2 classes for s" in (card[ENHANCED].unavailable or "")


def test_a_value_that_all_share_gains_nothing() -> None:
    card = score(written("q s\nx a\nx a\ny a"), ROLES)
    assert [card[identifier].value for identifier in (BASIC, ENHANCED)] == [0, 0]
    assert "In the whole table" not in card[BASIC].summary()
    assert card[BASIC].summary().startswith("No sensitive value is more frequent")


def test_classes_like_the_table_are_at_exactly_zero() -> None:
    # Shares of 1/3, which no float holds.
    cells = {"q": [str(i // 3) for i in range(21)], "s": ["a", "b", "c"] * 7}
    card = score(table(cells), ROLES)
    assert [card[identifier].value for identifier in (BASIC, ENHANCED)] == [0, 0]


def test_in_a_table_of_one_record_no_value_gains() -> None:
    card = score(written("q s\nx a"), ROLES)
    assert [card[identifier].value for identifier in (BASIC, ENHANCED)] == [0, 0]


def test_a_missing_value_is_a_value() -> None:
    assert score(written("q s\n- a\n- -\nx -\nx -"), ROLES)[BASIC].value == 1  # a: 1/2 against 1/4


def test_products_of_counts_beyond_32_bits_stay_exact() -> None:
    rng = np.random.default_rng(4)
    rows = 200_000
    cells = {
        "q": rng.integers(0, 3, rows).astype(str).tolist(),
        "s": np.where(rng.random(rows) < 0.9, "a", "b").tolist(),
    }
    card = score(table(cells), ROLES, metrics=[BASIC, "alpha_k_anonymity"])
    counts = Counter(zip(cells["q"], cells["s"], strict=True))
    sizes = {q: counts[q, "a"] + counts[q, "b"] for q in "012"}
    totals = {s: sum(counts[q, s] for q in "012") for s in "ab"}
    gains = [counts[q, s] * rows / (sizes[q] * totals[s]) - 1 for q in "012" for s in "ab"]
    assert card[BASIC].value == pytest.approx(max(gains), rel=1e-9)
    assert card["alpha_k_anonymity"].value == max(counts[q, "a"] / sizes[q] for q in "012")
