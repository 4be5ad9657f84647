"""What released labels represent beside the original: by their form, and by the records that carry them."""

import random
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from statistics import fmean

import numpy as np
import pytest

from metrics import Hierarchy, Roles, score
from metrics.hierarchies.labels import Evidence, covered_by_evidence, covered_by_form, intervals_of, recoded_labels
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import Table
from metrics.utility.cells.changes import pair_changes
from tests.support.small_tables import Cells, table

Meaning = Callable[[str, str], bool]
"""Whether a label represents a value, as whoever made the label meant it."""


def read(cells: Cells, decimal: str = ".") -> Table:
    """A table of one column, as a file with that decimal mark is read."""
    content = table({"x": cells})
    return replace(content, columns=tuple(replace(column, decimal=decimal) for column in content.columns))


def number(text: str, decimal: str) -> Decimal:
    return Decimal(text.replace(decimal, "."))


def linkage(original: list[str], released: list[str], means: Meaning, decimal: str) -> float:
    """The rate of record linkage, person by person and record by record."""
    rates = []
    for place, value in enumerate(original):
        candidates = [other for other, label in enumerate(released) if means(label, value)]
        if not candidates:
            gaps = [abs(number(label, decimal) - number(value, decimal)) for label in released]
            candidates = [other for other, gap in enumerate(gaps) if gap == min(gaps)]
        rates.append(1 / len(candidates) if place in candidates else 0.0)
    return fmean(rates)


def scored(original: Cells, released: Cells, decimal: str = ".", hierarchy: Hierarchy | None = None) -> Scorecard:
    return score(
        read(released, decimal),
        Roles(["x"]),
        original=read(original, decimal),
        hierarchies={} if hierarchy is None else {"x": hierarchy},
    )


def equal(label: str, value: str) -> bool:
    return label == value


KINDS: dict[str, Callable[[Callable[[int, int], int]], str]] = {
    "decimal commas": lambda draw: f"{draw(0, 9)},{draw(0, 9)}",
    "long decimals": lambda draw: f"{draw(-3, 3)},{draw(0, 999):03}",
    "thousands": lambda draw: f"{draw(1, 9)},{draw(0, 999):03}" if draw(0, 1) else str(draw(1, 999)),
    "ZIP+4": lambda draw: f"{draw(0, 99999):05}" + (f"-{draw(0, 9999):04}" if draw(0, 1) else ""),
    "short ZIP+4": lambda draw: f"{draw(1, 4999)}-{draw(5000, 9999)}" if draw(0, 1) else f"{draw(0, 9999):05}",
    "codes": lambda draw: f"{draw(1, 4)}-{draw(5, 9)}" if draw(0, 1) else str(draw(1, 9)),
    "years": lambda draw: ["1990-1995", "2010-2011", str(draw(1985, 2015))][draw(0, 2)],
    "lab results": lambda draw: ["<5", ">100", "1+", "2+", str(draw(1, 120))][draw(0, 4)],
    "grouped ages": lambda draw: ["18-24", "25-34", "65+", "under 18", str(draw(1, 90))][draw(0, 4)],
}


@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize("kind", KINDS)
def test_a_table_released_as_it_is_loses_nothing_and_is_linked_by_equal_values(kind: str, decimal: str) -> None:
    for seed in range(3):
        draw = random.Random(seed)
        values = [KINDS[kind](draw.randint) for _ in range(40)]
        card = scored(values, values, decimal)
        assert card["record_linkage_attack"].value == pytest.approx(linkage(values, values, equal, decimal))
        for identifier in ("ambiguity", "granularity", "non_uniform_entropy"):
            assert card[identifier].value == 1
        for identifier in ("normalized_certainty_penalty", "kl_divergence", "distribution_distance"):
            assert card[identifier].value == pytest.approx(0, abs=1e-12)


def written(number: Decimal, decimal: str) -> str:
    return str(number).replace(".", decimal)


@pytest.mark.parametrize("decimal", [".", ","])
def test_perturbed_numbers_are_linked_to_the_nearest(decimal: str) -> None:
    """After noise, and where groups of three neighbours became their mean."""
    for seed in range(5):
        draw = random.Random(seed)
        numbers = sorted(Decimal(draw.randint(0, 400)) / 10 for _ in range(60))
        noise = [max(value + Decimal(draw.randint(-9, 9)) / 10, Decimal(0)) for value in numbers]
        means = [round(sum(numbers[at // 3 * 3 : at // 3 * 3 + 3], Decimal(0)) / 3, 2) for at in range(60)]
        values = [written(value, decimal) for value in numbers]
        for changed in (noise, means):
            released = [written(value, decimal) for value in changed]

            def same(label: str, value: str) -> bool:
                return number(label, decimal) == number(value, decimal)

            card = scored(values, released, decimal)
            assert card["record_linkage_attack"].value == pytest.approx(linkage(values, released, same, decimal))


FORMS = {
    "65+": (">=", 65), "65 and over": (">=", 65), "90+": (">=", 90), "[90, inf)": (">=", 90), "> 64": (">", 64),
    "65 und älter": (">=", 65), "65岁以上": (">=", 65), "moins de 5 ans": ("<", 5), "< 5": ("<", 5),
    "5 or less": ("<=", 5),
}  # fmt: skip
HOLDS: dict[str, Callable[[Decimal, int], bool]] = {
    ">=": lambda value, end: value >= end,
    ">": lambda value, end: value > end,
    "<": lambda value, end: value < end,
    "<=": lambda value, end: value <= end,
}


@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize("top", FORMS)
def test_top_and_bottom_codes_cover_the_numbers_beyond(top: str, decimal: str) -> None:
    sign, end = FORMS[top]
    draw = random.Random(7)
    ages = [
        Decimal(draw.randint(0, 99)) if draw.random() < 0.7 else Decimal(draw.randint(0, 990)) / 10 for _ in range(80)
    ]
    values = [written(age, decimal) for age in ages]
    released = [top if HOLDS[sign](age, end) else value for age, value in zip(ages, values, strict=True)]

    def means(label: str, value: str) -> bool:
        if label == top:
            return HOLDS[sign](number(value, decimal), end)
        return number(label, decimal) == number(value, decimal)

    card = scored(values, released, decimal)
    assert card["record_linkage_attack"].value == pytest.approx(linkage(values, released, means, decimal))
    assert card["record_linkage_attack"].details["no_candidate"] == 0
    # The code stands for the middle between its end and the original's largest or smallest number.
    far = max(ages) if sign.startswith(">") else min(ages)
    middle = (end + float(far)) / 2
    errors = [(float(age) - middle) ** 2 for age, label in zip(ages, released, strict=True) if label == top]
    spread = float(np.var([float(age) for age in ages])) * len(ages)
    assert card["variance_preserved"].value == pytest.approx(1 - sum(errors) / spread)


def test_real_intervals_stay_intervals() -> None:
    ages = [str(age) for age in range(-20, 60)]
    for width, name in ((10, "{} - {}"), (5, "[{}, {}]"), (20, "{} to {}"), (10, "{}–{}")):

        def label(age: int, width: int = width, name: str = name) -> str:
            low = age // width * width
            return name.format(low, low + width - 1)

        released = [label(int(age)) for age in ages]
        card = scored(ages, released)
        assert card["record_linkage_attack"].value == pytest.approx(1 / width)
        assert card["granularity"].value == pytest.approx(1 - (width / 80 - 1 / 80) / (1 - 1 / 80))
    tenths = [f"{tenth // 10},{tenth % 10}" for tenth in range(40)]
    ends = [f"{half // 2},{half % 2 * 5}" for half in range(9)]
    halves = [f"[{ends[tenth // 5]}; {ends[tenth // 5 + 1]}[" for tenth in range(40)]
    assert scored(tenths, halves, ",")["record_linkage_attack"].value == pytest.approx(1 / 5)
    # The release alone does not show the decimal mark of its intervals.
    mixed = score(read(halves), Roles(["x"]), original=read(tenths, ","))
    assert mixed["record_linkage_attack"].value == pytest.approx(1 / 5)


def test_what_no_form_says_is_taken_from_the_records_that_carry_the_label() -> None:
    ages = ["20", "25", "70", "75", "80", "30"]
    released = ["young", "young", "old", "old", "old", "young"]
    card = scored(ages, released)
    assert card["record_linkage_attack"].value == pytest.approx(2 / 6)
    assert card["record_linkage_attack"].details["no_candidate"] == 0
    jobs = ["nurse", "clerk", "judge", "pilot", "nurse", "clerk"]
    merged = ["nurse", "clerk", "other", "other", "nurse", "clerk"]
    assert scored(jobs, merged)["record_linkage_attack"].value == pytest.approx(3 / 6)
    # Without the records, nothing tells.
    assert covered_by_evidence(read(merged)["x"], Evidence(read(jobs)["x"])) == {}


def test_a_changed_value_is_not_taken_for_a_label_of_others() -> None:
    for values, released in (
        (["1", "2", "3", "4"], ["2", "7", "3", "9"]),
        (["a", "b", "c", "d"], ["b", "a", "c", "d"]),
        (["2020-01-01", "2020-01-02"], ["2020-02-03", "2020-02-04"]),
        (["30", "45", "50", "52"], ["20-29", "40-49", "50-59", "50-59"]),
    ):
        aggregates = scored(values, released).aggregates
        evidence = aggregates.comparison.evidence("x")
        column = aggregates.anonymized["x"]
        assert covered_by_evidence(column, evidence) == {}


def test_a_hierarchy_decides_first() -> None:
    ages = ["1", "2", "3", "4"]
    low = Hierarchy([["1", "65+", "*"], ["2", "65+", "*"], ["3", "1-2", "*"], ["4", "1-2", "*"]])
    card = scored(ages, ["65+", "65+", "1-2", "1-2"], hierarchy=low)
    assert card["record_linkage_attack"].value == pytest.approx(0.5)
    assert card["record_linkage_attack"].details["no_candidate"] == 0


def test_codes_are_within_ends_of_as_many_digits() -> None:
    values = read(["00123", "123", "0123", "00500", "7"])["x"]
    labels = read(["00100-00199", "100-199", "01-9", "05-09", "*"])["x"]
    covered = {
        label: {values.labels[place] for place in places} for label, places in covered_by_form(labels, values).items()
    }
    assert covered == {"00100-00199": {"00123", "123"}, "100-199": {"123"}, "01-9": {"7"}, "05-09": {"7"}}


def test_intervals_within_an_interval_are_covered() -> None:
    ages = ["12", "18-24", "25-34", "85", "90+", "90+"]
    card = scored(ages, ["12", "18-34", "18-34", "85+", "85+", "85+"])
    assert card["record_linkage_attack"].value == pytest.approx(3 / 6)
    assert card["record_linkage_attack"].details["no_candidate"] == 0
    assert [interval is not None for interval in intervals_of(read(ages)["x"], read(ages)["x"])] == [False] * 5


def test_one_reader_serves_losses_and_attacks() -> None:
    """`18-24` in a column that also holds a word."""
    ages = ["18", "20", "24", "unknown", "40", "18"]
    card = scored(ages, ["18-24", "18-24", "20-24", "unknown", "18-24", "18"])
    assert card["record_linkage_attack"].details["no_candidate"] == pytest.approx(1 / 6)  # 40 is in no interval
    totals = pair_changes(card.aggregates.comparison.pair("x"), {}).totals
    assert (totals.kept, totals.generalized, totals.perturbed, totals.replaced) == (2, 3, 1, 0)


def test_codes_cut_to_their_beginnings_and_the_years_of_dates_are_labels_of_all_they_stand_for() -> None:
    """The first three digits of a ZIP code are what HIPAA allows."""
    codes, dates = ["13010", "13011", "14020", "14021"], ["1950-03-01", "1950-07-09", "1951-01-02", "1951-02-02"]
    for values, released in (
        (codes, [code[:3] for code in codes]),
        ([f"0{code[1:]}" for code in codes], [f"0{code[1:3]}" for code in codes]),
        (dates, [date[:4] for date in dates]),
    ):
        card = scored(values, released)
        assert card["record_linkage_attack"].value == pytest.approx(1 / 2)
        assert card["record_linkage_attack"].details["no_candidate"] == 0
        assert card["non_uniform_entropy"].value == pytest.approx(1 / 2)
        assert card["granularity"].value == pytest.approx(1 - (1 / 2 - 1 / 4) / (1 - 1 / 4))
        assert card["kl_divergence"].value == pytest.approx(0, abs=1e-12)
    # Noise that makes one number the beginning of another does not cut the column.
    noisy = scored(["52", "18", "30", "41"], ["5", "19", "30", "43"])
    assert noisy["record_linkage_attack"].details["no_candidate"] == pytest.approx(3 / 4)


RECODED: dict[str, tuple[list[str], Callable[[str], str]]] = {
    "dates to the first of their month": (
        [f"{1990 + at % 40 % 30}-05-{4 + at % 40 // 30:02}" for at in range(200)],
        lambda date: f"{date[:8]}01",
    ),
    "beginnings of codes as numbers": ([f"0{12 + at % 60}34" for at in range(200)], lambda code: str(int(code[:3]))),
    "codes to rounded codes": ([str(13_001 + 321 * (at % 40)) for at in range(200)], lambda code: f"{code[:2]}000"),
    "centimetres to metres": ([str(150 + at % 50) for at in range(200)], lambda size: f"{int(size) / 100:.2f}"),
    "kilograms to pounds": ([str(50 + at % 50) for at in range(200)], lambda mass: f"{int(mass) * 2.2046:.1f}"),
    "ages to years of birth": ([str(20 + at % 60) for at in range(200)], lambda age: str(2024 - int(age))),
    "ages to decades of birth": (
        [str(20 + at % 60) for at in range(200)],
        lambda age: (lambda year: f"{year}-{year + 9}")((2024 - int(age)) // 10 * 10),
    ),
    "incomes to thousands": (
        [str(10_000 + 1_370 * (at % 45)) for at in range(200)],
        lambda income: (lambda low: f"{low}-{low + 9}")(int(income) // 10_000 * 10),
    ),
    "a permuted list of codes": ([str(1 + at % 4) for at in range(200)], lambda code: str((int(code) + 1) % 4 + 1)),
    "a top code that is a value": ([str(20 + at % 60) for at in range(200)], lambda age: min(age, "65")),
}


@pytest.mark.parametrize(("values", "recode"), RECODED.values(), ids=RECODED)
def test_a_recoded_column_is_read_by_the_records_that_show_what_each_value_became(
    values: list[str], recode: Callable[[str], str]
) -> None:
    released = [recode(value) for value in values]
    found = scored(values, released)["record_linkage_attack"]
    assert found.value == pytest.approx(fmean(1 / released.count(label) for label in released))
    assert found.details["no_candidate"] == 0
    # A suppressed cell is a candidate for everybody, and its own person is not found by it alone.
    released[7] = "*"
    truth = [1 / (released.count(recode(value)) + 1) for value in values]
    assert scored(values, released)["record_linkage_attack"].value == pytest.approx(fmean(truth))


def test_perturbation_is_no_recoding() -> None:
    draw, ages = random.Random(3), [str(20 + at % 40) for at in range(200)]
    noisy = [str(int(age) + draw.choice([-1, 1])) for age in ages]
    # Each value stands alone, so that nothing tells noise from another code.
    alone = [str(100 + 3 * at) for at in range(200)], [str(101 + 3 * at + at % 2) for at in range(200)]
    randomized = [age if draw.random() < 0.8 else draw.choice(ages) for age in ages]
    for values, released in ((ages, noisy), (ages, randomized), alone):
        assert recoded_labels(scored(values, released).aggregates.comparison.pair("x")) == {}


@pytest.mark.parametrize("above", [False, True])
def test_intervals_that_touch_share_no_number_if_all_records_with_it_are_in_one(above: bool) -> None:
    """Without brackets 10-20 and 20-30 tell not which of them 20 belongs to."""
    ages = [str(20 + at % 41) for at in range(200)]
    lows = [(int(age) - (not above)) // 10 * 10 for age in ages]
    released = [f"{low}-{low + 10}" for low in lows]
    rate = scored(ages, released)["record_linkage_attack"].value
    assert rate == pytest.approx(fmean(1 / released.count(label) for label in released))
    five = scored(["20", "30", "40", "50", "60"], ["10-20", "20-30", "30-40", "40-50", "50-60"])
    assert five["record_linkage_attack"].value == 1
    # Where records are in either, both hold the number.
    mixed = scored(["20", "20", "15", "25"], ["10-20", "20-30", "10-20", "20-30"])
    assert mixed["record_linkage_attack"].value == pytest.approx(fmean([1 / 4, 1 / 4, 1 / 2, 1 / 2]))


def test_what_a_hierarchy_lacks_is_taken_from_the_records() -> None:
    ages = [str(20 + at % 40) for at in range(200)]
    released = ["young" if int(age) < 40 else "old" for age in ages]
    partly = Hierarchy([[str(age), "young" if age < 40 else "old", "*"] for age in range(20, 41)])
    found = scored(ages, released, hierarchy=partly)["record_linkage_attack"]
    assert found.value == pytest.approx(2 / 200)
    assert found.details["no_candidate"] == 0
