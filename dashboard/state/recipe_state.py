"""The recipes of one session: of the candidates made in it, and the one applied last. No Streamlit."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from metrics.recipes.recipe import AppliedRecipe, Recipe
from metrics.recipes.steps import Unknown
from metrics.tables.table import Table


@dataclass
class RecipeState:
    """How candidates were made, and the last result of a recipe: kept, because a page asks for it with every run."""

    made: dict[str, Recipe] = field(default_factory=dict)
    """By the digest of the table that the recipe makes: whatever is read anew in another way has none."""
    sources: dict[str, str] = field(default_factory=dict)
    """By the same digest what the recipe is for, as it was called then, where that is not the original."""
    _last: tuple[str, Unknown, AppliedRecipe] | None = None

    def applied(self, recipe: Recipe, content: bytes, table: Table, unknown: Unknown) -> AppliedRecipe:
        """The recipe of a file's bytes applied to a table. Raises InputError."""
        digest = hashlib.sha256(content).hexdigest()
        last = self._last
        if last is None or last[:2] != (digest, unknown) or last[2].original is not table:
            self._last = last = (digest, unknown, recipe.apply(table, unknown=unknown))
        return last[2]
