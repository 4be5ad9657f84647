"""The learning attack: by hand, against a slow version, its null against all permutations, and boosted trees."""

import math
import sys
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from metrics import Hierarchy, Parameters, Roles, score
from metrics.attacks.learning.measure import LearningAttack
from metrics.attacks.learning.null import PermutationNull
from metrics.interruption import reporting
from metrics.scoring.metric_score import Score
from metrics.texts import text
from tests.oracle.classes import Record
from tests.oracle.counts import Codebook
from tests.oracle.numerals import plain_number
from tests.support.small_tables import Cells, records, table, written
from tests.utility.count_cells import TREES, Pair, codebook, pairs

ORIGINAL = "age smokes disease\n30 yes cancer\n35 no flu\n40 yes cancer\n45 yes cough\n41 no flu\n46 no ulcer"
RELEASED = "age smokes disease\n3 * cancer\n3 * flu\n4 yes cancer\n4 yes cough\n4 no flu\n4 no ulcer"
AGES = Hierarchy([["30", "3", "*"], ["35", "3", "*"], *([age, "4", "*"] for age in ("40", "45", "41", "46"))])
ROLES = Roles(["age", "smokes"], ["disease"])


def test_worked_example() -> None:
    card = score(
        written(RELEASED), ROLES, original=written(ORIGINAL), hierarchies={"age": AGES}, metrics=["learning_attack"]
    )
    found = card["learning_attack"]
    # The first person, 30 and smoking. Of six ages and two answers: cancer (2 of 6 records) has 30 for half a record
    # of two and smoking for one of one known, flu 30 for half of two and not smoking; cough and ulcer (1 of 6 each)
    # no 30 at all: cancer wins. So does flu for the second. The class of 40-49 ties by smoking alone: cancer has 2/6,
    # a quarter record of two and one of one smoking; cough 1/6, a quarter of one and one of one.
    cancer, cough = 2 / 6 * (0.25 + 1 / 6) / 3 * 1.5 / 2, 1 / 6 * (0.25 + 1 / 6) / 2 * 1.5 / 2
    assert cancer > cough
    # So both smokers of 40-49 are guessed to have cancer, both others flu: 4 of 6 are right.
    assert found.value == pytest.approx(4 / 6)
    # Without the table cancer and flu tie: each is right for two of six people.
    assert found.details["baseline"] == pytest.approx(2 / 6)
    # Of three guessed to have cancer and three to have flu, a permutation leaves 2/6 right each.
    assert found.details["null_mean"] == pytest.approx(2 / 6)
    # The probability of cancer for the third person, and its gain over 2/6, which exceeds 0.3.
    flu, ulcer = 2 / 6 * (0.25 + 1 / 6) / 3 * 0.5 / 2, 1 / 6 * (0.25 + 1 / 6) / 2 * 0.5 / 2
    probability = cancer / (cancer + cough + flu + ulcer)
    assert (probability - 2 / 6) / (1 - 2 / 6) < 0.3
    first = [2 / 6 * (0.5 + 1 / 6) / 3 * share / 2 for share in (1.5, 0.5)]
    other = [1 / 6 * (1 / 6) / 2 * share / 2 for share in (1.5, 0.5)]
    assert (first[0] / (sum(first) + sum(other)) - 2 / 6) / (1 - 2 / 6) > 0.3
    assert found.details["rapid"] == pytest.approx(2 / 6)  # the first two people
    assert "guesses disease correctly" in found.summary()


def attack(
    before: dict[str, Cells], after: dict[str, Cells], known: Sequence[str], sensitive: Sequence[str], **given: Any
) -> Score:
    settings = {name.replace("__", "."): given.pop(name) for name in list(given) if "__" in name}
    parameters = Parameters().with_settings(settings)
    roles, original = Roles(list(known), list(sensitive)), table(before, "before")
    card = score(table(after), roles, original=original, parameters=parameters, metrics=["learning_attack"], **given)
    return card["learning_attack"]


def slow(
    book: Codebook, after: Sequence[Record], people: Sequence[Record], known: list[str], name: str
) -> dict[str, float]:
    """The attack by the definition, person by person."""
    values = book.domains[name]

    def share(column: str, cell: str | None, value: str) -> float:
        covered = book.covers(column, cell)
        return (value in covered) / len(covered) if covered else 0.0

    weight = {value: sum(share(name, record[name], value) for record in after) for value in values}
    total = sum(weight.values())

    def of_value(column: str, value: str, given: str) -> float:
        told = [record for record in after if book.covers(column, record[column])]
        above = sum(share(column, record[column], value) * share(name, record[name], given) for record in told)
        below = sum(share(name, record[name], given) for record in told)
        return (above + 1 / len(book.domains[column])) / (below + 1)

    guessed = []
    for person in people:
        chances = {value: weight[value] / total for value in values}
        for column in known:
            covered = book.covers(column, person[column])
            if covered:
                (value,) = covered
                chances = {given: chance * of_value(column, value, given) for given, chance in chances.items()}
        guessed.append(chances)
    true = [plain(book, name, person[name]) for person in people]
    kept = [i for i, value in enumerate(true) if value]
    n = len(kept)

    def right(chances: dict[str, float], value: str) -> float:
        ties = [one for one, chance in chances.items() if math.isclose(chance, max(chances.values()), rel_tol=1e-9)]
        return (value in ties) / len(ties)

    def confident(chances: dict[str, float], value: str) -> float:
        q = sum(true[i] == value for i in kept) / n
        return float((chances[value] / sum(chances.values()) - q) > 0.3 * (1 - q))

    found: dict[str, float] = {"baseline": sum(right(weight, str(true[i])) for i in kept) / n}
    for prefix, credit in (("", right), ("rapid", confident)):
        credits = np.array([[credit(guessed[i], str(true[j])) for j in kept] for i in kept])
        found[prefix or "value"] = float(np.trace(credits)) / n
        found[f"{prefix}_null_mean".lstrip("_")] = float(credits.mean())
        if n > 1 and not prefix:
            centred = credits - credits.mean(0) - credits.mean(1)[:, None] + credits.mean()
            found["null_sd"] = math.sqrt(float((centred**2).sum()) / (n**2 * (n - 1)))
    return found


def plain(book: Codebook, name: str, cell: str | None) -> str | None:
    covered = book.covers(name, cell)
    return next(iter(covered)) if covered and len(covered) == 1 else None


@given(pairs())
def test_every_figure_is_that_of_the_definition(pair: Pair) -> None:
    before, after = map(records, pair)
    book, trees = codebook(pair), {name: Hierarchy(rows) for name, rows in TREES.items()}
    for name in pair[0]:
        known = [column for column in pair[0] if column != name]
        told = [covered for record in after if (covered := book.covers(name, record[name]))]
        people = [record for record in before if plain(book, name, record[name])]
        found = attack(*pair, known, [name], hierarchies=trees)
        if len(frozenset().union(*told)) < 2 or not people:
            assert found.unavailable
            continue
        expected = slow(book, after, before, known, name)
        details = {"value": found.value, **found.details}
        assert {name: details[name] for name in expected} == pytest.approx(expected, abs=1e-7), name


def test_the_null_is_that_of_all_permutations() -> None:
    credits = np.random.default_rng(3).random((5, 5))
    null = PermutationNull(np.ones(5))
    null.add(credits[:2], np.ones(2), np.diag(credits)[:2])
    null.add(credits[2:], np.ones(3), np.diag(credits)[2:])
    found = null.guessed()
    means = [credits[range(5), order].mean() for order in permutations(range(5))]
    assert found.null_mean == pytest.approx(np.mean(means))
    assert found.null_sd == pytest.approx(np.std(means))
    assert found.successes == pytest.approx(np.trace(credits))


def test_many_numbers_are_guessed_by_the_median_within_the_tolerance() -> None:
    numbers = [str(number) for number in range(0, 60, 2)]
    before: dict[str, Cells] = {"sex": ["f"] * 15 + ["m"] * 15, "pay": numbers}
    found = attack(before, before, ["sex"], ["pay"], attack__tolerance=5 / 58)
    assert isinstance(found.result, LearningAttack)
    assert found.result.inferred["pay"].within == pytest.approx(5)

    # Numbers of people of the same sex weigh 1.5/2, others 0.5/2, 15 in all: the tenth of 0, 2, …, 28 reaches half, so
    # the median lies between 18 and 20. Within 5 of 19 are 14, 16, …, 24, and as many for the others.
    assert found.value == pytest.approx(12 / 30)
    assert found.details["baseline"] == pytest.approx(sum(abs(n - 29) <= 5 for n in range(0, 60, 2)) / 30)


def test_the_control_is_the_same_guess_about_others() -> None:
    holdout = written("age smokes disease\n30 yes flu\n41 no flu\n99 yes cancer")
    given: dict[str, Any] = {"original": written(ORIGINAL), "hierarchies": {"age": AGES}, "holdout": holdout}
    found = score(written(RELEASED), ROLES, metrics=["learning_attack"], **given)["learning_attack"]
    # Cancer, flu, and of an age that nobody has, by smoking alone, cancer.
    assert found.details["control"] == pytest.approx(2 / 3)
    assert found.details["excess"] == pytest.approx(0)


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        (["a", "b"], ["a", "a"], text("learning_attack.unavailable.one_value", column="s")),
        (["a", "b"], ["*", "*"], text("learning_attack.unavailable.one_value", column="s")),
        ([None, None], ["a", "b"], text("learning_attack.unavailable.no_truth", column="s")),
    ],
)
def test_without_two_values_or_a_truth_nothing_is_guessed(before: Cells, after: Cells, reason: str) -> None:
    tree = {"s": Hierarchy([["a", "*"], ["b", "*"]])}
    found = attack({"q": ["1", "2"], "s": before}, {"q": ["1", "2"], "s": after}, ["q"], ["s"], hierarchies=tree)
    assert found.unavailable == reason


def test_attributes_of_too_many_values_are_named() -> None:
    many: dict[str, Cells] = {"q": [*"ab"] * 501, "s": [*"cd"] * 501, "id": [f"p{n}" for n in range(1002)]}
    found = attack(many, many, ["q"], ["s", "id"])
    assert list(found.attributes) == ["s"]
    assert "more than 1,000 values" in found.details["left_out"]["id"]
    assert "Not assessed: id" in found.summary()


def test_a_column_known_to_the_attacker_is_not_guessed_and_tables_need_not_be_matched() -> None:
    before: dict[str, Cells] = {"q": [*"aabb"], "s": [*"ccdd"]}
    after: dict[str, Cells] = {"q": [*"ab"], "s": [*"cd"]}
    assert attack(before, after, ["q"], ["s"]).value == 1
    assert attack(before, after, ["q"], ["s"], attack__known="q,s").unavailable == text("attack.unavailable.all_known")


def scene(rows: int = 400) -> dict[str, Cells]:
    rng = np.random.default_rng(1)
    q, n = rng.choice([*"abcd"], rows), rng.integers(0, 100, rows)
    s = np.where((q == "a") ^ (n > 50), "sick", "well")
    return {"q": q.tolist(), "n": [str(one) for one in n], "s": s.tolist(), "pay": [str(3 * one) for one in n]}


def test_boosting_learns_what_naive_bayes_cannot_and_reports_its_progress() -> None:
    shares: list[float] = []
    cells = scene()
    with reporting(shares.append):
        found = attack(cells, cells, ["q", "n"], ["s", "pay"], learning_attack__model="boosting")
    assert found.attributes["s"] == pytest.approx(1)
    assert (attack(cells, cells, ["q", "n"], ["s"]).value or 1) < 0.9
    assert (found.attributes["pay"] or 0) > 0.9
    assert found.details["by_attribute"]["pay"]["rapid"] is None
    assert found.details["by_attribute"]["s"]["rapid"] > 0.9
    assert shares == sorted(shares)
    assert (shares[-1], len(shares)) == (1, 12)


def test_boosting_is_that_of_scikit_learn() -> None:
    from sklearn.ensemble import HistGradientBoostingClassifier

    cells = scene()
    cells["s"] = np.random.default_rng(2).choice([*"xyz"], len(cells["q"])).tolist()
    generalized = {**cells, "q": ["ab" if one in "ab" else "cd" for one in map(str, cells["q"])]}
    tree = Hierarchy([[*path, "*"] for path in (("a", "ab"), ("b", "ab"), ("c", "cd"), ("d", "cd"))])
    found = attack(cells, generalized, ["n", "q"], ["s"], hierarchies={"q": tree}, learning_attack__model="boosting")

    def features(q: Cells, of: Callable[[str, str], float]) -> Any:
        numbers = [[plain_number(str(n))] for n in cells["n"]]
        shares = [[of(str(cell), value) for value in "abcd"] for cell in q]
        return np.hstack([np.array(numbers, dtype=float), np.array(shares)])

    model = HistGradientBoostingClassifier(max_iter=50, early_stopping=False, random_state=0)
    model.fit(features(generalized["q"], lambda label, value: (value in label) / 2), cells["s"])
    guesses = model.predict(features(cells["q"], lambda label, value: float(value == label)))
    assert found.value == pytest.approx(np.mean(guesses == np.array(cells["s"])), abs=0.02)


def test_boosting_without_scikit_learn_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.ensemble", None)
    cells = scene(20)
    found = attack(cells, cells, ["q"], ["s"], learning_attack__model="boosting")
    assert found.unavailable == text("learning_attack.unavailable.no_scikit")
    assert "pip install" in str(found.unavailable)
