"""Every field of a reading plan as a control; what is chosen takes effect at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.file_reviews import Import, Review
from dashboard.session import synced_key
from metrics.formatting import visible
from metrics.tables.read_plan import EXCEL, MAX_LINES, SPSS, STATA, TEXT

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
        key = synced_key(f"{self.key}_{name}", value)

        def store() -> None:
            self.chosen.set(name, read(st.session_state[key]))

        return {"key": key, "on_change": store}

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
