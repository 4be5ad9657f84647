"""PRAM, noise, rank swapping and top and bottom coding: the published definitions, and what the scorecard says."""

import random
from collections import Counter
from itertools import product
from math import sqrt

import numpy as np
import pytest

from metrics import Hierarchy, InputError, Roles, Table, score
from metrics.candidates.methods.additive_noise import AdditiveNoise
from metrics.candidates.methods.costs import figure_of
from metrics.candidates.methods.method import CandidateMethod
from metrics.candidates.methods.microaggregation import Microaggregation
from metrics.candidates.methods.pram import PRAM
from metrics.candidates.methods.rank_swapping import RankSwapping, swaps
from metrics.candidates.methods.top_bottom_coding import TopBottomCoding
from metrics.scoring.basis import perturbed_shares
from tests.support.small_tables import Cells, cells_of, table

ROLES = Roles(quasi_identifiers=["age", "job"], sensitive=["ill"])
ROWS = 20_000
SIGMAS = 5


def people(rows: int = ROWS) -> Table:
    chance = random.Random(7)
    return table(
        {
            "age": [str(chance.randrange(20, 80)) for _ in range(rows)],
            "job": chance.choices(["nurse", "smith", "waiter"], [6, 3, 1], k=rows),
            "ill": chance.choices("xyz", k=rows),
        }
    )


def numbers_of(content: Table, name: str) -> list[float]:
    return [float(cell) for cell in cells_of(content[name]) if cell is not None]


@pytest.mark.parametrize("probability", [0.0, 0.3, 1.0])
def test_pram_has_the_transition_matrix_that_it_states(probability: float) -> None:
    original = people()
    made = PRAM(probability).apply(original, ROLES, seed=1)
    before, after = cells_of(original["job"]), cells_of(made["job"])
    shares = {value: count / ROWS for value, count in Counter(before).items()}
    counted = Counter(zip(before, after, strict=True))
    for value, share in shares.items():
        held = share * ROWS
        for other, drawn in shares.items():
            expected = probability * drawn + (1 - probability) * (value == other)
            allowed = SIGMAS * sqrt(expected * (1 - expected) / held) + 1e-12
            assert abs(counted[value, other] / held - expected) <= allowed
    assert made["age"] is original["age"]


def test_noise_has_the_deviation_asked_for_and_no_bias() -> None:
    original = people()
    made = AdditiveNoise(0.5).apply(original, ROLES, seed=2)
    before, after = np.array(numbers_of(original, "age")), np.array(numbers_of(made, "age"))
    noise = after - before
    assert (noise == np.round(noise)).all()
    deviation = 0.5 * np.std(before, ddof=1)
    assert abs(noise.mean()) < SIGMAS * deviation / sqrt(ROWS)
    assert np.std(noise) == pytest.approx(sqrt(deviation**2 + 1 / 12), rel=SIGMAS / sqrt(2 * ROWS))
    assert abs(np.corrcoef(before, noise)[0, 1]) < SIGMAS / sqrt(ROWS)


def test_noise_keeps_decimal_places_and_cells_without_a_number() -> None:
    original = table({"age": ["1.25", None, "*", "7", "4"], "job": ["n"] * 5, "ill": ["x"] * 5})
    made = cells_of(AdditiveNoise(0.3).apply(original, ROLES, seed=1)["age"])
    assert made[1:3] == [None, "*"]
    assert all(len(str(cell).partition(".")[2]) == 2 for cell in (made[0], made[3], made[4]))
    assert AdditiveNoise(0).apply(original, ROLES, seed=1)["age"] is original["age"]


def test_the_largest_numbers_stay_finite() -> None:
    original = table({"age": ["1e308", "-1e308", "5"], "job": ["n"] * 3, "ill": ["x"] * 3})
    methods = (AdditiveNoise(1.0), Microaggregation(1), RankSwapping(1.0), TopBottomCoding(0.4, 0.4))
    for method, seed in product(methods, range(5)):
        made = method.apply(original, ROLES, seed=seed)
        assert all(np.isfinite(float(str(cell))) for cell in cells_of(made["age"]))


@pytest.mark.parametrize("distance", [0.0, 0.01, 0.2, 1.0])
def test_swapped_values_differ_in_rank_by_at_most_the_distance_chosen(distance: float) -> None:
    original = people(2_000)
    made = RankSwapping(distance).apply(original, ROLES, seed=3)
    before, after = numbers_of(original, "age"), numbers_of(made, "age")
    assert Counter(before) == Counter(after)
    ordered = np.sort(before)
    for own, given in zip(before, after, strict=True):
        low, high = sorted((own, given))
        # The least ranks between the two values: what lies strictly between them.
        between = np.searchsorted(ordered, high, "left") - np.searchsorted(ordered, low, "right") + 1
        assert own == given or between <= distance * len(before)
    assert (before != after) is (distance > 0)


@pytest.mark.parametrize(("number", "distance"), [(0, 3), (1, 3), (2, 0), (9, 1), (500, 20), (500, 499)])
def test_swaps_are_exchanges_within_the_distance(number: int, distance: int) -> None:
    partner = swaps(number, distance, np.random.default_rng(5))
    ranks = np.arange(number)
    assert (partner[partner] == ranks).all()
    assert (np.abs(partner - ranks) <= distance).all()
    alone = np.flatnonzero(partner == ranks)
    # Whoever has no partner had none left: two such ranks are never within the distance.
    assert (np.diff(alone) > distance).all()


def test_partners_are_equally_likely() -> None:
    first = Counter(int(swaps(5, 4, np.random.default_rng(seed))[0]) for seed in range(4_000))
    assert set(first) == {1, 2, 3, 4}
    assert all(abs(count - 1_000) < SIGMAS * sqrt(4_000 * 0.25 * 0.75) for count in first.values())


@pytest.mark.parametrize(
    ("cells", "top", "bottom", "expected"),
    [
        (list("1234567890"), 0.2, 0.2, ["<=1", "2", "3", "4", "5", "6", "7", ">=8", ">=8", "<=1"]),
        (list("1234567890"), 0.1, 0.0, list("1234567890")),  # an interval of one value hides nothing
        (["0"] * 8 + ["5", "6"], 0.3, 0.3, ["0"] * 8 + [">=5", ">=5"]),
        (["1", "1.0", "2", "9"], 0, 0.5, ["1", "1.0", "2", "9"]),
        (["1", None, "2", "8", "9", "*"], 0.5, 0.5, ["<=2", None, "<=2", ">=8", ">=8", "*"]),
        (["7"] * 4, 0.5, 0.5, ["7"] * 4),
    ],
)
def test_tails_hold_at_most_their_share(cells: Cells, top: float, bottom: float, expected: Cells) -> None:
    rows = len(cells)
    original = table({"age": cells, "job": ["n"] * rows, "ill": ["x"] * rows})
    made = TopBottomCoding(top=top, bottom=bottom).apply(original, ROLES, seed=1)
    assert cells_of(made["age"]) == expected


CHANGED: list[tuple[CandidateMethod, set[str]]] = [
    (PRAM(0.2), {"job"}),
    (PRAM(0.2, ("age", "job")), {"age", "job"}),
    (AdditiveNoise(0.2), {"age"}),
    (RankSwapping(0.05), {"age"}),
    (Microaggregation(5), {"age"}),
]


@pytest.mark.parametrize("trees", [False, True])
@pytest.mark.parametrize(("method", "changed"), CHANGED, ids=lambda one: getattr(one, "name", ""))
def test_the_scorecard_sees_which_columns_are_perturbed(
    method: CandidateMethod, changed: set[str], trees: bool
) -> None:
    ages = [[str(age), f"{age // 10}0s", "*"] for age in range(-40, 140)]
    jobs = [[job, "*"] for job in ("nurse", "smith", "waiter")]
    hierarchies = {"age": Hierarchy(ages), "job": Hierarchy(jobs)} if trees else {}
    original = people(2_000)
    made = method.apply(original, ROLES, hierarchies, seed=1)
    card = score(made, ROLES, original=original, hierarchies=hierarchies)
    shares = perturbed_shares(card.aggregates)
    assert {name for name, share in shares.items() if share > 0.01} == changed
    # Nothing is called lossless that was perturbed.
    for name in ("granularity", "precision", "non_uniform_entropy", "ambiguity"):
        assert figure_of(card[name]) is None
    linked = card["record_linkage_attack"].value
    assert linked is not None
    intact = score(original, ROLES, original=original, hierarchies=hierarchies, metrics=["record_linkage_attack"])
    assert 0 <= linked < float(intact["record_linkage_attack"].value or 0)


@pytest.mark.parametrize(
    ("method", "roles"),
    [
        (AdditiveNoise(), Roles(quasi_identifiers=["job"])),
        (RankSwapping(), Roles(quasi_identifiers=["job"])),
        (TopBottomCoding(), Roles(quasi_identifiers=["job"])),
        (PRAM(), Roles(quasi_identifiers=["age"])),
        (AdditiveNoise(columns=("age", "job")), ROLES),
        (PRAM(columns=("height",)), ROLES),
    ],
    ids=lambda one: getattr(one, "name", ""),
)
def test_a_method_refuses_columns_of_unsuitable_values(method: CandidateMethod, roles: Roles) -> None:
    with pytest.raises(InputError, match=r"contains?\b|no such column"):
        method.apply(people(20), roles)
