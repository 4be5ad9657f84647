"""The last step of metrics that are as good as their worst class."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from metrics.explanations.workings.latex import COMMA, abbreviated, lines, rounded
from metrics.explanations.workings.steps import Step, Subject, class_name, short_label, tabulated
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import Floats
from metrics.wording import pluralize


def worst_class(per_class: Mapping[str, Floats], *, largest: bool) -> Subject:
    """The class and attribute that decide: the smallest figure, or the largest."""
    places = {name: int(np.argmax(values) if largest else np.argmin(values)) for name, values in per_class.items()}
    choose = max if largest else min
    name = choose(places, key=lambda column: float(per_class[column][places[column]]))
    return Subject(places[name], name)


def worst_step(
    card: Scorecard, subject: Subject, own: float, per_class: Mapping[str, Floats], symbol: str, *, largest: bool
) -> Step:
    """The worst over classes per attribute, then over attributes; `own` is the subject's figure as derived."""
    operator, word = (r"\max", "largest") if largest else (r"\min", "smallest")
    choose = max if largest else min
    worst: dict[str, float] = {}
    rows = []
    for name, values in per_class.items():
        place = int(np.argmax(values) if largest else np.argmin(values))
        figure = float(values[place])
        if name == subject.column:
            # The derived figure stands in for the one looked up: what follows rests on the steps above.
            figure = own if place == subject.index else choose(figure, own)
        worst[name] = figure
        rows.append((short_label(name), _format(figure), class_name(card, place)))
    value = choose(worst.values())
    many = pluralize(card.aggregates.classes.count, "class", "classes")
    attributes = pluralize(len(worst), "sensitive attribute")
    count = len(worst)
    formula = lines(
        rf"{symbol} &= {operator}({abbreviated(map(rounded, worst.values()), count, COMMA)})",
        rf"&= {rounded(value)}",
    )
    return Step(
        "The worst class decides",
        f"This class has {_format(own)} for {short_label(subject.column)}. The result is the {word} over {many} and "
        f"{attributes}.",
        formula,
        tabulated(("attribute", f"{word} figure", "in the class"), rows, len(rows)),
        value if math.isfinite(value) else None,
    )


def _format(figure: float) -> str:
    return "no finite figure" if math.isinf(figure) else f"{figure:,.6g}"
