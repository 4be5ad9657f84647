"""What is said of several guessed attributes: the worst one, stronger attackers, and values that are not comparable."""

import pytest

from metrics.attacks.guessing.inferred_attributes import AttributeInference, InferredAttribute
from metrics.attacks.rates import Attacker, AttackRate


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


def test_sentences_are_about_the_two_attributes_with_the_largest_excess() -> None:
    found = inference(first=attribute(0.2), second=attribute(0.6), third=attribute(0.4))
    second, third = found.sentences()
    assert "second" in second
    assert "third" in third


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


def test_the_finding_is_about_the_attribute_that_the_strongest_attacker_guesses_best() -> None:
    inferred = {"pay": attribute(0.5), "illness": attribute(0.3)}
    found = AttributeInference(rate(0.5), ("age",), inferred, "pay", {"pay": rate(0.5), "illness": rate(0.9)})
    assert found.value == 0.5
    assert found.most_exposed == "illness"
    assert found.max_success == found.strongest.value == pytest.approx(0.9)
    assert "illness" in found.finding
    assert "30%" in found.headline


def test_another_attribute_is_named_beside_the_finding_only_if_its_gain_is_larger() -> None:
    inferred = {"illness": attribute(0.3), "pay": attribute(0.25)}
    known = {"illness": rate(0.9)}
    assert "pay" not in AttributeInference(rate(0.3), ("age",), inferred, "illness", known).headline
    # Less than guessing, beside just as much as guessing: nothing is gained.
    less = {"illness": InferredAttribute(rate(0.5, 0.6), 0, None), "pay": InferredAttribute(rate(0.2, 0.2), 0, None)}
    assert "pay" not in AttributeInference(rate(0.5, 0.6), ("age",), less, "illness").headline
    # The other attribute's success is the same attacker's.
    both = AttributeInference(
        rate(0.3),
        ("age",),
        {"illness": attribute(0.3), "pay": InferredAttribute(rate(0.2, 0.0), 0, None)},
        "illness",
        {"illness": rate(0.9), "pay": rate(0.85, 0.0)},
    )
    assert "; pay: 85% instead of 0%" in both.headline
    more = {"illness": InferredAttribute(rate(0.6, 0.55), 0.0, None), "pay": attribute(0.5)}
    assert "pay" in AttributeInference(rate(0.6, 0.55), ("age",), more, "illness").headline


def test_the_largest_success_counts_attackers_who_are_too_little_stronger_to_be_named() -> None:
    found = AttributeInference(rate(0.3), ("age",), {"illness": attribute(0.3)}, "illness", {"illness": rate(0.3002)})
    assert found.stronger == {}
    assert found.max_success == pytest.approx(0.3002)


def test_an_attacker_who_rules_out_suppressed_records_is_named_if_noticeably_surer() -> None:
    def remark(value: float, certain: float) -> str:
        excluding = inference(illness=attribute(value, certain=certain))
        return AttributeInference(rate(0.3), ("age",), {"illness": attribute(0.3)}, "illness", {}, excluding).remark(
            "illness"
        )

    assert remark(0.3, 0.0) == ""
    assert remark(0.305, 0.005) == ""
    assert "70% of people" in remark(0.7, 0.0)
    assert "20%" in remark(0.3, 0.2)  # as often right, but more often certain


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
