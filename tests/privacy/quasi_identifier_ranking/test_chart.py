"""The ranking of subsets of quasi-identifiers: the strongest first, and text as text."""

import pytest

import metrics
from metrics.privacy.quasi_identifier_ranking.chart import MAX_SUBSETS, ranked_subsets
from metrics.privacy.quasi_identifier_ranking.measure import QuasiIdentifierRanking
from tests.drawing.random_tables import NAMES, original


def test_the_strongest_subsets_come_first() -> None:
    card = metrics.score(original(), metrics.Roles(quasi_identifiers=NAMES), metrics=["quasi_identifier_ranking"])
    result = card["quasi_identifier_ranking"].result
    assert isinstance(result, QuasiIdentifierRanking)
    bars = ranked_subsets(result).data
    assert len(bars[0].x) == 7 <= MAX_SUBSETS
    assert list(bars[0].x) == sorted(bars[0].x, reverse=True)
    assert bars[0].x[0] == pytest.approx(100 * result.together.distinction)
    assert not any("<b>" in text for text in (*bars[0].y, *bars[0].hovertext))
