"""One figure by one call, for every metric of the catalog."""

import plotly.graph_objects as go
import pytest

from metrics import METRICS, Hierarchy, Roles, Scorecard, score
from metrics.figures.attributes import MAX_ATTRIBUTES, figure_by_attribute
from metrics.privacy.l_diversity import DISTINCT_L_DIVERSITY
from metrics.utility.non_uniform_entropy import NON_UNIFORM_ENTROPY
from tests.figures.drawn import HOSTILE
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


class _Result:
    def __init__(self, attributes: dict[str, float | None]) -> None:
        self.value, self.attributes = None, attributes

    def details(self) -> dict[str, object]:
        return {}

    def summary(self) -> str:
        return "."


def test_markup_in_names_is_shown_as_text_and_long_lists_of_attributes_are_cut() -> None:
    (bars,) = figure_by_attribute(DISTINCT_L_DIVERSITY, _Result(dict.fromkeys(HOSTILE, 2.0) | {"none": None})).data
    assert len(set(bars.y)) == len(HOSTILE)
    assert all("<img" not in text and "$" not in text for text in (*bars.y, *bars.hovertext))
    many = figure_by_attribute(NON_UNIFORM_ENTROPY, _Result({str(i): i / 100 for i in range(50, 0, -1)}))
    assert list(many.data[0].x) == [i / 100 for i in range(1, MAX_ATTRIBUTES + 1)]
    assert "20 attributes" in many.layout.title.text.replace("<br>", " ")
