"""What is said of several guessed attributes: the worst one, stronger attackers, and values that are not comparable."""

import pytest

from metrics.attacks.guessing.inferred_attributes import AttributeInference, InferredAttribute
from metrics.attacks.rates import Attacker, AttackRate
from metrics.texts import text


def rate(value: float, baseline: float = 0.1) -> AttackRate:
    return AttackRate(value * 100, 100, baseline, None, True)


def attribute(value: float, *, certain: float = 0.0, share_absent_from_original: float = 0.0) -> InferredAttribute:
    return InferredAttribute(rate(value), certain, None, share_absent_from_original=share_absent_from_original)


def inference(**attributes: InferredAttribute) -> AttributeInference:
    worst = max(attributes, key=lambda name: attributes[name].rate.value)
    return AttributeInference(attributes[worst].rate, ("age",), attributes, worst)


def test_the_value_is_that_of_the_worst_attribute_and_each_has_its_own() -> None:
    found = inference(illness=attribute(0.3), pay=attribute(0.5))
    assert found.value == 0.5
    assert found.attributes == {"illness": pytest.approx(0.3), "pay": 0.5}
    assert found.details()["attribute"] == "pay"
    assert found.details()["by_attribute"]["illness"]["value"] == pytest.approx(0.3)


def test_only_attackers_who_are_noticeably_stronger_are_listed_the_strongest_last() -> None:
    known = {"illness": rate(0.9)}
    found = AttributeInference(
        rate(0.3), ("age",), {"illness": attribute(0.3)}, "illness", known, None, {"illness": rate(0.3002)}
    )
    assert list(found.stronger) == [Attacker.CLASS_KNOWN]
    assert found.strongest.value == pytest.approx(0.9)
    assert [one.value for one in found.rates.values()] == pytest.approx([0.3, 0.9])
    assert "90%" in found.finding
    assert "30%" in found.headline


def test_the_finding_is_about_the_attribute_with_the_largest_gain() -> None:
    inferred = {"pay": InferredAttribute(rate(0.5, 0.45), 0, None), "illness": attribute(0.3)}
    known = {"pay": rate(0.5, 0.45), "illness": rate(0.45)}
    found = AttributeInference(rate(0.5, 0.45), ("age",), inferred, "pay", known)
    assert (found.value, found.max_success) == (0.5, 0.5)
    assert found.by_gain == ("illness", "pay")
    assert found.strongest.value == pytest.approx(0.45)
    assert found.gain == pytest.approx(0.35)
    assert "illness" in found.finding
    assert "30%" in found.headline
    assert "pay" not in found.brief
    assert (found.shown, found.assumes_class) == (pytest.approx(0.45), True)
    assert found.in_short == "illness guessed for 45% of people, 10% without the table"


def test_a_gain_is_over_the_hold_out_table_where_that_exceeds_baseline_even_if_the_class_is_known() -> None:
    held_out = AttackRate(50, 100, 0.3, 0.5, True)
    inferred = {"pay": InferredAttribute(held_out, 0, None), "illness": attribute(0.3)}
    found = AttributeInference(held_out, ("age",), inferred, "pay", {"pay": rate(0.55, 0.3)})
    assert found.by_gain == ("illness", "pay")
    alone = AttributeInference(held_out, ("age",), {"pay": inferred["pay"]}, "pay", {"pay": rate(0.55, 0.3)})
    assert alone.gain == pytest.approx(0.05)


def test_only_an_attribute_that_is_guessed_more_often_is_named_beside_the_finding() -> None:
    inferred = {"illness": attribute(0.3), "pay": attribute(0.25)}
    assert "pay" not in AttributeInference(rate(0.3), ("age",), inferred, "illness", {"illness": rate(0.9)}).headline
    # Less than guessing, beside just as much as guessing: nothing is gained, which is more.
    less = {"illness": InferredAttribute(rate(0.5, 0.6), 0, None), "pay": InferredAttribute(rate(0.2, 0.2), 0, None)}
    assert AttributeInference(rate(0.5, 0.6), ("age",), less, "illness").by_gain == ("pay", "illness")


def test_a_success_that_only_one_who_knows_the_class_attains_is_told_from_others() -> None:
    excluding = inference(illness=attribute(0.9))
    of_class = {"illness": rate(0.9)}
    one = {"illness": attribute(0.3)}
    assert AttributeInference(rate(0.3), ("age",), one, "illness", of_class).max_requires_class
    assert not AttributeInference(rate(0.3), ("age",), one, "illness", of_class, excluding).max_requires_class
    assert not inference(illness=attribute(0.3)).max_requires_class


def test_an_attacker_who_does_worse_than_guessing_is_said_to_be_misled() -> None:
    less = {"pay": InferredAttribute(rate(0.5, 0.6), 0, None)}
    misled = text("attribute_inference_attack.below_baseline", column="pay", value=0.5, baseline=0.6)
    found = AttributeInference(rate(0.5, 0.6), ("age",), less, "pay", {"pay": rate(0.9, 0.6)})
    assert found.below_baseline == misled
    assert misled in found.summary()
    assert misled in found.attack_rows("")[0].remarks
    excluding = AttributeInference(rate(0.7, 0.6), ("age",), {"pay": InferredAttribute(rate(0.7, 0.6), 0, None)}, "pay")
    assert AttributeInference(rate(0.5, 0.6), ("age",), less, "pay", {}, excluding).below_baseline == ""


def test_who_knows_the_class_as_well_stands_for_the_attack_only_where_that_adds_a_point() -> None:
    for success, shown in ((0.305, 0.3), (0.32, 0.32)):
        of_class = {"illness": rate(success)}
        found = AttributeInference(rate(0.3), ("age",), {"illness": attribute(0.3)}, "illness", of_class)
        assert (found.shown, found.max_success) == (pytest.approx(shown), pytest.approx(success))


def test_the_largest_success_counts_attackers_who_are_too_little_stronger_to_be_named() -> None:
    found = AttributeInference(rate(0.3), ("age",), {"illness": attribute(0.3)}, "illness", {"illness": rate(0.3002)})
    assert found.stronger == {}
    assert found.shown == pytest.approx(0.3)
    assert found.max_success == pytest.approx(0.3002)


def test_a_rate_that_understates_the_risk_is_remarked_on() -> None:
    assert attribute(0.3).remark("illness") is None
    remark = attribute(0.3, share_absent_from_original=0.25).remark("illness")
    assert remark is not None
    assert "25%" in remark
    assert "illness" in remark
    assert remark in inference(illness=attribute(0.3, share_absent_from_original=0.25)).summary()


def test_the_summary_says_how_often_the_attacker_is_certain() -> None:
    assert "40%" in inference(illness=attribute(0.5, certain=0.4)).summary()
    assert "40%" not in inference(illness=attribute(0.5)).summary()
