"""`python -m maintenance.metrics_table`: write the tables of docs/metrics.md and README.md from the catalog."""

from __future__ import annotations

import re
from pathlib import Path

from dashboard.environment import ROOT
from metrics import METRICS
from metrics.formatting import within_sentence
from metrics.metric import Family

PAGE = ROOT / "docs" / "metrics.md"
README = ROOT / "README.md"
_HEAD = "| metric | id | unit | range | better | needs |\n|---|---|---|---|---|---|\n"
_README_HEAD = "| question | metrics |\n|---|---|\n"
_QUESTIONS = {
    Family.PRIVACY: "What does the table still disclose?",
    Family.ATTACKS: "How successful is an attacker, compared with one without the table?",
    Family.UTILITY: "What was lost?",
    Family.ECONOMICS: "Is publishing profitable? Is attacking?",
}


def full_table() -> str:
    """One row per metric."""
    rows = [
        (
            metric.title + (", on demand" if metric.on_demand else ""),
            f"`{metric.id}`",
            metric.unit,
            metric.range,
            metric.direction.partition(" ")[0],
            metric.needs,
        )
        for metric in METRICS
    ]
    return _HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def table_by_family() -> str:
    """One row per family of metrics."""
    rows = [
        (question, ", ".join(within_sentence(metric.title) for metric in METRICS if metric.family is family))
        for family, question in _QUESTIONS.items()
    ]
    return _README_HEAD + "".join(f"| {question} | {titles} |\n" for question, titles in rows)


def pages() -> dict[Path, str]:
    """The pages with their tables as they must be; a table ends at the first blank line."""
    texts = {}
    for path, head, table in ((PAGE, "metric", full_table()), (README, "question", table_by_family())):
        pattern = re.compile(rf"^\| {head} \|(.+\n)+", re.MULTILINE)
        texts[path] = pattern.sub(lambda _, table=table: table, path.read_text(encoding="utf-8"), count=1)
    return texts


def main() -> None:
    """Write the pages."""
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
