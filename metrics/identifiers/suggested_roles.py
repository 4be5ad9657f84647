"""The role that is proposed for a column: by what its values look like, its name, and how many of them there are."""

from __future__ import annotations

import re

import pyarrow as pa

from metrics.config.roles import Role
from metrics.identifiers.column_names import MAX_NAME
from metrics.identifiers.detection import identifier_of
from metrics.identifiers.uniqueness import MAX_RECORDS_OF_ONE, are_numbers, are_whole
from metrics.tables.dictionary_codes import arrow_of
from metrics.tables.table import SUPPRESSED, Column

_SENSITIVE_WORDS = re.compile(
    r"(?i)diag|disease|illness|condition|salary|income|wage|merit|religio|politic|sexual|hiv|glu|a1c|drug|medic"
    r"|treatment|outcome|readmi|stay|crime|offen|debt|score|疾病|診斷|薪|收入"
)
_QUASI_WORDS = re.compile(
    r"(?i)\bage\b|^age|birth|dob|zip|post(al)?[ _-]?code|\bsex\b|gender|race|ethnic|nation|country|city|region|county"
    r"|state|marital|education|occupation|profession|work[ _-]?class|job|admission|年齡|出生|性別|郵遞|國籍|職業|婚姻"
)
_IDENTIFYING_WORDS = re.compile(
    r"(?i)(^|[_\W])(id|uid|uuid|ssn|mrn|name|e-?mail|phone|passport|identifier)($|[_\W])|_id$|姓名|身分證|編號|電話"
)


def suggest_role(column: Column, rows: int) -> Role:
    """Suggest the role of a column; `rows` is the number of records.

    What identifies people by its values is an identifier, whatever it is called. Of dates and places, which are
    generalized before release, and of numbers the name decides first.
    """
    name = column.name[:MAX_NAME]
    is_quasi = _QUASI_WORDS.search(name) is not None
    found = identifier_of(column)
    if found is not None and not found.kind.generalizable and not (found.kind.by_uniqueness and is_quasi):
        return Role.IDENTIFIER
    all_different = rows > 20 and column.distinct == rows and not _is_quantity(column)
    few_share = column.distinct * MAX_RECORDS_OF_ONE >= rows
    if (few_share and _IDENTIFYING_WORDS.search(name)) or (all_different and not is_quasi):
        return Role.IDENTIFIER
    if _SENSITIVE_WORDS.search(name):
        return Role.SENSITIVE
    if is_quasi or (found is not None and found.kind.generalizable):
        return Role.QUASI_IDENTIFIER
    return Role.IDENTIFIER if column.values.equals(pa.array([SUPPRESSED])) else Role.INSENSITIVE


def _is_quantity(column: Column) -> bool:
    """Whether the column holds fractions or separated thousands: measurements often differ and identify nobody."""
    values = column.values.filter(arrow_of(column.shown))
    return are_numbers(values, column.decimal) and not are_whole(values, column.decimal)
