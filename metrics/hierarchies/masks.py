"""Masks such as 476** and 47*: which labels they represent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from metrics.tables.table import SUPPRESSED


def masked_labels(masks: Iterable[str], labels: Sequence[str | None]) -> dict[str, list[int]]:
    """By mask the positions of the labels it represents, ascending.

    Each star is one character; where no label without a star fits so, a last star is any rest. The missing label fits
    no mask.
    """
    positions: dict[str, list[int]] = {mask: [] for mask in masks}
    _by_character(positions, labels)
    _by_beginning(positions, labels)
    return positions


def _by_character(positions: dict[str, list[int]], labels: Sequence[str | None]) -> None:
    """Looked up by the places of their stars, so that many masks and many labels are not compared pair by pair."""
    shapes: dict[tuple[int, tuple[int, ...]], set[str]] = {}
    for mask in positions:
        stars = tuple(place for place, character in enumerate(mask) if character == SUPPRESSED)
        shapes.setdefault((len(mask), stars), set()).add(mask)
    of_length: dict[int, list[tuple[int, str]]] = {}
    for position, label in enumerate(labels):
        if label is not None:
            of_length.setdefault(len(label), []).append((position, label))
    for (length, stars), alike in shapes.items():
        for position, label in of_length.get(length, ()):
            characters = list(label)
            for place in stars:
                characters[place] = SUPPRESSED
            mask = "".join(characters)
            if mask in alike:
                positions[mask].append(position)


def _by_beginning(found: dict[str, list[int]], labels: Sequence[str | None]) -> None:
    beginnings: dict[int, dict[str, list[str]]] = {}
    for mask, positions in found.items():
        written = any(SUPPRESSED not in (labels[position] or "") for position in positions)
        if not written and mask.endswith(SUPPRESSED):
            positions.clear()
            beginning = mask.rstrip(SUPPRESSED)
            beginnings.setdefault(len(beginning), {}).setdefault(beginning, []).append(mask)
    for length, of_beginning in beginnings.items():
        for position, label in enumerate(labels):
            if label is not None:
                for mask in of_beginning.get(label[:length], ()):
                    found[mask].append(position)
