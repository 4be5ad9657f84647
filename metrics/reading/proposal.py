"""The reading plan proposed for a file, and the questions that a person should answer before it is followed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from metrics.tables.dictionary_codes import BLANKS
from metrics.tables.read_plan import ReadPlan

LONGEST = 60
"""Characters of a cell that are shown; a longer one is neither a number nor a name."""
_SHOWN_CELLS, _SHOWN_LINES = 8, 5


@dataclass(frozen=True)
class Row:
    """A record, or a row of a sheet.

    Attributes
    ----------
    line : int
        The line that it starts on, from 1.
    cells : list of str
        Its cells, untrimmed.
    """

    line: int
    cells: list[str]

    @property
    def filled(self) -> list[str]:
        """The cells that are not blank."""
        return [cell for cell in self.cells if cell.strip(BLANKS)]

    def __str__(self) -> str:
        return " | ".join(cell.strip(BLANKS)[:LONGEST] for cell in self.cells[:_SHOWN_CELLS])


@dataclass(frozen=True)
class Answer:
    """One answer to a question about a file.

    Attributes
    ----------
    label : str
        The answer in words, such as "The first line is a record".
    changes : mapping of str to object
        Fields of the plan that it sets.
    options : str
        The command line's options that give this answer, such as "--header-lines 0".
    lines : tuple of str
        Up to five lines of the file as this answer reads them, where answers differ there.
    """

    label: str
    changes: Mapping[str, Any]
    options: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """A point that the file alone does not settle.

    Attributes
    ----------
    id : str
        The subject: "encoding", "delimiter", "quote", "titles", "header", "footer", "names", "sheet", "blank_lines".
    text : str
        One sentence that ends with a question mark.
    answers : tuple of Answer
        At least two; the first is the proposed one, which the proposal's plan follows.
    """

    id: str
    text: str
    answers: tuple[Answer, ...]


@dataclass
class Draft:
    """A plan in the making, with what is open about it.

    Attributes
    ----------
    plan : ReadPlan
        The plan so far.
    chosen_fields : frozenset of str
        Fields of the plan that are not in question.
    questions : list of Question
        What the file alone does not determine.
    notes : list of str
        What was decided without a question.
    """

    plan: ReadPlan
    chosen_fields: frozenset[str]
    questions: list[Question] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def change(self, **fields: Any) -> None:
        """Set fields of the plan.

        Parameters
        ----------
        **fields
            Their new values, by name.
        """
        self.plan = replace(self.plan, **fields)

    def add_question(self, subject: str, text: str, *answers: Answer) -> None:
        """Add a question, and take its first answer for now.

        Parameters
        ----------
        subject : str
            Id of the question, such as "encoding".
        text : str
            One sentence that ends with a question mark.
        *answers : Answer
            At least two, the proposed one first.
        """
        self.change(**answers[0].changes)
        self.questions.append(Question(subject, text, answers))


def lines_answer(label: str, option: str, number: int, rows: Sequence[Row] = ()) -> Answer:
    """The answer that sets a number of lines.

    Parameters
    ----------
    label : str
        The answer in words.
    option : str
        The field of the plan, such as "header_lines".
    number : int
        Its value.
    rows : sequence of Row
        The rows that the answer is about.

    Returns
    -------
    Answer
        With the command line's option, such as "--header-lines 1".
    """
    lines = tuple(map(str, rows[:_SHOWN_LINES]))
    return Answer(label, {option: number}, f"--{option.replace('_', '-')} {number}", lines)


@dataclass(frozen=True)
class Proposal:
    """How a file would be read, what is open about it, and how it looks.

    Attributes
    ----------
    name : str
        What messages call the file.
    plan : ReadPlan
        The most plausible plan; where `questions` is empty, the only plausible one.
    questions : tuple of Question
        What the file alone does not determine.
    first_lines : tuple of str
        The first lines (rows of a sheet) as they stand, at most 20 of at most 500 characters.
    names : tuple of str
        Names of the columns by the plan.
    preview : tuple of tuple of str or None
        The first records by the plan, at most 10.
    notes : tuple of str
        What was decided without a question, such as "1 column without a name".
    """

    name: str
    plan: ReadPlan
    questions: tuple[Question, ...]
    first_lines: tuple[str, ...]
    names: tuple[str, ...]
    preview: tuple[tuple[str | None, ...], ...]
    notes: tuple[str, ...] = ()
