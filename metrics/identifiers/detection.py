"""Finds the columns of a table whose values look like direct identifiers, before anybody gives them roles."""

from __future__ import annotations

import ipaddress
import math
import re
from collections.abc import Callable, Mapping
from typing import Final

import pyarrow as pa

from metrics.hierarchies.builders.dates import DateForm, date_of
from metrics.hierarchies.intervals import is_code
from metrics.identifiers.checksums import is_device_number, is_iban, is_payment_card, scheme_of
from metrics.identifiers.column_names import MAX_NAME
from metrics.identifiers.kinds import Identifier, IdentifierKind, masked
from metrics.identifiers.uniqueness import MOST, Detection, Distinct, of_uniqueness
from metrics.reading import as_table
from metrics.tables.dictionary_codes import arrow_of
from metrics.tables.frames import TableLike
from metrics.tables.table import Column

_LOOKED_AT: Final = 1_000
"""Distinct values that are examined; of a column with more, about this many at equal distances."""
_LONGEST: Final = 2_000
"""Characters of a value that are examined."""
_EXAMPLES: Final = 2
_ANY: Final = 0.01
"""Share for kinds that hardly anything else resembles: a few contacts make a column identifying."""
_CERTAINTY: Final = math.log(1e6)
"""Evidence as a logarithm: by chance one column in a million has so many passing values."""

_EMAIL = re.compile(r"[^\s@,;<>\"]@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}")
"""The part of an address that tells it from other texts, wherever it stands."""
_URL = re.compile(r"(?:(?:https?|ftp)://|www\.)[\w-]+(?:\.[\w-]+)+\S{0,2000}", re.IGNORECASE)
_WITH_PLUS = re.compile(r"(?:\+|00)[1-9][\d ()./-]{5,20}\d", re.ASCII)
_NORTH_AMERICAN = re.compile(r"(?:1[ .-]?)?(?:\([2-9]\d\d\) ?|[2-9]\d\d[ .-])[2-9]\d\d[ .-]?\d{4}", re.ASCII)
_WITH_ZERO = re.compile(r"\(?0\d{1,5}\)?[ ./-]\d[\d ./-]{3,12}\d|0[1-9]\d{8,10}", re.ASCII)
_DRUG_CODE = re.compile(r"\d{4,5}-\d{3,4}-\d{1,2}", re.ASCII)
"""Form of the codes of the United States' National Drug Code Directory, many of which begin with a zero."""
_EXTENSION = re.compile(r"[ ,]{0,2}(?:x|ext\.?|extension|durchwahl)[ :]{0,2}\d{1,6}$", re.IGNORECASE | re.ASCII)
_TEN_DIGITS = re.compile(r"[2-9]\d\d[2-9]\d{6}", re.ASCII)
_PHONE_DIGITS: Final = range(9, 16)
_FULL_FORMS: Final = (DateForm.ISO_DAY, DateForm.DAY_FIRST, DateForm.DAY_FIRST_SLASH, DateForm.MONTH_FIRST)
_EIGHT_DIGITS = re.compile(r"(?:19|20)\d{6}", re.ASCII)
_SHORT_YEAR = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{2})", re.ASCII)
_SHORT_ORDERS: Final = (r"20\4-\3-\1", r"20\4-\1-\3", r"20\1-\3-\4")
"""Day, month or year first."""
_MONTH = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|jän|mär|mrz|mai|okt|dez|fév|fev|avr|juin|juil|aoû|déc"
    r"|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|out|mrt|mei|maa|maj)[^\W\d_]*\.?"
)
"""Beginnings of months in English, German, French, Spanish, Italian, Portuguese and Dutch."""
_WITH_MONTH_NAME = re.compile(
    rf"[0-9]{{1,2}}(?:st|nd|rd|th|er|º)?\.?[ .-]{{0,2}}(?:de )?{_MONTH}(?: de)?[ .,-]{{1,2}}[0-9]{{2,4}}"
    rf"|{_MONTH} [0-9]{{1,2}}(?:st|nd|rd|th)?,? [0-9]{{4}}"
    r"|[0-9]{4} ?[年년] ?[0-9]{1,2} ?[月월] ?[0-9]{1,2} ?[日일]",
    re.IGNORECASE,
)
_PAIR = re.compile(r"\(?([+-]?\d{1,2}\.\d{3,}) ?[,; ] ?([+-]?\d{1,3}\.\d{3,})\)?", re.ASCII)
_DEGREES = re.compile(r"\d{1,3}°\s?\d{1,2}['′]\s?(?:[\d.]+[\"″])?\s?[NSEWO](?:[\s,]+\d{1,3}°.{3,20})?")
_ANGLE = re.compile(r"[+-]?\d{1,3}\.\d{3,}", re.ASCII)
_ANGLE_NAME = re.compile(r"(?:^|[\W_])(?:lat|lon|lng|long|latitude|longitude)(?:$|[\W_])", re.IGNORECASE)
_ZIP = re.compile(r"\d{5}(?:-\d{4})?", re.ASCII)
_ZIP_NAME = re.compile(r"zip|plz|post(?:al)?[ _-]?(?:code|leitzahl)", re.IGNORECASE)
_NAME: Final = "table"


def direct_identifiers(table: TableLike) -> dict[str, Identifier]:
    """The columns whose values look like direct identifiers, by name, each with the kind that fits best.

    Judged by the distinct values, missing and suppressed ones left out: patterns for e-mail, web and IP addresses,
    telephone numbers, full dates, coordinates and ZIP codes; check digits for bank accounts, cards, devices and
    national numbers (python-stdnum); and uniqueness for record numbers, names and free text. A number that passes a
    check by chance does not count: the share of the values that pass decides. Names of columns are used only where
    values alone cannot tell: for ZIP codes without leading zeros, coordinates in single columns, and names and numbers
    of people that many records share.

    Parameters
    ----------
    table : Table or data frame
        The table, best before anything is anonymized.

    Returns
    -------
    dict of str to Identifier
        In the order of the columns; columns that look like nothing of this are left out.
    """
    converted = as_table(table, _NAME)
    identifiers = (identifier_of(column) for column in converted.columns)
    return {identifier.column: identifier for identifier in identifiers if identifier is not None}


def identifier_of(column: Column) -> Identifier | None:
    """Find what a column's values identify people by, or None. Judged once for each column, as long as it is held."""
    return column.memoize(_identifier_of)


def _identifier_of(column: Column) -> Identifier | None:
    values = column.values.filter(arrow_of(column.shown))
    if not len(values):
        return None
    step = max(1, len(values) // _LOOKED_AT)
    sample = [value[:_LONGEST] for value in values.take(pa.array(range(0, len(values), step))).to_pylist()]
    name = column.name[:MAX_NAME]
    records = column.counts()[column.shown]
    unique = of_uniqueness(Distinct(name, values, column.decimal, sample, int(records.sum()), int(records.max())))
    detection = _of_format(name, sample) or unique
    if detection is None:
        return None
    if detection[0] is IdentifierKind.ZIP_CODE and unique is not None and not _ZIP_NAME.search(name):
        # Numbers such as 00042 that no two records share; no such number has four more digits.
        detection = detection if any("-" in value for value in sample) else unique
    kind, n_matching, scheme = detection
    examples = tuple(masked(value) for value in sample[:_EXAMPLES])
    return Identifier(column.name, kind, n_matching / len(sample), len(values), examples, scheme)


def _of_format(name: str, sample: list[str]) -> Detection | None:
    """The kind that the form of the values shows, the surest first."""
    for kind, (check, chance) in _CHECKS.items():
        n_matching = sum(map(check, sample))
        if n_matching and _suffices(n_matching, len(sample), chance):
            return kind, n_matching, None
    scheme = scheme_of(sample, lambda number, total: _suffices(number, total, 0.15))
    if scheme is not None:
        return IdentifierKind.NATIONAL_NUMBER, scheme[1], scheme[0]
    for kind, count_matching in _LOOKS.items():
        n_matching = count_matching(name, sample)
        if n_matching:
            return kind, n_matching, None
    return None


def _suffices(number: int, total: int, chance: float) -> bool:
    """Whether a number of passing values is evidence, where any other value passes with this chance.

    Chernoff's bound on the probability of as many by chance; see Mitzenmacher and Upfal, Probability and Computing,
    chapter 4. Where nothing else passes (a chance of 0), a hundredth of the values is enough.
    """
    share = number / total
    if chance == 0:
        return share >= _ANY
    if share < MOST:
        return False
    divergence = share * math.log(share / chance)
    if share < 1:
        divergence += (1 - share) * math.log((1 - share) / (1 - chance))
    return total * divergence >= _CERTAINTY


def _is_ip_address(value: str) -> bool:
    """Whether it is an IP address; four small numbers could as well be a version, and do not pass."""
    try:
        address = ipaddress.ip_address(value)
    except ValueError:
        return False
    return address.version == 6 or max(address.packed) > 31


_CHECKS: Mapping[IdentifierKind, tuple[Callable[[str], bool], float]] = {
    IdentifierKind.EMAIL: (lambda value: _EMAIL.search(value) is not None, 0),
    IdentifierKind.URL: (lambda value: _URL.fullmatch(value) is not None, 0),
    IdentifierKind.IP_ADDRESS: (_is_ip_address, 0.02),
    IdentifierKind.IBAN: (is_iban, 0),
    IdentifierKind.PAYMENT_CARD: (is_payment_card, 0.1),
    IdentifierKind.DEVICE_NUMBER: (is_device_number, 0.1),
}
"""For each kind, a check of a value and the chance that any other value passes it; by falling certainty."""


def _phones(name: str, sample: list[str]) -> int:
    """Values written as telephone numbers; ten bare digits could be anything, so nearly all must be possible ones."""
    numbers = [_EXTENSION.sub("", value) for value in sample]
    n_formatted = sum(
        any(form.fullmatch(value) for form in (_WITH_PLUS, _NORTH_AMERICAN, _WITH_ZERO))
        and not _DRUG_CODE.fullmatch(value)
        and sum(map(str.isdigit, value)) in _PHONE_DIGITS
        for value in numbers
    )
    if _suffices(n_formatted, len(sample), 0.05):
        return n_formatted
    n_bare = sum(_TEN_DIGITS.fullmatch(value) is not None for value in sample)
    # 8 of 10 digits may begin an area code, and 8 of 10 an exchange.
    return n_bare if n_bare >= 0.98 * len(sample) and _suffices(n_bare, len(sample), 0.64) else 0


def _dates(name: str, sample: list[str]) -> int:
    """Values that are days, in the form that fits most of them."""
    counts = [sum(date_of(value, form) is not None for value in sample) for form in _FULL_FORMS]
    short = [match for match in map(_SHORT_YEAR.fullmatch, sample) if match is not None]
    counts += [
        sum(date_of(match.expand(iso), DateForm.ISO_DAY) is not None for match in short) for iso in _SHORT_ORDERS
    ]
    iso_dates = [f"{value[:4]}-{value[4:6]}-{value[6:]}" for value in sample if _EIGHT_DIGITS.fullmatch(value)]
    counts.append(sum(date_of(value, DateForm.ISO_DAY) is not None for value in iso_dates))
    counts.append(sum(_WITH_MONTH_NAME.fullmatch(value) is not None for value in sample))
    best = max(counts)
    return best if _suffices(best, len(sample), 0.01) else 0


def _coordinates(name: str, sample: list[str]) -> int:
    """Values that are a latitude and a longitude, or one of them where the column's name says so."""
    n_matching = sum(_is_pair(value) or _DEGREES.fullmatch(value) is not None for value in sample)
    if _suffices(n_matching, len(sample), 0.01):
        return n_matching
    if not _ANGLE_NAME.search(name):
        return 0
    n_angles = sum(_ANGLE.fullmatch(value) is not None and abs(float(value)) <= 180 for value in sample)
    return n_angles if n_angles >= MOST * len(sample) else 0


def _is_pair(value: str) -> bool:
    match = _PAIR.fullmatch(value)
    return match is not None and abs(float(match[1])) <= 90 and abs(float(match[2])) <= 180


def _zip_codes(name: str, sample: list[str]) -> int:
    """Five digits throughout, some with a leading zero or with four more digits, or in a column named so."""
    n_matching = sum(_ZIP.fullmatch(value) is not None for value in sample)
    if n_matching < MOST * len(sample):
        return 0
    n_certain = sum(_ZIP.fullmatch(value) is not None and (is_code(value) or "-" in value) for value in sample)
    name_matches = _ZIP_NAME.search(name) is not None
    return (
        n_matching if name_matches or (n_matching == len(sample) > 5 and n_certain >= max(2, _ANY * len(sample))) else 0
    )


_LOOKS: Mapping[IdentifierKind, Callable[[str, list[str]], int]] = {
    IdentifierKind.DATE: _dates,
    IdentifierKind.PHONE: _phones,
    IdentifierKind.COORDINATES: _coordinates,
    IdentifierKind.ZIP_CODE: _zip_codes,
}
"""For each kind, how many of the values are of this kind, 0 if these are too few; a column's name may help."""
