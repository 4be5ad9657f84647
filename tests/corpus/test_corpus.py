"""Every kind of damage alone, several times, and in pairs: read exactly, asked about or refused, never read wrong."""

from __future__ import annotations

import random
import zlib
from collections import Counter
from itertools import combinations

import pytest

from metrics.errors import InputError
from metrics.reading import propose, read_table
from metrics.tables.dictionary_codes import BLANKS
from metrics.tables.table import Table
from tests.corpus.damage import DAMAGES, HEAVY, Damage, damaged, go_together
from tests.corpus.tables import Clean

PAIRS = 1500
ALONE = 6


def outcome(clean: Clean, content: bytes) -> str:
    """ "exact", "wrong", "refused", or "asked" with a proposed answer that is "right", "wrong" or "refused"."""
    try:
        proposal = propose(content, name="file.csv")
    except InputError:
        return "refused"
    try:
        table = read_table(content, name="file.csv", plan=proposal.plan)
    except InputError:
        return "asked, refused" if proposal.questions else "refused"
    named = all(_fits(name, own) for name, own in zip(table.names, clean.names, strict=False))
    exact = named and cells(table) == expected(clean)
    if proposal.questions:
        return "asked, right" if exact else "asked, wrong"
    return "exact" if exact else "wrong"


def _fits(name: str, clean: str) -> bool:
    """Whether a name is the one of the clean table, with what stands above or below it, or stands for a lost one."""
    return clean.strip(BLANKS) in name or name.startswith("column ") or name.endswith("(2)")


def cells(table: Table) -> list[list[str | None]]:
    """The cells of every column."""
    return [[column.labels[code] for code in column.codes] for column in table.columns]


def expected(clean: Clean) -> list[list[str]]:
    """The cells of the clean table, trimmed as the reader promises to."""
    return [[cell.strip(BLANKS) for cell in held] for held in clean.columns().values()]


def corpus() -> list[tuple[str, tuple[Damage, ...]]]:
    """What is done to each file, and what its table is drawn from: each damage alone, then pairs that go together."""
    alone = [
        (f"{damage.name} {again}", (damage,))
        for damage in DAMAGES
        for again in range(1 if damage.name in HEAVY else ALONE)
    ]
    light = [damage for damage in DAMAGES if damage.name not in HEAVY]
    pairs = [pair for pair in combinations(light, 2) if go_together(*pair)]
    drawn = random.Random(6).sample(pairs, PAIRS)
    return [*alone, *((" + ".join(damage.name for damage in pair), pair) for pair in drawn)]


@pytest.mark.parametrize("part", [12, pytest.param(1, marks=pytest.mark.slow)])
def test_no_file_is_read_wrong_without_a_question(part: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Every twelfth file, or with `-m slow` the whole corpus."""
    found: Counter[str] = Counter()
    wrong = []
    for name, kinds in corpus()[::part]:
        result = outcome(*damaged(kinds, zlib.crc32(name.encode())))
        found[result] += 1
        if result == "wrong":
            wrong.append(name)
    files = found.total()
    with capsys.disabled():
        print(f"\n{files} damaged files: " + ", ".join(f"{kind} {found[kind] / files:.1%}" for kind in sorted(found)))
    assert not wrong
    assert files * part >= 2000
    assert found["exact"] + found["asked, right"] >= 0.7 * files
