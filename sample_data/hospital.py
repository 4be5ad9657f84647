"""A made-up hospital: who is admitted, where they live and work, what they have and how long they stay.

Every figure below is invented to look plausible; none is taken from real patients. Each column is drawn
given the ones before it (age, sex, marital status, region, occupation, insurance, month, diagnosis, stay).

Only `Random.random()` and elementary arithmetic are used: Python promises that sequence for a given seed,
whereas `gauss`, `choices` or a library's generator may change between versions. So the bytes stay the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

Item = TypeVar("Item")

COLUMNS = (
    "record_id", "sex", "age", "zip_code", "marital_status", "occupation",
    "admission", "diagnosis", "length_of_stay", "insurance",
)  # fmt: skip

MONTHS = tuple(f"{year}-{month:02d}" for year in (2023, 2024) for month in range(1, 13))

# Weight of each five-year age group among admissions, from 0-4 to 95-99.
AGE_WEIGHTS = (6, 2.5, 2.5, 3.5, 4.5, 5.5, 6, 5.5, 5, 5.5, 6, 7, 7.5, 8, 8, 7.5, 5.5, 3, 1.2, 0.3)

# First ages of the life phases that the tables below are written for.
PHASES = (0, 6, 18, 35, 50, 65, 80)


@dataclass(frozen=True)
class Region:
    """Postal codes that share two digits, their share of admissions, and what life is like there."""

    districts: Mapping[str, str]  # first three digits -> the endings in use, separated by blanks
    weight: float
    rural: float  # multiplies the weight of farm and craft work
    wealth: float  # multiplies the weight of professional work and of private insurance


REGIONS = (
    Region({"021": "08 14 16 39", "024": "45 46 58", "027": "03 20 23"}, 3.6, 0.1, 1.5),
    Region({"040": "05 38 62", "043": "30 51 64", "046": "05 09 40 62"}, 1.7, 2.5, 0.8),
    Region({"122": "03 06 08 10", "128": "01 15 66", "129": "01 43 77"}, 2.6, 1.0, 1.0),
    Region({"351": "24 46 80", "356": "01 10 40", "359": "01 04 50 67"}, 2.1, 1.6, 0.6),
)

# Weights per life phase: (never married, married, separated, divorced, widowed).
MARITAL_STATUS = ("Never married", "Married", "Separated", "Divorced", "Widowed")
MARITAL_WEIGHTS = (
    (1, 0, 0, 0, 0), (1, 0, 0, 0, 0), (68, 27, 2, 3, 0.1), (26, 54, 6, 13, 1),
    (14, 58, 5, 18, 5), (8, 57, 2, 13, 20), (6, 37, 1, 7, 49),
)  # fmt: skip


@dataclass(frozen=True)
class Occupation:
    """Weight per adult life phase (18-34, 35-49, 50-64, 65-79, 80+) and what shifts it."""

    name: str
    weights: tuple[float, float, float, float, float]
    female: float = 1.0  # multiplies the weight for women
    setting: str = "any"  # "rural" and "wealth" work follows the region


OCCUPATIONS = (
    Occupation("Manager", (3, 8, 9, 1, 0), 0.7, "wealth"),
    Occupation("Engineer", (7, 8, 6, 0.5, 0), 0.4, "wealth"),
    Occupation("Teacher", (6, 7, 7, 0.5, 0), 2.0, "wealth"),
    Occupation("Nurse", (8, 8, 6, 0.3, 0), 3.0),
    Occupation("Office clerk", (12, 14, 13, 0.8, 0), 1.6),
    Occupation("Salesperson", (12, 10, 8, 0.8, 0), 1.3),
    Occupation("Driver", (5, 8, 8, 0.6, 0), 0.2),
    Occupation("Craft worker", (9, 10, 9, 0.6, 0), 0.15, "rural"),
    Occupation("Factory worker", (8, 9, 8, 0.3, 0), 0.7),
    Occupation("Farm worker", (3, 3, 4, 1.2, 0), 0.6, "rural"),
    Occupation("Student", (20, 1, 0, 0, 0)),
    Occupation("Homemaker", (4, 6, 6, 3, 1), 3.5),
    Occupation("Unemployed", (8, 7, 8, 0, 0)),
    Occupation("Retired", (0, 0.3, 9, 95, 99)),
)


@dataclass(frozen=True)
class Diagnosis:
    """One disease: its place in the hierarchy, whom it strikes and how long it keeps them.

    `weights` are per life phase (0-5, 6-17, 18-34, 35-49, 50-64, 65-79, 80+); `female`, `male`, `winter` and
    `manual` multiply them for such records; `ages` are the first and last age at which the disease occurs;
    `days` is the mean stay from 18 to 49.
    """

    name: str
    system: str
    group: str
    weights: tuple[float, float, float, float, float, float, float]
    days: float
    female: float = 1.0
    male: float = 1.0
    winter: float = 1.0
    manual: float = 1.0
    ages: tuple[int, int] = (0, 99)


CHEST, ABDOMEN, NERVES = "Heart and lungs", "Abdomen and metabolism", "Nerves, mind and movement"

DIAGNOSES = (
    Diagnosis("Pneumonia", "Respiratory", CHEST, (14, 9, 8, 8, 10, 12, 16), 6, winter=1.9),
    Diagnosis("Acute bronchitis", "Respiratory", CHEST, (15, 10, 7, 7, 7, 8, 9), 3.5, winter=2.2),
    Diagnosis("Asthma", "Respiratory", CHEST, (11, 12, 9, 8, 6, 5, 4), 3.5, female=1.2),
    Diagnosis("COPD", "Respiratory", CHEST, (0, 0, 0, 2, 8, 11, 8), 7, male=1.4, winter=1.3, ages=(38, 99)),
    Diagnosis("Heart failure", "Circulatory", CHEST, (0.5, 0.3, 0.8, 2.5, 7, 12, 17), 8, male=1.2),
    Diagnosis("Myocardial infarction", "Circulatory", CHEST, (0, 0, 0.5, 4, 9, 9, 7), 6, male=1.9, ages=(25, 99)),
    Diagnosis("Hypertension", "Circulatory", CHEST, (0, 0.3, 2, 6, 8, 9, 8), 3.5),
    Diagnosis("Stroke", "Circulatory", CHEST, (0.2, 0.2, 0.8, 2.5, 6, 10, 12), 9),
    Diagnosis("Appendicitis", "Digestive", ABDOMEN, (3, 13, 9, 5, 3, 2, 1), 3),
    Diagnosis("Gastroenteritis", "Digestive", ABDOMEN, (20, 13, 11, 9, 8, 8, 9), 2.5, winter=1.2),
    Diagnosis("Gallstones", "Digestive", ABDOMEN, (0, 0.5, 4, 7, 8, 6, 4), 4, female=1.8),
    Diagnosis("Type 1 diabetes", "Endocrine", ABDOMEN, (3, 7, 5, 4, 3, 2, 1), 4),
    Diagnosis("Type 2 diabetes", "Endocrine", ABDOMEN, (0, 0.3, 1.5, 6, 9, 9, 7), 5, male=1.2, ages=(14, 99)),
    Diagnosis("Kidney stones", "Genitourinary", ABDOMEN, (0.2, 1, 5, 7, 6, 4, 2), 2.5, male=1.8),
    Diagnosis("Prostate enlargement", "Genitourinary", ABDOMEN, (0, 0, 0, 0.5, 5, 9, 7), 3.5, 0.0, ages=(42, 99)),
    Diagnosis(
        "Pregnancy complication",
        "Genitourinary",
        ABDOMEN,
        (0, 4, 26, 12, 0, 0, 0),
        3.5,
        male=0.0,
        ages=(16, 47),
    ),
    Diagnosis("Forearm fracture", "Musculoskeletal", NERVES, (6, 14, 7, 6, 7, 7, 7), 2.5),
    Diagnosis("Hip fracture", "Musculoskeletal", NERVES, (0, 0.3, 0.5, 0.8, 2, 6, 13), 11, 1.5, winter=1.2),
    Diagnosis("Back disorder", "Musculoskeletal", NERVES, (0, 1.5, 7, 10, 9, 6, 3), 4, manual=1.8),
    Diagnosis("Epilepsy", "Nervous and mental", NERVES, (8, 7, 5, 4, 4, 4, 4), 3.5),
    Diagnosis("Depression", "Nervous and mental", NERVES, (0, 7, 11, 10, 8, 5, 3), 13, female=1.4, ages=(11, 99)),
    Diagnosis("Dementia", "Nervous and mental", NERVES, (0, 0, 0, 0, 1, 4, 14), 10, ages=(58, 99)),
)

WINTER = ("11", "12", "01", "02", "03")
MANUAL = ("Driver", "Craft worker", "Factory worker", "Farm worker", "Nurse")
PROFESSIONAL = ("Manager", "Engineer", "Teacher")
LONGEST_STAY = 60
STAY_FACTORS = (0.9, 0.9, 1.0, 1.0, 1.15, 1.35, 1.5)  # per life phase: the old recover more slowly


def _pick(rng: Random, items: Sequence[Item], weights: Sequence[float]) -> Item:
    """One of `items`, with probability proportional to its weight (weight 0: never)."""
    left = rng.random() * sum(weights)
    last = items[0]
    for item, weight in zip(items, weights, strict=True):
        if weight > 0:
            last = item
            if left < weight:
                return item
            left -= weight
    return last  # rounding can leave a sliver beyond the last positive weight


def _phase(age: int) -> int:
    return sum(age >= first for first in PHASES) - 1


def _zip_code(rng: Random, region: Region) -> str:
    district = _pick(rng, tuple(region.districts), [3, 2, 1])
    endings = region.districts[district].split()
    return district + _pick(rng, endings, [1.0 + 0.5 * i for i in range(len(endings))])


def _occupation(rng: Random, age: int, sex: str, region: Region) -> str:
    if age < 6:
        return "Preschool child"
    if age < 18:
        return "Pupil"
    column = _phase(age) - 2
    shift = {"any": 1.0, "rural": region.rural, "wealth": region.wealth}
    women = sex == "Female"
    weights = [o.weights[column] * shift[o.setting] * (o.female if women else 1) for o in OCCUPATIONS]
    return _pick(rng, [o.name for o in OCCUPATIONS], weights)


def _insurance(rng: Random, age: int, occupation: str, region: Region) -> str:
    plans = ("Employer plan", "Private plan", "Public plan", "Senior plan", "Uninsured")
    if age >= 65:
        return _pick(rng, plans, (1, 9 * region.wealth, 6, 84, 0.5))
    if occupation in ("Unemployed", "Homemaker", "Student", "Retired"):
        return _pick(rng, plans, (12, 9 * region.wealth, 62, 0, 17))
    if age < 18:
        return _pick(rng, plans, (52 * region.wealth, 9 * region.wealth, 36, 0, 3))
    private = 30 if occupation in PROFESSIONAL else 8
    return _pick(rng, plans, (66, private * region.wealth, 16, 0, 8 / region.wealth))


def _diagnosis(rng: Random, age: int, sex: str, occupation: str, month: str) -> Diagnosis:
    phase, winter, manual = _phase(age), month[-2:] in WINTER, occupation in MANUAL
    weights = [
        d.weights[phase]
        * (d.ages[0] <= age <= d.ages[1])
        * (d.female if sex == "Female" else d.male)
        * (d.winter if winter else 1)
        * (d.manual if manual else 1)
        for d in DIAGNOSES
    ]
    return _pick(rng, DIAGNOSES, weights)


def _length_of_stay(rng: Random, diagnosis: Diagnosis, age: int) -> int:
    """Days: 1 + two geometric draws, which is skewed and has the mean that disease and age call for."""
    end = 2 / (diagnosis.days * STAY_FACTORS[_phase(age)] + 1)
    days = 1
    for _ in range(2):
        while rng.random() >= end:
            days += 1
    return min(days, LONGEST_STAY)


def synthesize(seed: int, size: int) -> list[dict[str, str]]:
    """`size` made-up records, each a mapping of `COLUMNS` to text; the same for the same seed."""
    rng = Random(seed)
    records = []
    for number in range(1, size + 1):
        age = 5 * _pick(rng, range(len(AGE_WEIGHTS)), AGE_WEIGHTS) + int(5 * rng.random())
        women = 62 if age >= 80 else 56 if 18 <= age < 45 else 48
        sex = _pick(rng, ("Female", "Male"), (women, 100 - women))
        marital_status = _pick(rng, MARITAL_STATUS, MARITAL_WEIGHTS[_phase(age)])
        region = _pick(rng, REGIONS, [r.weight for r in REGIONS])
        zip_code = _zip_code(rng, region)
        occupation = _occupation(rng, age, sex, region)
        insurance = _insurance(rng, age, occupation, region)
        admission = _pick(rng, MONTHS, [1.15 if m[-2:] in WINTER else 1.0 for m in MONTHS])
        diagnosis = _diagnosis(rng, age, sex, occupation, admission)
        days = _length_of_stay(rng, diagnosis, age)
        values = (
            f"H{number:05d}", sex, str(age), zip_code, marital_status, occupation,
            admission, diagnosis.name, str(days), insurance,
        )  # fmt: skip
        records.append(dict(zip(COLUMNS, values, strict=True)))
    return records
