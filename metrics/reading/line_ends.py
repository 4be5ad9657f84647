"""Line ends within cells that no one meant: values cut in two, and files wrapped to a width."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

import pyarrow.compute as pc

from metrics.encoding import text_array
from metrics.errors import InputError
from metrics.reading.body import Body
from metrics.reading.letters import DIGIT, form
from metrics.table import Column

_LINE_ENDS = re.compile(r"\s*[\r\n]+")
_HOLDS = r"[\r\n]"
_BEFORE_SIGN = re.compile(r"[\r\n][,;.:)\]}]")
_ENOUGH = 3
_SAMPLE = 60
_MOST = 200
_MOST_LINES = 2000
_FEW = 0.1
"""Share of a column's values up to which line ends are no habit of it."""


def refuse_line_ends(columns: Sequence[Column], body: Body) -> None:
    """Raise InputError where a value is cut by a line end, or all lines are as long as the longest of them."""
    held = [(column, column.values.filter(pc.match_substring_regex(column.values, _HOLDS))) for column in columns]
    held = [(column, values) for column, values in held if len(values)]
    for column, values in held:
        text = next(_cut(column, columns, values[:_MOST].to_pylist(), len(values)), None)
        if text is not None:
            raise InputError(
                "a line end stands within a value that others have without it",
                remedy="remove it, or choose the quote character if it is a part of the value",
                file=body.name,
                row=body.line_of(int((column.codes == column.code_of[text]).argmax())),
            )
    if held and (line := _wrapped_line(body)) is not None:
        raise InputError(
            "the line ends within a cell where lines are longest, as if all were cut to a width",
            remedy="join such lines, or choose the quote character if the line ends are a part of the cells",
            file=body.name,
            row=line,
        )


def _cut(column: Column, columns: Sequence[Column], texts: Sequence[str], times: int) -> Iterator[str]:
    """The values that are others, or of the form that some others have, but for a line end."""
    others = [text for text in column.values[:_SAMPLE].to_pylist() if text and not _LINE_ENDS.search(text)]
    forms = {form(text) for text in others if DIGIT.search(text)}
    few = times <= max(1, _FEW * column.distinct)
    if len(others) < _ENOUGH:
        # Two lines of figures may be two values.
        forms.discard(form("0"))
    for text in texts:
        joined = re.sub(_HOLDS, "", text)
        whole = text_array([joined])[0]
        stands = any(pc.index(other.values, whole).as_py() >= 0 for other in (column, *(columns if few else ())))
        if stands or (few and (form(joined) in forms or _BEFORE_SIGN.search(text))):
            yield text


def _wrapped_line(body: Body) -> int | None:
    """The first line that ends within quotes, if there are several, all of one length, and no line is longer."""
    dialect = body.found.dialect
    escaped = (dialect.escape + dialect.quote) if dialect.escape else 2 * dialect.quote
    inside, broken, longest, pieces = False, [], 0, set()
    with body.lines() as lines:
        for number, line in enumerate(islice(lines, _MOST_LINES), 1):
            text = line.rstrip("\r\n")
            longest = max(longest, len(text))
            inside ^= bool(dialect.quote) and text.replace(escaped, "").count(dialect.quote) % 2 == 1
            if inside:
                broken.append((number, len(text)))
                pieces.add(len(text.rpartition(dialect.quote)[2]))
    lengths = {length for _, length in broken}
    several = len(broken) > 2 or len(pieces) > 1
    return broken[0][0] if len(broken) > 1 and several and lengths == {longest} else None
