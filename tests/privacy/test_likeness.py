"""(α,k)-anonymity, β-likeness and δ-disclosure: against the oracle, by hand, and what they say where there is none."""

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from metrics import Roles, Scorecard, score
from tests import oracle
from tests.properties.test_against_oracle import keys, near, no_class
from tests.support.scenes import Scene, sensitive_scenes
from tests.support.small_tables import table, written

JUDGES: dict[str, tuple[str, Callable[..., Any]]] = {
    "alpha_k_anonymity": ("alpha", oracle.alpha_k_anonymity),
    "basic_beta_likeness": ("beta", oracle.basic_beta_likeness),
    "enhanced_beta_likeness": ("enhanced_beta", oracle.enhanced_beta_likeness),
    "delta_disclosure": ("delta", oracle.delta_disclosure),
}
# Ten people: a is held by 5, b by 4, c by 1.
TEN = written(
    """q s
    x a
    x a
    x a
    x b
    y a
    y a
    y b
    y b
    y b
    y c"""
)
ROLES = Roles(quasi_identifiers=["q"], sensitive=["s"])


@given(sensitive_scenes(30))
def test_against_the_oracle(scene: Scene) -> None:
    card = scene.score(*JUDGES)
    if not no_class(card, scene):
        for identifier in JUDGES:
            check(card, scene, identifier)


def check(card: Scorecard, scene: Scene, identifier: str) -> None:
    measure, judge = JUDGES[identifier]
    judged = {name: judge(scene.records, scene.quasi_identifiers, name) for name in scene.sensitive}
    worst = [of.value for of in judged.values()]
    rows = card.classes.to_arrow().to_pylist()
    if None in worst:
        event("unavailable")
        assert card[identifier].value is None
        assert "no β is defined" in str(card[identifier].unavailable)
        assert not any(name.endswith(f".{measure}") for name in card.classes.to_arrow().column_names)
        return
    assert card[identifier].value == near(max(worst))
    assert card[identifier].attributes == {name: near(of.value) for name, of in judged.items()}
    for name, of in judged.items():
        found = dict(zip(keys(card), (row[f"{name}.{measure}"] for row in rows), strict=True))
        assert found == {key: near(figure) for key, figure in of.per_class.items()}
    if identifier == "alpha_k_anonymity":
        k = oracle.k_anonymity(scene.records, scene.quasi_identifiers).value
        assert card[identifier].details == {"k": k, "others_as_quasi_identifiers": False}
    else:
        assert card[identifier].details == {"others_as_quasi_identifiers": False}


def test_by_hand() -> None:
    card = score(TEN, ROLES)
    assert card["alpha_k_anonymity"].value == 3 / 4
    assert card["alpha_k_anonymity"].details["k"] == 4
    # c: 1/6 in y, 1/10 in the table. a: 3/4 and 2/6 against 1/2. b: 1/4 and 1/2 against 2/5.
    assert card["basic_beta_likeness"].value == pytest.approx(2 / 3, rel=1e-15)
    assert card["delta_disclosure"].value == pytest.approx(math.log2(5 / 3), rel=1e-15)
    result: Any = card["basic_beta_likeness"].result
    assert result.per_class["s"] == pytest.approx([1 / 2, 2 / 3], rel=1e-15)
    # 1/2 <= -ln 1/2 = 0.69, 2/3 <= -ln 1/10, 1/4 <= -ln 2/5.
    assert card["enhanced_beta_likeness"].value == card["basic_beta_likeness"].value
    assert all(part in card["alpha_k_anonymity"].summary() for part in ("75%", "k = 4"))
    assert "up to 1.67 times as frequent in a class" in card["basic_beta_likeness"].summary()


def test_a_frequent_value_may_gain_less() -> None:
    # In x all have a: it gains 1 of its share 1/2, and may gain ln 2.
    card = score(written("q s\nx a\nx a\ny b\ny b"), ROLES)
    assert card["basic_beta_likeness"].value == 1
    assert card["enhanced_beta_likeness"].value is None
    assert "2 classes for s" in (card["enhanced_beta_likeness"].unavailable or "")


def test_a_value_that_all_share_gains_nothing() -> None:
    card = score(written("q s\nx a\nx a\ny a"), ROLES)
    assert [card[identifier].value for identifier in JUDGES] == [1, 0, 0, 0]
    assert "In the whole table" not in card["basic_beta_likeness"].summary()
    assert card["basic_beta_likeness"].summary().startswith("No sensitive value is more frequent")
    assert card["delta_disclosure"].summary().endswith("(δ = 0).")


def test_classes_like_the_table_are_at_exactly_zero() -> None:
    # Shares of 1/3, which no float holds.
    cells = {"q": [str(i // 3) for i in range(21)], "s": ["a", "b", "c"] * 7}
    card = score(table(cells), ROLES)
    assert [card[identifier].value for identifier in list(JUDGES)[1:]] == [0, 0, 0]


def test_one_record() -> None:
    card = score(written("q s\nx a"), ROLES)
    assert [card[identifier].value for identifier in JUDGES] == [1, 0, 0, 0]
    assert card["alpha_k_anonymity"].summary().endswith("1 record (k = 1).")


def unavailable(card: Scorecard) -> set[str | None]:
    return {card[identifier].unavailable for identifier in JUDGES}


def test_reasons() -> None:
    assert unavailable(score(TEN, Roles(quasi_identifiers=["q"]))) == {"no column is tagged as sensitive"}
    assert unavailable(score(written("q s\n* a\n* b"), ROLES)) == {"every record is suppressed"}
    assert unavailable(score(table({"q": [], "s": []}), ROLES)) == {"the table has no records"}


def test_missing_values_are_values() -> None:
    card = score(written("q s\n- a\n- -\nx -\nx -"), ROLES)
    assert card["alpha_k_anonymity"].value == 1
    assert card["basic_beta_likeness"].value == 1  # a: 1/2 against 1/4


@given(sensitive_scenes(20), st.integers(2, 400))
def test_many_copies_change_no_bit(scene: Scene, times: int) -> None:
    many = Scene(
        scene.quasi_identifiers,
        scene.sensitive,
        {name: list(cells) * times for name, cells in scene.anonymized.items()},
        {},
        scene.hierarchies,
    )
    once, often = scene.score(*JUDGES), many.score(*JUDGES)
    for identifier in JUDGES:
        assert once[identifier].value == often[identifier].value


def test_products_of_counts_beyond_32_bits_stay_exact() -> None:
    rng = np.random.default_rng(4)
    rows = 200_000
    cells = {
        "q": rng.integers(0, 3, rows).astype(str).tolist(),
        "s": np.where(rng.random(rows) < 0.9, "a", "b").tolist(),
    }
    card = score(table(cells), ROLES, metrics=JUDGES)
    counts = Counter(zip(cells["q"], cells["s"], strict=True))
    sizes = {q: counts[q, "a"] + counts[q, "b"] for q in "012"}
    totals = {s: sum(counts[q, s] for q in "012") for s in "ab"}
    gains = [counts[q, s] * rows / (sizes[q] * totals[s]) - 1 for q in "012" for s in "ab"]
    assert card["basic_beta_likeness"].value == pytest.approx(max(gains), rel=1e-9)
    assert card["alpha_k_anonymity"].value == max(counts[q, "a"] / sizes[q] for q in "012")
