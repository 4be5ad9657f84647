"""Writing recipes: what `explore` and `repair` did, as a file for `apply`."""

from __future__ import annotations

import argparse

from metrics.cli.inputs import input_files
from metrics.recipes.recipe import Recipe
from metrics.tables.atomic_write import write_file
from metrics.tables.export import require_suffix


def check_recipe_path(options: argparse.Namespace) -> None:
    """Raise InputError if the recipe's name does not end as YAML files do."""
    if options.recipe is not None:
        require_suffix(options.recipe, ".yaml", ".yml")


def write_recipe(recipe: Recipe, options: argparse.Namespace) -> None:
    """Write a recipe where the options say, completely or not at all. Raises InputError."""
    inputs = [*input_files(options), *([] if options.out is None else [options.out])]
    write_file(lambda file: file.write(recipe.to_yaml().encode("utf-8")), options.recipe, inputs)
