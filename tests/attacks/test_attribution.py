"""Correct attribution probability and DiSCO: by hand, one person after the other, and where there is no figure."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Hierarchy, Parameters, Roles, Scorecard, score
from tests.oracle import perturbation as oracle
from tests.support.examples import fewer_examples
from tests.support.small_tables import Cells, records, table, written

CAP, DISCO = IDS = ["correct_attribution", "disco"]
ROLES = Roles(["sex", "age"], ["ill", "days"])

ORIGINAL = written("""
    sex age ill days
    f 30 flu 1
    f 30 flu 2
    f 40 flu 3
    m 40 cold 4
    m 50 cold 5
""")
SYNTHETIC = written("""
    sex age ill days
    f 30.0 flu 1
    f 30 flu 2
    f 40 cold 9
    m 40 cold 4
    m 40 flu 4
    m 60 flu 5
""")


def card_of(released: Any = SYNTHETIC, original: Any = ORIGINAL, roles: Roles = ROLES, **given: Any) -> Scorecard:
    settings = given.pop("settings", {})
    parameters = Parameters().with_settings(settings)
    return score(released, roles, original=original, metrics=IDS, parameters=parameters, **given)


def test_by_hand() -> None:
    card = card_of()
    # ill: the two at 30 certainly and rightly, (f, 40) certainly and wrongly, (m, 40) by half, (m, 50) not found.
    assert card[CAP].attributes == {"ill": pytest.approx(2.5 / 5), "days": pytest.approx((0.5 + 0.5 + 1) / 5)}
    assert card[DISCO].attributes == {"ill": 0.4, "days": 0.2}
    assert (card[CAP].value, card[DISCO].value) == (0.5, 0.4)
    assert card[CAP].details["baseline"] == pytest.approx(0.6**2 + 0.4**2)
    assert card[CAP].details["found"] == 0.8
    assert card[CAP].details["of_those_found"]["ill"] == pytest.approx(2.5 / 4)
    assert card[DISCO].details["certain"] == {"ill": 0.6, "days": 0.4}
    assert card[DISCO].details["right_if_certain"] == {"ill": pytest.approx(2 / 3), "days": 0.5}
    # Of the original, the two at 30 differ in days alone.
    assert card[DISCO].details["original"] == {"ill": 1, "days": 0.6}
    assert "with a probability of 50%, compared with 52% by guessing" in card[CAP].summary()
    assert "For 20% of the people, no anonymized record has these values." in card[CAP].summary()
    assert "For 40% of the people" in card[DISCO].summary()
    assert "for 20%, it is a wrong one" in card[DISCO].summary()
    assert "In the original, the share is 100%." in card[DISCO].summary()


def test_a_table_against_itself() -> None:
    card = card_of(ORIGINAL)
    assert card[DISCO].value == card[DISCO].details["original"]["ill"] == 1
    assert card[CAP].details["original"] == card[CAP].attributes
    assert "no anonymized record" not in card[CAP].summary()


def test_what_the_attacker_knows_can_be_chosen() -> None:
    card = card_of(settings={"attack.known": "sex"})
    # f: flu, flu, cold; m: cold, flu, flu.
    assert card[CAP].attributes["ill"] == pytest.approx((3 * 2 / 3 + 2 * 1 / 3) / 5)
    assert card[DISCO].value == 0
    known = card_of(settings={"attack.known": "sex,ill"})
    assert set(known[CAP].attributes) == {"days"}
    everything = card_of(settings={"attack.known": "ill,days"})
    assert everything[CAP].unavailable == "the attacker knows every sensitive attribute, so none is left to guess"
    lacking = card_of(
        original=written("sex ill days\nf flu 1"), roles=Roles(["sex"], ["ill"]), settings={"attack.known": "age"}
    )
    assert 'the attacker knows "age"' in str(lacking[CAP].unavailable)


def test_a_holdout_table_is_the_control() -> None:
    others = written("sex age ill days\nf 30 flu 7\nf 40 cold 9\nm 99 flu 1\nm 40 flu 0")
    card = card_of(holdout=others)
    assert card[CAP].details["control"] == pytest.approx((1 + 1 + 0 + 0.5) / 4)
    assert card[DISCO].details["control"] == 0.5
    assert "62.5% for people who are not in the table" in card[CAP].summary()
    assert "Of people who are not in the table, 50%" in card[DISCO].summary()
    assert card_of(holdout=written("sex age\nf 30"))[DISCO].details["control"] is None


def test_generalized_columns_have_no_figure() -> None:
    wide: dict[str, Cells] = {"sex": ["f", "m"], "age": ["30-39", "40-49"], "ill": ["flu", "cold"], "days": ["1", "2"]}
    card = card_of(table(wide))
    assert {card[one].unavailable for one in IDS} == {"exact values are compared, but age is generalized or suppressed"}
    # Nor has a sensitive attribute, while the other keeps its own.
    weeks = card_of(table({**wide, "age": ["30", "40"], "days": ["0-7", "0-7"]}))
    assert set(weeks[CAP].attributes) == {"ill"}
    groups = {"ill": Hierarchy([["flu", "respiratory", "*"], ["cold", "respiratory", "*"]])}
    both = {**wide, "age": ["30", "40"], "days": ["*", "*"], "ill": ["respiratory"] * 2}
    assert "days and ill are" in str(card_of(table(both), hierarchies=groups)[DISCO].unavailable).replace(
        "ill and days", "days and ill"
    )


def test_without_an_original_a_sensitive_attribute_or_records() -> None:
    def reasons(card: Scorecard) -> set[str | None]:
        return {card[one].unavailable for one in IDS}

    assert reasons(card_of(original=None)) == {"no original table is given"}
    assert reasons(card_of(roles=Roles(["sex"]))) == {"no column is tagged as sensitive"}
    nothing = table({name: [] for name in ("sex", "age", "ill", "days")})
    assert reasons(card_of(nothing)) == reasons(card_of(original=nothing)) == {"the table has no records"}
    one = written("sex age ill days\nf 30 flu 1")
    assert [card_of(one, one)[name].value for name in IDS] == [1, 1]


words = st.sampled_from(["a", "b", None])
numbers = st.sampled_from(["1", "1.0", "2", "3", "007"])


KINDS = {"sex": words, "age": numbers, "ill": words, "days": numbers}


@st.composite
def people(draw: st.DrawFn, like: dict[str, Cells] | None = None) -> dict[str, Cells]:
    """Any records, or those of a synthetic table: its words and missing values are those of the original."""
    rows = draw(st.integers(1, 12))
    kinds = dict(KINDS)
    if like is not None:
        present = {name: list(dict.fromkeys(cells)) for name, cells in like.items()}
        kinds = {
            name: st.sampled_from(present[name]) | (kind if kind is numbers else st.sampled_from(present[name]))
            for name, kind in kinds.items()
        }
    return {name: draw(st.lists(kind, min_size=rows, max_size=rows)) for name, kind in kinds.items()}


@fewer_examples()
@given(
    people().flatmap(lambda before: st.tuples(st.just(before), people(before))),
    people(),
    st.sampled_from([["sex"], ["age"], ["sex", "age"], ["age", "ill"]]),
)
def test_against_the_oracle(
    tables: tuple[dict[str, Cells], dict[str, Cells]], others: dict[str, Cells], known: list[str]
) -> None:
    before, after = tables
    card = card_of(table(after), table(before), holdout=table(others), settings={"attack.known": ",".join(known)})
    original, released, people_outside = map(records, (before, after, others))
    guessed = [name for name in ROLES.sensitive if name not in known]
    assert set(card[CAP].attributes) == set(guessed)
    for name in card[CAP].attributes:
        cap, disco, certain, found = oracle.attribution(released, original, known, name)
        assert card[CAP].attributes[name] == pytest.approx(float(cap))
        assert card[DISCO].attributes[name] == pytest.approx(float(disco))
        assert card[DISCO].details["certain"][name] == pytest.approx(float(certain))
        assert card[CAP].details["found"] == pytest.approx(float(found))
        own = oracle.attribution(original, original, known, name)
        assert card[CAP].details["original"][name] == pytest.approx(float(own[0]))
        assert card[DISCO].details["original"][name] == pytest.approx(float(own[1]))
    for at, one in enumerate(IDS):
        worst = max(card[one].attributes, key=lambda name: float(card[one].attributes[name] or 0))
        assert card[one].value == card[one].attributes[worst]
        controls = [oracle.attribution(released, people_outside, known, name)[at] for name in card[one].attributes]
        assert any(card[one].details["control"] == pytest.approx(float(control)) for control in controls)
    baselines = [oracle.blind_attribution(original, name) for name in guessed]
    assert any(card[CAP].details["baseline"] == pytest.approx(float(one)) for one in baselines)
