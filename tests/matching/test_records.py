"""Which records of two tables stand beside which: against the slow implementation, record by record."""

from collections import Counter

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from metrics import METRICS, Hierarchy, InputError, Roles, Scorecard, score
from metrics.aggregates import TableAggregates
from metrics.aggregates.coverages import coverages
from metrics.counting.counts import Matching
from metrics.explanations.findings import said
from metrics.matching.records import describe, match_records, record_table, refuse_shared_records
from metrics.metric import Basis, Family, FindingKind
from metrics.scoring.working import Subject, subject_count, subject_name, working
from metrics.tables.matching_rule import Duplicates, MatchingRule, Unmatched
from metrics.tables.table import Table
from tests import oracle
from tests.fuzz.test_score import PAIR_CHECKS, Part, inner
from tests.support.examples import fewer_examples
from tests.support.scenes import Scene, columns, pair_scenes
from tests.support.small_tables import Cells, cells_of, columns_of, records, table, written

BY_ID = MatchingRule(("id",))
LENIENT = MatchingRule(("id",), Duplicates.LEAVE_OUT, Unmatched.LEAVE_OUT)
ORIGINAL = written("id q\n1 a\n2 b\n3 c\n4 d", "original.csv")
KEYS = ["1", "2", "3", "4", "5", "", "*", None]
rules = st.builds(
    MatchingRule,
    st.sampled_from([("id",), ("id", "visit"), ("visit", "id")]),
    st.sampled_from(Duplicates),
    st.sampled_from(Unmatched),
)


def pairs(matching: Matching, column: str) -> dict[tuple[str | None, ...], int]:
    found = matching.count_pair(column)
    labels = [
        tuple(of.labels[code[i]] for of, code in zip(found.columns, found.codes, strict=True))
        for i in range(len(found.counts))
    ]
    return dict(zip(labels, found.counts.tolist(), strict=True))


def test_records_are_matched_by_position() -> None:
    anonymized = written("q\n*\nB\nB\n*")
    matching = match_records(written("q\na\nb\nb\nc"), anonymized, MatchingRule())
    assert matching.deleted == 0
    assert pairs(matching, "q") == {("a", "*"): 1, ("b", "B"): 2, ("c", "*"): 1}


def test_records_are_matched_by_key_in_any_order() -> None:
    anonymized = written("id q\n4 D\n1 A\n3 C\n2 B")
    matching = match_records(ORIGINAL, anonymized, BY_ID)
    assert matching.deleted == 0
    assert cells_of(matching.original["id"]) == ["4", "1", "3", "2"]
    found = pairs(matching, "q")
    assert found == {("a", "A"): 1, ("b", "B"): 1, ("c", "C"): 1, ("d", "D"): 1}


def test_matched_tables_in_the_same_order_are_not_copied() -> None:
    anonymized = written("id q\n1 A\n2 B\n3 C\n4 D")
    matching = match_records(ORIGINAL, anonymized, BY_ID)
    assert matching.original is ORIGINAL
    assert matching.anonymized is anonymized


def test_deleted_records_count_as_suppressed_ones() -> None:
    anonymized = written("id q\n3 *\n1 A")
    matching = match_records(ORIGINAL, anonymized, BY_ID)
    assert matching.deleted == 2
    found = pairs(matching, "q")
    assert found == {("a", "A"): 1, ("b", "*"): 1, ("c", "*"): 1, ("d", "*"): 1}
    assert columns_of(matching.original)["id"][:2] == ["3", "1"]


@pytest.mark.parametrize(
    ("original", "anonymized", "file", "row", "problem"),
    [
        ("id\n1\n2", "id\n1\n7\n8", "anonymized.csv", 3, "does not occur in original.csv"),
        ("id\n1\n2\n1", "id\n1", "original.csv", 4, "repeats a value"),
        ("id\n1\n2", "id\n1\n2\n2", "anonymized.csv", 4, "repeats a value"),
        ("id\n1\n2", "id\n2\n1\n1\n2", "anonymized.csv", 4, "repeats a value"),
        ("id\n1\n-", "id\n1", "original.csv", 3, "has no key"),
        ("id\n1\n2", "id\n1\n*\n*", "anonymized.csv", 3, "has no key"),
    ],
)
def test_a_key_that_matches_no_single_record_is_refused_with_its_row(
    original: str, anonymized: str, file: str, row: int, problem: str
) -> None:
    tables = written(original, "original.csv"), written(anonymized, "anonymized.csv")
    with pytest.raises(InputError, match=problem) as raised:
        match_records(*tables, BY_ID)
    assert (raised.value.file, raised.value.row, raised.value.column) == (file, row, "id")


def test_a_key_of_several_columns_names_them_in_one_sentence() -> None:
    rule = MatchingRule(("id", "visit"))
    original = written("id visit\n1 1\n1 2\n2 1", "original.csv")
    assert match_records(original, written("id visit\n1 2\n1 1\n2 1"), rule).deleted == 0
    with pytest.raises(InputError) as raised:
        match_records(original, written("id visit\n1 2\n1 2", "anonymized.csv"), rule)
    assert str(raised.value).startswith(
        'anonymized.csv, line 3: the key columns ("id", "visit") repeat a combination; '
    )


def test_without_a_key_tables_of_different_lengths_are_refused() -> None:
    with pytest.raises(InputError, match=r"1 records? but original\.csv has 4"):
        match_records(ORIGINAL, written("q\na", "anonymized.csv"), MatchingRule())


def test_a_key_that_matches_nothing_is_refused_whatever_is_left_out() -> None:
    with pytest.raises(InputError, match=r"occurs exactly once in original\.csv"):
        match_records(ORIGINAL, written("id q\n8 A\n9 B", "anonymized.csv"), LENIENT)
    assert match_records(ORIGINAL, table({"id": [], "q": []}), LENIENT).deleted == 4


@st.composite
def keyed(draw: st.DrawFn) -> tuple[dict[str, Cells], dict[str, Cells], MatchingRule]:
    """Keys of two tables: repeated, missing, without counterpart; now and then all is well."""
    sides = []
    for _ in range(2):
        rows = draw(st.integers(0, 9))
        sides.append({name: draw(columns(KEYS, rows)) for name in ("id", "visit")})
    return sides[0], sides[1], draw(rules)


@given(keyed())
def test_every_record_is_matched_to_the_record_that_the_oracle_finds(
    drawn: tuple[dict[str, Cells], dict[str, Cells], MatchingRule],
) -> None:
    before, after, rule = drawn
    original, anonymized = table(before, "original"), table(after, "anonymized")
    expected = oracle.match(records(before), records(after), rule.key, rule.duplicates, rule.unmatched)
    found = describe(original, anonymized, rule)
    event(f"refused: {expected.refused}")
    assert (found.refusal is not None) is expected.refused
    places = list(range(len(after["id"]))) if found.places is None else found.places.tolist()
    partners = places if found.partners is None else found.partners.tolist()
    assert list(zip(partners, places, strict=True)) == expected.pairs
    assert found.original.unmatched.tolist() == expected.deleted
    assert (found.tally.matched, found.tally.deleted) == (len(expected.pairs), len(expected.deleted))
    assert found.tally.original_left_out == original.rows - len(expected.pairs) - len(expected.deleted)
    assert found.tally.anonymized_left_out == anonymized.rows - len(expected.pairs)
    beside = {("original", old + 1) for old, _ in expected.pairs} | {
        ("anonymized", new + 1) for _, new in expected.pairs
    }
    listed = record_table(original, anonymized, found).to_pylist()
    every = {("original", i + 1) for i in range(original.rows)} | {
        ("anonymized", i + 1) for i in range(anonymized.rows)
    }
    seen = [(row["table"], row["record"]) for row in listed]
    assert every - beside <= set(seen)
    assert len(seen) == len(set(seen))
    for row in listed:
        cells = (before if row["table"] == "original" else after)[rule.key[0]]
        assert row[rule.key[0]] == cells[row["record"] - 1]
    names = [tuple(row[name] for name in rule.key) for row in listed if row["finding"] == "repeated key"]
    runs = [name for at, name in enumerate(names) if not at or name != names[at - 1]]
    assert len(runs) == len(set(runs)), "what shares a key stands together"
    assert record_table(original, anonymized, found, 2).to_pylist() == listed[:2]


def test_columns_named_like_those_of_the_record_list_stay_distinct() -> None:
    original = written("record table\n1 x\n2 y", "original.csv")
    anonymized = written("record table\n1 x\n1 z", "anonymized.csv")
    listed = record_table(original, anonymized, describe(original, anonymized, MatchingRule(("record",))))
    assert listed.column_names == ["table", "record", "finding", "record (column)", "table (column)"]
    assert listed.to_pylist()[2] == {
        "table": "anonymized",
        "record": 2,
        "finding": "repeated key",
        "record (column)": "1",
        "table (column)": "z",
    }


# What becomes of the figures


def figures(card: Scorecard, *families: Family) -> dict[str, object]:
    return {score.metric.id: score.to_dict() for score in card if score.metric.family in families}


def near(found: object, expected: object) -> bool:
    """Whether two nested figures are the same but for the last digits of sums."""
    if isinstance(expected, dict) and isinstance(found, dict):
        return found.keys() == expected.keys() and all(near(found[name], of) for name, of in expected.items())
    if isinstance(expected, list) and isinstance(found, list):
        return len(found) == len(expected) and all(map(near, found, expected))
    if isinstance(expected, float) and isinstance(found, float):
        return found == pytest.approx(expected, rel=1e-9, abs=1e-12)
    return found == expected


@st.composite
def spoilt_keys(draw: st.DrawFn, sources: list[int], rows: int) -> tuple[list[dict[str, Cells]], MatchingRule]:
    """Keys of an original and of records made from some of its own; some of them repeated, missing or strange."""
    cells = st.sampled_from([None, "*", "", "k0", "k1", "new"])

    def spoilt(names: list[str]) -> Cells:
        return [draw(cells) if not draw(st.integers(0, 6)) else name for name in names]

    numbers = [f"k{i}" for i in range(rows)]
    visits = draw(st.sampled_from([["1"] * rows, numbers]))
    before = {"id": spoilt(numbers), "visit": visits}
    after = {"id": spoilt([numbers[i] for i in sources]), "visit": [visits[i] for i in sources]}
    duplicates = st.sampled_from([Duplicates.REFUSE, *[Duplicates.FIRST, Duplicates.LEAVE_OUT] * 2])
    unmatched = st.sampled_from([Unmatched.REFUSE, *[Unmatched.LEAVE_OUT] * 3])
    key = draw(st.sampled_from([("id",), ("id", "visit"), ("visit", "id")]))
    return [before, after], MatchingRule(key, draw(duplicates), draw(unmatched))


@fewer_examples()
@given(pair_scenes(12), st.data())
def test_loss_is_of_the_records_compared_and_risk_of_all(scene: Scene, data: st.DataObject) -> None:
    most = scene.rows + 3 if scene.rows else 0
    sources = data.draw(st.lists(st.integers(0, max(scene.rows - 1, 0)), min_size=min(scene.rows, 2), max_size=most))
    keys, rule = data.draw(spoilt_keys(sources, scene.rows))
    before: dict[str, Cells] = {**scene.original, **keys[0]}
    after = {name: [cells[i] for i in sources] for name, cells in scene.anonymized.items()} | keys[1]
    hierarchies = scene.hierarchies
    raw = Scene(scene.quasi_identifiers, [], after, before, hierarchies)
    expected = oracle.match(records(before), records(after), rule.key, rule.duplicates, rule.unmatched)
    roles = Roles(scene.quasi_identifiers, identifiers=["id", "visit"])
    card = score_scene(raw, roles.matched(rule))
    alone = score_scene(Scene(scene.quasi_identifiers, [], after, {}, hierarchies), roles)
    risk = (Family.PRIVACY, Family.ECONOMICS)
    assert figures(card, *risk) == figures(alone, *risk)
    assert card.aggregates.classes.sizes.tolist() == alone.aggregates.classes.sizes.tolist()
    event(f"refused: {expected.refused}, left out: {not expected.refused and card.aggregates.comparison.tally.partial}")
    if expected.refused:
        assert card.aggregates.comparison.tally is None
        assert card["distribution_distance"].unavailable == card.aggregates.comparison.unmatched
        return
    tally = card.aggregates.comparison.tally
    assert (tally.matched, tally.deleted) == (len(expected.pairs), len(expected.deleted))
    assert ("matching" in card.to_dict()) is tally.partial
    # Every metric as of tables from which the others were taken out, with nothing left to decide.
    order = [old for old, _ in expected.pairs] + expected.deleted
    kept_before = {name: [cells[i] for i in order] for name, cells in scene.original.items()}
    kept_after = {name: [after[name][new] for _, new in expected.pairs] for name in scene.anonymized}
    numbers = [str(i) for i in range(len(order))]
    clean = Scene(
        scene.quasi_identifiers,
        [],
        kept_after | {"#": numbers[: len(expected.pairs)]},
        kept_before | {"#": numbers},
        hierarchies,
        key="#",
    )
    assert near(figures(card, Family.UTILITY), figures(clean.score(), Family.UTILITY))
    # And against the slow implementations, deleted records as suppressed ones.
    starred = {name: [*cells, *["*"] * len(expected.deleted)] for name, cells in kept_after.items()}
    if expected.pairs:
        part = Part(scene.quasi_identifiers, [], starred, kept_before, hierarchies, card=card)
        for check in PAIR_CHECKS:
            inner(check)(part)


def score_scene(scene: Scene, roles: Roles) -> Scorecard:
    """The scene scored with other roles than its own."""
    return score(
        table(scene.anonymized, "anonymized"),
        roles,
        original=table(scene.original, "original") if scene.original else None,
        hierarchies={name: Hierarchy(rows) for name, rows in scene.hierarchies.items()},
    )


BEFORE = written("id q s n\n1 a x 1\n2 a y 2\n3 b x 3\n4 b y 4\n5 c x 5\n6 c y 6", "original.csv")
AFTER = written("id q s n\n9 a z 9\n5 * x 5\n1 A x 1\n2 A y 2\n2 A y 2\n3 B x 3", "anonymized.csv")


def card_of(anonymized: Table, original: Table | None, **matching: str) -> Scorecard:
    roles = Roles(["q"], ["s"], identifiers=["id"], key="id" if original is not None else None, **matching)
    return score(anonymized, roles, original=original, metrics=["all"])


def test_every_metric_of_two_tables_is_computed_from_the_records_compared() -> None:
    card = card_of(AFTER, BEFORE, duplicates="leave_out", unmatched="leave_out")
    before = written("id q s n\n1 a x 1\n3 b x 3\n4 b y 4\n5 c x 5\n6 c y 6", "original.csv")
    after = written("id q s n\n5 * x 5\n1 A x 1\n3 B x 3", "anonymized.csv")
    of_every_record = [spec.id for spec in METRICS if spec.loss_basis is Basis.EVERY_RECORD]
    found, expected = (figures(one, Family.UTILITY) for one in (card, card_of(after, before)))
    assert {name for name in found if found[name] != expected[name]} <= {*of_every_record}
    risk = (Family.PRIVACY, Family.ECONOMICS)
    assert figures(card, *risk) == figures(card_of(AFTER, None), *risk)
    assert {spec.family for spec in METRICS} == {*risk, Family.UTILITY, Family.ATTACKS}
    tables = card.to_dict()["tables"]
    assert tables["anonymized"].items() >= {"rows": 6, "suppressed_rows": 1, "removed_rows": 2}.items()
    assert tables["original"]["rows"] == 6
    assert card.to_dict()["matching"] == {
        "key": ["id"],
        "matched": 3,
        "deleted": 2,
        "original_left_out": 1,
        "anonymized_left_out": 3,
    }


def test_of_records_with_a_repeated_key_the_first_is_compared() -> None:
    card = card_of(AFTER, BEFORE, duplicates="first", unmatched="leave_out")
    after = written("id q s n\n5 * x 5\n1 A x 1\n2 A y 2\n3 B x 3", "anonymized.csv")
    assert figures(card, Family.UTILITY) == figures(card_of(after, BEFORE), Family.UTILITY)
    assert card["k_anonymity"].value == 1
    assert card.aggregates.classes.sizes.tolist() == [3, 1, 1]


def test_records_left_out_of_the_comparison_are_reported() -> None:
    card = card_of(AFTER, BEFORE, duplicates="leave_out", unmatched="leave_out")
    assert "1 original record and 3 anonymized records" in said(card, FindingKind.RECORDS_LEFT_OUT)
    assert card.aggregates.comparison.tally is not None
    summary = card.aggregates.comparison.tally.summary(card.aggregates.roles.matching)
    assert "2 original records" in summary
    assert "1 original record and 3 anonymized records" in summary


def test_a_payout_with_information_loss_is_of_all_classes() -> None:
    """A label that stands in no record compared covers what its form says."""
    before = written("id q\n1 10\n2 11\n3 x\n4 y", "original.csv")
    after = written("id q\n1 10\n2 1*\n3 [x]\n9 1*1*\n9 y", "anonymized.csv")
    roles = Roles(["q"], key="id", duplicates="leave_out", unmatched="leave_out")
    aggregates = TableAggregates(after, roles, before)
    labels = aggregates.anonymized["q"].labels
    covered = dict(zip(labels, coverages(aggregates)["q"].covered.tolist(), strict=True))
    assert covered == {"10": 1, "1*": 2, "[x]": 1, "1*1*": 1, "y": 1}
    assert aggregates.matched_records.anonymized["q"].labels == ["10", "1*", "[x]"]


def test_a_working_names_records_by_their_number_in_the_file() -> None:
    card = card_of(AFTER, BEFORE, duplicates="leave_out", unmatched="leave_out")
    assert subject_count(card, "ambiguity") == 5
    names = [subject_name(card, "ambiguity", index) for index in range(5)]
    assert names == ["record 2", "record 3", "record 6", "record 7", "record 8"]
    for metric in METRICS:
        if metric.family is Family.UTILITY and metric.working is not None and card[metric.id].result is not None:
            made = working(card, metric.id)
            if made.result is not None:
                assert made.result == pytest.approx(card[metric.id].value), metric.id
    assert working(card, "ambiguity", Subject(1)).subject == "record 3"


def test_tables_without_records_are_matched_completely() -> None:
    empty = table({"id": [], "q": []})
    found = describe(empty, empty, BY_ID)
    assert found.complete
    assert Counter(record_table(empty, empty, found).column_names) == Counter(["table", "record", "finding", "id", "q"])


def test_the_order_of_the_original_shows_in_records_matched_by_a_key() -> None:
    numbers = [str(number) for number in range(40)]
    original, rule = table({"n": numbers}), MatchingRule(("n",), unmatched="leave_out")
    for released, follows in (
        (numbers, True),
        ([number for number in numbers if int(number) % 7], True),
        (numbers[::-1], False),
        ([*numbers[::2], *numbers[1::2][::-1]], False),
        (numbers[:5], False),
    ):
        assert describe(original, table({"n": released}), rule).follows_original is follows


def test_a_holdout_table_of_the_same_people_is_refused_without_a_key() -> None:
    tens, ones = ([str(number // 10) for number in range(40)], [str(number % 10) for number in range(40)])
    original = table({"id": [str(number) for number in range(40)], "tens": tens, "ones": ones})
    roles = Roles(["tens"], ["ones"])
    twins = {"id": [str(number) for number in range(50, 90)], "tens": [*tens[:30], *["9"] * 10], "ones": ones}
    with pytest.raises(InputError, match="30 of its 40 records equal exactly one record"):
        refuse_shared_records(original, table(twins), roles)
    refuse_shared_records(original, table({**twins, "tens": [*tens[:20], *["9"] * 20]}), roles)
