"""A scorecard as one HTML page that asks no server for anything: for paper, mail and archives."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from metrics.figures.embedding import CONFIG_JSON, plotly_script
from metrics.figures.theme import shortened
from metrics.privacy.p29 import Flags
from metrics.report.drawing import drawings
from metrics.report.formulas import mathml
from metrics.roles import Role
from metrics.scorecard import Scorecard, finite, shown
from metrics.specification import Direction, Family
from metrics.table import Described, Source
from metrics.thresholds import Thresholds, judgement, keeps, wanted
from metrics.verdict import verdict
from metrics.version import VERSION
from metrics.wording import counted, listed, visible

MOST_CLASSES = 1_000
"""Most violating classes listed."""
_MOST_LETTERS = 120
"""Of a cell or a name in a table of the report."""
_MOST_ATTRIBUTES = 12
"""Most attributes whose own figure stands beside a metric; the appendix has all."""
_DRAW = """const settings = JSON.parse(document.getElementById("figure-settings").textContent);
for (const place of document.querySelectorAll("[data-figure]")) {
  const drawn = JSON.parse(document.getElementById(place.dataset.figure).textContent);
  place.textContent = "";
  Plotly.newPlot(place, drawn.data, drawn.layout, settings);
}
"""
_HEADINGS = {
    Family.PRIVACY: ("Privacy", "What the table still gives away."),
    Family.UTILITY: ("Utility", "What it has lost."),
    Family.ECONOMICS: ("Economics", "Whether publishing pays, and attacking does."),
}


@dataclass(frozen=True)
class Compared:
    """What a scorecard does not know: sha256 of the files' bytes in hexadecimal, None where there is no file."""

    anonymized: str | None = None
    original: str | None = None


def report_html(
    card: Scorecard,
    figures: bool = True,
    *,
    thresholds: Thresholds | None = None,
    sha256: Compared | None = None,
    date: str | None = None,
) -> str:
    """The page: what was compared, verdict, metrics, figures, violating classes, definitions, all figures in full.

    Without `figures` the page has no script and a tenth of the size. `date` is shown as it is given. Everything that
    comes from tables and files is text on the page, whatever it looks like.
    """
    limits = thresholds or Thresholds()
    scripts = [_script(plotly_script()), _script(_DRAW)] if figures else []
    return (
        _environment()
        .get_template("template.html")
        .render(
            name=card.evidence.anonymized.name,
            date=date,
            version=VERSION,
            verdict=verdict(card, limits),
            headline=list(_headline(card)),
            tables=list(_tables(card, sha256 or Compared())),
            roles=list(_roles(card)),
            matching=_matching(card),
            hierarchies=card.evidence.hierarchies,
            parameters=[(key, text.removesuffix(".0")) for key, text in _flat(card.parameters.to_dict())],
            limits=limits.limits,
            families=[(*_HEADINGS[family], list(_metrics(card, family, limits))) for family in Family],
            drawings={
                _HEADINGS[family][0]: [drawn for drawn in (drawings(card) if figures else ()) if drawn.family is family]
                for family in Family
            },
            violations=_violations(card),
            definitions=[(score.metric, mathml(score.metric.formula)) for score in card],
            full=[(score, list(_full(score.to_dict()))) for score in card],
            scripts=scripts,
            policy=_policy(scripts),
            figure_settings=Markup(CONFIG_JSON),
        )
    )


def contents(card: Scorecard) -> list[str]:
    """What a card's report holds, a line for each of its parts."""
    evidence = card.evidence
    classes = int(_violating(card).sum())
    missing = sum(score.unavailable is not None for score in card)
    of_which = f", {missing} of them unavailable with the reason" if missing else ""
    tables = listed([table.name for table in (evidence.anonymized, evidence.original) if table is not None])
    violating = counted(classes, "violating class", "violating classes")
    first = f", the first {MOST_CLASSES:,} of them listed" if classes > MOST_CLASSES else ""
    return [
        f"What was compared: {tables}, with sha256, rows, roles, hierarchies and parameters",
        "The verdict in plain words",
        f"{len(card.scores)} metrics with range, direction and finding{of_which}",
        f"{counted(len(drawings(card)), 'figure')}, each also in words",
        f"{violating} with the reasons{first}",
        "Definitions with formulas and references, and every figure in full",
    ]


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("metrics.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalized,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["cut"] = lambda text: shortened(visible(text), _MOST_LETTERS)
    made.filters["json"] = Markup
    made.globals["counted"] = counted
    return made


def _finalized(value: Any) -> Any:
    """Whatever the template writes: text without signs that steer the text around them."""
    return visible(value) if type(value) is str and value else value


def _script(source: str) -> Markup:
    """The text of a script element as the browser reads it: its line ends are the page's."""
    return Markup(source.replace("\r\n", "\n").replace("\r", "\n"))


def _policy(scripts: list[Markup]) -> str:
    """Content security policy: nothing is fetched, and no script runs but these, even if one slipped in."""
    allowed = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    hashes = " ".join(f"'sha256-{digest}'" for digest in allowed) or "'none'"
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:; form-action 'none'"
    )


class _Line(NamedTuple):
    """One metric in the table of its family."""

    title: str
    anchor: str
    about: str
    value: str
    full: str
    limit: str
    kept: str
    finding: str
    attributes: list[tuple[str, str]]
    more_attributes: int


def _metrics(card: Scorecard, family: Family, thresholds: Thresholds) -> Iterator[_Line]:
    for score in card:
        spec = score.metric
        if spec.family is not family:
            continue
        limit = thresholds.limits.get(spec.id)
        single = [(name, shown(value)) for name, value in score.attributes.items()]
        about = (
            str(spec.direction) if spec.direction is Direction.TRUE else f"{spec.range} {spec.unit}; {spec.direction}"
        )
        yield _Line(
            title=spec.title,
            anchor=f"definition-{spec.id}",
            about=about,
            value=shown(score.value),
            full="" if score.value is None else str(score.value),
            limit="" if limit is None else wanted(spec, limit),
            kept="" if limit is None else judgement(keeps(score, limit)),
            finding=score.in_words(),
            attributes=single[:_MOST_ATTRIBUTES] if len(single) > 1 else [],
            more_attributes=max(len(single) - _MOST_ATTRIBUTES, 0),
        )


def _headline(card: Scorecard) -> Iterator[tuple[str, str]]:
    """The few figures a reader asks for first."""
    classes = card.evidence.classes
    yield "records", f"{card.evidence.anonymized.rows:,}"
    yield "suppressed or deleted", f"{classes.suppressed + card.evidence.deleted:,}"
    yield "equivalence classes", f"{classes.count:,}"
    yield "smallest class (k)", shown(card["k_anonymity"].value)
    yield "P_29", shown(card["p29"].value)
    left = card["non_uniform_entropy"].value
    yield "information left", "—" if left is None else f"{left:.0%}"


class _ComparedTable(NamedTuple):
    part: str
    name: str
    rows: int
    suppressed: int | None
    columns: int
    read: str
    sha256: str | None


def _tables(card: Scorecard, sha256: Compared) -> Iterator[_ComparedTable]:
    def row(part: str, table: Described, suppressed: int | None, digest: str | None) -> _ComparedTable:
        return _ComparedTable(
            part, table.name, table.rows, suppressed, len(table.names), _read_as(table.source), digest
        )

    evidence = card.evidence
    yield row("Anonymized", evidence.anonymized, evidence.classes.suppressed, sha256.anonymized)
    if evidence.original is not None:
        yield row("Original", evidence.original, None, sha256.original)


def _read_as(source: Source) -> str:
    """How a file was understood."""
    parts = [{"csv": "CSV", "memory": "from memory"}.get(source.kind, source.kind.capitalize())]
    for part in fields(Source):
        value = getattr(source, part.name)
        if part.name in ("delimiter", "encoding", "compression", "sheet") and value is not None:
            parts.append(f"{part.name} “{'tab' if value == chr(9) else value}”")
    parts += ["decimal comma"] if source.decimal == "," else []
    if source.missing:
        parts.append("missing: " + ", ".join(visible(text) for text in source.missing))
    return ", ".join(parts)


def _roles(card: Scorecard) -> Iterator[tuple[str, list[str]]]:
    """The columns of each role, those of either table that are named nowhere as insensitive."""
    evidence = card.evidence
    names = dict.fromkeys((*evidence.anonymized.names, *(evidence.original.names if evidence.original else ())))
    for role in Role:
        columns = [name for name in names if evidence.roles.of(name) is role]
        if columns:
            yield str(role), columns


def _matching(card: Scorecard) -> str:
    evidence = card.evidence
    if evidence.unmatched is not None:
        return f"Records are not compared with their originals: {evidence.unmatched}."
    assert evidence.tally is not None
    return evidence.tally.in_words(evidence.roles.matching)


class _Violations(NamedTuple):
    headings: list[str]
    rows: list[tuple[list[str | None], int, str]]
    classes: int
    records: int
    gates: bool
    """Whether the gates of P_29 decide; without sensitive attributes only k = 1 can."""


def _violating(card: Scorecard) -> Flags:
    return card.evidence.classes.sizes == 1 if card.classes.joint is None else card.classes.violating


def _violations(card: Scorecard) -> _Violations:
    """The classes that shut a gate, most serious first: one record, then most attributes constant, then farthest."""
    classes, joint = card.evidence.classes, card.classes.joint
    index = np.flatnonzero(_violating(card))
    if joint is not None:
        serious = (-joint.excess[index], -joint.constant_attributes[index], classes.sizes[index] != 1)
        index = index[np.lexsort(serious)]
    chosen = index[:MOST_CLASSES]
    reasons = ["k = 1"] * len(chosen) if joint is None else joint.reason_texts(chosen).to_pylist()
    return _Violations(
        headings=list(classes.quasi_identifiers),
        rows=[
            (list(classes.labels(i).values()), int(classes.sizes[i]), reason)
            for i, reason in zip(chosen.tolist(), reasons, strict=True)
        ],
        classes=len(index),
        records=int(classes.sizes[index].sum()),
        gates=joint is not None,
    )


def _full(score: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Every figure of a metric by its name in the JSON."""
    yield "value", _whole(score["value"])
    if score["unavailable"] is not None:
        yield "unavailable", score["unavailable"]
    yield from _flat({"attributes": score["attributes"], "details": score["details"]})


def _flat(content: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """The leaves of nested mappings, by the path of their keys."""
    for key, value in content.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{path}{key}.")
        else:
            yield f"{path}{key}", _whole(value)


def _whole(value: Any) -> str:
    """A figure with all its digits."""
    plain = finite(value)
    if isinstance(plain, list):
        return ", ".join(_whole(item) for item in plain)
    return shown(plain) if plain is None or isinstance(plain, bool) else str(plain)
