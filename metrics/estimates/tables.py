"""The original and the release, counted by what an analysis needs of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np

from metrics.aggregates import Aggregates
from metrics.errors import Unavailable
from metrics.estimates.estimate import Estimate, Own
from metrics.estimates.grouping import GroupedColumn
from metrics.estimates.numbers import NumberColumn
from metrics.estimates.records import Records, original_records, released_records
from metrics.estimates.result import AnalysisResult
from metrics.formatting import join_names, visible
from metrics.texts import abbreviated_names, text

_WHOLE: Final = 1 - 1e-12
"""The share of a label that stands for one block."""
_FEW_BLOCKS: Final = 2
"""Merged groups that are named."""
_SEVERAL: Final = 30
"""Records of a group that is named rather than a smaller one, or one that the original lacks."""
_FAR: Final = 0.2
"""By which share of its records a group differs at least that is named."""

Column = GroupedColumn | NumberColumn


@dataclass(frozen=True, eq=False)
class Tables:
    """The records of both tables, counted by what an analysis needs of them."""

    columns: Sequence[Column]
    own: Records
    """The original in its own groups."""
    blocks: Records
    """The original in the blocks that the release tells apart; the same object where these are its groups."""
    released: Records

    @cached_property
    def _grouped(self) -> dict[int, GroupedColumn]:
        return {part: column for part, column in enumerate(self.columns) if isinstance(column, GroupedColumn)}

    @cached_property
    def guessed(self) -> float:
        """Released records with a label that stands for several blocks, so that they count in each by a share."""
        records = self.released
        if records.is_unbiased:
            return 0.0
        most = [records.grouping(part).shares.max(axis=1, initial=0)[records.codes[part]] for part in self._grouped]
        return float(records.counts[np.min([np.ones(len(records.counts)), *most], axis=0) < _WHOLE].sum())

    def coarser(self, part: int) -> str:
        """How coarse the release's labels of a column are; empty if as fine as the original's, or removed."""
        column = self.columns[part]
        name = column.own.column
        if not self.released.used or self.released.parts[part].is_unbiased:
            return ""
        if isinstance(column, NumberColumn):
            if column.recoded is None:
                return text("analyses.kept.partly", column=name)
            before, after = len(column.own.values), len(column.released.values)
            is_coarser = column.recoded is not column.own
            return text("analyses.kept.in_bands", column=name, before=before, after=after) if is_coarser else ""
        if column.blocks is column.own or column.is_removed:
            return ""
        occurs = self.own.sizes(part) > 0
        merged = []
        for label, block in zip(column.blocks.names, column.blocks.members, strict=True):
            names = [column.own.names[group] for group in block]
            members = " + ".join(visible(column.own.names[group]) for group in block if occurs[group])
            if sum(occurs[list(block)]) > 1:
                has_label = label != ", ".join(names)
                merged.append(text("analyses.kept.with_label", label=label, members=members) if has_label else members)
        if 0 < len(merged) <= _FEW_BLOCKS:
            return text("analyses.kept.with_groups", column=name, groups=join_names(merged))
        before, after = int(occurs.sum()), int((self.released.profiles(part).max(axis=0) > 0).sum())
        return text("analyses.kept.in_groups", column=name, before=before, after=after) if after < before else ""

    def _of_shares(self) -> str:
        """How many released records are guessed, and of which group of the original most often."""
        found = []
        for part, column in self._grouped.items():
            of_group, certain = self.released.sizes(part), self.released.sizes(part, _WHOLE)
            is_several = (of_group >= _SEVERAL) & (self.blocks.sizes(part) > 0)
            for block in np.flatnonzero(of_group).tolist():
                share = float(1 - certain[block] / of_group[block])
                found.append((is_several[block], share, column.own.column, column.blocks.names[block]))
        _, share, name, group = max(found)
        return text(
            "analyses.kept.of_shares", all=self.guessed / self.released.used, column=name, group=group, share=share
        )

    def _sizes(self) -> str:
        """The groups with far fewer or more records than in the original, compared with all."""
        least = max(2 * abs(1 - self.released.used / self.blocks.used), _FAR)
        changed: list[tuple[float, str]] = []
        for part, column in {} if self.released.is_unbiased else self._grouped.items():
            before, after = self.blocks.sizes(part), self.released.sizes(part)
            far = (np.abs(after - before) >= least * before) & (before > 0) & (after > 0)
            for block in np.flatnonzero(far & (not column.is_removed)).tolist():
                said = text(
                    "analyses.kept.size",
                    column=column.own.column,
                    group=column.blocks.names[block],
                    before=round(before[block]),
                    after=round(after[block]),
                )
                changed.append((abs(after[block] - before[block]), said))
        groups = [said for _, said in sorted(changed, key=lambda each: -each[0])]
        return text("analyses.kept.sizes", groups=abbreviated_names(groups, noun="group")) if groups else ""

    def result(
        self,
        kind: str,
        estimates: Iterable[Estimate],
        own: Iterable[Own],
        terms: Iterable[Column],
        notes: Iterable[str] = (),
        **further: Any,
    ) -> AnalysisResult:
        """With the records used and left out, the terms that are removed, and what is to be known of the groups."""
        return AnalysisResult(
            kind=kind,
            estimates=tuple(estimates),
            originals=tuple(own),
            removed=tuple(dict.fromkeys(column.own.column for column in terms if column.is_removed)),
            rows_original=self.own.used,
            rows_released=self.released.used,
            left_out_original=self.own.rows - self.own.used,
            left_out_released=self.released.rows - self.released.used,
            notes=tuple(filter(None, [*notes, self._of_shares() if self.guessed else "", self._sizes()])),
            randomized=tuple(dict.fromkeys(part.column for part in self.released.parts if part.is_unbiased)),
            **further,
        )


def tables_of(aggregates: Aggregates, columns: Sequence[Column]) -> Tables:
    """Raises Unavailable where no record of the original is complete."""
    own = original_records(aggregates, [column.own for column in columns])
    if not own.used:
        raise Unavailable(text("analyses.unavailable.no_rows"))
    is_exact = all(column.blocks is column.own for column in columns)
    blocks = own if is_exact else replace(own, parts=tuple(column.blocks for column in columns))
    return Tables(columns, own, blocks, released_records(aggregates, [column.released for column in columns]))
