"""Scoring reference tables from the API and from the command line."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import metrics
from metrics import METRICS, Parameters, Roles, Scorecard
from metrics.metric import Family
from tests.support.command_line import Run, call
from tests.support.reference_data import reference


def petworks(*parts: str) -> Path:
    return reference("petworks", *parts)


SCORED = [spec.id for spec in METRICS if spec.family is not Family.ATTACKS]
"""Attacks have no published figures, and take most of the time on these tables."""
_table, _hierarchies = cache(metrics.read_table), cache(metrics.read_hierarchies)


@cache
def api(
    anonymized: Path,
    roles: Roles,
    original: Path | None = None,
    hierarchies: Path | None = None,
    **settings: object,
) -> Scorecard:
    return metrics.score(
        _table(anonymized),
        roles,
        original=None if original is None else _table(original),
        hierarchies=None if hierarchies is None else _hierarchies(hierarchies),
        metrics=SCORED,
        parameters=Parameters().with_settings(settings),
    )


def roles_file(folder: Path, roles: Roles) -> Path:
    """The roles as a native roles file (JSON is YAML)."""
    path = folder / "roles.yaml"
    content = {"quasi_identifiers": roles.quasi_identifiers, "sensitive": roles.sensitive}
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def command(
    capsys: pytest.CaptureFixture[str],
    anonymized: Path,
    roles: Path,
    original: Path | None = None,
    hierarchies: Path | None = None,
    metrics: Sequence[str] = (),
    **settings: object,
) -> Run:
    arguments: list[object] = ["score", "--anonymized", anonymized, "--roles", roles, "--json"]
    arguments += ["--metrics", *metrics] if metrics else []
    arguments += [] if original is None else ["--original", original]
    arguments += [] if hierarchies is None else ["--hierarchies", hierarchies]
    arguments += [] if not settings else ["--set", *(f"{key}={value}" for key, value in settings.items())]
    return call(capsys, *arguments)


def printed(done: Run) -> dict[str, Any]:
    """The metrics that a successful command printed."""
    assert (done.status, done.err) == (0, "")
    found: dict[str, Any] = done.object["metrics"]
    return found


def near(figure: float) -> Any:
    """Equal but for rounding."""
    return pytest.approx(figure, rel=1e-9, abs=1e-12)
