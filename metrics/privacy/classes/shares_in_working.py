"""How often each value of an attribute stands in a class, or the part of it that decides, and in the whole table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from metrics.aggregates import Aggregates
from metrics.counting.histograms import Histogram, RefinedHistogram
from metrics.privacy.classes.worst_class import MeasuredClasses
from metrics.texts import text
from metrics.working.latex import plain_fraction
from metrics.working.steps import Cell, StepTable, Subject, first_of, short_label, tabulated


@dataclass(frozen=True)
class Shares:
    """Counts of each value that occurs in any class, in the order a reader expects."""

    column: str
    labels: tuple[str | None, ...]
    codes: tuple[int, ...]
    counts: tuple[int, ...]
    """Records of the class that hold each value, zeros included."""
    totals: tuple[int, ...]
    """Records of all classes that hold each value."""
    size: int
    kept: int
    known: str = ""
    """Which part of the class it is and what is known of its records, in words; empty for a whole class."""

    @property
    def present(self) -> list[int]:
        """Positions of the values that the class holds, the most frequent first."""
        positions = [i for i, count in enumerate(self.counts) if count]
        return sorted(positions, key=lambda i: -self.counts[i])

    def share(self, position: int) -> Fraction:
        """Share of a value in the class."""
        return Fraction(self.counts[position], self.size)

    @property
    def extras(self) -> list[int]:
        """Share in the class less share in the table, times `unit`, in whole numbers."""
        return [count * self.kept - total * self.size for count, total in zip(self.counts, self.totals, strict=True)]

    @property
    def unit(self) -> int:
        """What whole-numbered extras are counted in: one over this."""
        return self.size * self.kept


def shares(aggregates: Aggregates, subject: Subject) -> Shares:
    """The shares of the subject's attribute in its class."""
    return shares_of(aggregates.histogram(subject.column), subject.index)


def shares_of(histogram: Histogram, group: int, known: str = "") -> Shares:
    """The shares in one group of a histogram."""
    used_codes = [int(code) for code in histogram.column.order if histogram.totals[code]]
    counts = histogram.of_class(group)
    return Shares(
        column=histogram.column.name,
        labels=tuple(histogram.column.labels[code] for code in used_codes),
        codes=tuple(used_codes),
        counts=tuple(int(counts[code]) for code in used_codes),
        totals=tuple(int(histogram.totals[code]) for code in used_codes),
        size=int(histogram.sizes[group]),
        kept=histogram.kept,
        known=known,
    )


def deciding_shares(aggregates: Aggregates, subject: Subject, measured: MeasuredClasses | None) -> Shares:
    """Shares in the group that decides the figure of the subject's class; no measured means the class itself."""
    if measured is None or not measured.refined:
        return shares(aggregates, subject)
    histogram = measured.histograms[subject.column]
    assert isinstance(histogram, RefinedHistogram)
    group = measured.worst_group(subject.column, subject.index)
    known_values = [f"{short_label(name)} = {short_label(label)}" for name, label in histogram.known(group).items()]
    part = text(
        "working.part",
        parts=len(histogram.groups_of(subject.index)),
        records=int(histogram.sizes[group]),
        known=first_of(known_values),
    )
    return shares_of(histogram, group, part)


def class_share_table(class_shares: Shares) -> StepTable:
    """The class's own values with how often they occur."""
    rows: Iterable[tuple[Cell, ...]] = (
        (short_label(class_shares.labels[i]), class_shares.counts[i], plain_fraction(class_shares.share(i)))
        for i in class_shares.present
    )
    return tabulated(text("working.values_columns"), rows, len(class_shares.present))


def difference_table(class_shares: Shares) -> StepTable:
    """Every value's share in the class, in the table, and the difference."""
    rows: Iterable[tuple[Cell, ...]] = (
        (
            short_label(label),
            plain_fraction(Fraction(count, class_shares.size)),
            plain_fraction(Fraction(total, class_shares.kept)),
            plain_fraction(Fraction(extra, class_shares.unit)),
        )
        for label, count, total, extra in zip(
            class_shares.labels, class_shares.counts, class_shares.totals, class_shares.extras, strict=True
        )
    )
    return tabulated(text("working.differences_columns"), rows, len(class_shares.labels))
