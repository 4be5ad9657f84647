"""One figure by one call, for every metric of the catalog."""

import plotly.graph_objects as go
import pytest

from metrics import METRICS, Scorecard, score
from tests.scoring.cards import ANONYMIZED, HIERARCHY, ORIGINAL, ROLES

IDS = [spec.id for spec in METRICS]


@pytest.fixture(scope="module")
def card() -> Scorecard:
    return score(ANONYMIZED, ROLES, original=ORIGINAL, hierarchies={"q": HIERARCHY})


@pytest.mark.parametrize("metric_id", IDS)
def test_every_metric_has_a_figure(metric_id: str, card: Scorecard) -> None:
    assert isinstance(card.chart(metric_id), go.Figure)
    assert card.chart(metric_id).layout.title.text


@pytest.mark.parametrize("metric_id", IDS)
def test_a_metric_without_a_figure_says_why(metric_id: str) -> None:
    drawn = score(ANONYMIZED, ROLES, metrics=[]).figure(metric_id)
    assert not drawn.data
    assert "unavailable" in drawn.layout.title.text


def test_the_figure_of_a_metric_has_one_bar_per_sensitive_attribute(card: Scorecard) -> None:
    (bars,) = card.chart("distinct_l_diversity").data
    result = card["distinct_l_diversity"].result
    assert result is not None
    assert dict(zip(bars.y, bars.x, strict=True)) == result.attributes


def test_a_figure_of_an_unknown_metric_is_a_key_error(card: Scorecard) -> None:
    with pytest.raises(KeyError):
        card.chart("absent")
