"""Samples of a population: their class sizes, and the tables of both."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from metrics import Hierarchy, Roles, Scorecard, score
from metrics.counting.classes import class_sizes
from metrics.privacy.population.uniqueness_models import Frequencies, frequencies
from metrics.texts import text
from tests.oracle.population import Presence, presence
from tests.support.labels import LABELS, TREE
from tests.support.small_tables import Cells, records, table, written

sizes_drawn = st.lists(st.integers(1, 12), min_size=1, max_size=25).map(lambda sizes: [*sizes, 1])
"""Sizes of classes, one of them a single record."""


def frequencies_of(sizes: list[int], population: int) -> Frequencies:
    return frequencies(class_sizes(np.array(sizes)), population)


# Tables

ROLES = Roles(quasi_identifiers=["tree", "age", "zip"])


@dataclass(frozen=True)
class Sampled:
    """The records of some people of a population, generalized alike or each on its own."""

    sample: dict[str, Cells]
    population: dict[str, Cells]

    @property
    def expected(self) -> Presence:
        """What looking at every person finds."""
        return presence(records(self.sample), records(self.population), list(LABELS), TREE)

    @property
    def twice(self) -> "Sampled":
        """Every record and every person a second time."""
        return Sampled(*({name: [*cells, *cells] for name, cells in of.items()} for of in vars(self).values()))

    def score(self, *metrics: str) -> Scorecard:
        return score(
            table(self.sample),
            ROLES,
            hierarchies={name: Hierarchy(rows) for name, rows in TREE.items()},
            population=table(self.population, "people.csv"),
            metrics=metrics,
        )


@st.composite
def samples(draw: st.DrawFn) -> Sampled:
    """People of a population, and the records of some of them, generalized to one level per column or cell by cell."""
    people = draw(st.integers(1, 25))
    size = draw(st.integers(1, people))
    population: dict[str, Cells] = {}
    sample: dict[str, Cells] = {}
    local = draw(st.booleans())
    for name, labels in LABELS.items():
        values = draw(st.lists(st.sampled_from(sorted(labels)), min_size=people, max_size=people))
        level = draw(st.integers(0, 3))
        levels = draw(st.lists(st.integers(0, 3), min_size=size, max_size=size)) if local else [level] * size
        population[name] = values
        sample[name] = [labels[value][of] for value, of in zip(values, levels, strict=False)]
        if not local and draw(st.booleans()):
            population[name] = [labels[value][level] for value in values]
    return Sampled(sample, population)


def by_class(card: Scorecard, identifier: str) -> dict[tuple[str | None, ...], float]:
    """The figure of every class by its quasi-identifiers."""
    classes, result = card.aggregates.classes, card[identifier].result
    found: Any = result
    return dict(
        zip(
            (tuple(classes.labels(i).values()) for i in range(classes.count)), found.per_class[""].tolist(), strict=True
        )
    )


SAMPLE = written("tree age zip\nAB 20-29 11*\nAB 20-29 11*\nc 25 *\n* * *")
PEOPLE = written("tree age zip\na 21 111\nb 29 112\nb 29 112\nc 25 211\nd 25 211\nc 26 121", "people.csv")
NO_POPULATION = text("unavailable.no_population")


def small(sample: Any = SAMPLE, people: Any = PEOPLE, tree: bool = True) -> Scorecard:
    return score(sample, ROLES, hierarchies={"tree": Hierarchy(TREE["tree"])} if tree else {}, population=people)
