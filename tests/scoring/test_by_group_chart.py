"""The chart of groups: who stands out, who is too few, and the finding in words."""

from metrics.scoring.by_group import Burden, Group, Groups, GroupShare
from metrics.scoring.by_group_chart import chart_by_group
from tests.drawing.drawn import HOSTILE


def groups(*totals: tuple[str | None, int, int], measure: Burden = Burden.SUPPRESSED) -> Groups:
    everybody, counted = (sum(total[place] for total in totals) for place in (1, 2))
    made = (
        Group(label, people, {measure: GroupShare(total, people, counted - total, everybody - people)}, None)
        for label, people, total in totals
    )
    return Groups("age", tuple(made), 0.2)


def heading(found: Groups, measure: Burden = Burden.SUPPRESSED) -> str:
    return str(chart_by_group(found, measure).layout.title.text).replace("<br>", " ")


def test_groups_that_stand_out_and_those_too_few_are_marked() -> None:
    found = groups(("young", 200, 60), ("middle", 200, 10), ("old", 200, 5), (None, 3, 3))
    drawn = chart_by_group(found, Burden.SUPPRESSED)
    (marks,) = drawn.data
    assert marks.marker.symbol == ("diamond", "circle", "circle", "circle-open")
    assert marks.y[:3] == ("young", "middle", "old")
    assert marks.x[0] == 30
    assert marks.x[0] - marks.error_x.arrayminus[0] < 24.5 < 36 < marks.x[0] + marks.error_x.array[0]
    assert drawn.layout.annotations[0].text == "all 12.9%"
    assert heading(found) == "age young: 30% suppressed, 4.47% among all others"


def test_the_finding_counts_further_groups_or_says_that_chance_explains_all() -> None:
    found = groups(("a", 300, 150), ("b", 300, 120), ("c", 600, 0), measure=Burden.AT_RISK)
    assert heading(found, Burden.AT_RISK).endswith(
        "with a risk above 20%, 13.3% among all others; 1 more group stands out"
    )
    assert heading(groups(("a", 300, 30), ("b", 300, 29))) == "Suppressed: no group stands out beyond chance"
    alone = groups(("a", 30, 3), measure=Burden.MEAN_RISK)
    assert heading(alone, Burden.MEAN_RISK) == "Mean risk: no group stands out beyond chance"


def test_markup_in_values_is_shown_as_text() -> None:
    drawn = chart_by_group(groups(*((label, 40, 1) for label in HOSTILE)), Burden.SUPPRESSED)
    (trace,) = drawn.data
    assert len(set(trace.y)) == len(HOSTILE)
    texts = (*trace.y, *trace.hovertext, *drawn.layout.yaxis.ticktext)
    assert all("<img" not in text and "$" not in text for text in texts)
