"""Basic and enhanced β-likeness: by hand; against the oracle in test_judgement.py."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from metrics import score
from tests.privacy.likeness import ROLES, TEN
from tests.support.small_tables import table, written

BASIC, ENHANCED = "basic_beta_likeness", "enhanced_beta_likeness"


def test_of_ten_people_the_rarest_value_gains_two_thirds_in_its_class() -> None:
    card = score(TEN, ROLES)
    # c: 1/6 in y, 1/10 in the table. a: 3/4 and 2/6 against 1/2. b: 1/4 and 1/2 against 2/5.
    assert card[BASIC].value == pytest.approx(2 / 3, rel=1e-15)
    result: Any = card[BASIC].result
    assert result.per_class["s"] == pytest.approx([1 / 2, 2 / 3], rel=1e-15)
    # 1/2 <= -ln 1/2 = 0.69, 2/3 <= -ln 1/10, 1/4 <= -ln 2/5.
    assert card[ENHANCED].value == card[BASIC].value
    assert "up to 1.67 times as frequent in a class" in card[BASIC].summary()


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
