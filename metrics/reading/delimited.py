"""Delimited text: the plan proposed for a file."""

from __future__ import annotations

import codecs
import io
import re
import shlex
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import islice, zip_longest
from typing import Any

from metrics.errors import InputError
from metrics.reading.checks import header_names, names_by_plan, refuse_no_records
from metrics.reading.dialect import Division, Sample, dialects
from metrics.reading.encoding import Chunks, known_codec, propose_encoding, text_start, utf8
from metrics.reading.footer import without_footer
from metrics.reading.header import ask_blank_lines, propose_layout, without_titles
from metrics.reading.limits import check_columns
from metrics.reading.proposal import Answer, Draft, Proposal, Row
from metrics.reading.source import CHUNK, InputSource, stream_size
from metrics.tables.conventions import DECIMAL_SAMPLE, decimal_mark
from metrics.tables.dictionary_codes import BLANKS, text_array
from metrics.tables.formula_guard import without_guard
from metrics.tables.read_plan import TEXT, ReadPlan

_SAMPLE = 1 << 15
"""Bytes at the beginning, and at the end, that a proposal rests on where a file is longer than a chunk."""
_SHOWN_LINES, _SHOWN_RECORDS, _SHOWN = 20, 10, 500
_HINT = re.compile(r'"?sep=(.|[^\w\s"]{2,6})"?[ \t]{0,9}', re.IGNORECASE)
_DELIMITERS = {"\t": "tab", " ": "blank", ",": "comma", ";": "semicolon", "|": "bar", ":": "colon"}
_QUOTES = {"": "no quotes", '"': "double quotes", "'": "single quotes"}


def propose(source: InputSource, compression: str | None, chosen: Mapping[str, Any], *, whole: bool = True) -> Proposal:
    """The plan proposed for a text file, with the fields that are chosen.

    `whole`: bytes beyond the beginning are examined too; reading itself finds what is wrong with them. Raises
    InputError if no plan divides the file into records.
    """
    draft = Draft(replace(ReadPlan(TEXT, compression=compression), **chosen), frozenset(chosen))
    head = source.head(compression, CHUNK)
    complete = len(head) < CHUNK
    text = _decode_first_bytes(source.name, partial(source.chunks, compression), head, draft, whole)
    division = _divide_first_lines(source.name, text, complete, draft)
    width = division.width
    propose_layout(without_titles(division.rows, width, draft), width, draft, complete=complete)
    if not complete and "footer_lines" not in draft.chosen_fields:
        _ask_end(source, division, draft)
    if width == 1 and "blank_lines" not in draft.chosen_fields:
        if not complete and source.in_memory:
            text = b"".join(utf8(source.chunks(compression), draft.plan.encoding or "utf-8")).decode(errors="replace")
        if _has_blank_lines(text, draft.plan.skip_lines):
            ask_blank_lines(draft, "lines")
    rows = [row for row in division.rows if row.line > draft.plan.skip_lines]
    if complete and len(rows) <= draft.plan.header_lines:
        raise refuse_no_records(source.name)
    first_lines = (line[:_SHOWN] for line in text[: _SHOWN_LINES * 20_000].splitlines()[:_SHOWN_LINES])
    return _preview(source.name, tuple(first_lines), rows, width, draft)


def _preview(name: str, first_lines: tuple[str, ...], rows: list[Row], width: int, draft: Draft) -> Proposal:
    """The proposal with the names and first records of the rows from the header on."""
    header, body = rows[: draft.plan.header_lines], rows[draft.plan.header_lines :]
    names, name_notes = names_by_plan(draft.plan, header_names(header, width), name)
    indices = [index for index in range(width) if index + 1 not in draft.plan.omitted_columns]
    if "decimal" not in draft.chosen_fields:
        columns = list(zip_longest(*(row.cells for row in body), fillvalue=""))
        samples = (islice(dict.fromkeys(columns[index]), DECIMAL_SAMPLE) for index in indices if index < len(columns))
        draft.change(decimal=decimal_mark(text_array([_cell_text(cell) for cell in cells]) for cells in samples))
        draft.notes += ["numbers have a decimal comma"] if draft.plan.decimal == "," else []
    preview_rows = body[:_SHOWN_RECORDS]
    preview = tuple(
        tuple(_cell_text(row.cells[index]) if index < len(row.cells) else None for index in indices)
        for row in preview_rows
    )
    return Proposal(
        name, draft.plan, tuple(draft.questions), first_lines, tuple(names), preview, (*draft.notes, *name_notes)
    )


def _cell_text(cell: str) -> str:
    """The text of a cell as it will be read."""
    return without_guard(cell.strip(BLANKS))


def _decode_first_bytes(name: str, chunks: Chunks, head: bytes, draft: Draft, whole: bool) -> str:
    """The text of the first bytes; asks for the encoding where it is open. Raises InputError."""
    if "encoding" in draft.chosen_fields:
        draft.change(encoding=known_codec(draft.plan.encoding or "", name))
    elif head:
        encoding = propose_encoding(name, chunks, head, whole)
        draft.change(encoding=encoding.name)
        draft.notes += encoding.notes
        draft.questions += [encoding.question] if encoding.question else []
    text = text_start(name, chunks, draft.plan.encoding or "utf-8", head, len(head) < CHUNK)
    if not text.strip(BLANKS):
        raise InputError("the file is empty", remedy="export the table again with its header and records", file=name)
    return text


def _divide_first_lines(name: str, text: str, complete: bool, draft: Draft) -> Division:
    """The division of the first lines; asks where other dialects are as plausible. Raises InputError."""
    hint = _HINT.fullmatch(text[:100].partition("\n")[0].rstrip("\r"))
    if hint and "skip_lines" not in draft.chosen_fields:
        hinted_fields = (
            {"delimiter": hint[1]} if "delimiter" not in draft.chosen_fields and hint[1] in _below(text, 1) else {}
        )
        draft.change(skip_lines=1, **hinted_fields)
        draft.chosen_fields |= {"skip_lines", *hinted_fields}
    draft.plan.check(name)
    skip_lines = draft.plan.skip_lines
    text = _below(text, skip_lines) if complete else _below(text, skip_lines)[:_SAMPLE]
    if not text.strip(BLANKS):
        raise InputError(f"the file has no line after the {skip_lines:,} skipped ones", remedy="skip fewer", file=name)
    divisions = dialects(name, Sample(text, complete, skip_lines + 1), draft.plan, draft.chosen_fields)
    answers = [
        Answer(
            f"{_dialect_description(division)}: {division.width:,} columns",
            {"delimiter": division.delimiter, "quote": division.quote, "escape": division.escape},
            _options(division),
            tuple(map(str, division.rows[:3])),
        )
        for division in divisions
    ]
    draft.change(**answers[0].changes)
    if len(answers) > 1:
        draft.add_question("delimiter", "Which delimiter and quote divide the lines?", *answers)
    check_columns(name, divisions[0].width, divisions[0].rows[0].line)
    return divisions[0]


def _below(text: str, lines: int) -> str:
    """A text without its first lines."""
    stream = io.StringIO(text, newline="")
    return text[sum(map(len, islice(stream, lines))) :]


def _dialect_description(division: Division) -> str:
    delimiter, quote = division.delimiter, division.quote
    name = f"Delimiter {_DELIMITERS.get(delimiter, repr(delimiter))}, {_QUOTES.get(quote, f'quote {quote}')}"
    return name + ", backslash as escape" * bool(division.escape)


def _options(division: Division) -> str:
    parts = ["--delimiter", division.delimiter.replace("\t", "\\t"), "--quote", division.quote]
    return shlex.join([*parts, *(["--escape", division.escape] if division.escape else [])])


def _ask_end(source: InputSource, division: Division, draft: Draft) -> None:
    """Ask about the last lines of a long file where they divide in another way than its records."""
    text = _tail(source, draft.plan)
    tail_division = Sample(text).divide(division.delimiter, division.quote, division.escape)
    if tail_division.rows and not tail_division.fault and tail_division.width == division.width:
        footer_draft = Draft(draft.plan, draft.chosen_fields)
        without_footer([Row(0, []), *tail_division.rows], tail_division.width, footer_draft)
        draft.plan = footer_draft.plan
        text = "Are the last lines of the file not records?"
        draft.questions += [replace(question, text=text) for question in footer_draft.questions]


def _tail(source: InputSource, plan: ReadPlan) -> str:
    """The last lines of a long file."""
    decoder = codecs.getincrementaldecoder(plan.encoding or "utf-8")(errors="replace")
    if plan.encoding in ("utf-16", "utf-32"):
        decoder.decode(source.head(plan.compression, 4))  # the byte-order mark
    with source.raw() as stream:
        if plan.compression is None and stream.seekable():
            stream.seek(max(0, stream_size(stream) - _SAMPLE) // 4 * 4)
            tail = stream.read()
        else:
            tail = b"".join(deque(source.chunks(plan.compression), maxlen=2))
            tail = tail[max(0, len(tail) - _SAMPLE) // 4 * 4 :]
    return re.split("\r\n|\r|\n", decoder.decode(tail), maxsplit=1)[-1]


def _has_blank_lines(text: str, skip_lines: int) -> bool:
    """Whether there are blank lines between the records of one column."""
    lines = _below(text, skip_lines).rstrip(BLANKS).splitlines()
    return not all(line.strip(BLANKS) for line in lines[1:])
