"""The verdict: the weakest point first, in sentences that fit the numbers."""

import pytest
from hypothesis import given

import metrics
from metrics import Parameters, Roles, Thresholds
from metrics.scorecard import Scorecard
from metrics.verdict import verdict
from tests.scenes import Scene, pair_scenes
from tests.tables import Cells, table

CALM = {"profitability.adversary_gain": 0, "t_closeness.t": 1}


def card(columns: dict[str, Cells], settings: dict[str, object] | None = None, **more: Cells) -> Scorecard:
    """A card of a table whose column s is sensitive, if it has one."""
    roles = Roles([name for name in columns if name != "s"], ["s"] if "s" in columns else [])
    original = table(dict(more), "original") if more else None
    return metrics.score(
        table(columns), roles, original=original, parameters=Parameters().with_settings(settings or {})
    )


@pytest.mark.parametrize(
    ("columns", "settings", "told"),
    [
        (
            {"q": list("aab"), "s": list("xyx")},
            {},
            "The weakest point is uniqueness: 1 record (33.3%) is alone with its quasi-identifiers (k = 1), so whoever "
            "knows these of a person finds the record.",
        ),
        (
            {"q": list("aabb"), "s": list("xyxx")},
            CALM,
            "The weakest point is uniform classes: 1 of 2 classes with 2 records (50.0%) holds a single value of s, "
            "which belonging there gives away.",
        ),
        (
            {"q": list("aabb"), "s": list("xyzw")},
            {**CALM, "t_closeness.t": 0.2},
            "The weakest point is distance: both classes lie farther from the whole table than t = 0.2 in s, up to "
            "0.5.",
        ),
        (
            {"q": list("aabb"), "s": list("xyxy")},
            {"profitability.publisher_benefit": 100},
            "The weakest point is attacks that pay: at a gain of 300 for 4 an attack pays for every record; "
            "publishing 4 of them earns no more than it risks.",
        ),
        (
            {"q": list("aabb"), "s": list("xyxy")},
            CALM,
            "No weak point was found: every record shares its quasi-identifiers with at least 1 other, no class holds "
            "one single value of a sensitive attribute, no class lies farther from the whole table than t = 1 and no "
            "attack pays.",
        ),
        (
            {"q": ["*"], "s": ["x"]},
            {},
            "Every record is suppressed: nothing is given away, and nothing is left to use.",
        ),
        ({"q": [], "s": []}, {}, "The table has no records, so there is nothing to judge."),
    ],
)
def test_the_weakest_point_comes_first(columns: dict[str, Cells], settings: dict[str, object], told: str) -> None:
    assert verdict(card(columns, settings))[0] == told


def test_all_weak_points_follow_in_order() -> None:
    found = verdict(card({"q": list("aabbc"), "s": list("xyzzx")}))
    told = (
        "is alone",
        "1 of 3 classes with 2 records (40.0%) holds a single value",
        "farther",
        "an attack pays for every record",
    )
    assert [part in sentence for part, sentence in zip(told, found, strict=False)] == [True] * 4
    assert found[4:] == (
        "P_29 is 0, for 2 of 3 classes with 3 records (60.0%) shut its gates.",
        "Not measured: Enhanced β-likeness (no β holds: a value gains more than its rarity −ln q allows in 2 classes "
        "for s); Non-uniform entropy, Discernibility, Average class size (AECS) and 4 more (it needs the original "
        "table, which is not given); Ambiguity, Precision (generalization intensity) and Granularity (loss) "
        '("q" has no hierarchy, and without '
        "the original its domain is unknown).",
    )


def test_limits_that_fail_are_named_with_what_was_wanted() -> None:
    scored = card({"q": list("aabb"), "s": list("xyxy")}, CALM)
    told = verdict(scored, Thresholds({"k_anonymity": 5, "p29": 0, "non_uniform_entropy": 0.5}))
    assert (
        "It misses 2 of 3 limits set for it: k-anonymity is 2 (at least 5 wanted) and Non-uniform entropy is "
        "unavailable (at least 0.5 wanted)."
    ) in told
    assert "All 2 limits set for it are kept." in verdict(scored, Thresholds({"k_anonymity": 2, "p29": 0}))
    assert "The limit set for it is kept." in verdict(scored, Thresholds({"k_anonymity": 2}))


def test_what_was_lost_names_the_column_that_lost_most() -> None:
    columns = {"q": ["*", "*", "*", "*"], "r": ["1", "1", "2", "2"], "s": list("xyxy")}
    told = verdict(card(columns, CALM, q=list("abcd"), r=["1", "1", "2", "2"], s=list("xyxy")))
    assert "By non-uniform entropy, 67% of the information was lost, most of all in q." in told
    told = verdict(card(columns, CALM, **columns))
    assert "It has lost no information." in told
    columns = {"q": ["a", "a", "*"], "s": list("xyx")}
    told = verdict(card(columns, CALM, q=["a", "a", "b"], s=list("xyx")))
    assert "1 record of 3 (33.33%) is suppressed or deleted and in no class." in told


@given(pair_scenes())
def test_every_table_gets_sentences(scene: Scene) -> None:
    found = verdict(metrics.score(table(scene.anonymized), scene.roles, original=table(scene.original)))
    assert found
    for sentence in found:
        assert sentence.endswith(".")
        assert not sentence[0].islower()
