"""One figure by one call, for every metric of the catalog."""

import plotly.graph_objects as go
import pytest

from metrics import METRICS, Hierarchy, Roles, Scorecard, score
from tests.support.small_tables import written

ANONYMIZED = written("q r s n\n1* a x 1\n1* a y 2\n2* b x 3\n2* b y 4\n* * x 5", "anonymized.csv")
ORIGINAL = written("q r s n\n10 a x 1\n11 a y 2\n20 b x 3\n21 b y 4\n22 c x 5", "original.csv")
ROLES = Roles(quasi_identifiers=["q", "r"], sensitive=["s", "n"])
HIERARCHY = Hierarchy([[str(q), f"{q // 10}*", "*"] for q in (10, 11, 20, 21, 22)])
IDS = [spec.id for spec in METRICS]


@pytest.fixture(scope="module")
def card() -> Scorecard:
    return score(ANONYMIZED, ROLES, original=ORIGINAL, hierarchies={"q": HIERARCHY})


@pytest.mark.parametrize("metric_id", IDS)
def test_every_metric_has_a_figure(metric_id: str, card: Scorecard) -> None:
    assert isinstance(card.figure(metric_id), go.Figure)
    assert card.figure(metric_id).layout.title.text


@pytest.mark.parametrize("metric_id", IDS)
def test_a_metric_without_a_figure_says_why(metric_id: str) -> None:
    drawn = score(ANONYMIZED, ROLES, metrics=[]).figure(metric_id)
    assert not drawn.data
    assert "unavailable" in drawn.layout.title.text


def test_the_figure_of_a_metric_has_one_bar_per_sensitive_attribute(card: Scorecard) -> None:
    (bars,) = card.figure("distinct_l_diversity").data
    result = card["distinct_l_diversity"].result
    assert result is not None
    assert dict(zip(bars.y, bars.x, strict=True)) == result.attributes


def test_a_figure_of_an_unknown_metric_is_a_key_error(card: Scorecard) -> None:
    with pytest.raises(KeyError):
        card.figure("absent")
