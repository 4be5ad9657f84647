"""Masks such as 476** and 47*: which labels they represent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from metrics.interruption import watched
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
    """Look masks up by the positions of their stars, so that masks and labels need not be compared pair by pair."""
    shapes: dict[tuple[int, tuple[int, ...]], set[str]] = {}
    for mask in positions:
        stars = tuple(index for index, character in enumerate(mask) if character == SUPPRESSED)
        shapes.setdefault((len(mask), stars), set()).add(mask)
    labels_by_length: dict[int, list[tuple[int, str]]] = {}
    for position, label in enumerate(labels):
        if label is not None:
            labels_by_length.setdefault(len(label), []).append((position, label))
    for (length, stars), masks in shapes.items():
        for position, label in watched(labels_by_length.get(length, ())):
            characters = list(label)
            for index in stars:
                characters[index] = SUPPRESSED
            mask = "".join(characters)
            if mask in masks:
                positions[mask].append(position)


def _by_beginning(positions_by_mask: dict[str, list[int]], labels: Sequence[str | None]) -> None:
    masks_by_prefix: dict[int, dict[str, list[str]]] = {}
    for mask, positions in positions_by_mask.items():
        matches_value = any(SUPPRESSED not in (labels[position] or "") for position in positions)
        if not matches_value and mask.endswith(SUPPRESSED):
            positions.clear()
            prefix = mask.rstrip(SUPPRESSED)
            masks_by_prefix.setdefault(len(prefix), {}).setdefault(prefix, []).append(mask)
    for length, masks_of_prefix in masks_by_prefix.items():
        for position, label in enumerate(watched(labels)):
            if label is not None:
                for mask in masks_of_prefix.get(label[:length], ()):
                    positions_by_mask[mask].append(position)
