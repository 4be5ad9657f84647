"""What a candidate's scores can be taken away as; each file is made when its button is pressed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import datetime

import streamlit as st

from dashboard.settings import settings_of
from dashboard.workspace import Workspace
from metrics.export import to_csv, to_parquet
from metrics.report import Compared, report_html
from metrics.scorecard import Scorecard

_UNSAFE = re.compile(r"[^\w.-]+")
_LONGEST_NAME = 60


def downloads(state: Workspace, label: str, card: Scorecard) -> None:
    """Buttons for the report, the scores, the class table and the settings."""
    stem = _UNSAFE.sub("_", label)[:_LONGEST_NAME]
    files: list[tuple[str, str, str, Callable[[], str | bytes], str]] = [
        ("Report", f"report_{stem}.html", "text/html", lambda: _report(state, label, card), "Opens in any browser."),
        ("Scores as JSON", f"scores_{stem}.json", "application/json", lambda: _scores(card), "Every figure in full."),
        ("Classes as CSV", f"classes_{stem}.csv", "text/csv", lambda: to_csv(card.classes.to_arrow()), ""),
        (
            "Classes as Parquet",
            f"classes_{stem}.parquet",
            "application/vnd.apache.parquet",
            lambda: to_parquet(card.classes.to_arrow()),
            "",
        ),
        (
            "Settings",
            "settings.json",
            "application/json",
            lambda: settings_of(state).to_json(),
            "Roles, parameters, limits and hierarchies, for this page and for `python -m metrics --settings`.",
        ),
    ]
    with st.container(horizontal=True):
        for title, name, mime, make, about in files:
            st.download_button(
                title,
                make,
                file_name=name,
                mime=mime,
                key=f"download_{name.partition('_')[0]}_{name.rpartition('.')[2]}",
                help=about or None,
                on_click="ignore",
                type="primary" if title == "Report" else "secondary",
                icon=":material/download:",
            )


def _scores(card: Scorecard) -> str:
    return json.dumps(card.to_dict(), ensure_ascii=False, indent=1)


def _report(state: Workspace, label: str, card: Scorecard) -> str:
    loaded = state.candidates.get(label)  # there is none where the table stays on the server
    original = None if loaded is None or state.original is None else state.original.sha256
    return report_html(
        card,
        thresholds=state.thresholds,
        sha256=Compared(None if loaded is None else loaded.sha256, original),
        date=datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z"),
    )
