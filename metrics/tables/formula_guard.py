"""The apostrophe in front of text that a spreadsheet would run as a formula: written in CSV, no part of a value."""

from __future__ import annotations

import re

import pyarrow as pa
import pyarrow.compute as pc

_BLANKS = r"\s\x00-\x1f\u200b-\u200f\u2060\ufeff"
"""Characters that programs may drop at the start of a cell: white space, controls, zero-width characters, a BOM."""
_SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20"
_GROUPS = r"[0-9]{1,3}(?:[.,'\u2019\u00a0\u202f ][0-9]{3})+"
_DIGITS = rf"(?:(?:{_GROUPS}|[0-9]+)(?:[.,][0-9]*)?|[.,][0-9]+)"
_SIGNED_NUMBER = rf"[+-]{_DIGITS}(?:[eE][+-]?[0-9]+)?\s?%?[\])\[(]?\s*(?:\Z|[;\t\r\n])"
"""A number with decimal point or comma, with or without groups of digits, as readers of any country know it."""
_FORMULA = re.compile(rf"(?:\A|[;\t\r\n])[{_BLANKS}]*+((?!{_SIGNED_NUMBER})[{_SIGNS}])?")
"""The start of each part of a cell, and in the group the character that makes the part a formula.

The pattern matches at every start, formula or not, and never backtracks over blanks, so its time is linear.
"""
_GUARD = re.compile(rf"(?:\A|[;\t\r\n])[{_BLANKS}']*+([{_SIGNS}])?")
"""The same, whether or not apostrophes stand there and the part is a number."""


def neutralized(text: str | None) -> str | None:
    """Text with an apostrophe in front if a spreadsheet would run it as a formula; signed numbers are unchanged.

    Formulas begin with `=`, `+`, `-`, `@` or the full-width form of one, at the start of the cell or after a character
    at which programs may divide it (semicolon, tab, line break), in either case after any blanks, line breaks or
    byte-order mark. Within a cell the apostrophe stands before the character itself.
    """
    return None if text is None else _FORMULA.sub(_with_apostrophe, text)


def _with_apostrophe(match: re.Match[str]) -> str:
    character = match[1]
    if character is None:
        return match[0]
    blanks = match[0].removesuffix(character)
    # Where a cell begins with a line break or tab, programs differ on whether the cell begins there or after it.
    return f"'{blanks}'{character}" if blanks and not match.start() else f"{blanks}'{character}"


def without_guards(texts: pa.StringArray) -> pa.StringArray:
    """Texts as they were before `neutralized`, whoever wrote the file: distinct values of a column, null allowed."""
    if not pc.any(pc.match_substring_regex(texts, f"'[{_SIGNS}]")).as_py():
        return texts
    return pa.array([None if text is None else without_guard(text) for text in texts.to_pylist()], pa.string())


def without_guard(text: str) -> str:
    """One text as it was before `neutralized`."""
    return _GUARD.sub(lambda match: match[0].replace("'", "") if match[1] else match[0], text)
