"""Every kind of damage alone, several times, and in pairs: read exactly or refused, never wrong."""

from __future__ import annotations

import random
import zlib
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest

from metrics.encoding import BLANKS
from metrics.errors import InputError
from metrics.reading import read_table
from metrics.table import Table
from tests.corpus.damage import DAMAGES, HEAVY, Damage, damaged, go_together
from tests.corpus.tables import Clean

PAIRS = 1500
ALONE = 6


def outcome(clean: Clean, content: bytes) -> str:
    """ "exact", "refused" with a sentence that names a remedy, or "wrong"."""
    try:
        table = read_table(content, name="file.csv")
    except InputError as error:
        return "refused" if error.remedy else "wrong"
    return "exact" if cells(table) == expected(clean) else "wrong"


def cells(table: Table) -> dict[str, list[str | None]]:
    """The cells of every column."""
    return {column.name: [column.labels[code] for code in column.codes] for column in table.columns}


def expected(clean: Clean) -> dict[str, list[str]]:
    """The cells of the clean table, trimmed as the reader promises to."""
    return {name.strip(BLANKS): [cell.strip(BLANKS) for cell in held] for name, held in clean.columns().items()}


def corpus() -> Iterator[tuple[str, Clean, bytes]]:
    """Files by what is wrong with them: each damage alone, then pairs drawn from all that go together."""
    for damage in DAMAGES:
        for again in range(1 if damage.name in HEAVY else ALONE):
            yield damage.name, *damaged((damage,), zlib.crc32(f"{damage.name} {again}".encode()))
    light = [damage for damage in DAMAGES if damage.name not in HEAVY]
    pairs: list[tuple[Damage, Damage]] = [pair for pair in combinations(light, 2) if go_together(*pair)]
    for pair in random.Random(6).sample(pairs, PAIRS):
        names = " + ".join(damage.name for damage in pair)
        yield names, *damaged(pair, zlib.crc32(names.encode()))


def test_no_file_is_read_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    found: Counter[str] = Counter()
    wrong = []
    for name, clean, content in corpus():
        result = outcome(clean, content)
        found[result] += 1
        if result == "wrong":
            wrong.append(name)
    files = found.total()
    with capsys.disabled():
        kinds = ("exact", "refused", "wrong")
        shares = ", ".join(f"{kind} {found[kind]} ({found[kind] / files:.1%})" for kind in kinds)
        print(f"\n{files} polluted files: {shares}")
    assert not wrong
    assert files >= 500
    assert found["exact"] >= 0.55 * files


def test_the_corpus_is_the_same_every_time() -> None:
    first, second = ([content for _, _, content in _first(50)] for _ in range(2))
    assert first == second


def _first(number: int) -> Iterator[tuple[str, Clean, bytes]]:
    for (name, clean, content), _ in zip(corpus(), range(number), strict=False):
        yield name, clean, content
