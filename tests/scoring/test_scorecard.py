"""The scorecard: the shape that the contract promises, and the notebook's view."""

import json
import re

import numpy as np
import pytest

from metrics import METRICS, InputError, Parameters, Roles, score
from metrics.aggregates import TableAggregates
from metrics.config.former_names import FORMER_NAMES
from metrics.scoring.scorecard import score_aggregates
from tests.scoring.cards import ANONYMIZED, HIERARCHY, ORIGINAL, ROLES, SAMPLED, full_card
from tests.support.small_tables import table

# What contract.md says of `score --json`: metric id to the details that it names.
ATTACK = {"baseline", "control", "excess", "interval", "exact"}
PROMISED: dict[str, set[str]] = {
    "k_anonymity": set(),
    "distinct_l_diversity": set(),
    "entropy_l_diversity": set(),
    "recursive_cl_diversity": set(),
    "normalized_entropy_l_diversity": set(),
    "t_closeness": {"distance"},
    "alpha_k_anonymity": {"k"},
    "basic_beta_likeness": set(),
    "enhanced_beta_likeness": set(),
    "delta_disclosure": set(),
    "sample_uniqueness": {"unique_records"},
    "population_uniqueness": {"population_size", "sampling_fraction", "model", "models"},
    "p29": {"k_min", "Nk", "Nl", "Nt", "violating_classes", "violating_records", "reasons"},
    "record_linkage_attack": ATTACK | {"unique_right", "unique_wrong", "no_candidate"},
    "attribute_inference_attack": ATTACK | {"certain"},
    "singling_out_attack": ATTACK,
    "two_source_linkage_attack": ATTACK,
    "profitability": {"no_attack", "publisher_payout", "records_attacked"},
    "non_uniform_entropy": set(),
    "ambiguity": {"mean_combinations"},
    "precision": {"raw"},
    "granularity": {"raw"},
    "discernibility": {"raw"},
    "average_class_size": {"raw"},
}


@pytest.mark.parametrize("original", [True, False])
def test_the_object_has_the_shape_of_the_contract(original: bool) -> None:
    card = full_card() if original else score(ANONYMIZED, ROLES, parameters=SAMPLED)
    found = json.loads(json.dumps(card.to_dict(), allow_nan=False))
    assert set(found) == {"schema_version", "tables", "classes", "metrics"}
    assert found["schema_version"] == 1
    for one in filter(None, found["tables"].values()):
        assert one.pop("reading") == {"plan": {"kind": "memory"}, "left_out": [], "notes": []}
    assert found["tables"] == {
        "anonymized": {"rows": 5, "suppressed_rows": 1, "removed_rows": 0 if original else None},
        "original": {"rows": 5} if original else None,
    }
    assert found["classes"] == {"count": 2, "smallest": 2, "largest": 2, "mean": 2.0}
    assert set(found["metrics"]) >= set(PROMISED)
    for identifier, metric in found["metrics"].items():
        assert set(metric) == {"value", "unavailable", "attributes", "details"}
        if metric["unavailable"] is not None:
            assert isinstance(metric["unavailable"], str)
            assert (metric["value"], metric["attributes"], metric["details"]) == (None, {}, {})
            continue
        assert isinstance(metric["value"], bool if identifier == "profitability" else int | float)
        assert set(metric["details"]) >= PROMISED.get(identifier, set())
        assert all(isinstance(figure, int | float) for figure in metric["attributes"].values())
    unavailable = {identifier for identifier, metric in found["metrics"].items() if metric["unavailable"]}
    unavailable -= set(FORMER_NAMES)
    # There is no analysis, no population and no hold-out table, and nothing is perturbed; what takes long is not asked
    # for.
    absent = {
        "analyses",
        "delta_presence",
        "k_map",
        "membership_attack",
        "people_k_anonymity",
        "people_linkage_attack",
        "household_risk",
        "km_anonymity",
        "key_set_k_anonymity",
        *(spec.id for spec in METRICS if spec.on_demand or spec.about_perturbation),
    }
    of_pairs = {
        "record_linkage_attack",
        "attribute_inference_attack",
        "two_source_linkage_attack",
        "non_uniform_entropy",
        "ambiguity",
        "precision",
        "granularity",
        "normalized_certainty_penalty",
        "discernibility",
        "average_class_size",
        "kl_divergence",
        "distribution_distance",
        "variance_preserved",
        "utility_bias",
    }
    assert unavailable == (absent if original else absent | of_pairs)


def test_the_scorecard_equals_figures_computed_by_hand() -> None:
    metrics = full_card().to_dict()["metrics"]
    assert metrics["k_anonymity"]["value"] == 2
    assert metrics["distinct_l_diversity"]["attributes"] == {"s": 2, "n": 2}
    assert metrics["t_closeness"]["details"]["distance"] == {"s": "equal", "n": "ordered"}
    assert metrics["t_closeness"]["attributes"] == {"s": 0.0, "n": pytest.approx(1 / 3)}
    assert metrics["p29"]["value"] == pytest.approx(0.5 * 0.5 + 0.25 + 0.25)
    assert metrics["profitability"]["details"]["records_attacked"] == 4
    assert metrics["profitability"]["details"]["publisher_payout"] == 4 * 1200 - 2 * 300
    assert metrics["ambiguity"]["details"]["mean_combinations"] == pytest.approx((2 * 2 + 3 * 2 + 15) / 5)


def test_a_null_figure_says_why() -> None:
    """No c holds where a class has one value: the reason stands in the JSON although the metric was computed."""
    found = score(table({"q": list("aabb"), "s": list("xyzz")}), Roles(["q"], ["s"])).to_dict()["metrics"]
    recursive = found["recursive_cl_diversity"]
    assert (recursive["value"], recursive["details"]["l"]) == (None, 2)
    assert "1 of 2 classes contains fewer than 2 values of a sensitive attribute" in recursive["unavailable"]
    assert all((of["value"] is None) is (of["unavailable"] is not None) for of in found.values())


@pytest.mark.parametrize(
    ("numbers", "distance", "said"),
    [
        (["1", "2", "3", "4", "5", "6"], "ordered", ""),
        (
            ["1", "2", "3", "4", "5", ""],
            "equal",
            "1 of its distinct values is missing or not numeric",
        ),
        (
            ["1", "2", "3", "4", None, "x"],
            "equal",
            "2 of its distinct values are missing or not numeric",
        ),
        (["a", "b", "c", "d", "e", "6"], "equal", ""),
    ],
)
def test_a_text_that_prevents_the_ordered_distance_is_reported(
    numbers: list[str | None], distance: str, said: str
) -> None:
    roles = Roles(["q"], ["n"])
    for_all = score(table({"q": list("aaabbb"), "n": numbers}), roles)["t_closeness"]
    assert for_all.details["distance"] == {"n": distance}
    assert said in for_all.summary()
    assert ("not numeric" in for_all.summary()) is bool(said)
    chosen = Parameters().with_settings({"t_closeness.distance.n": "equal"})
    asked = score(table({"q": list("aaabbb"), "n": numbers}), roles, parameters=chosen)["t_closeness"]
    assert "not numeric" not in asked.summary()


def test_removed_records_are_counted_where_records_are_matched_and_where_they_are_not() -> None:
    """Without a key, tables of different length are not matched; their difference is known all the same."""
    before, after = table({"q": list("aabbc"), "id": list("12345")}), table({"q": list("aab"), "id": list("123")})
    for key, matched in ((None, False), ("id", True)):
        card = score(after, Roles(["q"], key=key), original=before)
        assert (card.aggregates.comparison.tally is not None) is matched
        anonymized = card.to_dict()["tables"]["anonymized"]
        assert (anonymized["rows"], anonymized["suppressed_rows"], anonymized["removed_rows"]) == (3, 0, 2)
    assert score(before, Roles(["q"]), original=after).aggregates.comparison.removed == 0
    assert score(after, Roles(["q"])).aggregates.comparison.removed is None


def test_a_card_is_a_sequence_of_scores_in_the_order_of_the_catalog() -> None:
    card = full_card()
    assert [one.metric for one in card] == list(METRICS)
    assert card["p29"].metric.id == "p29"
    with pytest.raises(KeyError):
        card["absent"]


def test_parameters_alone_need_no_new_aggregates() -> None:
    aggregates = TableAggregates(ANONYMIZED, ROLES, ORIGINAL, {"q": HIERARCHY})
    first = score_aggregates(aggregates, Parameters())
    changed = Parameters().with_settings({"p29.w_k": 0, "p29.w_l": 0, "p29.w_t": 1})
    again = score_aggregates(aggregates, changed)
    assert first["p29"].value == full_card()["p29"].value
    assert again["p29"].value == 1
    assert first.classes.classes is again.classes.classes


def test_a_ground_distance_for_a_column_that_is_not_sensitive_is_refused() -> None:
    chosen = Parameters().with_settings({"t_closeness.distance.q": "equal"})
    with pytest.raises(InputError, match='column "q": a ground distance is set for a column that is not sensitive'):
        score(ANONYMIZED, ROLES, parameters=chosen)


def test_roles_that_do_not_fit_raise() -> None:
    with pytest.raises(InputError, match='column "absent"'):
        score(ANONYMIZED, Roles(quasi_identifiers=["absent"]))


def test_tables_that_cannot_be_matched_leave_the_other_metrics() -> None:
    card = score(ANONYMIZED, ROLES, original=ORIGINAL.take(np.arange(3)))
    reason = card["non_uniform_entropy"].unavailable
    assert reason is not None
    assert reason.startswith("anonymized.csv: the table has 5 records but original.csv has 3")
    assert card["non_uniform_entropy"].summary() == f"Unavailable: {reason}."
    assert not reason.endswith(".")
    assert card["k_anonymity"].value == 2


def test_the_view_in_a_notebook_escapes_names_and_shows_every_metric() -> None:
    hostile = "<script>alert('x')</script>"
    content = table({"q": ["a", "a"], hostile: ["1", "1"]}, name=f"{hostile}.csv")
    view = score(content, Roles(quasi_identifiers=["q"], sensitive=[hostile]))._repr_html_()
    assert "<script" not in view
    assert "&lt;script&gt;" in view
    for metric in METRICS:
        assert f"<td>{metric.shown.title}</td>" in view
    assert len(re.findall("<tr>", view)) == len(METRICS) + 1
