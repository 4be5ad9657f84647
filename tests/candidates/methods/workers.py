"""Random people with a number and a category to perturb, and how far a drawn share may be off."""

import random

from metrics import Roles, Table
from tests.support.small_tables import cells_of, table

ROLES = Roles(quasi_identifiers=["age", "job"], sensitive=["ill"])
ROWS = 20_000
SIGMAS = 5


def people(rows: int = ROWS) -> Table:
    chance = random.Random(7)
    return table(
        {
            "age": [str(chance.randrange(20, 80)) for _ in range(rows)],
            "job": chance.choices(["nurse", "smith", "waiter"], [6, 3, 1], k=rows),
            "ill": chance.choices("xyz", k=rows),
        }
    )


def numbers_of(content: Table, name: str) -> list[float]:
    return [float(cell) for cell in cells_of(content[name]) if cell is not None]
