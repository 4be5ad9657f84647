"""Damage done to clean tables, each kind by itself: a file as it lies around in the world.

A `Draft` is what a file is written from. Each damage takes one and gives one; two damages are one after the other.
Damages of one `group` exclude each other.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from tests.corpus.draft import STRAY, Draft, Line, draft
from tests.corpus.tables import Clean, table


def _replaced(made: Draft, clean: Clean) -> Draft:
    return replace(made, clean=clean, header=[clean.names], rows=clean.rows)


def _cells(made: Draft, chance: random.Random, texts: list[str], share: float = 0.4) -> Draft:
    """Some cells of one column become these texts, in the clean table too; ids stay."""
    if made.rows is not made.clean.rows or len(made.header) != 1:
        return made
    place = chance.randrange(len(made.clean.names))
    cells = [chance.choice(texts) if chance.random() < share else row[place] for row in made.rows]
    cells[chance.randrange(len(cells))] = texts[0]
    return _replaced(made, made.clean.with_cells(place, cells))


@dataclass(frozen=True)
class Damage:
    """One kind of damage."""

    name: str
    group: str
    do: Callable[[Draft, random.Random], Draft]


def _delimiter(sign: str) -> Callable[[Draft, random.Random], Draft]:
    return lambda made, chance: replace(made, delimiter=sign)


def _quoted_text(made: Draft, chance: random.Random) -> Draft:
    return _cells(made, chance, ['say "x"', "a, b; c", "it's", 'say "x", "y"', '5" p', "a|b", "tab\tbed"])


def _newlines(made: Draft, chance: random.Random) -> Draft:
    return _cells(made, chance, ["two\nlines", "a\n\nb", "x\r\ny", 'q "z"\nw'], 0.2)


def _with_text(**choices: object) -> Callable[[Draft, random.Random], Draft]:
    return lambda made, chance: replace(_quoted_text(made, chance), **choices)  # type: ignore[arg-type]


def _backslashes(made: Draft, chance: random.Random) -> Draft:
    return _cells(made, chance, ["C:\\temp", "a\\b", "\\\\server\\x", "ends in \\"])


def _before(*lines: str) -> Callable[[Draft, random.Random], Draft]:
    return lambda made, chance: replace(made, before=[*lines, *made.before])


def _after(*lines: str) -> Callable[[Draft, random.Random], Draft]:
    return lambda made, chance: replace(made, after=[*made.after, *lines])


def _padded_title(made: Draft, chance: random.Random) -> Draft:
    return replace(made, before=["Export of patients" + made.delimiter * (len(made.clean.names) - 1), *made.before])


def _padded_total(made: Draft, chance: random.Random) -> Draft:
    return replace(
        made, after=[*made.after, "Total" + made.delimiter * (len(made.clean.names) - 1) + str(len(made.rows))]
    )


def _sums(made: Draft, chance: random.Random) -> Draft:
    sums = ["Total", *("" for _ in made.clean.names[1:])]
    return replace(made, after=[*made.after, made.delimiter.join(sums)])


def _second_header(kind: str) -> Callable[[Draft, random.Random], Draft]:
    def do(made: Draft, chance: random.Random) -> Draft:
        width = len(made.clean.names)
        lines = {
            "groups": ["Person" if place % 3 == 0 else "" for place in range(width)],
            "repeated groups": ["Person" if 2 * place < width else "Place" for place in range(width)],
            "units": [chance.choice(["years", "kg", "text", "code"]) for _ in range(width)],
            "types": [chance.choice(["int", "string", "float"]) for _ in range(width)],
            "again": list(made.clean.names),
            "rule": ["-" * max(3, len(name)) for name in made.clean.names],
        }
        above = kind in ("groups", "repeated groups")
        return replace(made, header=[lines[kind], *made.header] if above else [*made.header, lines[kind]])

    return do


def _header(change: Callable[[Line, random.Random], Line]) -> Callable[[Draft, random.Random], Draft]:
    return lambda made, chance: replace(made, header=[*made.header[:-1], change(list(made.header[-1]), chance)])


def _empty_name(names: Line, chance: random.Random) -> Line:
    names[chance.randrange(len(names))] = ""
    return names


def _same_name(names: Line, chance: random.Random) -> Line:
    names[-1] = names[0] if len(names) > 1 else names[-1]
    return names


def _ragged(
    change: Callable[[Line, random.Random], Line], where: str = "any"
) -> Callable[[Draft, random.Random], Draft]:
    def do(made: Draft, chance: random.Random) -> Draft:
        rows = [list(row) for row in made.rows]
        place = {"first": 0, "last": len(rows) - 1, "any": chance.randrange(len(rows))}[where]
        rows[place] = change(rows[place], chance)
        return replace(made, rows=rows)

    return do


def _blank_lines(made: Draft, chance: random.Random) -> Draft:
    return replace(made, before=["", *made.before], after=[*made.after, "", ""])


def _of_width(*lines: Line) -> Callable[[Draft, random.Random], list[str]]:
    """Lines as wide as the table, whose first cells are these."""

    def made_of(made: Draft, chance: random.Random) -> list[str]:
        width = len(made.clean.names)
        return [made.delimiter.join((line + [""] * width)[:width]) for line in lines]

    return made_of


def _above(lines: Callable[[Draft, random.Random], list[str]]) -> Callable[[Draft, random.Random], Draft]:
    return lambda made, chance: replace(made, before=[*lines(made, chance), *made.before])


def _below(lines: Callable[[Draft, random.Random], list[str]]) -> Callable[[Draft, random.Random], Draft]:
    return lambda made, chance: replace(made, after=[*made.after, *lines(made, chance)])


def _another_table(made: Draft, chance: random.Random) -> list[str]:
    names = [f"{name} too" for name in made.clean.names]
    rows = made.rows[: len(made.rows) // 2]
    return ["", *(made.delimiter.join(line) for line in (names, *rows))]


def _numbered(change: Callable[[Draft, random.Random], Draft]) -> Callable[[Draft, random.Random], Draft]:
    """Damage of tables whose first column numbers the records: elsewhere nobody could see it."""
    return lambda made, chance: (
        change(made, chance)
        if made.rows and all(row[0].isdecimal() and len(row[0]) == 4 for row in made.rows)
        else made
    )


def _between(made: Draft, chance: random.Random) -> Draft:
    place = chance.randrange(1, len(made.rows))
    subtotal = ["Subtotal", *("" for _ in made.clean.names[1:])]
    return replace(made, rows=[*made.rows[:place], subtotal, *made.rows[place:]])


def _strays(both: bool) -> Callable[[Draft, random.Random], Draft]:
    """A quote before a cell, and perhaps one behind the same column's cell some records below."""

    def do(made: Draft, chance: random.Random) -> Draft:
        rows = [list(row) for row in made.rows]
        first, last = sorted(chance.sample(range(len(rows)), 2))
        place = chance.randrange(len(rows[first]))
        rows[first][place] = STRAY + rows[first][place]
        if both and place < len(rows[last]):
            rows[last][place] += STRAY
        return replace(made, rows=rows)

    return do


def _mixed_encodings(content: bytes, chance: random.Random) -> bytes:
    lines = content.split(b"\n")
    for place in range(len(lines) // 2, len(lines)):
        try:
            lines[place] = lines[place].decode("utf-8").encode("cp1252")
        except UnicodeError:
            continue
    return b"\n".join(lines)


def _half_western(made: Draft, chance: random.Random) -> Draft:
    return replace(_encoded("utf-8", "latin")(made, chance), spoil=_mixed_encodings)


def _double_spaced(made: Draft, chance: random.Random) -> Draft:
    return replace(made, ends=("\r\r\n",))


def _encoded(encoding: str, script: str, mark: bytes = b"") -> Callable[[Draft, random.Random], Draft]:
    def do(made: Draft, chance: random.Random) -> Draft:
        return replace(_replaced(made, table(chance, script)), encoding=encoding, mark=mark, script=script)

    return do


def _nul_bytes(content: bytes, chance: random.Random) -> bytes:
    places = sorted(chance.sample(range(len(content) + 1), min(len(content), chance.randrange(1, 5))))
    for place in reversed(places):
        content = content[:place] + b"\0" + content[place:]
    return content


def _one_column(made: Draft, chance: random.Random) -> Draft:
    return _replaced(made, made.clean.narrowed(chance.randrange(len(made.clean.names))))


def _wide(made: Draft, chance: random.Random) -> Draft:
    names = [f"column_{place}" for place in range(10_000)]
    return _replaced(made, Clean(names, [[str(chance.randrange(9)) for _ in names] for _ in range(3)]))


def _long_cell(made: Draft, chance: random.Random) -> Draft:
    return _cells(made, chance, ["lang, wide; " * 850_000 + "end"], 0.0)


def _numbers(*texts: str) -> Callable[[Draft, random.Random], Draft]:
    return lambda made, chance: _cells(made, chance, list(texts), 1.0)


DAMAGES = (
    Damage("semicolon", "delimiter", _delimiter(";")),
    Damage("tab", "delimiter", _delimiter("\t")),
    Damage("bar", "delimiter", _delimiter("|")),
    Damage("two bars", "delimiter", _delimiter("||")),
    Damage("tilde bar tilde", "delimiter", _delimiter("~|~")),
    Damage("two colons", "delimiter", _delimiter("::")),
    Damage("caret", "delimiter", _delimiter("^")),
    Damage("colon", "delimiter", _delimiter(":")),
    Damage("comma and tab", "delimiter", _delimiter(",\t")),
    Damage("blank", "delimiter", _delimiter(" ")),
    Damage("unit separator", "delimiter", _delimiter("\x1f")),
    Damage("doubled quotes", "quotes", _with_text()),
    Damage("escaped quotes", "quotes", _with_text(escape="\\")),
    Damage("single quotes", "quotes", _with_text(quote="'")),
    Damage("single quotes everywhere", "quotes", _with_text(quote="'", quoting="all")),
    Damage("quotes everywhere", "quotes", _with_text(quoting="all")),
    Damage("blanks before quotes", "quotes", _with_text(quoting="all", gap=" ")),
    Damage("escaped quotes everywhere", "quotes", _with_text(quoting="all", escape="\\")),
    Damage("no quotes but escapes", "quotes", _with_text(quoting="none", escape="\\")),
    Damage("no quotes", "quotes", _with_text(quoting="none")),
    Damage("backslashes", "cells", _backslashes),
    Damage("quoted newlines", "cells", _newlines),
    Damage("CR", "ends", lambda made, chance: replace(made, ends=("\r",))),
    Damage("CR LF", "ends", lambda made, chance: replace(made, ends=("\r\n",))),
    Damage("mixed line ends", "ends", lambda made, chance: replace(made, ends=("\n", "\r\n", "\r"))),
    Damage("CR CR LF", "ends", _double_spaced),
    Damage("no final newline", "last end", lambda made, chance: replace(made, last_end=False)),
    Damage(
        "sign of the end", "spoil", lambda made, chance: replace(made, spoil=lambda content, chance: content + b"\x1a")
    ),
    Damage("NUL bytes", "spoil", lambda made, chance: replace(made, spoil=_nul_bytes)),
    Damage("title", "before", _before("Patients of the city hospital")),
    Damage("title and blank line", "before", _before("Patients of the city hospital", "")),
    Damage("comments", "before", _before("# made by hand", "# on Monday, at noon; again")),
    Damage("padded title", "before", _padded_title),
    Damage("titles with numbers", "before", _before("Report 2024", "1,5 million people", "")),
    Damage("blank lines", "before", _blank_lines),
    Damage(
        "titles of the width",
        "before",
        _numbered(_above(_of_width(["Report", "2024", "North"], ["by", "office", "x"]))),
    ),
    Damage("means", "after", _numbered(_below(_of_width(["mean", "", "5"], ["sd", "", "2"])))),
    Damage("empty rows", "after", _below(_of_width([], []))),
    Damage("another table", "after", _numbered(_below(_another_table))),
    Damage("subtotal between", "ragged", _numbered(_between)),
    Damage("total", "after", _after("Total: 40")),
    Damage("padded total", "after", _padded_total),
    Damage("sums", "after", _sums),
    Damage("comment after", "after", _after("", "# end of file")),
    Damage("source", "after", _after("", "Source: Ministry, 2024")),
    Damage("rows selected", "after", _after("", "(40 rows affected)")),
    Damage("groups above", "header", _second_header("groups")),
    Damage("repeated groups above", "header", _second_header("repeated groups")),
    Damage("units below", "header", _second_header("units")),
    Damage("types below", "header", _second_header("types")),
    Damage("header again", "header", _second_header("again")),
    Damage("rule below", "header", _second_header("rule")),
    Damage("no header", "header", _numbered(lambda made, chance: replace(made, header=[]))),
    Damage("empty name", "header", _header(_empty_name)),
    Damage("same name twice", "header", _header(_same_name)),
    Damage("short header", "header", _header(lambda names, chance: names[:-1] or names)),
    Damage("header of one name", "header", _header(lambda names, chance: names[:1])),
    Damage("long header", "header", _header(lambda names, chance: [*names, "more"])),
    Damage("trailing delimiters", "trailing", lambda made, chance: replace(made, trailing=(1, 1))),
    Damage("trailing delimiters of records", "trailing", lambda made, chance: replace(made, trailing=(0, 1))),
    Damage("several trailing delimiters", "trailing", lambda made, chance: replace(made, trailing=(3, 3))),
    Damage("short row", "ragged", _ragged(lambda row, chance: row[:-1] or row)),
    Damage("long row", "ragged", _ragged(lambda row, chance: [*row, "7"])),
    Damage("row with an empty cell more", "ragged", _ragged(lambda row, chance: [*row, ""])),
    Damage("last row cut", "ragged", _ragged(lambda row, chance: row[:1], "last")),
    Damage("first row cut", "ragged", _ragged(lambda row, chance: row[:1], "first")),
    Damage("quote left open", "ragged", _strays(both=False)),
    Damage("records between two quotes", "ragged", _strays(both=True)),
    Damage("split row", "ragged", _ragged(lambda row, chance: [*row[:1], "", *row[1:]])),
    Damage("UTF-8 with a mark", "encoding", _encoded("utf-8", "latin", b"\xef\xbb\xbf")),
    Damage("UTF-8 with two marks", "encoding", _encoded("utf-8", "latin", b"\xef\xbb\xbf" * 2)),
    Damage("UTF-8 and Windows 1252", "encoding", _half_western),
    Damage("UTF-16 LE", "encoding", _encoded("utf-16-le", "simplified")),
    Damage("UTF-16 BE", "encoding", _encoded("utf-16-be", "latin")),
    Damage("UTF-16 LE with a mark", "encoding", _encoded("utf-16-le", "ascii", b"\xff\xfe")),
    Damage("UTF-16 BE with a mark", "encoding", _encoded("utf-16-be", "traditional", b"\xfe\xff")),
    Damage("Latin-1", "encoding", _encoded("latin-1", "latin")),
    Damage("Windows 1252", "encoding", _encoded("cp1252", "latin")),
    Damage("Windows 1250", "encoding", _encoded("cp1250", "central")),
    Damage("ISO 8859-2", "encoding", _encoded("iso8859-2", "central")),
    Damage("Windows 1251", "encoding", _encoded("cp1251", "cyrillic")),
    Damage("KOI8-R", "encoding", _encoded("koi8-r", "cyrillic")),
    Damage("DOS 866", "encoding", _encoded("cp866", "cyrillic")),
    Damage("Windows 1254", "encoding", _encoded("cp1254", "turkish")),
    Damage("Mac Roman", "encoding", _encoded("mac-roman", "latin")),
    Damage("DOS 850", "encoding", _encoded("cp850", "latin")),
    Damage("Big5", "encoding", _encoded("big5", "traditional")),
    Damage("GB18030", "encoding", _encoded("gb18030", "simplified")),
    Damage("Shift-JIS", "encoding", _encoded("shift_jis", "japanese")),
    Damage("one column", "shape", _one_column),
    Damage("10,000 columns", "shape", _wide),
    Damage("a cell of 10 MB", "shape", _long_cell),
    Damage("decimal commas", "numbers", _numbers("1,5", "2,75", "-0,5")),
    Damage("grouped numbers", "numbers", _numbers("1.234,56", "12.345,00", "7,5")),
    Damage("Swiss numbers", "numbers", _numbers("1'234.50", "12'000.00")),
    Damage("numbers with blanks", "numbers", _numbers("1 234,5", "12 345,6")),
)
SINGLE = ("single quotes", "single quotes everywhere")
CANCELLING = (
    ("long header", "trailing delimiters"),
    ("long header", "trailing delimiters of records"),
    ("long header", "several trailing delimiters"),
    ("groups above", "one column"),
    ("repeated groups above", "one column"),
    ("padded total", "one column"),
    ("no quotes", "short row"),
    *((quotes, strays) for quotes in SINGLE for strays in ("quote left open", "records between two quotes")),
)
"""Damages that together make another table, well written: no reader can know that it was a different one."""
HEAVY = ("10,000 columns", "a cell of 10 MB")
_ORDER = ("shape", "encoding", "numbers", "cells", "quotes", "delimiter", "ends")
"""What changes the cells of the clean table goes first; the rest is done to the file of it."""


def go_together(one: Damage, other: Damage) -> bool:
    """Whether two damages can be done to one file, and are still seen in it."""
    return one.group != other.group and not {(one.name, other.name), (other.name, one.name)} & set(CANCELLING)


def damaged(kinds: tuple[Damage, ...], seed: int) -> tuple[Clean, bytes]:
    """A clean table and the bytes of a file of it that bears these damages; the same for the same seed."""
    chance = random.Random(seed)
    made = draft(table(chance))
    for kind in sorted(kinds, key=lambda kind: _ORDER.index(kind.group) if kind.group in _ORDER else len(_ORDER)):
        made = kind.do(made, chance)
    return made.clean, made.written(chance)
