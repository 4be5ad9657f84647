"""The delimiter and quote of a delimited text, told by a sample of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from metrics.reading.lexer import ONE_COLUMN, Record, records, sample_lines

DELIMITERS = ("\t", ";", "|", ",")
"""Candidates; of two that divide a sample equally well the first wins, for commas and bars also stand in prose."""
RARE_DELIMITERS = ("^", "~", "¦", "¬", "§", "¶", "\x01", "\x02", "\x1c", "\x1d", "\x1e", ONE_COLUMN)
"""Signs that stand in hardly any text, and so divide it where they stand equally often in every line."""
DOUBTFUL_DELIMITERS = (":", " ", "/", "!", "#", "&", "@", "=", "_", "*", "+", "$", "%")
"""Signs that divide some files and are text in most."""

_SAMPLE_RECORDS = 200
_FIRST_QUOTED = re.compile(r'\ufeff?"(?:[^"]|"")*"([\t;|,])')
_NEVER_TEXT = ("\t", "\x01", "\x02", "\x1c", "\x1d", "\x1e", ONE_COLUMN)
EDGE = r"[\t;|,^~:¦¬§¶\x01\x02\x1c-\x1f]"
"""Signs that may divide cells, and so stand before a quote that opens one."""
_SINGLE_QUOTED = re.compile(rf"(?:^|{EDGE}) *'(?:[^'\r\n]|'')*' *(?={EDGE}|[\r\n]|$)", re.MULTILINE)
_DOUBLE_QUOTED = re.compile(rf'(?:^|{EDGE}) *"', re.MULTILINE)
_SIGNS = re.compile(
    r"[^\w\s\"'`\u2018-\u201e«»€£¥$%°²³\\.()\[\]{}<>*?-]\t"
    # The plus before a figure belongs to it.
    r"|[^\w\s\"'`\u2018-\u201e«»€£¥$%°²³\\.()\[\]{}<>*?-]{2,6}(?<!\+(?=\d))|\t{2,4}"
)
GAP = re.compile(r"\S {2,}\S")
"""Blanks that align what follows them."""
_LINES_OF_SIGNS = 20
_MOST_AGREE = 0.6
_NEARLY_ALL_AGREE = 0.8
_NEARLY_ALL = 0.8
_APART = "\0"
"""What no cell holds, between cells of a line that is searched as a whole."""


@dataclass(frozen=True)
class Dialect:
    """How the lines of a file divide into cells.

    `delimiter` is None for a table of one column; `quote` is empty if the file quotes nothing, `escape` if no sign
    makes the next one text. `spaced`: blanks may stand between delimiters and quotes.
    """

    delimiter: str | None
    quote: str
    escape: str = ""
    spaced: bool = False

    @property
    def separator(self) -> str:
        """The delimiter that readers are given."""
        return self.delimiter or ONE_COLUMN

    @property
    def plain(self) -> bool:
        """Whether pyarrow can read it: a delimiter of one ASCII character, no escapes, no blanks beside quotes."""
        return len(self.separator) == 1 and self.separator.isascii() and not self.escape and not self.spaced

    def records(self, lines: Iterable[str], *, keep: bool = True) -> Iterator[Record]:
        """The records of lines; `keep`: see `metrics.reading.lexer.records`."""
        return records(lines, self.separator, self.quote, escape=self.escape, spaced=self.spaced, keep=keep)


@dataclass(frozen=True)
class Division:
    """What a delimiter makes of a sample: the width of the table, and whether the first record has it."""

    delimiter: str | None
    width: int = 1
    first_has_it: bool = True
    rival: str | None = None
    """Another delimiter that divides header and records without exception."""


def find_quote(text: str) -> str:
    """The quote character: the apostrophe only where most lines hold a cell between two of them."""
    if _DOUBLE_QUOTED.search(text):
        return '"'
    lines = [line for line in sample_lines(text) if line.strip()]
    quoted = sum(_SINGLE_QUOTED.search(line) is not None for line in lines)
    return "'" if lines and 2 * quoted > len(lines) else '"'


def find_delimiter(text: str, complete: bool, quote: str) -> str | None:
    """The delimiter of rows without a header; None for one column.

    The commonest number of fields is what the others must agree with, and where the first cell is quoted the sign
    after it settles the matter.
    """
    if quote == '"' and (first := _FIRST_QUOTED.match(text)):
        return first[1]
    best: tuple[float, float, int] = (0.0, 0.0, 1)
    chosen: str | None = None
    for candidate in DELIMITERS:
        widths = [len(record.cells) for record in sample(text, complete, Dialect(candidate, quote))]
        if not widths:
            return None
        expected = Counter(widths).most_common(1)[0][0]
        agreeing, divided = _shares(widths, expected)
        score = (agreeing, divided, expected)
        if expected > 1 and divided >= 0.5 and score > best:
            best, chosen = score, candidate
    return chosen


def divide(text: str, complete: bool, dialect: Dialect, skipped: int) -> Division:
    """The delimiter, whatever the dialect says, that gives most records as many fields, more than one, as the header.

    Where none does, one that gives most records the same number of fields, and the first another: lines stand before
    the header, or it is damaged. Delimiters of several characters are those that the first lines show. A rival is
    another that divides all records and the header as well, or nearly all of them into more fields.
    """
    best: tuple[float, float, bool, int] = (0.0, 0.0, False, 1)
    chosen = Division(None)
    perfect: dict[str, list[Record]] = {}
    of_header: Division | None = None
    near: list[tuple[int, str]] = []
    evenly: list[tuple[tuple[float, float, bool], str, list[Record]]] = []
    for candidate in candidates(text, skipped):
        divided_so = sample(text, complete, replace(dialect, delimiter=candidate), skipped)
        widths = [len(record.cells) for record in divided_so]
        if not widths:
            return chosen
        found = _expected(widths)
        if found is None:
            if widths[0] > 1 and candidate in DELIMITERS:
                of_header = of_header or Division(candidate, widths[0])
            continue
        width, from_header = found
        agreeing, divided = _shares(widths[1:] or widths, width)
        if agreeing < _MOST_AGREE and candidate not in DELIMITERS:
            continue
        if len(set(candidate)) < len(candidate) and not _never_single(text, candidate, skipped):
            continue
        score = (agreeing, divided, from_header, width)
        if candidate in DELIMITERS or candidate in RARE_DELIMITERS or len(candidate) > 1:
            evenly.append((score[:3], candidate, divided_so))
        if candidate in DELIMITERS and score[:3] == (1.0, 1.0, True):
            perfect[candidate] = divided_so
        elif candidate in DELIMITERS and from_header and agreeing >= _NEARLY_ALL_AGREE:
            near.append((width, candidate))
        # A delimiter of several signs comes before the signs it is made of, which leave empty cells or rests of it.
        part = candidate in (chosen.delimiter or "")
        if score > best and not (part and score[:3] <= best[:3]):
            best, chosen = score, Division(candidate, width, from_header)
    if chosen.delimiter in DELIMITERS and (other := _not_text(chosen, best[:3], evenly)):
        return other
    if chosen.delimiter in perfect and len(perfect) > 1:
        return _without_rival(chosen, perfect)
    if chosen.delimiter in perfect and (
        rival := _ragged_rival(chosen.delimiter, chosen.width, perfect[chosen.delimiter], True)
        or _doubtful_rival(chosen.width, perfect[chosen.delimiter], _rarer(chosen.delimiter, evenly))
    ):
        return replace(chosen, rival=rival)
    if chosen.delimiter in perfect and max(near, default=(0, ""))[0] > chosen.width:
        # A few lines that are no records hide that it divides into more cells.
        return replace(chosen, rival=max(near)[1])
    if chosen.delimiter in DELIMITERS:
        divided_so = sample(text, complete, replace(dialect, delimiter=chosen.delimiter), skipped)
        rival = _ragged_rival(chosen.delimiter, chosen.width, divided_so) or _doubtful_rival(
            chosen.width, divided_so, _rarer(chosen.delimiter, evenly)
        )
        return replace(chosen, rival=rival)
    if chosen.delimiter is not None and (sign := _single_rival(chosen.delimiter, evenly)):
        return replace(chosen, rival=sign)
    # A header that is divided over records that are not: a ragged table rather than a column with a comma in its name.
    return chosen if chosen.delimiter is not None or of_header is None else of_header


def _not_text(
    chosen: Division,
    score: tuple[float, float, bool],
    evenly: list[tuple[tuple[float, float, bool], str, list[Record]]],
) -> Division | None:
    """The one delimiter that divides as evenly as the chosen one, where that one is a sign of text in its cells."""
    alike = {sign: found for other, sign, found in evenly if other == score}
    if len(alike) < 2 or not all(
        _is_text(chosen.delimiter or "", alike[sign]) for sign in alike if sign != chosen.delimiter
    ):
        return None
    able = [
        sign
        for sign in alike
        if sign != chosen.delimiter
        and not _is_text(sign, alike[chosen.delimiter or ""])
        and all(_is_text(other, alike[sign]) for other in alike if other not in sign)
    ]
    # Several signs are made of single ones.
    longest = max(able, key=len, default="")
    if not longest or any(sign not in longest for sign in able):
        return None
    width = Counter(len(record.cells) for record in alike[longest][1:] or alike[longest]).most_common(1)[0][0]
    return Division(longest, width, rival=_wider(width, alike))


def _single_rival(chosen: str, evenly: list[tuple[tuple[float, float, bool], str, list[Record]]]) -> str | None:
    """A usual delimiter that divides every line evenly, not as in text, where a rarer one was chosen for no more."""
    own = next((found for _, sign, found in evenly if sign == chosen), [])
    width = max((len(record.cells) for record in own), default=0)
    return next(
        (
            sign
            for (agreeing, divided, _), sign, found in evenly
            if sign in DELIMITERS
            and sign not in chosen
            and agreeing == divided == 1
            and len(found[-1].cells) >= width
            and not _is_text(sign, own)
        ),
        None,
    )


def _without_rival(chosen: Division, perfect: dict[str, list[Record]]) -> Division:
    """The delimiter of several that all divide header and records evenly, where the others are signs of text."""
    able = [
        sign
        for sign in perfect
        if all(_is_text(other, perfect[sign]) for other in perfect if other != sign)
        and not any(_is_text(sign, perfect[other]) for other in perfect if other != sign)
    ]
    if len(able) == 1:
        width = len(perfect[able[0]][0].cells)
        return Division(able[0], width, rival=_wider(width, perfect))
    return replace(chosen, rival=next(sign for sign in perfect if sign != chosen.delimiter))


def _wider(width: int, perfect: dict[str, list[Record]]) -> str | None:
    """A delimiter that always has a blank behind it and divides each line into more cells, as no text does."""
    return next(
        (
            sign
            for sign, found in perfect.items()
            if len(found[0].cells) > width
            and all(cell[:1] in ("", " ") for record in found for cell in record.cells[1:])
        ),
        None,
    )


def _ragged_rival(delimiter: str, width: int, found: list[Record], even: bool = False) -> str | None:
    """Another sign that stands in the header and nearly all records, and not as in text: a few ragged lines hide that
    it divides into as many cells as the delimiter or more.

    What stands between quotes is text. Where the delimiter itself stands as in text, rarer signs are rivals too, and
    the first line may be none that they divide. `even`: no line is ragged, so that elsewhere only signs that hardly
    any text holds are rivals.
    """
    as_text = _is_text(delimiter, [Record(record.line, [delimiter.join(record.cells)]) for record in found])
    # Lines that are no titles.
    found = found[next((place for place, record in enumerate(found) if len(record.cells) == width), 0) :]
    bare = [replace(record, cells=unquoted(record)) for record in found]
    nameless = not all(cell.strip() for cell in found[0].cells)
    rarer = [sign for sign in DOUBTFUL_DELIMITERS if sign not in " _"] if as_text else []
    held = _APART.join(cell for record in bare for cell in record.cells)
    for sign in (*DELIMITERS, *_NEVER_TEXT[1:], *rarer) if as_text or not even else _NEVER_TEXT:
        if sign not in held:
            continue
        first, *times = [sum(cell.count(sign) for cell in record.cells) for record in bare]
        without = times.count(0)
        if sign == delimiter or without == len(times) or without > max(1, (1 - _NEARLY_ALL) * len(times)):
            continue
        cells = Counter(times).most_common(1)[0][0] + 1
        of_header = first and (max(first + 1, cells) >= width or (as_text and sign in DELIMITERS))
        below_it = (as_text and cells > width and not without and sign in DELIMITERS) or (
            even and not as_text and nameless and cells >= width
        )
        if (of_header or below_it) and (not _is_text(sign, bare) or (of_header and as_text and sign in DELIMITERS)):
            return sign
    return None


def _rarer(chosen: str, evenly: list[tuple[tuple[float, float, bool], str, list[Record]]]) -> list[str]:
    """The signs of few texts that divide lines evenly, without those that the chosen one is a part of."""
    return [sign for _, sign, _ in evenly if sign not in DELIMITERS and chosen not in sign]


def _doubtful_rival(width: int, found: list[Record], rare: list[str]) -> str | None:
    """Another sign that stands equally often in the header and nearly all records: one that is text in most files, if
    it would divide them into more cells, or one of the `rare`, if into as many.
    """
    # Lines that are no titles.
    found = found[next((place for place, record in enumerate(found) if len(record.cells) == width), 0) :]
    texts = [_APART.join(unquoted(record)) for record in found]
    for sign in (*rare, *DOUBTFUL_DELIMITERS):
        first = texts[0].count(sign)
        if sign in " _" or (not first and sign not in rare):
            continue
        times = [text.count(sign) for text in texts[1:]]
        least = width - 1 if sign in rare else max(2, width)
        # The first line may be a title that the delimiter divides as well.
        number = first or (times[0] if len(times) > 1 else 0)
        if number < least or times.count(number) < _NEARLY_ALL * len(times):
            continue
        ends = {text.rpartition(sign)[2] for text in texts}
        below = [replace(record, cells=unquoted(record)) for record in found[1:]]
        if (sign in rare and len(ends) > 1) or (sign not in rare and not _is_text(sign, below)):
            return sign
    return None


def unquoted(record: Record) -> list[str]:
    """The cells of a record that do not stand between quotes."""
    return [cell for place, cell in enumerate(record.cells) if place not in record.quoted]


def _is_text(sign: str, records: list[Record]) -> bool:
    """Whether a sign within cells always has a blank behind it alone, or figures on both sides, as in text."""
    if sign in _NEVER_TEXT:
        return not any(sign in cell for record in records for cell in record.cells)
    within = re.compile(rf"{re.escape(sign)}(?! )(?<!\d{re.escape(sign)}(?=\d))|(?<= ){re.escape(sign)} ")
    return not any(within.search(cell) for record in records for cell in record.cells)


def doubtful_delimiter(text: str, complete: bool, dialect: Dialect, skipped: int) -> str | None:
    """A sign that most records of a table taken for one column hold equally often, and so may divide it.

    Dates, times and pairs of names are common cells of one column: where the header has no such sign, they are text.
    """
    for candidate in (*candidates(text, skipped), *DOUBTFUL_DELIMITERS):
        found = sample(text, complete, replace(dialect, delimiter=candidate), skipped)
        widths = Counter(len(record.cells) for record in found[1:] or found)
        width, times = widths.most_common(1)[0] if widths else (1, 0)
        header = len(found[0].cells) if found else 0
        few = 1 if candidate not in (*DELIMITERS, *DOUBTFUL_DELIMITERS) else 2
        everywhere = header > few and sum(widths[one] for one in widths if one > 1) >= _NEARLY_ALL * widths.total()
        if not widths or width < 2 or not (everywhere or times > _MOST_AGREE * len(found[1:] or found)):
            continue
        parts = [part for record in found[1:] for part in record.cells if len(record.cells) == width]
        if header == 1 and (all(part.strip().isdigit() for part in parts) or (width == 2 and len(found[1].cells) == 2)):
            named = candidate in (" ", ":", "/") or not found[1:]
            if named and not (len(found) > 2 and all(part.isalpha() for part in found[1].cells) and candidate == ":"):
                continue
        return candidate
    return None


def is_aligned(text: str, skipped: int) -> bool:
    """Whether blanks align the cells of most lines, as in files of fixed widths."""
    shown = islice(sample_lines(text), skipped, skipped + _SAMPLE_RECORDS)
    lines = [line.strip() for line in shown if line.strip()]
    if len(lines) < 2 or len(lines[0].split()) < 2:
        return False
    gaps = sum(GAP.search(line) is not None for line in lines)
    alike = sum(len(line.split()) == len(lines[0].split()) for line in lines)
    return 2 * gaps >= len(lines) if GAP.search(lines[0]) else gaps > 0 and alike > _MOST_AGREE * len(lines)


def _never_single(text: str, sign: str, skipped: int) -> bool:
    """Whether the first line with a part of a sign made of equal ones holds it as a whole: they are no empty cells."""
    lines = islice(sample_lines(text), skipped, None)
    first = next((line for line in lines if any(part in line for part in sign)), "")
    return sign in first and not any(part in first.replace(sign, "") for part in sign)


def sample(text: str, complete: bool, dialect: Dialect, skipped: int = 0) -> list[Record]:
    """The first whole records of a text after `skipped` lines, without blank lines; all but the last if incomplete."""
    # What is skipped need not divide as the records do.
    lines = islice(sample_lines(text), skipped, None)
    found = [
        replace(record, line=record.line + skipped) if skipped else record
        for record in islice(dialect.records(lines), 2 * _SAMPLE_RECORDS)
        if not record.blank
    ]
    if not complete and len(found) <= _SAMPLE_RECORDS:
        found = found[:-1]
    return found[:_SAMPLE_RECORDS]


def _shares(widths: list[int], expected: int) -> tuple[float, float]:
    agreeing = sum(width == expected for width in widths) / len(widths)
    divided = sum(width > 1 for width in widths) / len(widths)
    return round(agreeing, 2), round(divided, 2)


def _expected(widths: list[int]) -> tuple[int, bool] | None:
    """The width of the table, and whether it is the header's; None where records have none in common above 1."""
    header, body = widths[0], widths[1:] or widths[:1]
    agreeing, divided = _shares(body, header)
    common, times = Counter(body).most_common(1)[0]
    # A header that half of the records agree with is one; else what most agree on says that it is none.
    if header > 1 and divided >= 0.5 and (agreeing >= 0.5 or not (common > 1 and times > _MOST_AGREE * len(body))):
        return header, True
    if common > 1 and common != header and times >= 2 and times > _MOST_AGREE * len(body):
        return common, False
    return None


def candidates(text: str, skipped: int) -> Iterator[str]:
    """The signs that may divide a text's lines: several that many of the first lines hold, and single ones."""
    lines = islice(sample_lines(text), skipped, skipped + 2 * _LINES_OF_SIGNS)
    head = [line for line in lines if line.strip()][:_LINES_OF_SIGNS]
    runs = Counter(run for line in head for run in dict.fromkeys(_SIGNS.findall(line)))
    # Several signs that stand in half of the first lines, the longest first.
    several = [run for run, lines in runs.items() if lines >= 2 and 2 * lines >= len(head)]
    yield from sorted(several, key=len, reverse=True)
    shown = "".join(head)
    yield from DELIMITERS
    yield from (sign for sign in RARE_DELIMITERS if sign in shown)
