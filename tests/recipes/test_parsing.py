"""Recipe files are read strictly: one sentence for each fault, naming the key and no value."""

from pathlib import Path

import pytest

from metrics.errors import InputError
from metrics.recipes.parsing import parse_recipe, read_recipe

GENERALIZE = "{step: generalize, column: age, level: 1, of: 2, labels: {20s: ['21'], 30s: ['33']}}"
SUPPRESS = "{step: suppress_classes, quasi_identifiers: [age], k: 5}"


def recipe(*steps: str) -> str:
    return "recipe: 1\nsteps: [" + ", ".join(steps) + "]\n"


def test_a_small_recipe_is_read() -> None:
    found = parse_recipe(recipe(GENERALIZE, SUPPRESS).encode(), "r.yaml")
    assert found.columns == ("age",)
    assert next(iter(found.lines())) == "age: level 1 of 2"
    assert parse_recipe(b"recipe: 1\nsteps: []\n", "r.yaml").steps == ()


BAD = {
    "": "the recipe",
    "- a": "the recipe",
    "recipe: 2\nsteps: []": '"recipe" is not 1',
    "steps: []": '"recipe" is not 1',
    "recipe: 1": '"steps" is not a list',
    "recipe: 1\nsteps: []\nmore: 1": 'there is no key "more"',
    "recipe: 1\nrecipe: 1\nsteps: []": "a key appears twice",
    "recipe: 1\nsteps: *a": "anchors",
    "recipe: 1\nsteps: !!python/name:os.system []": "tags",
    "recipe: 1\nsteps: [" + "[" * 20 + "]" * 20 + "]": "nested too deeply",
    "recipe: 1\nsteps: [": "not valid YAML",
    recipe("{step: guess}"): '"steps.1.step" is not a step',
    recipe("{column: age}"): '"steps.1.step" is not text',
    recipe("age"): '"steps.1" is not an object',
    recipe(SUPPRESS, "{step: generalize, column: '', level: 0, of: 1}"): '"steps.2.column" is empty',
    recipe("{step: generalize, column: age, level: 3, of: 2}"): "higher than the hierarchy",
    recipe("{step: generalize, column: age, level: 1, of: 2}"): '"steps.1.labels" is missing',
    recipe("{step: generalize, column: age, level: -1, of: 2}"): "not a whole number",
    recipe("{step: generalize, column: age, level: 1.5, of: 2}"): "not a whole number",
    recipe("{step: generalize, column: age, level: 1, of: 2, labels: {a: ['1'], b: ['1']}}"): "lists a value twice",
    recipe("{step: generalize, column: age, level: 1, of: 2, labels: {a: [null]}}"): "is not text",
    recipe("{step: generalize, column: age, level: 1, of: 2, labels: {}}"): "none at all",
    recipe("{step: generalize, column: age, level: 1, of: 2, labels: {'': ['7']}}"): "blank label",
    recipe("{step: generalize, column: age, level: 1, of: 2, more: 1}"): 'there is no key "more"',
    recipe("{step: suppress_classes, quasi_identifiers: [age], k: 0}"): '"steps.1.k" is not a whole number',
    recipe("{step: suppress_classes, quasi_identifiers: [age], t: 2, sensitive: [s]}"): "not a number from 0 to 1",
    recipe("{step: suppress_classes, quasi_identifiers: [age], t: x, sensitive: [s]}"): "not a number from 0 to 1",
    recipe("{step: suppress_classes, quasi_identifiers: [age], l: 2}"): '"steps.1.sensitive" is missing',
    recipe("{step: suppress_classes, quasi_identifiers: [], k: 2}"): "is empty or names a column twice",
    recipe("{step: suppress_classes, quasi_identifiers: [s], l: 2, sensitive: [s]}"): "names a column twice",
    recipe("{step: suppress_classes, quasi_identifiers: [a], t: 0.1, sensitive: [s], distance: {s: near}}"): "ground",
    recipe(
        "{step: suppress_classes, quasi_identifiers: [a], t: 0.1, sensitive: [s], hierarchies: {s: [[a], [b, c]]}}"
    ): ("is not a hierarchy"),
    recipe("{step: recode, columns: [a, b], rules: [{from: [1], to: [1, 2]}]}"): "does not list 2 cells",
    recipe("{step: recode, columns: [a], rules: [{from: [1]}]}"): "needs either a key to or a key delete",
    recipe("{step: recode, columns: [a], rules: [{from: [1], delete: no}]}"): "is not true",
    recipe("{step: recode, columns: [a], rules: [{from: [1], to: [2], records: 0}]}"): "not a whole number",
    recipe("{step: delete_suppressed, quasi_identifiers: age}"): "is not a list",
    recipe("{step: make, method: magic, seed: 1, quasi_identifiers: [a]}"): '"steps.1.method" is not a method',
    recipe("{step: make, method: mondrian, quasi_identifiers: [a]}"): '"steps.1.seed" is not a whole number',
    recipe("{step: make, method: noise, seed: 1, quasi_identifiers: [a], parameters: {k: 5}}"): 'no key "k"',
    recipe("{step: make, method: noise, seed: 1, quasi_identifiers: [a], parameters: {deviation: x}}"): "not a number",
    recipe("{step: make, method: pram, seed: 1, quasi_identifiers: [a], parameters: {probability: 2}}"): "out of range",
    recipe("{step: make, method: mondrian, seed: 1, quasi_identifiers: [a], parameters: {relaxed: 1}}"): "true nor",
    recipe("{step: make, method: mondrian, seed: 1, quasi_identifiers: [a], hierarchies: {b: [[x]]}}"): 'no key "b"',
}


@pytest.mark.parametrize(("text", "fault"), BAD.items(), ids=range(len(BAD)))
def test_a_fault_is_described_in_one_sentence(text: str, fault: str) -> None:
    with pytest.raises(InputError) as raised:
        parse_recipe(text.encode(), "r.yaml")
    message = str(raised.value)
    assert message.startswith("r.yaml")
    assert fault in message
    assert "\n" not in message


def test_values_of_a_hierarchy_are_in_no_message() -> None:
    text = recipe("{step: generalize, column: age, level: 1, of: 2, labels: {SECRET: [SECRET, [SECRET]]}}")
    with pytest.raises(InputError) as raised:
        parse_recipe(text.encode(), "r.yaml")
    assert "SECRET" not in str(raised.value)


def test_a_recipe_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the file cannot be read"):
        read_recipe(tmp_path / "absent.yaml")
    with pytest.raises(InputError, match="is not UTF-8 text"):
        parse_recipe(b"\xff\xfe\x00", "r.yaml")
