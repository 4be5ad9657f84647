"""The one exception for input that a user can put right."""

from __future__ import annotations


class InputError(ValueError):
    """Bad input, told in one sentence: file, row, column, what is wrong, what to do.

    The sentence may hold names of files and columns, never the value of a cell: tables are secret, and messages
    travel into logs and tickets.
    """

    def __init__(
        self,
        problem: str,
        *,
        remedy: str,
        file: str | None = None,
        sheet: str | None = None,
        row: int | None = None,
        column: str | None = None,
    ) -> None:
        """Args: `row` is the line as an editor counts it (the header is line 1)."""
        self.problem, self.remedy, self.file, self.row, self.column = problem, remedy, file, row, column
        self.sheet = sheet
        place = [
            part
            for part in (
                file,
                None if sheet is None else f'sheet "{sheet}"',
                None if row is None else f"line {row}",
                None if column is None else f'column "{column}"',
            )
            if part
        ]
        prefix = f"{', '.join(place)}: " if place else ""
        sentence = f"{prefix}{problem}; {remedy}."
        super().__init__(" ".join(sentence.split()))
