"""`python -m maintenance.metric_pages`: write what the documentation says of each metric, from the catalog.

It writes a page for every family of metrics, and the table in docs/metrics.md. What the catalog does not hold is in
metric_notes.toml.
"""

from __future__ import annotations

import re
import sys
import textwrap
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

import metrics
from dashboard.environment import ROOT
from metrics import METRICS
from metrics.formatting import format_number
from metrics.metric import Family, Metric
from metrics.reading import as_table
from metrics.scoring.metric_score import Score

DOCS = ROOT / "docs"
OVERVIEW = DOCS / "metrics.md"
_NOTES = Path(__file__).with_name("metric_notes.toml")
NOTES: Mapping[str, Any] = tomllib.loads(_NOTES.read_text(encoding="utf-8"))
PAGES: Mapping[Family, Path] = {
    Family.PRIVACY: DOCS / "privacy-metrics.md",
    Family.ATTACKS: DOCS / "attack-metrics.md",
    Family.UTILITY: DOCS / "utility-metrics.md",
    Family.ECONOMICS: DOCS / "economic-metrics.md",
}
PEERS = {
    "ARX": "https://arx.deidentifier.org",
    "pyCANON": "https://github.com/IFCA-Advanced-Computing/pycanon",
    "sdcMicro": "https://cran.r-project.org/package=sdcMicro",
    "synthpop": "https://cran.r-project.org/package=synthpop",
    "anonymeter": "https://github.com/statice/anonymeter",
    "PETWorks": "petworks.md",
}
_WP216 = "https://ec.europa.eu/justice/article-29/documentation/opinion-recommendation/files/2014/wp216_en.pdf"
_ARG_MAX, _OPERATOR = r"\arg\max", r"\mathrm{arg\,max}"  # what the site shows of formulas has no \arg
_TABLE = "| metric | id | range | better | needs |\n|---|---|---|---|---|\n"
_GENERATED = "<!-- python -m maintenance.metric_pages writes this page -->"


def pages() -> dict[Path, str]:
    """The pages as they must be. In the overview, the table ends at the first blank line."""
    for metric in METRICS:
        if metric.id not in NOTES["metrics"]:
            sys.exit(f"{_NOTES.name} says nothing of {metric.id}: write its section [metrics.{metric.id}].")
    overview = re.sub(
        r"^\| metric \|(.+\n)+",
        lambda _: _overview(),
        OVERVIEW.read_text(encoding="utf-8"),
        count=1,
        flags=re.MULTILINE,
    )
    return {OVERVIEW: overview} | {path: _page(family) for family, path in PAGES.items()}


def _overview() -> str:
    rows = [
        (
            f"[{metric.title}]({PAGES[metric.family].name}#{metric.id})" + (", on request" if metric.on_demand else ""),
            f"`{metric.id}`",
            metric.range,
            metric.direction.partition(" ")[0],
            metric.needs,
        )
        for metric in METRICS
    ]
    return _TABLE + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _page(family: Family) -> str:
    about = NOTES["pages"][family.value]
    members = [metric for metric in METRICS if metric.family is family]
    examples = [NOTES["example"][name] for name in dict.fromkeys(_example(metric) for metric in members)]
    parts = [
        _GENERATED,
        f"# {about['title']}",
        _filled(about["about"]),
        *(_shown_example(example) for example in examples),
        *(_section(metric) for metric in members),
    ]
    return "\n\n".join(parts) + "\n"


def _example(metric: Metric) -> str:
    return str(NOTES["metrics"][metric.id].get("example", "generalized"))


def _shown_example(example: Mapping[str, Any]) -> str:
    """The records before and after, side by side."""
    before, after = example["original"], example["anonymized"]
    head = [*before[0], *(f"{name}, released" for name in after[0])]
    rows = [[*old, *new] for old, new in zip(before[1:], after[1:], strict=True)]
    lines = [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]
    return f"{_filled(example['about'])}\n\n" + "\n".join(lines)


def _section(metric: Metric) -> str:
    """What is said of one metric; its id is the target of links."""
    notes = NOTES["metrics"][metric.id]
    symbols = "; ".join(NOTES["symbols"].get(symbol, symbol) for symbol in notes["symbols"])
    good = metric.good.removeprefix("Good: ")
    items = {
        "Meaning": metric.meaning,
        "Good values": f"{good[0].upper()}{good[1:]} (unit: {metric.unit}; {metric.range}; {metric.direction})",
        "Shown first": metric.shown.title if metric.known_quantity else "",
        "Four records": _figures(metric),
        "When not to use it": notes["unfit"],
        "Differs": _linked(notes.get("differs", "")),
        "Source": _cited(metric.reference),
    }
    return "\n\n".join(
        [
            f'<a id="{metric.id}"></a>',
            f"## {metric.title}",
            _filled(f"**{notes['question']}**"),
            f"$$\n{metric.formula.replace(_ARG_MAX, _OPERATOR)}\n$$",
            _filled(f"Here {symbols}."),
            "\n".join(_filled(f"- **{name}.** {text}", "  ") for name, text in items.items() if text),
        ]
    )


def _figures(metric: Metric) -> str:
    """Its value for the four records, and for the same records published as they are."""
    after, before = _scored(metric, "anonymized"), _scored(metric, "original")
    if after.value is None:
        return after.summary()
    unchanged = "" if before.value is None else f" ({format_number(before.value)} if published unchanged)"
    return f"{format_number(after.value)}{unchanged}. {after.summary()}"


def _scored(metric: Metric, published: str) -> Score:
    example, notes = NOTES["example"][_example(metric)], NOTES["metrics"][metric.id]
    columns = notes.get("columns", {})
    roles = metrics.Roles(**example["roles"], **notes.get("roles", {}))
    population, holdout = (_frame(example[name]) if name in example else None for name in ("population", "holdout"))
    table = as_table(_frame(example[published]).assign(**columns), "table")
    drawn = example.get("randomization", {}) if published == "anonymized" else {}
    card = metrics.score(
        table.randomized({name: metrics.k_rr(values, 1) for name, values in drawn.items()}),
        roles,
        original=_frame(example["original"]).assign(**columns),
        hierarchies={name: metrics.Hierarchy(rows) for name, rows in example.get("hierarchies", {}).items()},
        parameters=metrics.Parameters().with_settings(notes.get("settings", {})),
        population=population,
        holdout=holdout,
        metrics=[metric.id],
    )
    return card[metric.id]


def _frame(rows: Sequence[Sequence[str]]) -> pd.DataFrame:
    return pd.DataFrame({name: [row[i] for row in rows[1:]] for i, name in enumerate(rows[0])})


def _linked(text: str) -> str:
    """A text in which the first mention of each program is a link to it."""
    for name, address in PEERS.items():
        text = re.sub(rf"(?<![\w\[`]){name}\b(?!\])", f"[{name}]({address})", text, count=1)
    return text


def _cited(reference: str) -> str:
    """A reference with its DOI, or the opinion of the Article 29 Working Party, as a link."""
    doi = re.compile(r"doi (10\.[^\s;,()]+(?:\([^\s;,()]*\)[^\s;,()]*)*)")
    return doi.sub(r"[doi \1](https://doi.org/\1)", reference).replace("WP216", f"[WP216]({_WP216})") + "."


def _filled(text: str, indent: str = "") -> str:
    return textwrap.fill(text, 120, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def main() -> None:
    """Write the pages."""
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
