"""The last record, if it is none: a line of totals, told by its label or its figures, or a note."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.errors import InputError
from metrics.reading.assembly import decimal_sign
from metrics.reading.body import Body
from metrics.reading.footers import (
    begins_like,
    counted_in,
    figure_called,
    is_label,
    is_note,
    is_statistic,
    is_titled_total,
    is_trailer,
    is_word_of_end,
    may_be_note,
)
from metrics.reading.headers import are_figures, contrast, is_comment, is_missing, is_number, is_rule
from metrics.reading.tail import ends_apart
from metrics.table import Column

_MOST_LABELS = 40
_SELDOM = 0.1
"""Share of records up to which a column is empty by exception."""
_FAR_ABOVE = 5
"""How many times the others a figure is that may sum them up."""
_ENOUGH = 3
"""Figures from which on a sum is hardly met by chance, and columns that few notes have delimiters for."""
_PHRASE = re.compile(r"[^\w\d]?[^\W\d_].*[\s:(]")
_SIGNS = "[\\s'\u2019\u00a0\u202f€$£%]"
_Quantifier = Callable[[Iterable[bool]], bool]
_NUMBER = r"^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$"


def totals(columns: Sequence[Column], body: Body) -> bool | None:
    """Whether the last record is a line of totals or a note; None if it is in doubt.

    True if a label of totals stands before figures that the records above sum up to, or number, or a note stands alone.
    """
    if len(columns[0].codes) < 2:
        return False
    last = [column.values[int(column.codes[-1])].as_py() or "" for column in columns]
    first = next((place for place, cell in enumerate(last) if cell), None)
    if first is None:
        # Whether that is a record was decided before.
        return False
    text, column = last[first], columns[first]
    if is_rule(last) and all(_is_unique(one) for one, cell in zip(columns, last, strict=True) if cell):
        # Short dashes may say that all values are missing.
        return None if all(map(is_missing, last)) else True
    others = [label for label in column.values[: _MOST_LABELS + 1].to_pylist() if label and label != text]
    if len(columns) == 1 and contrast([text], [[label] for label in others]) >= 1:
        return None
    if not _is_unique(column):
        return False
    found = _told_by_words(columns, last, first, others)
    if found is False and len(columns) > 1 and _told_by_figures(columns, last, first, body):
        return None
    return (
        None
        if found is False and _is_figure_among_words(text, others, alone=len(list(filter(None, last))) == 1)
        else found
    )


def _is_figure_among_words(text: str, others: Sequence[str], *, alone: bool) -> bool:
    """Whether a text alone in its record is a number where none of several others is."""
    known = [other for other in others if not is_missing(other)]
    return alone and is_number(text) and len(known) >= _ENOUGH and not any(map(is_number, known))


def _told_by_words(columns: Sequence[Column], last: list[str], first: int, others: list[str]) -> bool | None:
    """Whether the last record is no record, as the first text in it says; None if in doubt."""
    text, alone = last[first], not any(last[first + 1 :])
    plain = [label for label in others if not is_label(label) and not is_statistic(label)]
    among_figures = are_figures(plain)
    if is_label(text) or (is_statistic(text) and among_figures):
        # Where others are like it, it is a value of the column; but words are none among numbers, dates or codes.
        if not among_figures and len(plain) < len(others):
            return None if _is_total(columns[first], -2) else False
        if alone:
            return True if among_figures and _lacks_alone(columns, last, any) else None
        return True if _is_told_by_sums(columns, last, first, any if among_figures else all) else None
    if is_statistic(text) and (_is_total(columns[first], -2) or _lacks(columns, last, 0)):
        return None
    if is_titled_total(text) and 2 * sum(map(is_titled_total, others)) <= len(others):
        return None
    single, like = len(columns) == 1, begins_like(text, others)
    if first and alone and may_be_note(text) and not like:
        return None
    if first or (like and (single or not alone)):
        return False
    if not single and alone and (like or is_statistic(text)):
        return None if _is_emptiest(columns, first) else False
    if alone and (is_note(text) or (is_word_of_end(text) and among_figures)):
        counts = counted_in(text) in (None, len(columns[0].codes) - 1)
        sure = counts and (among_figures or len(columns) >= _ENOUGH)
        return True if sure and _lacks_alone(columns, last, any if among_figures else all) else None
    if is_trailer(text) or (alone and may_be_note(text)) or _numbers_records(columns, last, text):
        return None
    if is_note(text) and (among_figures or not is_comment([text])):
        # A note has as few delimiters as a text has commas.
        return None if len(columns) < _ENOUGH or _lacks(columns, last, _SELDOM) else False
    # A word and a colon before its value, or a text that a delimiter divides.
    named = text.endswith(":") and not any(label.endswith(":") for label in others)
    phrase = among_figures and len(columns) < _ENOUGH and _PHRASE.match(text) is not None and not is_missing(text)
    return None if not single and (named or phrase) else False


def _numbers_records(columns: Sequence[Column], last: list[str], text: str) -> bool:
    """Whether the last record is one letter and the number of the others, as the last of a transfer may be."""
    return text.upper() == "T" and "".join(last[1:]).lstrip("0") == str(len(columns[0].codes) - 1)


def _is_told_by_sums(columns: Sequence[Column], last: list[str], first: int, most: _Quantifier) -> bool:
    """Whether every figure is what the label calls it, one of them by no chance, or one numbers the records."""
    found, called = _matches(columns, last, first), figure_called(last[first])
    if not found or not called:
        return False
    if all(called in match.kinds for match in found):
        return any(match.many for match in found)
    numbers = len(found) == 1 and "count" in found[0].kinds and len(columns) >= _ENOUGH
    return numbers and called == "sum" and _lacks_alone(columns, last, most)


def _lacks_alone(columns: Sequence[Column], last: list[str], most: _Quantifier) -> bool:
    """Whether none of the other records, of some at least, lacks a cell that the last one lacks, `any` or `all`."""
    lacking = (column for column, cell in zip(columns, last, strict=True) if not cell)
    return len(columns[0].codes) > _ENOUGH and most(map(_is_unique, lacking))


def _lacks(columns: Sequence[Column], last: list[str], share: float) -> bool:
    """Whether the last record has no cell where at most a share of the others lacks one."""
    most = share * len(columns[0].codes)
    return any(not cell and _alike_above(column) <= most for column, cell in zip(columns, last, strict=True))


def _is_total(column: Column, record: int) -> bool:
    """Whether a record has a label of totals that stands nowhere else in its column."""
    label = column.values[int(column.codes[record])].as_py() or ""
    return (is_label(label) or is_statistic(label)) and (column.codes == column.codes[record]).sum() == 1


def _is_emptiest(columns: Sequence[Column], first: int) -> bool:
    """Whether every other record has a cell where the last one has none but at `first`."""
    empty = [column.codes == column.codes[-1] for place, column in enumerate(columns) if place != first]
    return bool(np.logical_and.reduce(empty).sum() == 1)


def _told_by_figures(columns: Sequence[Column], last: list[str], first: int, body: Body) -> bool:
    """Whether the last record may be one of totals whose label is unknown or missing, or a note below a blank line."""
    labelled = any(sign.isalpha() for sign in last[first])
    if not any(last[first + 1 :]) and labelled:
        return _is_emptiest(columns, first) and ends_apart(body.opened, body.encoding, body.last)
    if not labelled and (first == 0 or not _is_unique(columns[0])):
        return False
    if not labelled and any(_towers(column) for column, cell in zip(columns, last, strict=True) if cell):
        return True
    found = _matches(columns, last, first if labelled else None)
    if not found:
        return False
    thin = not labelled or _lacks(columns, last, _SELDOM)
    told = [match.told for match in found]
    sums = told.count("sum") + told.count("sum of two")
    if thin or is_statistic(last[first]):
        return bool(sums) or "other" in told
    if not sums or "other" in told:
        return False
    return sums > 1 or "sum" in told or ends_apart(body.opened, body.encoding, body.last)


def _towers(column: Column) -> bool:
    """Whether the last figure is far above all others of a column, as a sum is."""
    numbers = _numbers(column.values, decimal_sign([column]))
    others = np.abs(np.delete(numbers, column.codes[-1]))
    known = others[~np.isnan(others)]
    return len(known) > 1 and bool(numbers[column.codes[-1]] > _FAR_ABOVE * max(known.max(), 1))


class _Match(NamedTuple):
    """What a figure is to those above it.

    `told`: "sum", "sum of two", "other", or "weak" by chance. `kinds`: all of "sum", "mean" and "count" that it is.
    `many`: whether some figures that differ are above it.
    """

    told: str
    kinds: frozenset[str]
    many: bool


def _matches(columns: Sequence[Column], last: list[str], label: int | None) -> list[_Match] | None:
    """What each figure of the last record is to those above; None if a cell beside the label is none of these."""
    cells = [(columns[place], cell) for place, cell in enumerate(last) if cell and place != label]
    if not all(cell[-1].isdigit() for _, cell in cells):
        return None
    decimal = decimal_sign(columns) if cells else "."
    found = []
    for column in sorted((column for column, _ in cells), key=lambda column: column.distinct):
        match = _match(column, decimal)
        if match is None:
            return None
        found.append(match)
    return found


def _match(column: Column, decimal: str) -> _Match | None:
    numbers = _numbers(column.values, decimal)
    figure, times = numbers[column.codes[-1]], column.counts()
    times[column.codes[-1]] -= 1
    known = ~np.isnan(numbers) & (times > 0)
    total, count = float(numbers[known] @ times[known]), int(times[known].sum())
    # Codes such as 12E456 are numbers without end.
    if not np.isfinite([figure, total]).all():
        return None
    rounding = _rounding(column.values[int(column.codes[-1])].as_py(), float(figure), decimal)
    telling = not _is_counter(column, numbers)
    summands = int(times[known & (numbers != 0)].sum())
    kinds = set()
    if count and abs(total - figure) <= max(1e-9 * abs(total), rounding):
        kinds.add("sum")
    if count and abs(total / count - figure) <= rounding:
        kinds.add("mean")
    if figure in (count, len(column.codes) - 1):
        kinds.add("count")
    if not kinds:
        return None
    if "sum" in kinds:
        told = "weak" if not telling or summands < 2 else "sum" if summands >= _ENOUGH else "sum of two"
    else:
        told = "other" if telling and not times[column.codes[-1]] else "weak"
    return _Match(told, frozenset(kinds), summands >= _ENOUGH and known.sum() > 1)


def _rounding(text: str, figure: float, decimal: str) -> float:
    """By how much a figure may be rounded as it is written; of one with few digits and an exponent, by nothing."""
    mantissa, exponential, _ = text.lower().partition("e")
    digits = len(mantissa.partition(decimal)[2])
    if exponential:
        return 0.5 * 10.0**-digits * abs(figure) if digits >= _ENOUGH else 0.0
    return 0.5 * 10.0**-digits * (1 + 1e-9)


def _is_counter(column: Column, numbers: np.ndarray[tuple[int], np.dtype[np.float64]]) -> bool:
    """Whether the last cells are numbers in a row."""
    steps = np.diff(numbers[column.codes[-_ENOUGH:]])
    return bool((steps == 1).all())


def is_sum_of_others(columns: Sequence[Column], record: int) -> bool:
    """Whether a figure of a record is the sum of two or more above it, or of all others."""
    decimal = decimal_sign(columns)
    for column in columns[1:]:
        text = column.values[int(column.codes[record])].as_py() or ""
        numbers = _numbers(column.values, decimal)[column.codes]
        figure = numbers[record]
        for others in (numbers[:record], np.delete(numbers, record)):
            others = others[~np.isnan(others)]
            if (others != 0).sum() > 1 and abs(others.sum() - figure) <= _rounding(text, figure, decimal):
                return True
    return False


def _numbers(values: pa.StringArray, decimal: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The numbers that texts stand for, signs of thousands and money left out; NaN for others."""
    plain = pc.replace_substring_regex(values, _SIGNS, "")
    plain = pc.replace_substring(plain, "." if decimal == "," else ",", "")
    if decimal == ",":
        plain = pc.replace_substring(plain, ",", ".")
    numeric = pc.if_else(pc.match_substring_regex(plain, _NUMBER), plain, pa.scalar(None, pa.string()))
    parsed = pc.cast(numeric, pa.float64()).fill_null(float("nan"))
    numbers: np.ndarray[tuple[int], np.dtype[np.float64]] = parsed.to_numpy()
    return numbers


def _is_unique(column: Column) -> bool:
    """Whether the last cell stands nowhere else in its column."""
    return _alike_above(column) == 0


def _alike_above(column: Column) -> int:
    """How many cells are the same as the last one."""
    return int((column.codes[:-1] == column.codes[-1]).sum())


def refuse_totals(file: str, line: int) -> InputError:
    """The error where the last line may be a record or a total."""
    return InputError(
        "the last line may be a total, a note or nothing rather than a record",
        remedy="choose how many lines follow the last record, 0 if this is one",
        file=file,
        row=line,
    )


def refuse_notes_at_end(columns: Sequence[Column], body: Body) -> None:
    """Raise InputError where two of the last records or more hold a note alone, and no other of the first a note."""
    column, records = columns[0], len(columns[0].codes)
    first = records
    while first > max(0, records - _MOST_LABELS):
        cells = [one.values[int(one.codes[first - 1])].as_py() or "" for one in columns]
        if not is_note(cells[0]) or any(cells[1:]):
            break
        first -= 1
    if len(columns) == 1 or not 0 < first < records - 1:
        return
    if sum(is_note(text or "") for text in column.values[:_MOST_LABELS].to_pylist()) <= records - first:
        raise refuse_totals(body.name, body.line_of(first))
