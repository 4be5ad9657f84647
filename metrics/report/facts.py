"""Facts that a report states on the tables, roles and parameters that its scorecard rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.config.roles import Role
from metrics.config.setting_texts import setting_label
from metrics.formatting import format_number, visible
from metrics.identifiers.detection import direct_identifiers
from metrics.scoring.scorecard import Scorecard, finite
from metrics.tables.table import Described, Source, Table
from metrics.texts import text


@dataclass(frozen=True)
class FileDigests:
    """Facts that a scorecard does not know: sha256 of the files' bytes in hexadecimal.

    Parameters
    ----------
    anonymized, original : str, optional
        Of the tables' files, or of the Parquet file of a table that was made; None if there is none.
    settings : str, optional
        Of the settings file with which every figure can be reproduced.
    made : tuple of str
        What a recipe did, step by step, where the anonymized table comes from one and not from a file.
    made_from : str, optional
        The version that the recipe was applied to; None if that is the original.
    without_suppressed : str, optional
        Of the CSV file for release, sorted by its values, without the suppressed records, where these disclose a value.
    """

    anonymized: str | None = None
    original: str | None = None
    settings: str | None = None
    made: tuple[str, ...] = ()
    made_from: str | None = None
    without_suppressed: str | None = None


class ComparedTable(NamedTuple):
    """One of the tables compared."""

    part: str
    name: str
    rows: int
    suppressed: int | None
    removed: int | None
    columns: int
    read: str
    """How its file was read, or how it was made, step by step."""
    brief: str
    """The same without what a step of a recipe has in brackets."""
    sha256: str | None


def compared_tables(card: Scorecard, sha256: FileDigests, label: str | None = None) -> Iterator[ComparedTable]:
    """The anonymized table, by its label if it has one, then the original where there is one."""

    def row(
        part: str, table: Described, lost_records: tuple[int | None, int | None], digest: str | None
    ) -> ComparedTable:
        read, name = _read_as(table.source), table.name
        brief = read
        if part == "Anonymized" and sha256.made:
            name = label or name
            file = "the checksum is that of its CSV file, sorted by its values"
            source = "the original" if sha256.made_from is None else visible(sha256.made_from)
            read = f"made from {source} by {', then '.join(sha256.made)}; {file}"
            steps = [step.partition(" (")[0] for step in sha256.made]
            brief = f"made from {source} by {', then '.join(steps)}; {file}"
        elif part == "Anonymized" and label not in (None, name):
            name = f"{label} (file {name})"
        return ComparedTable(part, name, table.rows, *lost_records, len(table.names), read, brief, digest)

    aggregates = card.aggregates
    lost_records = aggregates.class_sizes.suppressed, aggregates.comparison.removed
    yield row("Anonymized", aggregates.anonymized, lost_records, sha256.anonymized)
    if aggregates.original is not None:
        yield row("Original", aggregates.original, (None, None), sha256.original)


def _read_as(source: Source) -> str:
    """How a file was read, and what of it was left out."""
    plan = source.plan
    kinds = {"csv": "CSV", "memory": "from memory", "spss": "SPSS"}
    parts = [kinds.get(plan.kind, plan.kind.capitalize())]
    for name in ("delimiter", "encoding", "compression", "sheet"):
        value = getattr(plan, name)
        if value is not None:
            parts.append(f"{name} “{'tab' if value == chr(9) else value}”")
    parts += ["decimal comma"] if plan.decimal == "," else []
    if plan.missing:
        parts.append("missing: " + ", ".join(visible(marker) for marker in plan.missing))
    if plan.left_out:
        parts.append("left out: " + ", ".join(plan.left_out))
    return ", ".join(parts)


def roles_of(card: Scorecard) -> Iterator[tuple[str, list[str]]]:
    """The columns of each role, those named nowhere as insensitive; then those stated to identify nobody."""
    aggregates = card.aggregates
    names = dict.fromkeys((*aggregates.anonymized.names, *(aggregates.original.names if aggregates.original else ())))
    for role in Role:
        columns = [name for name in names if aggregates.roles.of(name) is role]
        if columns:
            yield str(role), columns
    if stated := stated_columns(card):
        yield text("direct_identifiers.stated"), stated


def identifying_columns(card: Scorecard) -> list[tuple[str, str]] | None:
    """Find the anonymized table's columns that look like direct identifiers, with the kind; None if it is not here."""
    return card.aggregates.memoize(_identifying_columns)


def _identifying_columns(aggregates: Aggregates) -> list[tuple[str, str]] | None:
    table = aggregates.anonymized
    if not isinstance(table, Table):
        return None
    return [(name, kind.title) for name, kind in direct_identifiers(table).items()]


def stated_columns(card: Scorecard) -> list[str]:
    """The anonymized table's columns of which the roles state that they identify nobody."""
    return [name for name in card.aggregates.roles.not_identifying if name in card.aggregates.anonymized]


def matching_summary(card: Scorecard, *, warns_of_order: bool = True) -> str:
    """How records were matched with their originals, or why not; whether their order must not be released."""
    aggregates = card.aggregates
    if aggregates.comparison.unmatched is not None:
        return text("matched.not_compared", reason=aggregates.comparison.unmatched)
    assert aggregates.comparison.tally is not None
    if getattr(aggregates.anonymized, "positions", None) is not None:
        return text("matched.drawn", left_out=aggregates.comparison.deleted)
    matched = aggregates.comparison.tally.summary(aggregates.roles.matching)
    if aggregates.roles.matching.key or not warns_of_order:
        return matched
    return text("matched.by_position", matched=matched)


def parameter_rows(parameters: Parameters) -> list[tuple[str, str]]:
    """Every parameter by its key, with its value as text."""
    return [(key, value.removesuffix(".0")) for key, value in flat(parameters.to_dict())]


def labelled_parameters(parameters: Parameters) -> list[tuple[str, str, str]]:
    """Every parameter by its label and its key, with its value as text; one of a column by the column, too."""
    rows = []
    for key, value in parameter_rows(parameters):
        group, name, *column = key.split(".", 2)
        rows.append((" ".join([setting_label(f"{group}.{name}"), *column]), key, value))
    return rows


def flat(content: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """The leaves of nested mappings, by the path of their keys."""
    for key, value in content.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{path}{key}.")
        else:
            yield f"{path}{key}", full_digits(value)


def full_digits(value: Any) -> str:
    """A figure with all its digits."""
    plain = finite(value)
    if isinstance(plain, list):
        return ", ".join(full_digits(item) for item in plain)
    return format_number(plain) if plain is None or isinstance(plain, bool) else str(plain)
