"""Files and data frames to Tables: a plan is proposed, and the file is read strictly by it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from importlib.util import find_spec
from typing import Any, BinaryIO

from metrics.errors import InputError, missing_extra
from metrics.formatting import pluralize
from metrics.reading.delimited import propose as propose_delimited
from metrics.reading.proposal import Answer, Proposal, Question
from metrics.reading.source import UNNAMED, InputSource, input_source
from metrics.reading.strict import read as read_delimited
from metrics.tables.corrections import corrected
from metrics.tables.frames import TableLike, is_frame
from metrics.tables.read_plan import EXCEL, PARQUET, TEXT, ReadPlan
from metrics.tables.table import Table

__all__ = ["Answer", "Proposal", "Question", "ReadPlan", "as_table", "propose", "read_table", "require_answered"]

Bytes = bytes | bytearray | memoryview


_CHOICES = frozenset(field.name for field in fields(ReadPlan)) - {"kind", "compression"}


def propose(
    source: str | os.PathLike[str] | Bytes | BinaryIO | Any, *, name: str | None = None, **choices: Any
) -> Proposal:
    """How a file would be read, and the questions that it leaves open.

    Parameters
    ----------
    source : path, bytes, binary file object or data frame
        As of `read_table`.
    name : str, optional
        What messages call the file.
    **choices
        Chosen fields of `ReadPlan`, by name, such as `delimiter=";"`; None means an open one.

    Returns
    -------
    Proposal
        The most plausible plan, what is open about it, and the first records by it.

    Raises
    ------
    InputError
        If no plan reads the file: it is empty, binary, too large, or nothing divides it into records.
    """
    chosen_fields = _chosen_plan_fields(choices)
    if is_frame(source):
        from metrics.reading.arrow import preview_of, read_frame

        return preview_of(read_frame(source, name or UNNAMED, chosen_fields), ())
    return _proposal_for_file(input_source(source, name), chosen_fields, whole=True)


def read_table(
    source: str | os.PathLike[str] | Bytes | BinaryIO | Any,
    *,
    plan: ReadPlan | None = None,
    name: str | None = None,
    renamed: Sequence[tuple[str, str]] = (),
    same_values: Sequence[tuple[str, str, str]] = (),
    **choices: Any,
) -> Table:
    """The table in a file, in bytes, or in a pandas, Polars or Arrow table; its content tells the kind.

    Parameters
    ----------
    source
        A path, bytes, a binary file object (read from where it stands, not closed), or a table in memory.
    plan
        How to read it. By default the plan that `propose` proposes, if it leaves no question open.
    name
        What messages and headings call it; a path's file name by default.
    renamed
        Names of columns in the file, each with the one to give it.
    same_values
        Column (as it is named then), value, and the value to read it as.
    **choices
        Chosen fields of `ReadPlan`, by name; None means an open one. With `plan` they replace its
        fields. Those that a kind of file does not have are ignored.

    Returns
    -------
    Table
        Cells as text, trimmed; `Table.source` has the plan and notes on what needed no question.

    Raises
    ------
    InputError
        If a question is open, or a record of the file does not fit the plan.
    """
    chosen_fields = _chosen_plan_fields(choices)
    if plan is not None:
        plan = replace(plan, **chosen_fields)
        plan.check(name)
    if is_frame(source):
        from metrics.reading.arrow import read_frame

        frame_fields = chosen_fields if plan is None else {"missing": plan.missing, "decimal": plan.decimal}
        table = read_frame(source, name or UNNAMED, frame_fields)
    elif plan is None:
        table = _read_as_proposed(input_source(source, name), chosen_fields)
    else:
        table = _read_by_plan(input_source(source, name), plan)
    return corrected(table, renamed, same_values) if renamed or same_values else table


def as_table(source: TableLike, name: str) -> Table:
    """A Table as it is, and any other table in memory as `read_table` reads it.

    The source itself if it is a Table. Raises InputError as `read_table`.
    """
    return source if isinstance(source, Table) else read_table(source, name=name)


def _chosen_plan_fields(choices: Mapping[str, Any]) -> dict[str, Any]:
    """The choices that are made, as fields of a plan. Raises TypeError for one that no plan has."""
    unknown = next((key for key in choices if key not in _CHOICES), None)
    if unknown is not None:
        raise TypeError(f"a table is not read by a choice named {unknown!r}")
    chosen = {key: value for key, value in choices.items() if value is not None and value != ()}
    return {key: tuple(value) if isinstance(value, list) else value for key, value in chosen.items()}


def _read_as_proposed(file: InputSource, chosen_fields: dict[str, Any]) -> Table:
    proposal = _proposal_for_file(file, chosen_fields, whole=False)
    require_answered(proposal)
    try:
        table = _read_by_plan(file, proposal.plan)
    except InputError:
        # Lines beyond the beginning of a long file may raise a question.
        require_answered(_proposal_for_file(file, chosen_fields, whole=True))
        raise
    notes = tuple(dict.fromkeys((*proposal.notes, *table.source.notes)))
    return replace(table, source=replace(table.source, notes=notes))


def require_answered(proposal: Proposal) -> None:
    """Raise InputError with the first open question, and the options that answer all of them as proposed."""
    if proposal.questions:
        first_question, *other_questions = proposal.questions
        options = " ".join(question.answers[0].options for question in proposal.questions)
        suffix = f" ({pluralize(len(other_questions), 'more question')})" if other_questions else ""
        raise InputError(
            f"{first_question.text} Proposed: {first_question.answers[0].label}{suffix}",
            remedy=f"answer as proposed with {options} or with --accept-proposals, or choose otherwise",
            file=proposal.name,
        )


def _proposal_for_file(file: InputSource, chosen_fields: dict[str, Any], *, whole: bool) -> Proposal:
    replace(ReadPlan("csv"), **chosen_fields).check(file.name)
    kind, compression = file.kind()
    if kind == TEXT:
        return propose_delimited(file, compression, chosen_fields, whole=whole)
    proposal: Proposal = _reader(kind).propose(file, kind, chosen_fields)
    return proposal


def _read_by_plan(file: InputSource, plan: ReadPlan) -> Table:
    kind, compression = file.kind()
    if kind != plan.kind:
        raise InputError(
            f"the reading plan is for a file of another kind ({plan.kind}) than this one ({kind})",
            remedy="read it without the plan, or change its kind",
            file=file.name,
        )
    read = read_delimited if kind == TEXT else _reader(kind).read
    table: Table = read(file, replace(plan, compression=compression))
    return table


def _reader(kind: str) -> Any:
    """The module for files whose cells have types; its libraries are imported when such a file comes."""
    if kind == PARQUET:
        from metrics.reading import arrow

        return arrow
    library = "openpyxl" if kind == EXCEL else "pyreadstat"
    if find_spec(library) is None:
        raise missing_extra("an Excel, SPSS, Stata or SAS file", "files")
    if kind == EXCEL:
        from metrics.reading import excel

        return excel
    from metrics.reading import statistical

    return statistical
