"""Sets such as {teacher, nurse}: how they are written, and which values they hold."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.tables.table import SUPPRESSED

MAX_MEMBERS = 20
_BETWEEN = ", "
_SPECIAL = ("{", "}", ",", SUPPRESSED)


def set_label(values: Sequence[str | None]) -> str | None:
    """The label of several values; None where it could not be read back, or would be long."""
    plain = [value for value in values if value and not any(character in value for character in _SPECIAL)]
    if len(plain) < len(values) or len(values) > MAX_MEMBERS:
        return None
    return f"{{{_BETWEEN.join(plain)}}}"


def set_members(label: str) -> tuple[str, ...]:
    """The values in a set; none where the label is not one."""
    if not (label.startswith("{") and label.endswith("}")):
        return ()
    return tuple(member for part in label[1:-1].split(",") if (member := part.strip()))
