"""Which of the first records is the header, told by what sets a header apart from the records below it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from metrics.encoding import BLANKS

_COMMENT = re.compile(r"#|//|--|%|\*\*|!|/\*|;;|rem\b", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?[\d.,' \u00a0]*\d[\d.,' \u00a0]*([eE][+-]?\d+)?%?", re.ASCII)
_LETTER = re.compile(r"[^\W\d_]")
_MISSING = frozenset(
    ("", "*", "na", "n/a", "nan", "null", "none", "nil", "missing", "unknown", "nat", "inf", "-inf", "infinity", "true")
)
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
        "number",
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
_FOOTER = re.compile(
    r"\W*(grand )?(sub)?(total|sum|summe|gesamt|somme|suma|totale|count|average|mean)s?\b"
    r"|\W*(end|eof|fin|ende)( of \w+( \w+)?)?\W*$"
    r"|\W*(source|sources|note|notes|footnote|generated|exported|created|printed|report|page|copyright|quelle|"
    r"stand|as of|date|©)\b.*[\s:]"
    r"|\W*\d[\d,.]* (rows?|records?|lines?|entries|datensätze|zeilen)\b.*"
    r"|\W*(rows?|records?|lines?)\b.*\d"
    r"|(合計|總計|总计|资料来源|資料來源|註|注|备注|備註|共)",
    re.IGNORECASE,
)
_ENOUGH = 3


def trimmed(cells: Sequence[str]) -> list[str]:
    """Cells without the blanks around them."""
    return [cell.strip(BLANKS) for cell in cells]


def is_comment(cells: Sequence[str]) -> bool:
    """Whether a line begins with a sign that programs put before comments."""
    return bool(_COMMENT.match(cells[0].strip(BLANKS)))


def is_title(cells: Sequence[str]) -> bool:
    """Whether a line holds at most one text, as titles do, whatever delimiters follow it."""
    return sum(bool(cell) for cell in trimmed(cells)) <= 1


def is_footer(cells: Sequence[str]) -> bool:
    """Whether a line begins as totals, sources and counts of records under a table do."""
    first = next((cell for cell in trimmed(cells) if cell), "")
    return not first or bool(_FOOTER.match(first)) or is_comment([first])


def are_types(cells: Sequence[str]) -> bool:
    """Whether every cell names a type of data."""
    words = [re.sub(r"\(.*\)$", "", cell.lower()) for cell in trimmed(cells) if cell.strip(BLANKS)]
    return bool(words) and all(word in _TYPES for word in words)


def are_numbers(cells: Sequence[str]) -> bool:
    """Whether every cell is a number, which no header has but of years."""
    return all(_NUMBER.fullmatch(cell) for cell in trimmed(cells))


def contrast(cells: Sequence[str], body: Sequence[Sequence[str]]) -> float:
    """How much a record differs from those below it as a header does: above 0 if so, below 0 if it is like them.

    A word over a column of numbers tells most; a text that the column does not hold, though it holds few others, some.
    """
    score = 0.0
    for place, cell in enumerate(trimmed(cells)):
        column = trimmed([record[place] for record in body if place < len(record)])
        known = [text for text in column if text.lower() not in _MISSING]
        if len(known) < min(_ENOUGH, len(body)) or not known:
            continue
        numeric = sum(bool(_NUMBER.fullmatch(text)) for text in known) / len(known)
        if cell.lower() in _MISSING:
            continue
        if _NUMBER.fullmatch(cell):
            score -= 1 if numeric > 0.5 else 0
        elif numeric > 0.9 and _LETTER.search(cell):
            score += 1
        elif cell in known:
            score -= 1
        elif len(known) >= 2 * len(set(known)):
            score += 0.5
    return score


def numeric_places(body: Sequence[Sequence[str]]) -> list[int]:
    """Places of the columns whose known cells are all numbers, at least three of them."""
    places = []
    for place in range(min(map(len, body), default=0)):
        known = [cell for cell in trimmed([record[place] for record in body]) if cell.lower() not in _MISSING]
        if len(known) >= _ENOUGH and all(_NUMBER.fullmatch(cell) for cell in known):
            places.append(place)
    return places


def is_second_header(cells: Sequence[str], names: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Whether the record under the header is one too: the names again, types, or words over every column of numbers."""
    texts = trimmed(cells)
    if texts == trimmed(names) or are_types(texts):
        return True
    places = numeric_places(body)
    return (
        bool(places)
        and all(_LETTER.search(texts[place]) or texts[place] in ("%", "€", "$", "°C") for place in places)
        and not any(texts[place].lower() in _MISSING for place in places)
        and contrast(cells, body) > 0
    )
