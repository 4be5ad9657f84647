"""Risk and suppression by group: against a slow count record by record, odd tables, and columns of no relation."""

from collections.abc import Sequence
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics import Hierarchy, Linear, Mean, Roles, Unavailable, by_group
from metrics.aggregates import TableAggregates
from metrics.config.parameters import Parameters
from metrics.counting.share_interval import wilson
from metrics.estimates.analyze import analyze
from metrics.scoring.by_group import Burden, Groups, GroupShare, analyses_by_group
from metrics.utility.analyses import Analyses
from tests.support.sample import SAMPLE
from tests.support.small_tables import Cells, table

ROLES = Roles("q")


def groups_of(
    before: dict[str, Cells], after: dict[str, Cells], column: str, roles: Roles = ROLES, **given: Any
) -> Groups:
    card = metrics.score(table(after), roles, original=table(before), metrics=["k_anonymity"], **given)
    return by_group(card, column)


def test_worked_example() -> None:
    before: dict[str, Cells] = {"q": [*"aabbcc"], "g": ["x", "x", "x", "y", "y", None]}
    after: dict[str, Cells] = {"q": ["a", "a", "b", "*", "c", "*"], "g": ["x"] * 6}
    found = groups_of(before, after, "g")
    # x: two records in a class of two, one alone; y: one suppressed, one alone; the missing value's is suppressed.
    assert [(group.label, group.people, group.highest_risk) for group in found.groups] == [
        (None, 1, None),
        ("x", 3, 1.0),
        ("y", 2, 1.0),
    ]
    nobody, x, y = (group.shares for group in found.groups)
    assert list(nobody) == [Burden.SUPPRESSED]
    assert x[Burden.SUPPRESSED] == GroupShare(0, 3, 2, 3)
    assert x[Burden.MEAN_RISK] == GroupShare(2, 3, 1, 1)
    assert x[Burden.AT_RISK] == GroupShare(3, 3, 1, 1)
    assert y[Burden.SUPPRESSED] == GroupShare(1, 2, 1, 4)
    assert y[Burden.SUPPRESSED].excess == 0.25
    assert all(group.is_small for group in found.groups)
    assert found.comparisons(Burden.SUPPRESSED) == 0
    assert found.standing_out(Burden.SUPPRESSED) == ()
    assert found.measures == (Burden.SUPPRESSED, Burden.AT_RISK)


def slow(
    before: Sequence[tuple[str, str, str | None]], after: Sequence[tuple[str, str]], threshold: float
) -> dict[Any, Any]:
    """Per group its people, those suppressed or removed, and the risks of the others; records matched by the key."""
    released = dict(after)
    found: dict[Any, Any] = {}
    for key, _, group in before:
        people, lost, risks = found.setdefault(group, (0, 0, []))
        label = released.get(key, "*")
        if label != "*":
            risks.append(1 / sum(other == label for _, other in after))
        found[group] = people + 1, lost + (label == "*"), risks
    return {
        group: (people, lost, sum(risks), sum(risk > threshold for risk in risks), max(risks, default=None))
        for group, (people, lost, risks) in found.items()
    }


@given(
    st.lists(
        st.tuples(st.sampled_from("abcd"), st.sampled_from(["x", "y", None]), st.sampled_from("kkk*-")),
        min_size=1,
        max_size=40,
    ),
    st.lists(st.sampled_from("abc*"), max_size=4),
    st.sampled_from([0.1, 0.3, 0.5]),
)
def test_it_equals_a_slow_count(records: list[tuple[str, str | None, str]], added: list[str], threshold: float) -> None:
    before = [(str(number), value, group) for number, (value, group, _) in enumerate(records)]
    after = [
        (key, "*" if fate == "*" else value)
        for (key, value, _), (*_, fate) in zip(before, records, strict=True)
        if fate != "-"
    ]
    after = [(f"new {number}", value) for number, value in enumerate(added)] + after[::-1]
    columns: dict[str, Cells] = {name: [row[i] for row in before] for i, name in enumerate(("id", "q", "g"))}
    released: dict[str, Cells] = {name: [row[i] for row in after] for i, name in enumerate(("id", "q"))}
    roles = Roles("q", identifiers="id", key="id", unmatched="leave_out")
    parameters = Parameters().with_settings({"reidentification_risk.threshold": threshold})
    if len(after) == len(added):
        return  # none is matched
    found = groups_of(columns, released, "g", roles, parameters=parameters)
    expected = slow(before, after, threshold)
    assert {group.label for group in found.groups} == set(expected)
    for group in found.groups:
        people, lost, risk, at_risk, highest = expected[group.label]
        suppressed = group.shares[Burden.SUPPRESSED]
        assert (group.people, suppressed.people, suppressed.total) == (people, people, lost)
        assert suppressed.others_total == sum(other[1] for other in expected.values()) - lost
        assert (Burden.MEAN_RISK in group.shares) == (Burden.AT_RISK in group.shares) == (people > lost)
        if people > lost:
            assert group.shares[Burden.MEAN_RISK].total == pytest.approx(risk)
            assert group.shares[Burden.AT_RISK].total == at_risk
            assert group.shares[Burden.AT_RISK].people == people - lost
            others = sum(one[0] - one[1] for one in expected.values()) - (people - lost)
            assert group.shares[Burden.MEAN_RISK].others == others
        assert group.highest_risk == (None if highest is None else pytest.approx(highest))


def test_one_group_stands_out_from_nobody_and_a_limit_of_1_puts_nobody_at_risk() -> None:
    before: dict[str, Cells] = {"q": ["a"] * 40, "g": ["x"] * 40}
    parameters = Parameters().with_settings({"reidentification_risk.threshold": 1.0})
    found = groups_of(before, {"q": ["*"] * 10 + ["a"] * 30}, "g", parameters=parameters)
    (group,) = found.groups
    share = group.shares[Burden.SUPPRESSED]
    assert (share.share, share.share_of_others, share.excess) == (0.25, None, 0)
    assert found.standing_out(Burden.SUPPRESSED) == ()
    assert found.measures == (Burden.SUPPRESSED, Burden.MEAN_RISK)
    assert Burden.AT_RISK not in group.shares


def test_a_table_of_suppressed_records_alone_has_no_risk() -> None:
    before: dict[str, Cells] = {"q": [*"ab"], "g": [*"xy"]}
    found = groups_of(before, {"q": ["*", "*"]}, "g")
    assert [group.shares for group in found.groups] == [{Burden.SUPPRESSED: GroupShare(1, 1, 1, 1)}] * 2
    assert found.measures == (Burden.SUPPRESSED,)
    assert found.to_arrow()["mean_risk"].to_pylist() == [None, None]


def test_what_cannot_be_grouped_is_refused_with_the_reason() -> None:
    cells: dict[str, Cells] = {"q": ["a"] * 120, "g": [f"word{'x' * number}" for number in range(120)]}
    with pytest.raises(Unavailable, match="more than 100 groups"):
        groups_of(cells, cells, "g")
    with pytest.raises(Unavailable, match="no column"):
        groups_of(cells, cells, "h")
    with pytest.raises(Unavailable, match="no records"):
        groups_of({"q": [], "g": []}, {"q": []}, "g")
    with pytest.raises(Unavailable, match="no original"):
        by_group(metrics.score(table(cells), ROLES), "g")


def test_many_values_are_grouped_by_the_hierarchy_or_in_intervals() -> None:
    values = [str(number) for number in range(20, 60)]
    cells: dict[str, Cells] = {"q": ["a"] * 41, "g": [*values, None]}
    tree = Hierarchy([[value, f"{value[0]}?", "*"] for value in values[:-1]])
    found = groups_of(cells, cells, "g", hierarchies={"g": tree})
    # Neither the missing value nor 59 is in the hierarchy: each is a group of its own.
    assert [(group.label, group.people) for group in found.groups] == [
        (None, 1),
        ("2?", 10),
        ("3?", 10),
        ("4?", 10),
        ("5?", 9),
        ("59", 1),
    ]
    intervals = groups_of(cells, cells, "g").groups
    assert 2 < len(intervals) <= 12
    assert sum(group.people for group in intervals) == 41


def test_wildcards_count_as_in_the_risk_of_the_table() -> None:
    cells: dict[str, Cells] = {"q": ["a", "a", "b", "b"], "r": ["1", "*", "1", "2"]}
    roles = Roles(["q", "r"])
    wild = Parameters().with_settings({"classes.suppressed_cell": "wildcard"})
    card = metrics.score(table(cells), roles, original=table(cells | {"r": [*"1112"]}), parameters=wild)
    (a, b) = by_group(card, "q").groups
    assert (a.highest_risk, b.highest_risk) == (0.5, 1.0)
    total = a.shares[Burden.MEAN_RISK].total + b.shares[Burden.MEAN_RISK].total
    assert total / 4 == pytest.approx(card["reidentification_risk"].details["prosecutor"]["average"])


def test_a_group_stands_out_where_the_corrected_intervals_do_not_overlap() -> None:
    share = GroupShare(20, 100, 90, 900)
    # By hand: Wilson's lower bound of 20 of 100 and upper bound of 90 of 900 at the quantile of 5% / comparisons.
    for comparisons in (1, 2, 5, 20):
        z = NormalDist().inv_cdf(1 - 0.05 / 2 / comparisons)
        low, high = (
            (s + z * z / 2 + sign * z * np.sqrt(s * (n - s) / n + z * z / 4)) / (n + z * z)
            for s, n, sign in ((20, 100, -1), (90, 900, 1))
        )
        assert share.stands_out(comparisons) == (low > high)
    assert share.stands_out(1)
    assert not share.stands_out(20)
    assert not GroupShare(29, 29, 0, 900).stands_out(1)


def test_the_interval_of_a_mean_risk_is_wilsons_on_the_scale_of_the_highest_risk() -> None:
    low, high = wilson(20, 40)
    assert GroupShare(2, 40, 0, 0, highest=0.1).interval == pytest.approx((0.1 * low, 0.1 * high))
    # Risks of 0 or the highest vary most; any others of the same mean vary less, so that the interval holds theirs.
    assert GroupShare(2, 40, 1, 40, highest=0.1).stands_out(1) == (low > wilson(10, 40)[1])


def test_shuffled_columns_rarely_have_a_group_that_stands_out() -> None:
    """Columns of 4 to 40 values without any relation to suppression; the uncorrected intervals find one in most."""
    rng = np.random.default_rng(46)
    runs, found, uncorrected = 400, 0, 0
    lost = np.arange(3000) < 300
    for run in range(runs):
        values = 4 + run % 37
        group = rng.permutation(np.arange(3000) % values)
        people, suppressed = np.bincount(group), np.bincount(group, lost)
        shares = [GroupShare(s, int(n), 300 - s, 3000 - int(n)) for s, n in zip(suppressed, people, strict=True)]
        found += any(share.stands_out(values) for share in shares)
        uncorrected += any(share.interval[0] > 0.1 or share.interval[1] < 0.1 for share in shares)
    assert found / runs <= 0.05
    assert uncorrected / runs > 0.4


def test_the_sample_names_whom_suppression_hits() -> None:
    roles = metrics.read_roles(SAMPLE / "roles.yaml").roles
    card = metrics.score(
        metrics.read_table(SAMPLE / "candidate_balanced.csv"),
        roles,
        original=metrics.read_table(SAMPLE / "hospital.csv"),
        hierarchies=metrics.read_hierarchies(SAMPLE / "hierarchies"),
        metrics=["k_anonymity"],
    )
    found = by_group(card, "age")
    (young,) = found.standing_out(Burden.SUPPRESSED)
    assert (young.label, young.people, young.shares[Burden.SUPPRESSED].total) == ("10-19", 582, 79)
    assert found.standing_out(Burden.SUPPRESSED, 10_000) == (young,)
    assert by_group(card, "sex").standing_out(Burden.SUPPRESSED) == ()
    rows = found.to_arrow().to_pylist()
    assert rows[1] | {"group": "10-19", "people": 582, "small": False} == rows[1]
    assert rows[1]["suppressed.low"] < rows[1]["suppressed"] < rows[1]["suppressed.high"]
    assert replace(found, groups=()).measures == ()


@pytest.mark.parametrize("by_key", [False, True])
def test_analyses_of_a_group_are_those_of_its_records_alone(by_key: bool) -> None:
    """The records of ward b lose their sex, or are removed; the tables of a ward are cut by hand."""
    people = [("abc"[row % 3], "fm"[row % 2], str(row * row % 17), str(row)) for row in range(120)]
    hidden = [
        (ward, "*" if ward == "b" and row % 4 else sex, stay, key) for row, (ward, sex, stay, key) in enumerate(people)
    ]
    released = [row for row in hidden if row[1] != "*"][::-1] if by_key else hidden
    names, roles = ("ward", "sex", "stay", "id"), Roles("sex", identifiers=["id"], key="id" if by_key else None)
    analyses = {"stay": Mean("stay", "sex"), "explained": Linear("stay", ["sex", "ward"])}

    def cut(rows: Sequence[tuple[str, ...]], wards: str) -> Any:
        columns = zip(*[row for row in rows if row[0] in wards], strict=True)
        return table(dict(zip(names, columns, strict=True)))

    aggregates = metrics.score(cut(released, "abc"), roles, original=cut(people, "abc"), metrics=[]).aggregates
    found = analyses_by_group(aggregates, "ward", analyses)
    assert list(found) == ["a", "b", "c"]
    for ward, kept in found.items():
        expected = analyze(TableAggregates(cut(released, ward), roles, cut(people, ward)), analyses["stay"])
        assert isinstance(kept.result, Analyses)
        assert kept.result.results["stay"] == expected
        assert (expected.value < 1) is (ward == "b")
        assert "explained" in kept.result.results  # of one ward it has the coefficient of sex alone
