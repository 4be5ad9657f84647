"""`metrics`: the metrics by id, and what else a policy can limit."""

from __future__ import annotations

import argparse
from typing import Any

from metrics.cli.exit_status import DONE
from metrics.policy.limitable_measures import LIMITABLE_MEASURES
from metrics.scoring.catalog import BY_ID


def add_parser(commands: Any) -> None:
    """Add the command."""
    commands.add_parser("metrics", help="list the metrics by id and title").set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print a line for each metric, then for each limit of a policy that is no metric."""
    del options
    notes = {name: "slow: computed on request" for name, metric in BY_ID.items() if metric.on_demand}
    notes |= {name: "only as a limit of a policy" for name in LIMITABLE_MEASURES if name not in BY_ID}
    titles = {name: measure.title for name, measure in {**BY_ID, **LIMITABLE_MEASURES}.items()}
    widths = max(map(len, titles)), max(map(len, titles.values()))
    for name, title in titles.items():
        print(f"{name.ljust(widths[0])}  {title.ljust(widths[1])}  {notes.get(name, '')}".rstrip())
    return DONE
