"""The line below the header: column numbers, units, labels or notes, which are a part of it rather than a record."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import prod

from metrics.reading.footers import is_label, is_note, is_statistic
from metrics.reading.headers import are_years_and_words, contrast, is_missing, trimmed
from metrics.reading.letters import DIGIT, LETTER, WORD, YEAR

_NUMBERED = re.compile(r"(\D*)(\d+)(\D*)")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BRACKETED = re.compile(r"\[\D*\]|\(\D*\)|\{\D*\}|<.*>", re.DOTALL)
_TYPED = re.compile(r"#!\{\w+\}.*")
_COUNT = re.compile(r"n\s*=\s*\d+", re.IGNORECASE)
_BOUNDARY = re.compile(r"\W|\Z")
_INTEGER = re.compile(r"[+-]?\d+", re.ASCII)
_TWO = 2
_NEARLY_ALL = 0.8
_HARDLY_EVER = 0.125
_LONG = 3
"""Letters of a word beyond codes, and columns from which on numbers in a row are no chance."""


def is_part_of_header(cells: Sequence[str], names: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Whether the line below the names rather counts, describes or labels the columns than being like the records."""
    texts, titles = trimmed(cells), trimmed(names)
    if _TYPED.match(texts[0]):
        return True
    while len(titles) > 1 and not titles[-1] and not texts[-1]:
        titles.pop()
        texts.pop()
    columns = [[text for text in trimmed([line[place] for line in body]) if text] for place in range(len(texts))]
    if _is_note_or_total(texts, columns[0]) or _is_count(texts, columns[0]) or _is_first_number(texts, columns[0]):
        return True
    if not all(texts) or len(set(texts)) < len(texts):
        return _are_bracketed(texts, columns) or _repeat_a_word(texts, columns)
    return (
        _are_numbers_of_columns(texts, columns)
        or _are_bracketed(texts, columns)
        or _are_labels(texts, columns)
        or (are_years_and_words(texts) and not _hold_years(columns))
        or _add_to_names(texts, titles, columns)
        or _say_names_again(texts, titles, columns)
        or (
            _name_no_more_than_places(titles)
            and _are_names_of_texts(texts, columns)
            and contrast(texts, body) >= 0
            and (not _are_default_names(titles) or _share_unseen(columns) <= _HARDLY_EVER)
        )
    )


def _is_note_or_total(texts: Sequence[str], below: Sequence[str]) -> bool:
    """Whether the first cell is a note or label of totals, with nothing or figures beside it, and none below is."""
    first, rest = texts[0], [text for text in texts[1:] if text]
    if len(texts) == 1 or not (is_label(first) or (is_note(first) and not rest)):
        return False
    if not all(DIGIT.search(text) and not LETTER.search(text) for text in rest):
        return False
    return not any(is_note(text) or is_label(text) or is_statistic(text) for text in below)


def _is_count(texts: Sequence[str], below: Sequence[str]) -> bool:
    """Whether the one cell counts the records, as none below does."""
    return len(texts) == 1 and bool(_COUNT.fullmatch(texts[0])) and not any(map(_COUNT.fullmatch, below))


def _is_first_number(texts: Sequence[str], below: Sequence[str]) -> bool:
    """Whether the one cell numbers the column, above several texts none of which is a number."""
    return texts in (["0"], ["1"]) and len(below) >= _LONG and not any(map(_INTEGER.fullmatch, below))


def _are_numbers_of_columns(texts: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    """Whether cells count the columns, as `1`, `(1)` or `v1` from the first on, and the records below do not."""
    signs = [(match[1], int(match[2]), match[3]) if (match := _NUMBERED.fullmatch(text)) else None for text in texts]
    filled = [column for column in columns if column]
    if len(texts) < _TWO or signs[0] is None or signs[0][1] not in (0, 1) or not filled:
        return False
    before, first, behind = signs[0]
    if signs != [(before, number, behind) for number in range(first, first + len(texts))]:
        return False
    if before:
        return not any(_NUMBERED.fullmatch(text) and text.startswith(before) for column in columns for text in column)
    integers = [any(_INTEGER.fullmatch(text) for text in column) for column in filled]
    enough = 1 if len(texts) >= _LONG else _TWO
    of_text = [len(column) >= enough and not any(map(DIGIT.search, column)) for column in filled]
    long = bool(columns[0]) and all(len(text) > _LONG for text in columns[0])
    if not integers[0] or long or any(of_text) or (len(texts) >= _LONG and not all(integers)):
        return True
    if len(texts) >= _LONG and any(len(column) >= _LONG and min(map(len, column)) > _LONG for column in columns):
        # A single figure over long ones.
        return True
    numbered = zip(columns, range(first, first + len(texts)), strict=True)
    return any(_counts_on(column) and int(column[0]) - 1 != number for column, number in numbered)


def _counts_on(column: Sequence[str]) -> bool:
    """Whether cells are numbers in a row."""
    if len(column) < _LONG or not all(map(_INTEGER.fullmatch, column)):
        return False
    return all(int(after) - int(before) == 1 for before, after in pairwise(column))


def _hold_years(columns: Sequence[Sequence[str]]) -> bool:
    """Whether a column holds years more often than other numbers."""
    return any(2 * sum(map(bool, map(YEAR.fullmatch, column))) > len(column) for column in columns)


def _add_to_names(texts: Sequence[str], names: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    """Whether a cell is its column's name with an ending, such as a language, as none below is."""
    return any(
        len(name) > 1 and text.startswith(name + "_") and not any(other.startswith(name) for other in column)
        for text, name, column in zip(texts, names, columns, strict=False)
    )


def _say_names_again(texts: Sequence[str], names: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    """Whether cells, both of two, are names, or a name and more words, whatever column's, and no record holds any."""
    if any(is_missing(text) or text in column for text, column in zip(texts, columns, strict=True)):
        return False
    known = {name.casefold() for name in names if len(name) > _TWO}
    # No longer than a name and a sign: a cell can be of any length.
    longest = max(map(len, known), default=0) + 1
    starts = [text.casefold()[:longest] for text in texts]
    said = [any(start[: end.start()] in known for end in _BOUNDARY.finditer(start)) for start in starts]
    return sum(said) >= (_TWO if len(texts) == _TWO else 1) and all(columns)


def _are_bracketed(texts: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    """Whether all that cells say is in brackets, as units are, and none of the records is."""
    said = [(text, column) for text, column in zip(texts, columns, strict=True) if text]
    return (
        len(said) > 0
        and all(_BRACKETED.fullmatch(text) for text, _ in said)
        and not any(_BRACKETED.fullmatch(other) for _, column in said for other in column)
    )


def _repeat_a_word(texts: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    """Whether all that cells say is words, some in several columns, and none of them stands below in any of its own."""
    said = [(text, column) for text, column in zip(texts, columns, strict=True) if text]
    if len({text for text, _ in said}) == len(said) or not all(len(column) >= _LONG for _, column in said):
        return False
    return _are_strange_words([text for text, _ in said], [column for _, column in said])


def _are_labels(texts: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    """Whether cells are words that no record holds, over two columns or more of figures or codes, or one of letters
    beside texts that come again.
    """
    if not _are_strange_words(texts, columns):
        return False
    if sum(_are_codes(column) and len(text) > _TWO for text, column in zip(texts, columns, strict=True)) >= _TWO:
        return True
    letters = [len(text) > _TWO and _are_letters(column) for text, column in zip(texts, columns, strict=True)]
    rest = [column for column, of_letters in zip(columns, letters, strict=True) if not of_letters]
    return any(letters) and all(len(column) >= 2 * len(set(column)) for column in rest)


def _are_letters(column: Sequence[str]) -> bool:
    """Whether all cells are one letter each, some of them again."""
    known = [text for text in column if not is_missing(text)]
    letters = [text for text in known if len(text) == 1 and text.isalpha()]
    return len(letters) >= 2 * len(set(letters)) > _TWO and len(letters) >= _NEARLY_ALL * len(known)


def _are_codes(column: Sequence[str]) -> bool:
    """Whether cells are all figures or codes; a single sign is a code where there are three."""
    known = [text for text in column if not is_missing(text)]
    if len(known) < _TWO:
        return False
    return all(map(DIGIT.search, known)) or (len(known) >= _LONG and all(len(text) == 1 for text in known))


def _are_names_of_texts(texts: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    """Whether cells are texts with letters, or years, that differ and that no record holds."""
    named = (LETTER.search(text) or YEAR.fullmatch(text) for text in texts)
    strange = (not is_missing(text) and text not in column for text, column in zip(texts, columns, strict=True))
    return all(columns) and all(named) and all(strange) and len(set(texts)) == len(texts)


def _are_strange_words(texts: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    return all(
        WORD.fullmatch(text) and not is_missing(text) and text not in column
        for text, column in zip(texts, columns, strict=True)
    )


def _name_no_more_than_places(names: Sequence[str]) -> bool:
    """Whether names only count the columns, as `A`, `B`, `C` and `v1`, `v2`, `v3` do."""
    if len(names) < _TWO or not all(names):
        return False
    if list(names) == list(_LETTERS[: len(names)]):
        return len(names) >= _LONG
    return _are_numbers_of_columns(names, [["."]] * len(names))


def _are_default_names(names: Sequence[str]) -> bool:
    """Whether programs that find no names write these, or there are so few that they may be chance."""
    return names[0][0] in "VX" or len(names) < _LONG


def _share_unseen(columns: Sequence[Sequence[str]]) -> float:
    """How often a record like the others would hold no text that its columns do: the product of their shares of texts
    that stand once.
    """
    return prod(sum(times == 1 for times in Counter(column).values()) / len(column) for column in columns)
