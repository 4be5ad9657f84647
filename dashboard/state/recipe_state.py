"""The recipes of one session: of the versions made in it, and the one applied last. No Streamlit."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from dashboard.loading import parse_document
from metrics.errors import InputError
from metrics.recipes.parsing import parse_recipe
from metrics.recipes.recipe import AppliedRecipe, Recipe
from metrics.recipes.steps import Unknown
from metrics.tables.table import Table


@dataclass
class RecipeState:
    """How versions were made, and the last result of a recipe: kept, because a page asks for it with every run."""

    made: dict[str, Recipe] = field(default_factory=dict)
    """By the digest of the table that the recipe makes: whatever is read anew in another way has none."""
    sources: dict[str, str] = field(default_factory=dict)
    """By the same digest what the recipe is for, as it was called then, where that is not the original."""
    _read: tuple[str, str, Recipe | InputError] | None = None
    _last: tuple[Recipe, Unknown, AppliedRecipe] | None = None

    def read(self, name: str, content: bytes) -> Recipe:
        """The recipe in a file, which is parsed once. Raises InputError."""
        digest = hashlib.sha256(content).hexdigest()
        if self._read is None or self._read[:2] != (name, digest):
            try:
                self._read = (name, digest, parse_document(parse_recipe, name, content))
            except InputError as error:
                self._read = (name, digest, error)
        outcome = self._read[2]
        if isinstance(outcome, InputError):
            raise outcome.with_traceback(None)
        return outcome

    def applied(self, recipe: Recipe, table: Table, unknown: Unknown) -> AppliedRecipe:
        """The recipe applied to a table. Raises InputError."""
        last = self._last
        if last is None or last[0] is not recipe or last[1] != unknown or last[2].original is not table:
            self._last = last = (recipe, unknown, recipe.apply(table, unknown=unknown))
        return last[2]
