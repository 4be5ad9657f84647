"""A metric's figure by attribute: names shown as text, long lists cut."""

from metrics.privacy.l_diversity.measure import DISTINCT_L_DIVERSITY
from metrics.scoring.attributes_chart import MAX_ATTRIBUTES, chart_by_attribute
from metrics.utility.non_uniform_entropy.measure import NON_UNIFORM_ENTROPY
from tests.drawing.drawn import HOSTILE


class _Result:
    def __init__(self, attributes: dict[str, float | None]) -> None:
        self.value, self.attributes = None, attributes

    def details(self) -> dict[str, object]:
        return {}

    def summary(self) -> str:
        return "."


def test_markup_in_names_is_shown_as_text_and_long_lists_of_attributes_are_cut() -> None:
    (bars,) = chart_by_attribute(DISTINCT_L_DIVERSITY, _Result(dict.fromkeys(HOSTILE, 2.0) | {"none": None})).data
    assert len(set(bars.y)) == len(HOSTILE)
    assert all("<img" not in text and "$" not in text for text in (*bars.y, *bars.hovertext))
    many = chart_by_attribute(NON_UNIFORM_ENTROPY, _Result({str(i): i / 100 for i in range(50, 0, -1)}))
    assert list(many.data[0].x) == [i / 100 for i in range(1, MAX_ATTRIBUTES + 1)]
    assert "20 attributes" in many.layout.title.text.replace("<br>", " ")
