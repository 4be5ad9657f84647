"""Whole candidates under any parameters: each figure of `score` against the oracle, and nothing but InputError raised.

A short run by default; `python3 -m dashboard test tests/fuzz --hypothesis-profile=search --timeout 0` is the long one.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import event, given
from hypothesis import strategies as st

from metrics import Hierarchy, InputError, Parameters, Roles, Scorecard, score
from metrics.config.parameters import GroundDistance
from tests import oracle
from tests.dashboard.hostile import TEXTS
from tests.economics import test_profitability as profitability
from tests.privacy import (
    test_k_anonymity,
    test_l_diversity,
    test_p29,
    test_t_closeness,
)
from tests.privacy.classes import test_worst_class
from tests.support.against_oracle import no_class
from tests.support.examples import fewer_examples
from tests.support.scenes import LEAVES, NUMBERS, PLAIN, Scene, columns, pair_scenes, pools, trees
from tests.support.small_tables import Cells, table
from tests.utility import (
    test_ambiguity,
    test_average_class_size,
    test_discernibility,
    test_granularity,
    test_non_uniform_entropy,
    test_precision,
)

PAIR_CHECKS: tuple[Callable[..., None], ...] = (
    test_non_uniform_entropy.test_the_loss_of_every_column_and_level_equals_that_of_the_oracle,
    test_ambiguity.test_the_mean_number_of_combinations_equals_that_of_the_oracle,
    test_precision.test_the_mean_level_of_every_column_equals_that_of_the_oracle,
    test_granularity.test_the_share_of_the_domain_that_values_cover_equals_that_of_the_oracle,
    test_discernibility.test_the_penalty_of_all_records_equals_that_of_the_oracle,
    test_average_class_size.test_the_mean_size_of_the_classes_equals_that_of_the_oracle,
)


@dataclass(frozen=True)
class Part(Scene):
    """What one check looks at of a candidate that was scored as a whole, under parameters that the check may name."""

    card: Scorecard | None = None
    given: Mapping[str, object] = field(default_factory=dict)

    def score(self, *metrics: str, **settings: object) -> Scorecard:
        assert self.card is not None
        assert settings.items() <= self.given.items(), "The check would judge other parameters than were scored"
        return self.card


@st.composite
def parameters(draw: st.DrawFn) -> dict[str, object]:
    """Settings of the metrics that the oracle knows."""
    low, high = sorted((draw(st.integers(0, 100)), draw(st.integers(0, 100))))
    given: dict[str, object] = {
        "p29.w_k": f"{low / 100}",
        "p29.w_l": f"{(high - low) / 100}",
        "p29.w_t": f"{(100 - high) / 100}",
        "p29.t_max": f"{draw(st.integers(0, 20)) / 20}",
        "recursive_cl_diversity.l": draw(st.integers(2, 4)),
        "t_closeness.t": draw(st.integers(0, 20)) / 20,
        "profitability.allow_attack": draw(st.booleans()),
    }
    return given | {f"profitability.{name}": amount for name, amount in draw(profitability.costs()).items()}


@st.composite
def candidates(draw: st.DrawFn) -> Scene:
    """An original and an anonymized table with sensitive attributes, and hierarchies for both kinds of columns."""
    pair = draw(pair_scenes(30))
    sensitive = ["s", "S"][: draw(st.integers(1, 2))]
    hierarchies = dict(pair.hierarchies)
    after: dict[str, Cells] = dict(pair.anonymized)
    before: dict[str, Cells] = dict(pair.original)
    for name in sensitive:
        kind = draw(st.sampled_from(["plain", "numbers", "mixed", "tree"]))
        if kind == "tree":
            hierarchies[name] = draw(trees())
            values: list[str | None] = [row[0] for row in hierarchies[name]]
        else:
            values = draw(pools({"plain": PLAIN, "numbers": NUMBERS, "mixed": [*PLAIN, *NUMBERS]}[kind]))
        before[name] = draw(columns(values, pair.rows))
        after[name] = before[name] if draw(st.booleans()) else draw(columns(values, pair.rows))
    return Scene(pair.quasi_identifiers, sensitive, after, before, hierarchies)


def inner(test: Any) -> Callable[..., None]:
    """A property as a plain function of what it is given."""
    checked: Callable[..., None] = test.hypothesis.inner_test
    return checked


@fewer_examples()
@given(candidates(), parameters(), st.booleans())
def test_every_figure_of_random_tables_equals_that_of_the_oracle(
    scene: Scene, given: dict[str, object], automatic: bool
) -> None:
    if not automatic:
        given |= {f"t_closeness.distance.{name}": "equal" for name in scene.sensitive}
    card = scene.score(**given)
    whole = Part(**vars(scene), card=card, given=given)
    chosen = {
        name: oracle.ground_distance_of(scene.records, scene.quasi_identifiers, name, scene.hierarchies)
        if automatic
        else "equal"
        for name in scene.sensitive
    }
    inner(test_k_anonymity.test_classes_and_the_smallest_of_them_equal_those_of_the_oracle)(whole)
    if not no_class(card, whole):
        inner(test_l_diversity.test_every_class_is_as_diverse_as_the_oracle_finds_it)(
            whole, given["recursive_cl_diversity.l"]
        )
        test_t_closeness.check_closeness(card, whole, chosen, float(str(given["t_closeness.t"])))
        if automatic:
            low, high = (float(str(given[f"p29.{name}"])) for name in ("w_k", "w_l"))
            one = round(low * 100)
            inner(test_p29.test_the_score_and_its_parts_equal_those_of_the_oracle)(
                whole, one, one + round(high * 100), round(float(str(given["p29.t_max"])) * 20)
            )
        amounts = {
            name.partition(".")[2]: amount
            for name, amount in given.items()
            if name.startswith("profitability.") and name != "profitability.allow_attack"
        }
        inner(profitability.test_the_payout_and_the_records_attacked_equal_those_of_the_oracle)(
            whole, amounts, given["profitability.allow_attack"]
        )
        inner(test_worst_class.test_the_worst_value_of_every_class_equals_that_of_the_oracle)(whole)
    of_pair = {name: rows for name, rows in scene.hierarchies.items() if name in scene.quasi_identifiers}
    names = scene.quasi_identifiers
    pair = replace(
        whole,
        sensitive=[],
        hierarchies=of_pair,
        original={name: scene.original[name] for name in names},
        anonymized={name: scene.anonymized[name] for name in names},
    )
    for check in PAIR_CHECKS:
        inner(check)(pair)


ODD = st.one_of(
    st.sampled_from(
        [*PLAIN, *NUMBERS, *TEXTS, *LEAVES, "*", "[0-9]", "1 - 5", "1e400", "-", "2020-02-30", "\x00", "'"]
    ),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
)
NAMES = st.lists(ODD.filter(lambda text: text.strip() != ""), min_size=1, max_size=5, unique_by=str.strip)
ANY_SETTING = st.dictionaries(
    st.sampled_from(
        [f"{group}.{name}" for group, names in Parameters().to_dict().items() for name in names if name != "distance"]
    ),
    st.one_of(st.integers(-3, 400), st.floats(allow_nan=True), st.booleans(), ODD),
    max_size=3,
)


@st.composite
def anything(draw: st.DrawFn) -> tuple[dict[str, Cells], dict[str, Cells] | None, Any, Any, Any]:
    """Tables of odd cells under odd names, any roles, hierarchies that may not fit, and any settings."""
    names = draw(NAMES)
    rows = draw(st.integers(1, 12))
    cells = {name: draw(st.lists(st.one_of(st.none(), ODD), min_size=rows, max_size=rows)) for name in names}
    kinds = {
        name: draw(st.sampled_from(["quasi_identifiers", "sensitive", "insensitive", "identifiers"])) for name in names
    }
    roles = {kind: [name for name in names if kinds[name] == kind] for kind in set(kinds.values())}
    original = None
    if draw(st.booleans()):
        original = {name: draw(st.lists(st.one_of(st.none(), ODD), min_size=rows, max_size=rows)) for name in names}
    hierarchies: dict[str, Any] = {}
    for name in names:
        if draw(st.booleans()):
            leaves = [leaf for leaf in dict.fromkeys([*cells[name], *(original or cells)[name]]) if leaf is not None]
            hierarchies[name] = draw(trees(leaves[: draw(st.integers(1, len(leaves)))])) if leaves else draw(trees())
    distances = {f"t_closeness.distance.{name}": draw(st.sampled_from(list(GroundDistance))) for name in names[:1]}
    given = draw(ANY_SETTING) | (distances if draw(st.booleans()) else {})
    return cells, original, roles, hierarchies, given


@given(anything())
def test_any_input_is_scored_or_refused_in_a_sentence(drawn: tuple[Any, Any, Any, Any, Any]) -> None:
    cells, original, roles, hierarchies, given = drawn
    card, sentence = None, ""
    try:
        card = score(
            table(cells, "anonymized.csv"),
            Roles(**roles),
            original=None if original is None else table(original, "original.csv"),
            hierarchies={name: Hierarchy(rows) for name, rows in hierarchies.items()},
            parameters=Parameters().with_settings(given),
        )
    except InputError as error:
        sentence = str(error)
    assert "\n" not in sentence
    event("refused" if card is None else "scored")
    if card is None:
        return
    again = json.loads(json.dumps(card.to_dict(), allow_nan=False))
    assert again["tables"]["anonymized"]["rows"] == len(next(iter(cells.values())))
    for one in card:
        assert (one.unavailable is None) is (one.result is not None)
        if one.result is not None:
            assert one.summary()
        else:
            assert one.unavailable
    assert card.classes.to_arrow().num_rows == card.to_dict()["classes"]["count"]
    shown = card._repr_html_()
    assert "<script" not in shown
    assert "<img" not in shown
