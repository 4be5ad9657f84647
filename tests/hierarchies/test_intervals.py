"""The intervals that labels write, in every notation and language."""

import math

import pytest

from metrics.hierarchies.intervals import Interval, joined_intervals, parse_interval

INF = math.inf


@pytest.mark.parametrize(
    ("text", "interval", "of_50"),
    [
        ("1970 - 1979", Interval(1970, 1979), 0),
        ("1970-1979", Interval(1970, 1979), 0),
        ("30 – 39", Interval(30, 39), 10),
        ("30..39", Interval(30, 39), 10),
        ("30~39", Interval(30, 39), 10),
        ("30 to 39", Interval(30, 39), 10),
        ("30 bis 39", Interval(30, 39), 10),
        ("[30-40)", Interval(30, 40, True, False), 10),
        ("[30-40[", Interval(30, 40, True, False), 10),
        ("[30, 40]", Interval(30, 40), 11),
        ("(30;40]", Interval(30, 40, False, True), 10),
        ("]30,40]", Interval(30, 40, False, True), 10),
        ("(30,40)", Interval(30, 40, False, False), 9),
        ("[20,30[", Interval(20, 30, True, False), 10),
        ("-5 - -1", Interval(-5, -1), 0),
        ("-5--1", Interval(-5, -1), 0),
        ("[-5-5]", Interval(-5, 5), 5),
        ("1.5-2.5", Interval(1.5, 2.5), 1),
        ("[0.5, 1)", Interval(0.5, 1, True, False), 0),
        ("<=40", Interval(-INF, 40, False, True), 40),
        ("< 40", Interval(-INF, 40, False, False), 39),
        ("≤40", Interval(-INF, 40, False, True), 40),
        (">=40", Interval(40, INF, True, False), 11),
        (">40", Interval(40, INF, False, False), 10),
        ("≥ 40", Interval(40, INF, True, False), 11),
        ("7-7", Interval(7, 7), 1),
        ("  30-39 ", Interval(30, 39), 10),
    ],
)
def test_intervals_of_every_notation_are_recognized(text: str, interval: Interval, of_50: int) -> None:
    assert parse_interval(text) == interval
    assert interval.integers(1, 50) == of_50
    assert sum(map(interval.contains, range(1, 51))) == of_50


@pytest.mark.parametrize(
    "text",
    ["", "*", "30", "39-30", "[30-40", "30-40)", "a-b", "30-", "-39", "30-39-49", "2020-01-01", "30/39", "<", "<=x",
     "[30)", "47***", "30 -- 39 x", "=40", "1e3-1e4", "\u0663-\u0665"],
)  # fmt: skip
def test_texts_that_are_no_intervals_are_not_taken_for_one(text: str) -> None:
    assert parse_interval(text) is None


def test_intervals_are_read_with_the_decimal_comma_of_their_column() -> None:
    assert parse_interval("1,5 - 2,5", ",") == Interval(1.5, 2.5)
    assert parse_interval("1.5 - 2.5", ",") is None
    assert parse_interval("<1,5", ",") == Interval(-INF, 1.5, False, False)


@pytest.mark.parametrize(
    ("texts", "interval"),
    [
        (
            "65+ | 65 + | >=65 | ≥ 65 | at least 65 | 65 plus | 65 and over | 65 and older | "
            "65 or older | 65 or more | 65 years and over | 65 Years or older | [65, inf) | [65,Inf] | "
            "[65; ∞[ | [65,) | 65 und älter | ab 65 | 65 Jahre und älter | 65 oder mehr | 65 et plus | "
            "65 ans et plus | 65 y más | 65 años o más | 65 e più | 65 anni e oltre | 65 e mais | "
            "65 anos ou mais | 65 en ouder | 65 jaar of ouder | 65岁以上 | 65岁及以上",
            Interval(65, INF, True, False),
        ),
        (
            ">64 | > 64 | over 64 | more than 64 | older than 64 years | (64, inf] | ]64; +∞[ | "
            "über 64 | mehr als 64 | plus de 64 ans | más de 64 | più di 64 | mais de 64 anos | "
            "ouder dan 64 jaar | 超过64岁",
            Interval(64, INF, False, False),
        ),
        (
            "<5 | < 5 | under 5 | under 5 years | less than 5 | (-inf, 5) | ]-∞; 5[ | (,5) | unter 5 | "
            "jünger als 5 | moins de 5 | moins de 5 ans | menos de 5 | menores de 5 años | meno di 5 | "
            "minder dan 5 | onder 5 | 未满5岁",
            Interval(-INF, 5, False, False),
        ),
        (
            "<=5 | ≤5 | at most 5 | up to 5 | 5 or less | 5 and under | 5 or younger | (-inf, 5] | "
            "(-Inf,5] | bis 5 | 5 oder weniger | 5 Jahre und jünger | 5 ans ou moins | "
            "jusqu\u2019à 5 ans | 5 o menos | hasta 5 | fino a 5 | até 5 | 5 ou menos | "
            "5 jaar of jonger | 5岁以下",
            Interval(-INF, 5, False, True),
        ),
        (
            "18-24 years | 18 to 24 years | from 18 to 24 | 18 bis 24 Jahre | 18 à 24 ans | "
            "de 18 a 24 años | 18 a 24 anos | 18 t/m 24 jaar | 18至24岁 | 18-24岁",
            Interval(18, 24),
        ),
        ("18-<25 | 18 to <25 | 18 to under 25 | 18 bis unter 25 Jahre | 18 tot 25 jaar", Interval(18, 25, True, False)),
    ],
)
def test_open_ends_and_words_are_read_in_the_languages_whose_numbers_are(texts: str, interval: Interval) -> None:
    assert {text: parse_interval(text) for text in texts.split(" | ")} == dict.fromkeys(texts.split(" | "), interval)


@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize(
    "text",
    ["1,5", "-1,5", "2,75", "1,234", "1,234,567", "(1,234)", "1.234", "1.234,5", "1 234", "1'234", "+65", "30;40",
     "5a9", "1e3", "5 and 9", "[5]", "[-5]", "[,]", "(,)", "65-", "A-1", "[5,)]", "more than", "over", "5 over"],
)  # fmt: skip
def test_a_number_is_never_an_interval(text: str, decimal: str) -> None:
    assert parse_interval(text, decimal) is None


def test_an_interval_holds_what_lies_between_it_and_the_next() -> None:
    ages = parse_interval("20-29")
    assert ages is not None
    assert (ages.holds(29.5), ages.holds(30), ages.contains(29.5)) == (True, False, False)
    tenths = parse_interval("1,5 - 2,5", ",")
    assert tenths is not None
    assert (tenths.holds(2.53), tenths.holds(2.6)) == (True, False)


@pytest.mark.parametrize(
    ("outer", "inner", "expected"),
    [
        ("20-39", "20-29", True),
        ("20-29", "20-39", False),
        ("85+", "90+", True),
        ("90+", "85+", False),
        ("[20, 30)", "20-29", True),
        ("20-29", "[20, 30)", True),
        ("20-29", "[20, 30]", False),
        ("(20, 30]", "[20, 30]", False),
    ],
)
def test_an_interval_includes_those_within_it(outer: str, inner: str, expected: bool) -> None:
    intervals = parse_interval(outer), parse_interval(inner)
    assert intervals[0] is not None
    assert intervals[1] is not None
    assert intervals[0].includes(intervals[1]) is expected


@pytest.mark.parametrize(
    ("first", "last", "joined"),
    [
        ("[20-30)", "[50-60)", "[20-60)"),
        ("20 - 29", "30 - 39", "20 - 39"),
        ("(0, 5]", "(5, 10]", "(0, 10]"),
        ("[0,5; 1[", "[1; 1,5[", None),
        ("<20", "20-29", None),
        ("a", "b", None),
    ],
)
def test_neighbouring_intervals_are_joined_as_they_are_written(first: str, last: str, joined: str | None) -> None:
    assert joined_intervals(first, last) == joined
