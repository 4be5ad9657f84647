"""Tables of one column, where an empty line may be a cell and a line may be several cells."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pyarrow as pa
import pyarrow.compute as pc

from metrics.encoding import BLANKS, text_array
from metrics.errors import InputError
from metrics.reading.body import Body
from metrics.reading.dialect import Dialect, candidates
from metrics.reading.doubts import called
from metrics.reading.letters import COMMA_NUMBER

_DIVIDES = re.compile(r"[\t;|]|,(?!\s)")
_NUMBER = re.compile(r"[+-]?[\d.,]*\d", re.ASCII)
_NEAR_HEADER = 5
_SAMPLE = 200
_NEARLY_ALL = 0.8
_FEW = 4
_FRACTIONS = 20
_RULES = r"-{3,}|={5,}|#{5,}|\.{5,}|~{5,}|_{5,}|\+{5,}|\*{5,}"
_NO_CELL = (
    rf"^\s*(?:{_RULES}|(?:<{{7}}|>{{7}}|\|{{7}})(?:\s.*)?|```.*|\\\.|\\(?:begin|end|hline|toprule|midrule)\b.*"
    r"|<(?:b|br|p|pre)\b[^<>]*>.*|\((?:continued|cont\.|cont'd|Fortsetzung|suite)\))\s*$"
)
"""Rules, marks of merges, fences, ends of dumps, LaTeX, notices of web servers, and notes at the turn of a page."""


def check_one_column(body: Body, cells: pa.ChunkedArray) -> None:
    """Raise InputError where a line of a table taken for one column may have several cells."""
    _refuse_quoted_lines(body, cells)
    _refuse_joined_header(body, cells)
    _refuse_signs(body, cells)
    _refuse_other_header(body, cells)
    if not any(pc.any(pc.match_substring_regex(chunk.dictionary, r"[\t;|]|,\S|,$")).as_py() for chunk in cells.chunks):
        return
    if _are_fractions_in_row(cells):
        raise InputError(
            "numbers in a row stand behind the commas, as if they were cells",
            remedy="name every column in the header, or choose that there is no delimiter",
            file=body.name,
            row=body.found.header.line,
        )
    labels = {label.strip() for chunk in cells.chunks for label in chunk.dictionary.to_pylist()}
    commas = sum("," in label and bool(_NUMBER.fullmatch(label)) for label in labels)
    # One number with a comma among many without may be two cells.
    exempt = commas > 1 or len(labels) < _FEW
    with body.records() as every:
        for line, record in every:
            cell = record.cells[0]
            if record.plain and _DIVIDES.search(cell) and not (exempt and _NUMBER.fullmatch(cell.strip())):
                raise InputError(
                    "the line may hold several cells though the table seems to have one column",
                    remedy="choose the delimiter, or that there is none",
                    file=body.name,
                    row=line,
                )


def _are_fractions_in_row(cells: pa.ChunkedArray) -> bool:
    """Whether what follows the commas of the first numbers counts the lines."""
    first = [cell.as_py().strip(BLANKS) for cell in cells[:_FRACTIONS]]
    if len(first) < _FEW or not all(map(COMMA_NUMBER.fullmatch, first)):
        return False
    behind = [int(cell.partition(",")[2]) for cell in first]
    # The tenths 1 to 9 of a scale are numbers in a row too.
    return all(after - before == 1 for before, after in pairwise(behind)) and len({cell[0] for cell in first}) > 1


def _refuse_other_header(body: Body, cells: pa.ChunkedArray) -> None:
    """Raise InputError where one sign divides the header, and commas all numbers below it into as many cells."""
    name = body.found.header.cells[0]
    signs = [sign for sign in "\t;|" if body.found.header.plain and sign in name and f"{sign} " not in name]
    labels = {label.strip(BLANKS) for chunk in cells.chunks for label in chunk.dictionary.to_pylist()}
    if signs and labels and all(map(COMMA_NUMBER.fullmatch, labels)):
        raise InputError(
            f"the sign {called(signs[0])} divides the header, and commas the records or their numbers",
            remedy="choose the delimiter, or that there is none",
            file=body.name,
            row=body.found.header.line,
        )


def _refuse_quoted_lines(body: Body, cells: pa.ChunkedArray) -> None:
    """Raise InputError where quotes stand around whole lines: what is within divides as evenly as the header."""
    sign = _sign_within(body, cells)
    if sign is not None:
        raise InputError(
            f"the quotes stand around whole lines, which the sign {called(sign)} divides into cells",
            remedy="remove these quotes, or choose that there is no delimiter",
            file=body.name,
            row=body.found.header.line,
        )


def _sign_within(body: Body, cells: pa.ChunkedArray) -> str | None:
    """The sign that divides the cells, or what stands between quotes in them, as evenly as the header."""
    found = body.found
    first = [label for chunk in cells.chunks[:1] for label in chunk.dictionary[:_SAMPLE].to_pylist()]
    labels = [label for label in first if label.strip(BLANKS)]
    for sign in candidates("\n".join([found.names[0], *labels]), 0):
        within = replace(found.dialect, delimiter=sign)
        header = max(_widths(found.names[0], within))
        # A blank stands behind a comma that is text.
        if header == 1 or not labels or f"{sign} " in found.names[0]:
            continue
        widths = Counter(width for label in labels for width in _widths(label, within))
        # Delimiters may end the header or the records alone.
        times = max(widths[width] for width in (header - 1, header, header + 1) if width > 1)
        if times >= _NEARLY_ALL * len(labels):
            return sign
    return None


def _refuse_signs(body: Body, cells: pa.ChunkedArray) -> None:
    """Raise InputError where a line, or the one taken for the header, is a rule or a mark rather than a cell."""
    sign, found = re.compile(_NO_CELL), body.found
    held = {label for chunk in cells.chunks for label in _matching(chunk.dictionary, _NO_CELL)}
    # Runs of several lengths of a sign, such as stars, are values; and so are dashes that stand more than once.
    held = {label for label in held if not _is_run(label, cells) and (label.strip("- ") or _times(label, cells) == 1)}
    line = found.header.line if sign.match(found.names[0]) else None
    if line is None and held:
        with body.records() as every:
            line = next((line for line, record in every if record.plain and record.cells[0] in held), None)
    if line is not None:
        raise InputError(
            "the line may be a rule or a mark of a program rather than a cell",
            remedy="remove such lines, or choose that there is no delimiter",
            file=body.name,
            row=line,
        )


def _times(label: str, cells: pa.ChunkedArray) -> int:
    """How many cells hold a label."""
    return sum(
        pc.sum(pc.equal(chunk.indices, pc.index(chunk.dictionary, label))).as_py() or 0 for chunk in cells.chunks
    )


def _is_run(label: str, cells: pa.ChunkedArray) -> bool:
    """Whether a label is several of a sign, of which others are fewer or more."""
    text = label.strip(BLANKS)
    if len(set(text)) > 1:
        return False
    others = rf"^{re.escape(text[0])}+$"
    return any(len(run) != len(text) for chunk in cells.chunks for run in _matching(chunk.dictionary, others))


def _matching(values: pa.StringArray, pattern: str) -> list[str]:
    found: list[str] = values.filter(pc.match_substring_regex(values, pattern)).to_pylist()
    return found


def refuse_lines_in_cells(body: Body, cells: pa.ChunkedArray) -> None:
    """Raise InputError where the one column of a sheet holds lines that a delimiter divides as evenly as the name."""
    sign = _sign_within(body, cells)
    if sign is not None:
        raise InputError(
            f"the cells hold whole lines, which the sign {called(sign)} divides into more",
            remedy="divide them into columns, or save the lines as a text file",
            file=body.name,
            row=body.found.header.line,
        )


def _refuse_joined_header(body: Body, cells: pa.ChunkedArray) -> None:
    """Raise InputError where a cell ends with the header, as in files put behind one another without a line end."""
    name, quote = body.found.names[0].strip(BLANKS), body.found.dialect.quote
    if not name:
        return
    for chunk in cells.chunks:
        for end in {name, quote + name + quote}:
            ended = chunk.dictionary.filter(pc.ends_with(chunk.dictionary, end)).to_pylist()
            rests = [label.removesuffix(end).strip(BLANKS) for label in ended]
            # What ends so as a word, such as surname, is no value without it.
            if any(rest and (end != name or pc.index(chunk.dictionary, rest).as_py() >= 0) for rest in rests):
                raise InputError(
                    "a cell ends with the column's name, as if another file followed without a line end",
                    remedy="put the line end in, and remove the header that comes again",
                    file=body.name,
                    row=_line_ending(body, end),
                )


def _line_ending(body: Body, end: str) -> int | None:
    with body.records() as every:
        return next((line for line, record in every if record.cells[0].strip(BLANKS).endswith(end)), None)


def _widths(text: str, dialect: Dialect) -> set[int]:
    """How many cells a text, and what stands between quotes in it, divides into."""
    lines = (text, text.strip(dialect.quote or None))
    return {len(record.cells) for line in lines for record in dialect.records([line])} or {1}


def refuse_lines_of_blanks(body: Body, cells: pa.ChunkedArray) -> None:
    """Raise InputError where a line of blanks alone may be an empty cell or nothing."""
    if not any(_holds_blanks(chunk.dictionary) for chunk in cells.chunks):
        return
    with body.records() as every:
        for line, record in every:
            if record.plain and not record.blank and not record.cells[0].strip(BLANKS):
                raise InputError(
                    "the line holds blanks alone, which in a table of one column may be an empty cell or nothing",
                    remedy="remove the line, or choose that empty lines are cells",
                    file=body.name,
                    row=line,
                )


def _holds_blanks(values: pa.StringArray) -> bool:
    lengths = pc.binary_length(pc.utf8_trim(values, characters=BLANKS))
    return bool(pc.any(pc.and_(pc.equal(lengths, 0), pc.greater(pc.binary_length(values), 0))).as_py())


def holds_blank_lines(body: Body, cells: pa.ChunkedArray) -> bool:
    """Whether there are blank lines that are nothing; False if there are none. Raises InputError if in doubt."""
    if not any(pc.index(chunk.dictionary, text_array([""])[0]).as_py() >= 0 for chunk in cells.chunks):
        return False
    blank, quoted = None, False
    with body.records() as every:
        for line, record in every:
            if record.blank:
                blank = blank or line
            else:
                quoted |= record.cells == [""]
    if blank is None:
        return False
    if quoted and blank > body.found.start + _NEAR_HEADER:
        return True
    raise InputError(
        "the line is empty, which in a table of one column may be an empty cell or nothing",
        remedy="choose what empty lines are",
        file=body.name,
        row=blank,
    )
