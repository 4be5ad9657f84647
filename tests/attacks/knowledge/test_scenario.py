"""Whom attacks target, what they know and what they are compared with; their figures of the sample."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics import InputError, Parameters, Roles, Scorecard, Table, read_hierarchies, read_table, score
from metrics.attacks.analyses import success_by_columns
from metrics.attacks.analyses.intersection import intersect_releases
from metrics.attacks.knowledge import scenario
from tests.support.command_line import call
from tests.support.sample import SAMPLE
from tests.support.small_tables import Cells, table, written

SIX = ["sex", "age", "zip_code", "marital_status", "occupation", "admission"]
IDS = ("record_linkage_attack", "attribute_inference_attack", "two_source_linkage_attack", "membership_attack")


@cache
def of_sample(name: str) -> Table:
    return read_table(SAMPLE / name)


def sample(*metrics: str, sensitive: str = "diagnosis", holdout: bool = False, **chosen: Any) -> Scorecard:
    return score(
        of_sample("candidate_light.csv"),
        Roles(quasi_identifiers=SIX, sensitive=[sensitive]),
        original=of_sample("hospital.csv"),
        hierarchies=read_hierarchies(SAMPLE / "hierarchies", SIX),
        holdout=of_sample("hospital_holdout.csv") if holdout else None,
        parameters=Parameters().with_settings(chosen),
        metrics=metrics or IDS,
    )


def test_the_attacks_on_the_sample_data_give_the_known_figures() -> None:
    card = sample(*IDS, "singling_out_attack")
    linkage, inference = card["record_linkage_attack"], card["attribute_inference_attack"]
    assert (linkage.value, linkage.details["unique_right"]) == (0.2293, 0.0789)
    assert (inference.value, inference.details["baseline"]) == (0.3493, 0.1054)
    assert inference.details["certain"] == {"diagnosis": 0.0846}
    assert card["singling_out_attack"].details["class_and_value"] == {"diagnosis": 0.5718}
    linkability = card["two_source_linkage_attack"]
    assert linkability.value == pytest.approx(0.00029004635906665685, rel=1e-12)
    assert linkability.details["halves"] == [SIX[::2], SIX[1::2]]
    assert linkage.summary().startswith(
        "An attacker who knows sex, age, zip_code and 3 more columns finds the records of 22.9% of people, "
    )
    for one in (linkage, inference, linkability):
        assert (one.details["exact"], one.details["control"], one.details["excess_over"]) == (True, None, "baseline")


def test_the_hold_out_table_of_the_sample_is_the_control() -> None:
    card = sample(holdout=True)
    inference, membership = card["attribute_inference_attack"], card["membership_attack"]
    control = inference.details["control"]
    assert 0.05 < control < inference.value
    assert inference.details["excess"] == pytest.approx((inference.value - control) / (1 - control))
    assert card["record_linkage_attack"].details["control"] == 0
    assert membership.value == 1 - membership.details["covered_holdout"]
    assert 0 < membership.value < 1


def test_who_is_sampled_depends_on_the_records_and_not_on_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenario, "_MAX_WORK", 1.0)
    monkeypatch.setattr(success_by_columns, "_MAX_TARGETS", 150)
    rng = np.random.default_rng(1)
    codes = {name: rng.integers(0, 12, 600) for name in ("q", "r", "s", "person")}
    before: dict[str, Cells] = {name: [str(code) for code in column] for name, column in codes.items()}
    after = {**before, "q": [f"{code // 4 * 4}-{code // 4 * 4 + 3}" if code < 9 else "*" for code in codes["q"]]}
    other = {**before, "r": [f"{code // 3 * 3}-{code // 3 * 3 + 2}" for code in codes["r"]]}
    before["person"] = after["person"] = other["person"] = [str(number) for number in np.arange(600) % 250]
    people: dict[str, Cells] = {name: [str(code) for code in rng.integers(0, 12, 600)] for name in ("q", "r", "s")}
    roles = Roles(quasi_identifiers=["q", "r"], sensitive=["s"], person="person")
    parameters = Parameters().with_settings({"attack.targets": 100})

    def figures(order: list[int]) -> list[Any]:
        tables = [
            table({name: [cells[at] for at in order] for name, cells in columns.items()})
            for columns in (before, after, other, people)
        ]
        ids = (*IDS, "people_linkage_attack")
        card, second = (
            score(release, roles, original=tables[0], holdout=tables[3], parameters=parameters, metrics=ids)
            for release in tables[1:3]
        )
        joint = intersect_releases([card.aggregates, second.aggregates], parameters)
        growth = success_by_columns.knowledge_growth(card.aggregates, parameters)
        assert not any(card[one].details["exact"] for one in ("record_linkage_attack", "people_linkage_attack"))
        assert joint.interval is not None
        assert not growth.exact
        rates = [[subset.record, subset.rate("s")] for subsets in growth.by_size.values() for subset in subsets]
        return [*(card[one].value for one in ids), *(card[one].details["control"] for one in ids), joint.value, *rates]

    in_order, shuffled = figures(list(range(600))), figures(rng.permutation(600).tolist())
    assert [pytest.approx(one, rel=1e-12) for one in in_order] == shuffled


def test_the_work_is_estimated_alike_in_any_order_of_the_records() -> None:
    rng = np.random.default_rng(2)
    before = {name: [str(code) for code in rng.integers(0, 60, 400)] for name in ("q", "r")}
    after = {name: [str(int(cell) // 10) + "*" if int(cell) % 3 else cell for cell in before[name]] for name in before}
    roles = Roles(quasi_identifiers=["q", "r"])

    def work(order: list[int]) -> float:
        released, original = (
            table({name: [cells[at] for at in order] for name, cells in one.items()}) for one in (after, before)
        )
        attack = scenario.attack_scenario(score(released, roles, original=original).aggregates, Parameters())
        return attack.possible_records(attack.targets, attack.known).work()

    assert len({work(rng.permutation(400).tolist()) for _ in range(5)}) == 1


def test_sampled_targets_come_with_an_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = sample(holdout=True)
    monkeypatch.setattr(scenario, "_MAX_WORK", 1.0)
    drawn = sample(holdout=True, **{"attack.targets": 400})
    again = sample(*IDS[:3], holdout=True, **{"attack.targets": 400, "attack.seed": 0})
    other = sample(IDS[0], holdout=True, **{"attack.targets": 400, "attack.seed": 1})
    for identifier in IDS[:3]:
        one = drawn[identifier]
        assert (one.details["exact"], one.details["attempts"]) == (False, 400)
        assert one.interval is not None
        low, high = one.interval
        assert low <= one.value <= high  # type: ignore[operator]
        assert low <= exact[identifier].value <= high  # type: ignore[operator]
        assert one.to_dict() == again[identifier].to_dict()
    assert drawn["record_linkage_attack"].value != other["record_linkage_attack"].value
    assert "95% interval" in drawn["record_linkage_attack"].summary()


def test_the_columns_that_the_attacker_knows_can_be_chosen() -> None:
    card = sample(**{"attack.known": "sex, age"})
    assert card["record_linkage_attack"].details["known"] == ["sex", "age"]
    assert card["record_linkage_attack"].value < 0.01
    one = sample(**{"attack.known": "age"})
    assert (
        one["two_source_linkage_attack"].unavailable == "the attacker knows a single column, and linking requires two"
    )
    assert one["record_linkage_attack"].value is not None
    everything = sample(**{"attack.known": "age,diagnosis"})
    assert "none is left to guess" in str(everything["attribute_inference_attack"].unavailable)


@pytest.mark.parametrize(
    ("chosen", "problem"),
    [
        ({"attack.known": "height"}, "attack.known names a column that the table lacks"),
        ({"attack.known": "age,age"}, "attack.known names a column twice"),
        ({"attack.targets": 5}, "attack.targets is below 100"),
        ({"attack.seed": -1}, "attack.seed is negative"),
        ({"attack.tolerance": 2}, "attack.tolerance is not between 0 and 1"),
    ],
)
def test_attack_settings_that_name_absent_columns_or_wrong_numbers_are_refused(
    chosen: dict[str, Any], problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        sample(**chosen)


BEFORE = written("id q s\n1 a x\n2 b y\n3 b y", "original.csv")
AFTER = written("id q s\n1 a x\n2 b y\n3 b y", "anonymized.csv")


def held_out(text: str) -> Scorecard:
    roles = Roles(quasi_identifiers=["q"], sensitive=["s"], identifiers=["id"], key="id")
    return score(AFTER, roles, original=BEFORE, holdout=written(text, "holdout.csv"))


def test_people_of_the_original_are_refused_as_a_hold_out() -> None:
    with pytest.raises(InputError, match=r"holdout.csv, line 3, column \"id\": 1 of its 2 records are records of the"):
        held_out("id q s\n7 a x\n2 a x")
    with pytest.raises(InputError, match=r'holdout.csv, column "q": '):
        held_out("id s\n7 x")
    assert held_out("id q s\n7 a x\n- c x")["membership_attack"].value == 0.5
    assert held_out("q\na\nc")["attribute_inference_attack"].details["control"] is None


def test_the_person_of_a_suppressed_record_is_a_target_and_that_of_a_deleted_one_is_not() -> None:
    roles = Roles(quasi_identifiers=["q"], sensitive=["s"], identifiers=["id"], key="id")
    released = written("id q s\n3 b y\n1 * x", "anonymized.csv")
    details = score(released, roles, original=BEFORE)["record_linkage_attack"]
    assert details.details["attempts"] == 2
    assert details.value == (1 / 2 + 1) / 2


def test_the_command_line_takes_known_columns_and_a_holdout(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    files = {
        "original.csv": "id,age,sex,ill\n1,20,f,a\n2,21,m,b\n3,30,f,a\n",
        "release.csv": "id,age,sex,ill\n1,2*,f,a\n2,2*,m,b\n3,3*,f,a\n",
        "others.csv": "id,age,sex,ill\n7,22,f,a\n8,31,m,b\n",
        "roles.yaml": "quasi_identifiers: [age, sex]\nsensitive: [ill]\nidentifiers: [id]\nkey: id\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    original, release, others, roles = (tmp_path / name for name in files)
    arguments = ("score", "--anonymized", release, "--original", original, "--roles", roles, "--metrics", *IDS)
    known = ("--json", "--set", "attack.known=sex,age")
    found = call(capsys, *arguments, *known, "--holdout", others).object["metrics"]
    for identifier in IDS[:3]:
        assert set(found[identifier]["details"]) >= {"baseline", "control", "excess", "interval", "exact"}
    assert found["record_linkage_attack"]["details"]["known"] == ["sex", "age"]
    refused = call(capsys, *arguments, "--holdout", original)
    assert refused.status == 2
    assert 'original.csv, line 2, column "id": 3 of its 3 records are records' in refused.err


@pytest.mark.parametrize("rewritten", ["age", "stage"])
def test_numbers_written_another_way_are_the_same_numbers(rewritten: str) -> None:
    rng = np.random.default_rng(3)
    original: dict[str, Cells] = {
        "age": [str(age) for age in rng.integers(20, 60, 80)],
        "stage": [str(stage) for stage in rng.integers(1, 6, 80)],
    }
    # As pandas writes integers beside missing cells.
    anonymized = original | {rewritten: [f"{cell}.0" for cell in original[rewritten]]}
    roles = Roles(quasi_identifiers=["age"], sensitive=["stage"])
    holdout = table({"age": ["200", "21"], "stage": ["1", "2"]})
    ids = [*IDS, "singling_out_attack"]
    cards = [
        score(table(cells), roles, original=table(original), holdout=holdout, metrics=ids)
        for cells in (original, anonymized)
    ]
    for identifier in ids:
        assert cards[0][identifier].to_dict() == cards[1][identifier].to_dict()


def test_an_identifier_recognizes_people_of_the_original_in_the_hold_out_table() -> None:
    roles = Roles(quasi_identifiers=SIX, sensitive=["diagnosis"], identifiers=["record_id"])
    original = of_sample("hospital.csv")
    with pytest.raises(InputError, match="10,000 of its 10,000 records are records of the original"):
        score(of_sample("candidate_light.csv"), roles, original=original, holdout=original, metrics=IDS)
