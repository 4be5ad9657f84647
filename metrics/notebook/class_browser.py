"""The equivalence classes in a notebook: map, list, and the selected class."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import ipywidgets

from metrics.drawing.classes import class_distribution
from metrics.drawing.widget import FigureWidget
from metrics.errors import InputError
from metrics.explanations.class_map import class_map
from metrics.explanations.class_profile import class_profile
from metrics.formatting import format_number, pluralize, visible
from metrics.policy.built_in_policies import DEFAULT_POLICY
from metrics.policy.class_limits import class_limits
from metrics.policy.policy import Policy
from metrics.scoring.class_filter import (
    WORST,
    ClassFilter,
    Violation,
    farthest,
    largest_first,
    matching_classes,
    measures,
    ordered_classes,
    worst_first,
)
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import Integers

_MAX_LISTED = 500
_ROWS = 14
_MAX_BARS = 10


class ClassBrowser(ipywidgets.VBox):  # type: ignore[misc] # ipywidgets ships no types
    """Filter and order above, the map beside the list, and below it the selected class, at first the worst."""

    def __init__(self, card: Scorecard, policy: Policy | None = None) -> None:
        if not len(card.classes):
            raise InputError("the table has no equivalence class", remedy="use a table with quasi-identifiers")
        self._policy = policy or DEFAULT_POLICY
        self._limits = class_limits(self._policy)
        self._card = card = self._policy.apply_to(card)
        table = card.classes
        self._filter = ipywidgets.Dropdown(options=[str(kind) for kind in Violation], description="Show")
        self._order = ipywidgets.Dropdown(options=[WORST, *measures(table)], description="Sort by")
        self._count = ipywidgets.HTML()
        self._list = ipywidgets.Select(rows=_ROWS, layout={"width": "100%"})
        self._detail = ipywidgets.HTML()
        attributes = [(visible(name), name) for name in table.distinct]
        self._attribute = ipywidgets.Dropdown(options=attributes, description="Attribute")
        children = [ipywidgets.HBox([self._filter, self._order]), self._count]
        if table.t:
            children.append(FigureWidget(class_map(table, self._limits)))
        children += [self._list, self._detail]
        self._distribution: FigureWidget | None = None
        if attributes:
            self._distribution = FigureWidget(self._distribution_chart(0))
            children += [self._attribute, self._distribution]
        if not len(self._matching_classes(Violation.LIMIT)):
            self._filter.value = str(Violation.NOTHING)
        for control in (self._filter, self._order):
            control.observe(self._fill, names="value")
        self._list.observe(self._select, names="value")
        self._attribute.observe(self._select, names="value")
        self._fill()
        super().__init__(children)

    def __repr__(self) -> str:
        return f"Browser of {pluralize(len(self._card.classes), 'equivalence class', 'equivalence classes')}"

    def _fill(self, change: Mapping[str, Any] | None = None) -> None:
        """List the classes that the filter leaves, in the order chosen."""
        table, sort_key = self._card.classes, str(self._order.value)
        matching = self._matching_classes(Violation(self._filter.value))
        if sort_key == WORST:
            order = worst_first(table, matching, self._limits)
        else:
            order = ordered_classes(table, matching, sort_key, largest_first(table, sort_key))
        records = pluralize(int(table.classes.sizes[matching].sum()), "record")
        more = f"; the first {_MAX_LISTED:,} are listed" if len(matching) > _MAX_LISTED else ""
        self._count.value = escape(
            f"{pluralize(len(matching), 'class', 'classes')}, {records}{more}. Policy: {visible(self._policy.name)}."
        )
        self._list.options = [(self._label(int(index)), int(index)) for index in order[:_MAX_LISTED]]
        self._list.index = 0 if len(order) else None
        self._select()

    def _matching_classes(self, kind: Violation) -> Integers:
        return matching_classes(self._card.classes, ClassFilter(violation=kind, limits=self._limits))

    def _label(self, index: int) -> str:
        table = self._card.classes
        description = ", ".join(
            f"{visible(name)} = {visible(label)}" for name, label in table.classes.labels(index).items()
        )
        t = f" · t {format_number(farthest(table)[index])}" if table.t else ""
        return f"{pluralize(int(table.classes.sizes[index]), 'record')}{t} · {description}"

    def _select(self, change: Mapping[str, Any] | None = None) -> None:
        """Show the selected class: why it fails, and a sensitive attribute in it."""
        index = self._list.value
        if index is None:
            self._detail.value = "No class matches this filter."
            return
        profile = class_profile(self._card, index, self._policy)
        failures = [
            f"<li><b>{escape(row.measure)}</b>{_of(row.attribute)}: {escape(row.failure)}</li>"
            for row in profile
            if row.failure
        ]
        reasons = f"<ul>{''.join(failures)}</ul>" if failures else "<br>It meets every limit."
        self._detail.value = f"<b>Selected class: {escape(self._label(index))}</b>{reasons}"
        if self._distribution is not None:
            self._distribution.show(self._distribution_chart(index))

    def _distribution_chart(self, index: int) -> Any:
        name, table = str(self._attribute.value), self._card.classes
        t = table.t[name][index] if name in table.t else None
        histogram = self._card.aggregates.histogram(name)
        return class_distribution(histogram, index, t=t, max_values=_MAX_BARS)


def _of(attribute: str) -> str:
    return f" of {escape(visible(attribute))}" if attribute else ""
