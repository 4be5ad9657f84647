"""The session's cache: what is asked again comes back, and nothing stale ever does."""

import gc

from dashboard.scoring import ScoreCache
from metrics import Roles
from metrics.hierarchy import Hierarchy
from metrics.parameters import Parameters
from tests.tables import table

ROLES = Roles(quasi_identifiers=["q"], sensitive=["s"])
RECORDS = {"q": ["a"] * 30_000 + ["b"] * 30_000, "s": ["x", "y"] * 30_000}


def changed() -> dict[str, list[str]]:
    """The same records but one, which stands alone."""
    return {**RECORDS, "q": [*RECORDS["q"][:-1], "c"]}


def test_the_same_question_gets_the_same_object() -> None:
    cache, candidate = ScoreCache(), table(RECORDS)
    evidence = cache.evidence(candidate, ROLES, None, {})
    assert cache.evidence(candidate, Roles(quasi_identifiers=["q"], sensitive=["s"]), None, {}) is evidence
    card = cache.card(evidence, Parameters())
    assert cache.card(evidence, Parameters()) is card


def test_one_changed_record_changes_the_answer() -> None:
    cache = ScoreCache()
    smallest = []
    for cells in (RECORDS, changed(), RECORDS):
        card = cache.card(cache.evidence(table(cells), ROLES, None, {}), Parameters())
        smallest.append(card["k_anonymity"].value)
    assert smallest == [30_000, 1, 30_000]


def test_every_input_counts() -> None:
    cache, candidate, original = ScoreCache(), table(RECORDS), table(RECORDS)
    hierarchy = Hierarchy([["x", "*"], ["y", "*"]])
    asked = [
        (candidate, ROLES, None, {}),
        (candidate, Roles(quasi_identifiers=["s"], sensitive=["q"]), None, {}),
        (candidate, Roles(quasi_identifiers=["q", "s"]), None, {}),
        (candidate, ROLES, original, {}),
    ]
    found = [cache.evidence(*inputs) for inputs in asked]
    assert len({id(evidence) for evidence in found}) == len(asked)
    with_hierarchy = cache.evidence(candidate, ROLES, None, {"s": hierarchy})
    assert with_hierarchy not in found
    assert with_hierarchy.hierarchies == {"s": hierarchy}
    assert cache.evidence(candidate, ROLES, None, {"s": Hierarchy([["x", "*"], ["y", "*"]])}) is not with_hierarchy


def test_new_parameters_give_new_scores_from_the_same_counts() -> None:
    cache = ScoreCache()
    evidence = cache.evidence(table(RECORDS), ROLES, None, {})
    first = cache.card(evidence, Parameters())
    other = Parameters().with_settings({"profitability.publisher_benefit": 1})
    second = cache.card(evidence, other)
    assert second.evidence is first.evidence
    assert second["profitability"].details != first["profitability"].details
    assert cache.card(evidence, other) is second


def test_the_cache_is_bounded_and_never_confuses_tables_that_came_and_went() -> None:
    cache = ScoreCache()
    for number in range(1, 20):
        made = table({"q": ["a"] * number, "s": ["x"] * number})
        card = cache.card(cache.evidence(made, ROLES, None, {}), Parameters())
        assert card["k_anonymity"].value == number
        del made, card
        gc.collect()
        assert len(cache._evidence) <= 4
        assert len(cache._cards) <= 4


def test_what_was_used_last_stays_longest() -> None:
    cache = ScoreCache()
    tables = [table({"q": ["a"] * (number + 1), "s": ["x"] * (number + 1)}) for number in range(5)]
    found = [cache.evidence(each, ROLES, None, {}) for each in tables[:4]]
    assert cache.evidence(tables[0], ROLES, None, {}) is found[0]
    cache.evidence(tables[4], ROLES, None, {})
    assert cache.evidence(tables[0], ROLES, None, {}) is found[0]
    assert cache.evidence(tables[1], ROLES, None, {}) is not found[1]
