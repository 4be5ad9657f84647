"""How a file is read: its first lines beside the first records, the questions about it, every setting, one button."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.components.chart import data_table
from dashboard.file_reviews import Import, Review
from dashboard.session import bound, fragment
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.formatting import join_names, pluralize, visible
from metrics.reading.proposal import Proposal, Question
from metrics.tables.read_plan import EXCEL, MAX_LINES, SPSS, STATA, TEXT

_MAX_ROWS = 7
"""Records in sight; the others are scrolled to."""
_ROW = 35
"""Height of a row in pixels."""
_MAX_SAMPLES = 3
_WIDTH = 40
"""Characters of a sample line."""
_BEFORE = 16
"""Characters of a sample line before those that differ."""

DELIMITERS = {
    "comma ,": ",",
    "semicolon ;": ";",
    "tab": "\t",
    "vertical bar |": "|",
    "space": " ",
    "colon :": ":",
    "none: one column": "",
}
ENCODINGS = {
    "UTF-8": "utf-8",
    "UTF-16": "utf-16",
    "Windows-1252 (Western European)": "cp1252",
    "Latin-1 (ISO 8859-1)": "latin-1",
    "Windows-1250 (Central European)": "cp1250",
    "Windows-1251 (Cyrillic)": "cp1251",
    "Big5": "big5",
    "GB18030": "gb18030",
    "Shift-JIS": "shift_jis",
}
_QUOTES = {'double "': '"', "single '": "'", "none": ""}
_ESCAPES = {"none": "", "backslash \\": "\\"}
_BLANK_LINES = {"are ignored": "nothing", "are records with an empty cell": "cells"}
_DECIMALS = {"point .": ".", "comma ,": ","}
_CELLS = {"value labels": True, "codes": False}
_COUNTS = {
    "skip_lines": "Lines before the header",
    "header_lines": "Lines of the header",
    "footer_lines": "Lines after the records",
}
_MISSING = ["", "NA", "N/A", "NaN", "null", "None", "?", "-", "."]
_PER_ROW = 3


def pending_imports(state: Workspace) -> None:
    """The files that are to be read, anew or for the first time.

    Of those of the same form only the first is shown, whose answers hold for all.
    """
    covered: list[Import] = []
    for pending in state.tables.imports:
        if pending not in covered:
            _import_dialog(state, pending)
            covered += state.tables.similar_imports(pending) if pending.label is None else []


def _import_dialog(state: Workspace, pending: Import) -> None:
    """The card of a file that is to be read; what is chosen shows at once and is kept until it is read."""
    key = f"import_{pending.slot.value}_{pending.label or pending.name}"
    with st.container(border=True, key=key):
        fragment(lambda: _dialog(state, pending, key), busy=False, key=f"{key}_dialog")()


def _dialog(state: Workspace, pending: Import, key: str) -> None:
    review = pending.review()
    st.markdown(f"**{plain(pending.label or pending.name)}** · {pending.slot.value}")
    if pending.label is None and review.questions:
        st.caption(_open_questions(state, pending, review))
    error = pending.failure or review.error
    # Parts that come and go have a container, so that what the user opened below it stays open.
    with st.container():
        if error is not None:
            st.error(plain(str(error)), icon=":material/error:")
    for question, index in review.questions:
        _question(pending, question, index, f"{key}_question_{question.id}")
    with st.expander("All settings", expanded=pending.label is not None, key=f"{key}_settings"):
        plan_fields(pending, review, key)
        st.button("Back to the proposal", key=f"{key}_reset", on_click=pending.reset, disabled=pending.untouched)
    if review.proposal is not None:
        _draw_preview(review.proposal, readable=review.error is None)
    _buttons(state, pending, review, key)


def _open_questions(state: Workspace, pending: Import, review: Review) -> str:
    text = f"Not loaded yet: {pluralize(len(review.questions), 'question')} about how to read it."
    similar = [plain(other.name) for other in state.tables.similar_imports(pending)]
    if similar:
        verb = "has" if len(similar) == 1 else "have"
        text += f" The answers also apply to {join_names(similar)}, which {verb} the same form."
    return text


def _question(pending: Import, question: Question, index: int, key: str) -> None:
    labels = [plain(answer.label) for answer in question.answers]
    labels[0] += " (proposed)"
    st.radio(
        f"**{plain(question.text)}**",
        range(len(labels)),
        index=index,
        format_func=labels.__getitem__,
        captions=_samples([answer.lines for answer in question.answers]),
        horizontal=True,
        **bound(key, index, partial(pending.choose_answer, question)),
    )


def _samples(lines: Sequence[Sequence[str]]) -> list[str] | None:
    """For each answer its first lines, cut to where the answers differ; None where they do not."""
    if all(texts == lines[0] for texts in lines):
        return None
    samples: list[list[str]] = [[] for _ in lines]
    for row in list(zip_longest(*lines))[:_MAX_SAMPLES]:
        texts = [text for text in row if text is not None]
        differs = (
            position for position, characters in enumerate(zip(*texts, strict=False)) if len(set(characters)) > 1
        )
        start = max(0, next(differs, 0) - _BEFORE)
        for text, sample in zip(row, samples, strict=True):
            if text is not None:
                sample.append(
                    ("…" if start else "") + text[start : start + _WIDTH] + ("…" if text[start + _WIDTH :] else "")
                )
    return ["  \n".join(map(plain, sample)) for sample in samples]


def _draw_preview(proposal: Proposal, *, readable: bool) -> None:
    """The first lines as they stand beside the first records as they would be read, and what is left out."""
    left, right = st.columns([2, 3])
    height = _ROW * (1 + min(_MAX_ROWS, max(2, len(proposal.preview)))) + 3
    with left:
        st.caption("First lines of the file")
        lines = ("\t".join(visible(cell) if cell else "" for cell in line.split("\t")) for line in proposal.first_lines)
        st.code("\n".join(lines), language=None, line_numbers=True, height=height)
    if not readable:
        right.caption("No preview: the file cannot be read under these settings.")
        return
    with right:
        st.caption(f"First records as they would be read: {pluralize(len(proposal.names), 'column')}")
        records = pd.DataFrame(list(proposal.preview), columns=pd.Index(proposal.names))
        data_table(records, f"First records of {visible(proposal.name)}", height=height)
    plan_remarks(proposal.plan.left_out, proposal.notes)


def plan_remarks(left_out: Sequence[str], notes: Sequence[str]) -> None:
    """Show what a plan leaves out of a file, and what was taken for granted."""
    if left_out:
        st.caption(f"**Left out:** {plain(', '.join(left_out))}.")
    if notes:
        st.caption(f"**Note:** {plain('; '.join(notes))}.")


def _buttons(state: Workspace, pending: Import, review: Review, key: str) -> None:
    with st.container(horizontal=True):
        confirmed = st.button(
            "Read with these settings",
            key=f"{key}_read",
            type="primary",
            disabled=review.error is not None,
            icon=":material/check:",
        )
        if st.button("Do not load it" if pending.label is None else "Keep it as it is", key=f"{key}_cancel"):
            state.tables.imports.remove(pending)
            st.rerun()
    if confirmed:
        with st.spinner(f"Reading {plain(pending.name)}…", show_time=True):
            state.tables.confirm(pending)
        st.rerun()


def plan_fields(pending: Import, review: Review, key: str) -> None:
    """The fields that concern this kind of file, filled in as it would be read."""
    kind = review.value("kind")
    columns = _places()
    fields = _Fields(pending, review, key)
    if kind == TEXT:
        fields.choice(
            next(columns),
            "delimiter",
            "Delimiter",
            DELIMITERS,
            own="The character between two cells: choose one, or type another.",
        )
        fields.choice(
            next(columns),
            "encoding",
            "Encoding",
            ENCODINGS,
            own="The encoding of the file's characters: choose one, or type its name.",
        )
        fields.choice(next(columns), "quote", "Quote", _QUOTES)
        about = "The character that makes the next one plain text, so that a cell can contain a quote or delimiter."
        fields.choice(next(columns), "escape", "Escape", _ESCAPES, help=about)
        if review.value("delimiter") == "":
            fields.choice(next(columns), "blank_lines", "Empty lines", _BLANK_LINES)
    if kind == EXCEL:
        _sheet(fields, next(columns))
    if kind in (SPSS, STATA):
        fields.choice(next(columns), "value_labels", "Cells are", _CELLS)
    if kind in (TEXT, EXCEL):
        for name, label in _COUNTS.items():
            fields.count(next(columns), name, label)
    fields.choice(next(columns), "decimal", "Decimal sign", _DECIMALS)
    fields.missing(next(columns))
    left, right = st.columns(2)
    fields.names(left)
    fields.omitted(right)


def _places() -> Iterator[DeltaGenerator]:
    while True:
        yield from st.columns(_PER_ROW)


def _sheet(fields: _Fields, column: DeltaGenerator) -> None:
    sheets = fields.chosen.alternatives("sheet")
    if sheets:
        fields.choice(column, "sheet", "Sheet", {visible(sheet): sheet for sheet in sheets})
    else:
        fields.text(column, "sheet", "Sheet")


class _Fields:
    """The controls of one file: each shows what holds now, and tells the import what is chosen."""

    def __init__(self, pending: Import, review: Review, key: str) -> None:
        self.chosen, self.review, self.key = pending, review, key

    def _bound(self, name: str, value: Any, read: Callable[[Any], Any]) -> dict[str, Any]:
        """Key and callback of the control of a field that shows `value`; `read` makes the field's value of it."""
        return bound(f"{self.key}_{name}", value, lambda shown: self.chosen.set(name, read(shown)))

    def choice(
        self,
        column: DeltaGenerator,
        name: str,
        label: str,
        values: Mapping[str, Any],
        own: str | None = None,
        help: str | None = None,
    ) -> None:
        """One of the known values by their names; `own` lets the user type others, and says so."""
        value = self.review.value(name)
        names = {item: title for title, item in values.items()}
        current = names.get(value, value)
        options = [*values] if value in names else [*values, current]
        bound = self._bound(name, current, lambda entry: values.get(entry, entry))
        column.selectbox(
            label, options, index=options.index(current), accept_new_options=own is not None, help=own or help, **bound
        )

    def text(self, column: DeltaGenerator, name: str, label: str) -> None:
        """Any text; none means the default."""
        column.text_input(label, **self._bound(name, self.review.value(name) or "", lambda text: text or None))

    def count(self, column: DeltaGenerator, name: str, label: str) -> None:
        """A number of lines."""
        column.number_input(label, 0, MAX_LINES, step=1, **self._bound(name, self.review.value(name), int))

    def missing(self, column: DeltaGenerator) -> None:
        """The cells that mean a missing value."""
        current = list(self.review.value("missing"))
        column.multiselect(
            "Cells that mean “missing”",
            [*_MISSING, *(text for text in current if text not in _MISSING)],
            format_func=visible,
            accept_new_options=True,
            placeholder="none",
            help="Cells with one of these texts count as missing. Without a choice every cell is a value, “NA” and "
            "empty cells included.",
            **self._bound("missing", current, tuple),
        )

    def names(self, column: DeltaGenerator) -> None:
        """The names of all columns, one per line."""
        names = self.chosen.all_names(self.review)
        header = self.chosen.all_names(self.review, given=False)

        def read(text: str) -> tuple[str, ...] | None:
            entered = tuple(line.strip() for line in text.strip("\n").split("\n"))
            return None if entered == header else entered

        column.text_area(
            "Names of all columns, one per line",
            height=120,
            help="What the columns are called. Clear the field to use the names in the header.",
            **self._bound("names", "\n".join(names), lambda text: read(text) if text.strip() else None),
        )

    def omitted(self, column: DeltaGenerator) -> None:
        """The columns that are left out."""
        names = self.chosen.all_names(self.review)
        current = list(self.review.value("omitted_columns"))
        column.multiselect(
            "Columns to leave out",
            sorted({*range(1, len(names) + 1), *current}),
            format_func=lambda number: (
                f"{number}: {visible(names[number - 1])}" if number <= len(names) else str(number)
            ),
            placeholder="none",
            **self._bound("omitted_columns", current, lambda numbers: tuple(sorted(numbers))),
        )
