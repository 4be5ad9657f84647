"""A table of a seed with every kind of identifier in several forms, and columns that look like them and are none."""

import random
import string
import uuid
from collections.abc import Callable
from datetime import date, timedelta
from functools import cache
from importlib import import_module

from stdnum import luhn
from stdnum.iso7064 import mod_97_10

from metrics.identifiers.kinds import IdentifierKind as Kind

RECORDS = 400
Maker = Callable[[random.Random, int], str]

FIRST = ["Ada", "Ben", "Chloé", "David", "Eva", "Farid", "Grete", "Hugo", "Ines", "Jan", "Kofi", "Li", "Mia", "Noor"]
LAST = ["Abel", "Brandt", "Costa", "Dubois", "Evans", "Fischer", "García", "Haas", "Ito", "Jansen", "Kowalski", "Lund"]
WORDS = ["patient", "reports", "mild", "pain", "since", "visit", "sister", "moved", "flat", "nights", "no", "fever"]


def digits(seed: random.Random, number: int) -> str:
    return f"{seed.randrange(10**number):0{number}}"


def day(seed: random.Random) -> date:
    return date(1930, 1, 1) + timedelta(days=seed.randrange(34_000))


def made_valid(module: str, length: int) -> Maker:
    """Random numbers of a length whose last digit makes them valid to a module of python-stdnum."""
    is_valid = import_module(f"stdnum.{module}").is_valid

    def make(seed: random.Random, record: int) -> str:
        while True:
            front = digits(seed, length - 1)
            for last in string.digits:
                if is_valid(front + last):
                    return front + last

    return make


def brazilian(seed: random.Random, record: int) -> str:
    number = digits(seed, 9)
    for _ in range(2):
        weights = range(len(number) + 1, 1, -1)
        number += str(sum(of * int(digit) for of, digit in zip(weights, number, strict=True)) * 10 % 11 % 10)
    return number


def belgian(seed: random.Random, record: int) -> str:
    front = f"{day(seed):%y%m%d}{seed.randrange(1, 998):03}"
    return f"{front}{97 - int(front) % 97:02}"


def french(seed: random.Random, record: int) -> str:
    front = f"{seed.choice('12')}{day(seed):%y%m}{seed.randrange(1, 96):02}{digits(seed, 6)}"
    return f"{front}{97 - int(front) % 97:02}"


def finnish(seed: random.Random, record: int) -> str:
    born, serial = f"{day(seed):%d%m%y}", f"{seed.randrange(2, 900):03}"
    return f"{born}-{serial}{'0123456789ABCDEFHJKLMNPRSTUVWXY'[int(born + serial) % 31]}"


def german_account(seed: random.Random, record: int) -> str:
    account = digits(seed, 18)
    return f"DE{mod_97_10.calc_check_digits(account + 'DE')}{account}"


def card(seed: random.Random, record: int) -> str:
    front = "4" + digits(seed, 14)
    return front + luhn.calc_check_digit(front)


def name(seed: random.Random) -> str:
    return f"{seed.choice(FIRST)} {seed.choice(LAST)}"


IDENTIFYING: dict[str, tuple[Kind, Maker]] = {
    "c01": (Kind.EMAIL, lambda s, i: f"{name(s).lower().replace(' ', '.')}{i}@example.org"),
    "c02 contact": (Kind.EMAIL, lambda s, i: f"x{i}@mail.example" if s.random() < 0.3 else "by post"),
    "c03": (Kind.PHONE, lambda s, i: f"+49 {s.randrange(30, 999)} {digits(s, 7)}"),
    "c04": (Kind.PHONE, lambda s, i: f"({s.randrange(200, 1000)}) {s.randrange(200, 1000)}-{digits(s, 4)}"),
    "c05": (Kind.PHONE, lambda s, i: f"0{s.randrange(30, 999)}/{digits(s, 7)}"),
    "c06": (Kind.PHONE, lambda s, i: f"{s.randrange(200, 1000)}{s.randrange(200, 1000)}{digits(s, 4)}"),
    "c07": (Kind.DATE, lambda s, i: day(s).isoformat()),
    "c08": (Kind.DATE, lambda s, i: f"{day(s):%d.%m.%Y}"),
    "c09": (Kind.DATE, lambda s, i: f"{day(s):%m/%d/%Y}"),
    "c10": (Kind.DATE, lambda s, i: f"{day(s):%Y%m%d}"),
    "c11": (Kind.DATE, lambda s, i: f"{day(s):%d-%b-%Y}"),
    "zip": (Kind.ZIP_CODE, lambda s, i: f"{s.randrange(10_000, 10_060)}"),
    "c13": (
        Kind.ZIP_CODE,
        lambda s, i: f"{s.randrange(1_000, 1_080) if s.random() < 0.1 else 60_600 + s.randrange(60):05}",
    ),
    "c14": (Kind.ZIP_CODE, lambda s, i: f"{s.randrange(60_600, 60_660)}-{digits(s, 4)}"),
    "c15": (Kind.IBAN, german_account),
    "c16": (Kind.PAYMENT_CARD, card),
    "c17": (Kind.NATIONAL_NUMBER, belgian),
    "c18": (Kind.NATIONAL_NUMBER, french),
    "c19": (Kind.NATIONAL_NUMBER, finnish),
    "c20": (Kind.NATIONAL_NUMBER, made_valid("gb.nhs", 10)),
    "c21": (Kind.NATIONAL_NUMBER, made_valid("nl.bsn", 9)),
    "c22": (Kind.NATIONAL_NUMBER, brazilian),
    "c23": (
        Kind.NATIONAL_NUMBER,
        lambda s, i: f"{s.randrange(1, 666):03}-{s.randrange(1, 100):02}-{s.randrange(1, 9999):04}",
    ),
    "c24": (Kind.URL, lambda s, i: f"https://example.org/profile/{i}"),
    "c25": (Kind.IP_ADDRESS, lambda s, i: ".".join(str(s.randrange(1, 255)) for _ in range(4))),
    "c26": (Kind.COORDINATES, lambda s, i: f"{s.uniform(47, 55):.5f}, {s.uniform(6, 15):.5f}"),
    "home_lat": (Kind.COORDINATES, lambda s, i: f"{s.uniform(47, 55):.5f}"),
    "c28": (Kind.DEVICE_NUMBER, lambda s, i: ":".join(f"{s.randrange(256):02x}" for _ in range(6))),
    "c29": (Kind.FREE_TEXT, lambda s, i: " ".join(s.choice(WORDS) for _ in range(s.randrange(6, 20)))),
    "c30": (Kind.RECORD_NUMBER, lambda s, i: str(i + 1)),
    "c31": (Kind.RECORD_NUMBER, lambda s, i: f"H{i:05}"),
    "c32": (Kind.RECORD_NUMBER, lambda s, i: str(uuid.UUID(int=s.getrandbits(128)))),
    "c33": (Kind.RECORD_NUMBER, lambda s, i: f"{i:05}"),
    "c34": (Kind.UNIQUE_TEXT, lambda s, i: f"{name(s)} {s.choice(LAST)}-{s.choice(LAST)}"),
    # Five digits in a region without leading zeros, in a column without a name: nothing tells them from salaries.
    "c35": (Kind.ZIP_CODE, lambda s, i: f"{s.randrange(60_600, 60_660)}"),
}
"""Columns that identify, with the kind to be found."""

HARMLESS: dict[str, Maker] = {
    "d01 age": lambda s, i: str(s.randrange(18, 95)),
    "d02 year": lambda s, i: str(s.randrange(1930, 2024)),
    "d03 salary": lambda s, i: str(s.randrange(20_000, 99_999)),
    "d04 rounded salary": lambda s, i: str(s.randrange(200, 999) * 100),
    "d05 order": lambda s, i: digits(s, 10).replace("0", "1") if i % 2 else "2000000000",
    "d06 amount": lambda s, i: f"{s.uniform(0, 5000):.2f}",
    "d07 laboratory": lambda s, i: f"{s.uniform(0, 12):.4f}",
    "d08 month": lambda s, i: f"{s.randrange(2010, 2024)}-{s.randrange(1, 13):02}",
    "d09 icd": lambda s, i: f"{s.choice('ABCDEFIJ')}{s.randrange(100):02}.{s.randrange(10)}",
    "d10 diagnosis": lambda s, i: s.choice(["Type 2 diabetes", "Asthma", "Atrial fibrillation", "Hip fracture"]),
    "d11 answer": lambda s, i: s.choice(
        ["I agree with this statement to a high degree", "I do not agree with it at all"]
    ),
    "d12 age group": lambda s, i: f"{10 * s.randrange(2, 9)}-{10 * s.randrange(2, 9) + 9}",
    "d13 masked zip": lambda s, i: f"{s.randrange(100, 999)}**",
    "d14 version": lambda s, i: f"{s.randrange(1, 9)}.{s.randrange(9)}.{s.randrange(20)}.{s.randrange(4)}",
    "d15 time": lambda s, i: f"{s.randrange(24):02}:{s.randrange(60):02}:{s.randrange(60):02}",
    "d16 weight": lambda s, i: str(s.randrange(40_000, 99_999)),
    "d17 income": lambda s, i: str(s.randrange(10_000_000, 99_999_999) // 10_000 * 10_000),
    "d18 invoice": lambda s, i: f"{s.randrange(10**15, 10**16)}" if i % 3 else "4000000000000000",
    "d19 ward": lambda s, i: f"0{s.randrange(10, 60)}",
    "d20 code": lambda s, i: str(s.randrange(100_000_000, 100_000_200)),
    "d21 flag": lambda s, i: s.choice(["yes", "no"]),
    "d22 percentage": lambda s, i: f"{s.uniform(0, 100):.3f}",
    "d23 occupation": lambda s, i: s.choice(["Exec-managerial", "Prof-specialty", "Other-service", "Sales"]),
    "d24 drug": lambda s, i: f"0{700 + (n := s.randrange(150))}-{1_000 + 37 * n}-{10 + n % 80}",
    "d25 barcode": lambda s, i: f"{s.randrange(4 * 10**12, 4 * 10**12 + 9 * 10**11)}" if i % 2 else "4006381333931",
    "d26 blood pressure": lambda s, i: f"{s.randrange(90, 180)}/{s.randrange(50, 110)}",
    "d27 loinc": lambda s, i: f"{1_000 + 61 * (n := s.randrange(150))}-{n % 10}",
    "d28 price": lambda s, i: f"${s.randrange(1, 99)},{digits(s, 3)}.{digits(s, 2)}",
    "d29 unix time": lambda s, i: str(s.randrange(1_500_000_000, 1_700_000_000) // 3600 * 3600),
    "d30 nothing": lambda s, i: "",
    "d31 suppressed": lambda s, i: "*",
}
"""Columns that identify nobody by themselves, many of which look as if they did."""


@cache
def columns(seed: int) -> dict[str, list[str]]:
    """The cells of every column."""
    source = random.Random(seed)
    makers = {name: make for name, (_, make) in IDENTIFYING.items()} | HARMLESS
    return {name: [make(source, i) for i in range(RECORDS)] for name, make in makers.items()}
