"""`python -m supply.metrics_table`: write the table of docs/metrics.md from the catalog."""

from __future__ import annotations

import re

from dashboard.environment import ROOT
from metrics import METRICS

PAGE = ROOT / "docs" / "metrics.md"
_HEAD = "| metric | id | unit | range | better | needs |\n|---|---|---|---|---|---|\n"


def table() -> str:
    """One row per metric."""
    rows = [
        (
            metric.title + (", on demand" if metric.on_demand else ""),
            f"`{metric.id}`",
            metric.unit,
            metric.range.replace("-", "−"),
            metric.direction.partition(" ")[0],
            metric.needs,
        )
        for metric in METRICS
    ]
    return _HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def page() -> str:
    """The page with the table as it must be; the table is all its lines that name a metric."""
    text = PAGE.read_text(encoding="utf-8")
    return re.sub(r"^\| metric \|(.+\n)+", lambda _: table(), text, count=1, flags=re.MULTILINE)


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
