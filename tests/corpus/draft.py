"""What a file of the corpus is written from: a clean table, how its lines divide, and what stands around them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.corpus.tables import Clean

Line = list[str]
STRAY = "\ue000"
"""Stands in a draft's rows for a quote that no writer put there."""


@dataclass(frozen=True)
class Draft:
    """A file to be: the table, how its lines divide, and what stands around them."""

    clean: Clean
    header: list[Line]
    rows: list[Line]
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    delimiter: str = ","
    quote: str = '"'
    quoting: str = "minimal"
    """"minimal", "all" or "none"."""
    escape: str = ""
    """Stands before quotes in place of their doubling, and before delimiters where nothing is quoted."""
    gap: str = ""
    """Blanks between a delimiter and what follows it."""
    ends: tuple[str, ...] = ("\n",)
    last_end: bool = True
    trailing: tuple[int, int] = (0, 0)
    """Delimiters after the header and after every record."""
    encoding: str = "utf-8"
    mark: bytes = b""
    script: str = "ascii"
    spoil: Callable[[bytes, random.Random], bytes] | None = None

    def written(self, chance: random.Random) -> bytes:
        """The bytes of the file."""
        lines = [*self.before]
        lines += [self._line(cells) + self.delimiter * self.trailing[0] for cells in self.header]
        lines += [self._line(cells) + self.delimiter * self.trailing[1] for cells in self.rows]
        lines += self.after
        lines = [line.replace(STRAY, '"') for line in lines]
        text = "".join(line + chance.choice(self.ends) for line in lines[:-1]) + lines[-1]
        text += self.ends[0] if self.last_end else ""
        content = self.mark + text.encode(self.encoding)
        return content if self.spoil is None else self.spoil(content, chance)

    def _line(self, cells: Line) -> str:
        written = (self.delimiter + self.gap).join(self._cell(cell) for cell in cells)
        # As every writer does: the only cell of a line is quoted if it is empty.
        return self.quote * 2 if not written and len(cells) == 1 and self.quoting != "none" else written

    def _cell(self, cell: str) -> str:
        special = (self.delimiter, self.quote, "\n", "\r")
        if self.quoting == "none":
            if not self.escape:
                return cell
            signs = (self.escape, self.delimiter, self.quote)
            return "".join(self.escape + sign if sign in signs else sign for sign in cell)
        if self.quoting == "minimal" and not any(sign in cell for sign in special):
            return cell
        if self.escape:
            inner = cell.replace(self.escape, self.escape * 2).replace(self.quote, self.escape + self.quote)
        else:
            inner = cell.replace(self.quote, self.quote * 2)
        return self.quote + inner + self.quote


def draft(clean: Clean, script: str = "ascii") -> Draft:
    """The plain file of a table."""
    return Draft(clean, [clean.names], clean.rows, script=script)
