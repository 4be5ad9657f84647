"""The errors of the library: wrong input, and metrics that are not available."""

from __future__ import annotations

import re
from typing import Any

_LOGIN = re.compile(r"//.*@")
"""What an address of a database may hold a password in; the password may hold any character itself."""


class InputError(ValueError):
    """Wrong input that the user can correct; its text is one sentence.

    The sentence names the file, the row, the column, the problem and the remedy. It never contains the value of a cell:
    tables are confidential, and messages end up in logs and tickets. Nor does it contain the login of an address.

    Parameters
    ----------
    problem : str
        What is wrong.
    remedy : str
        What the user can do.
    file, sheet : str, optional
        Where the problem is.
    row : int, optional
        The line number as an editor counts it: the header is line 1.
    column : str, optional
        The column that the problem is in.
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
        self.problem, self.remedy, self.file, self.row, self.column = problem, remedy, file, row, column
        self.sheet = sheet
        location = [
            part
            for part in (
                file,
                None if sheet is None else f'sheet "{sheet}"',
                None if row is None else f"line {row}",
                None if column is None else f'column "{column}"',
            )
            if part
        ]
        prefix = f"{', '.join(location)}: " if location else ""
        sentence = f"{prefix}{problem}; {remedy}."
        super().__init__(_LOGIN.sub("//…@", " ".join(sentence.split())))

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickling: exceptions do not keep keyword arguments by themselves."""
        return _restore_error, (type(self), self.args, self.__dict__)


def _restore_error(kind: type[InputError], args: tuple[Any, ...], state: dict[str, Any]) -> InputError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


def missing_extra(what: str, extra: str) -> InputError:
    """The error where a package of an extra is not installed."""
    return InputError(f"{what} needs packages that are not installed", remedy=f"run pip install 'quasi[{extra}]'")


class Unavailable(Exception):
    """A metric cannot be computed from the given tables; the text says why, without cell values."""
