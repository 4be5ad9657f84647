"""Which of the first records is the header, told by what sets a header apart from the records below it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from metrics.encoding import BLANKS
from metrics.reading.letters import DIGITS, LETTER, WORD, YEAR

_COMMENT = re.compile(r"#|//|--|%|\*\*|!|/\*|;;|REM ")
_NUMBER = re.compile(r"[+-]?[\d.,' \u00a0]*\d[\d.,' \u00a0]*([eE][+-]?\d+)?%?", re.ASCII)
_UNITS = ("#", "%", "€", "$", "°C", "№")
_MISSING = frozenset(
    [
        "",
        "*",
        "na",
        "n/a",
        "nan",
        "null",
        "none",
        "nil",
        "missing",
        "unknown",
        "nat",
        "inf",
        "-inf",
        "infinity",
        "true",
        "false",
        "-",
        "--",
        "---",
        ".",
        "..",
        "?",
        "\\n",  # of database dumps, in lower case
        "n.a.",
        "n.d.",
        "n/d",
        "k.a.",
        "#n/a",
        "<na>",
        "suppressed",
        "other",
    ]
)
_NOTHING = ("", "-", "--", "–", "—", ".", "/", "*")
_BRACKETED = re.compile(r"\[.*\]|\(.*\)|\{.*\}|<.*>")
_SIZED = re.compile(
    r"u?int\d+|float\d+|(nullable|lowcardinality|array|fixedstring|enum\d*|datetime64|decimal\d*)\(.*\)"
)
_RATIO = re.compile(r"[^\W\d_]{1,5}/[^\W\d_]{1,5}[²2³3]?")
"""Types of databases, and units such as mg/l."""
_IN = re.compile(r"^in ")
_LENGTH = re.compile(r"\(.*\)$")
_PART = r"(dd?|tt?|mm?|mmm|yy|yyyy|jj|jjjj|hh?|ss)"
_FORMAT = re.compile(rf"{_PART}([-./: t]{_PART})+|yyyy|jjjj|icd-?\d+(-\w+)?")
"""How dates are written, and the versions of a list of codes."""
_RULE = re.compile(r"[-=─━═+:| ]+")
_LINE = re.compile(r"[-=─━═]{3}")
_DASHES = re.compile(r"[-=]+")
_NEARLY_ALL = 0.9
_TYPES = frozenset(
    [
        "int",
        "int8",
        "int16",
        "int32",
        "int64",
        "integer",
        "bigint",
        "smallint",
        "float",
        "float32",
        "float64",
        "double",
        "decimal",
        "numeric",
        "real",
        "str",
        "string",
        "text",
        "char",
        "varchar",
        "object",
        "category",
        "categorical",
        "factor",
        "date",
        "datetime",
        "time",
        "timestamp",
        "bool",
        "boolean",
        "logical",
        "nominal",
        "ordinal",
        "continuous",
        "discrete",
        "chr",
        "dbl",
        "fct",
        "lgl",
        "ts",
        "rn",
        "number",
        "mmhg",
        "deg c",
        "year",
        "years",
        "yrs",
        "month",
        "months",
        "day",
        "days",
        "hour",
        "hours",
        "minute",
        "minutes",
        "min",
        "sec",
        "kg",
        "mg",
        "µg",
        "cm",
        "mm",
        "km",
        "lb",
        "lbs",
        "inch",
        "usd",
        "eur",
        "gbp",
        "ntd",
        "twd",
        "jpy",
        "%",
        "€",
        "$",
        "£",
        "¥",
        "°c",
        "°f",
        "code",
        "codes",
        "n/a",
        "unit",
        "units",
    ]
)
"""Words that tell of a column's type or unit and are no values of it."""
_PARTS = frozenset(["total", "count", "number", "percent", "per cent", "prozent", "anzahl", "score", "s", "n"])
"""Words that name parts of a column or units where all cells do, and are values where one does alone."""
_ENOUGH = 3
_EDGES = BLANKS + "\"'"
"""What may stand around a name: behind a byte-order mark a quote is text."""


def trimmed(cells: Sequence[str]) -> list[str]:
    """Cells without the blanks around them."""
    return [cell.strip(BLANKS) for cell in cells]


def is_comment(cells: Sequence[str]) -> bool:
    """Whether a line begins with a sign that programs put before comments."""
    return bool(_COMMENT.match(cells[0].strip(BLANKS)))


def is_title(cells: Sequence[str]) -> bool:
    """Whether a line holds at most one text, as titles do, whatever delimiters follow it."""
    return sum(bool(cell) for cell in trimmed(cells)) <= 1


def are_types(cells: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Whether every cell that says anything names a type of data, a unit or a format, and none of the records' does."""
    said = [(place, cell) for place, cell in enumerate(trimmed(cells)) if cell not in _NOTHING]
    parts = _PARTS if len(said) > 1 else frozenset[str]()
    return bool(said) and all(
        (_is_type(cell.lower()) or cell.lower().strip("()[]") in parts) and cell not in _known(place, body)
        for place, cell in said
    )


def are_numbers(cells: Sequence[str]) -> bool:
    """Whether every cell is a number, which no header has but of years."""
    return all(_NUMBER.fullmatch(cell) for cell in trimmed(cells))


def is_rule(cells: Sequence[str]) -> bool:
    """Whether a line draws a rule, as programs do under a header and around a table."""
    filled = (cell for cell in cells if cell.strip(BLANKS))
    return all(_RULE.fullmatch(cell.strip(BLANKS)) for cell in filled) and any(map(_LINE.search, cells))


def contrast(cells: Sequence[str], body: Sequence[Sequence[str]]) -> float:
    """How much a record differs from those below it as a header does: above 0 if so, below 0 if it is like them.

    A word over a column of numbers, dates or codes, or a unit over numbers, tells most; a text that the column does not
    hold, though it holds few others, some.
    """
    score = 0.0
    texts = trimmed(cells)
    names = _numbers_that_name(texts)
    for place, cell in enumerate(texts):
        known = _known(place, body)
        if len(known) < min(_ENOUGH, len(body)) or not known or is_missing(cell):
            continue
        if _NUMBER.fullmatch(cell):
            score += (-1 if _of_four_digits(known) else names) if _numeric(known) > 0.5 else 0
        elif cell in known:
            score -= 1
        elif _are_numeric(known):
            score += 1 if LETTER.search(cell) or cell in _UNITS else 0
        elif shape := _shape_of_all(known):
            # One text with a figure in it shows no shape that others have.
            tells = len(known) > 1 or not LETTER.search(known[0])
            score += -1 if shape == _shape(cell) else 1 if tells and LETTER.search(cell) else 0
        elif len(known) >= 2 * len(set(known)):
            score += 0.5
    return score


def are_years_and_words(cells: Sequence[str]) -> bool:
    """Whether cells are words and years in a row, at least two, as the names of columns over time are."""
    texts = trimmed(cells)
    years = [int(text) for text in texts if YEAR.fullmatch(text)]
    in_row = len(years) > 1 and all(after - before == 1 for before, after in pairwise(years))
    return in_row and all(YEAR.fullmatch(text) or WORD.fullmatch(text) for text in texts)


def figure_places(body: Sequence[Sequence[str]]) -> list[int]:
    """Places of the columns whose known cells, at least three, are nearly all numbers, or of one shape as dates are."""
    places = []
    for place in range(min(map(len, body), default=0)):
        known = _known(place, body)
        if len(known) >= _ENOUGH and (_are_numeric(known) or _shape_of_all(known)):
            places.append(place)
    return places


def is_number(text: str) -> bool:
    """Whether a text is a number, however its thousands are grouped."""
    return _NUMBER.fullmatch(text) is not None


def is_missing(text: str) -> bool:
    """Whether a text is what many write for no value."""
    return text.lower() in _MISSING


def are_figures(texts: Sequence[str]) -> bool:
    """Whether the known texts of a column are nearly all numbers, or three or more of one shape, such as dates."""
    known = [text for text in texts if not is_missing(text)]
    if len(known) < _ENOUGH:
        return bool(known) and _numeric(known) == 1
    return _numeric(known) > _NEARLY_ALL or bool(_shape_of_all(known))


def is_second_header(cells: Sequence[str], names: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Whether the record under the header is one too: names again or labels with them, types, dashes, or words over
    all figures.
    """
    texts, titles = trimmed(cells), trimmed(names)
    if texts == titles or are_types(texts, body) or all(map(_DASHES.fullmatch, texts)):
        return True
    if len(titles) > 1 and all(title and _has_word(text, title) for text, title in zip(texts, titles, strict=False)):
        return True
    return bool(figure_places(body)) and names_figures(texts, body)


def _has_word(text: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) is not None


def is_again(cells: Sequence[str], names: Sequence[str]) -> bool:
    """Whether a record holds the names of the columns, each once, in any order and case; of one column as it is."""
    texts, titles = ([cell.strip(_EDGES) for cell in line] for line in (cells, names))
    if len(titles) == 1 or texts == titles:
        return texts == titles and any(titles)
    return all(titles) and sorted(map(str.casefold, texts)) == sorted(map(str.casefold, titles))


def names_figures(cells: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Whether a record has words over every column of figures, and differs from the records below as a header does."""
    texts = trimmed(cells)
    if any(map(_NUMBER.fullmatch, texts)):
        return False
    # A header that is repeated further down is one all the same.
    body = [record for record in body if trimmed(record) != texts]
    named = unnamed = 0
    for place in figure_places(body):
        if LETTER.search(texts[place]) or texts[place] in _UNITS:
            named += not is_missing(texts[place])
        else:
            # Not everything has a unit.
            unnamed += texts[place] not in _NOTHING
    return named > 0 and not unnamed and contrast(cells, body) > 0


def stands_over_numbering(cells: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Whether a record begins with a blank cell above records that are numbered, as in exports of data frames."""
    numbers = [record[0].strip(BLANKS) for record in body]
    if cells[0].strip(BLANKS) or len(numbers) < _ENOUGH or not all(number.isdecimal() for number in numbers):
        return False
    return all(int(after) - int(before) == 1 for before, after in pairwise(numbers))


def _is_type(word: str) -> bool:
    """Whether a text in lower case names a type, a unit or a format, be it as "in kg", "[kg]" or "varchar(20)"."""
    plain = _IN.sub("", word[1:-1] if _BRACKETED.fullmatch(word) else word)
    if _SIZED.fullmatch(plain) or _RATIO.fullmatch(plain):
        return True
    return plain in _TYPES or _LENGTH.sub("", plain) in _TYPES or _FORMAT.fullmatch(plain) is not None


def _known(place: int, body: Sequence[Sequence[str]]) -> list[str]:
    column = trimmed([record[place] for record in body if place < len(record)])
    return [text for text in column if not is_missing(text)]


def _numeric(known: Sequence[str]) -> float:
    return sum(bool(_NUMBER.fullmatch(text)) for text in known) / len(known)


def _are_numeric(known: Sequence[str]) -> bool:
    """Whether nearly all texts are numbers; one that is none may be a second line of the header."""
    strange = sum(not _NUMBER.fullmatch(text) for text in known)
    return strange <= max(len(known) > _ENOUGH, (1 - _NEARLY_ALL) * len(known))


def _shape(text: str) -> str:
    """A text with one sign for all digits in a row, and one for each letter of either case."""
    return LETTER.sub(lambda letter: "A" if letter[0].isupper() else "a", DIGITS.sub("9", text))


def _shape_of_all(known: Sequence[str]) -> str:
    """The shape that nearly all texts have, if it has figures and is no number; else nothing."""
    # Texts are known fast to have none.
    if sum(map(bool, map(DIGITS.search, known))) < _NEARLY_ALL * len(known):
        return ""
    shapes = Counter(map(_shape, known))
    shape, times = shapes.most_common(1)[0]
    return shape if "9" in shape and times >= _NEARLY_ALL * len(known) and not _NUMBER.fullmatch(shape) else ""


def _of_four_digits(known: Sequence[str]) -> bool:
    """Whether many numbers of a column could be years themselves."""
    return sum(len(text) == 4 and text.isdecimal() for text in known) > 0.2 * len(known)


def _numbers_that_name(texts: Sequence[str]) -> int:
    """What numbers in a header tell: 1 for years, 0 for numbers in a row, -1 for others."""
    figures = [text for text in texts if _NUMBER.fullmatch(text)]
    if all(map(YEAR.fullmatch, figures)) and len(set(figures)) == len(figures):
        return 1
    whole = [int(text) for text in figures if text.isdecimal()]
    in_row = len(whole) == len(figures) > 1 and all(after - before == 1 for before, after in pairwise(whole))
    return 0 if in_row else -1
