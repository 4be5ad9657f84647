"""Options that several commands share: tables, roles, hierarchies, parameters and policy."""

from __future__ import annotations

import argparse
from typing import Any

from metrics.cli.projects import add_argument
from metrics.config.former_names import current_name
from metrics.config.randomization_file import NOT_RANDOMIZED
from metrics.policy.built_in_policies import POLICIES, option_name

TABLE_FORMATS = "CSV, Parquet, Excel, SPSS, Stata or SAS"
TABLE_OUTPUT = "a .csv or .parquet file"
SCORING_USAGE = "%(prog)s --anonymized FILE --roles FILE [options]"
"""The short usage of a command that reports on one table: the list of all options would fill the screen."""
WRITING_USAGE = "%(prog)s --anonymized FILE --roles FILE --out FILE [options]"


def add_table_options(parser: argparse.ArgumentParser, *, several: bool = False) -> None:
    """The tables to score, the metrics to compute, and everything that `add_setting_options` adds."""
    repeatable: dict[str, Any] = {"nargs": "+", "action": "extend"} if several else {}
    noun = "anonymized tables" if several else "anonymized table"
    parser.add_argument("--anonymized", metavar="FILE", help=f"the {noun}: {TABLE_FORMATS}", **repeatable)
    parser.set_defaults(needs=("anonymized",), several_tables=several)
    parser.add_argument(
        "--original", metavar="FILE", help="the table before anonymization; needed by attacks and most utility metrics"
    )
    parser.add_argument(
        "--population",
        metavar="FILE",
        help="table of the population from which the records were drawn, with the same quasi-identifiers",
    )
    parser.add_argument(
        "--holdout",
        metavar="FILE",
        help="table of people of the same population who are not in the original; a control for the attacks",
    )
    parser.add_argument(
        "--metrics",
        nargs="+",
        type=current_name,
        action="extend",
        default=[],
        metavar="ID",
        help="compute only these metrics, by id (all: every metric, including the slow ones)",
    )
    add_setting_options(parser)


def add_setting_options(parser: argparse.ArgumentParser) -> None:
    """Roles, settings, hierarchies and parameters, or a project with all of them."""
    add_argument(parser)
    parser.add_argument("--roles", metavar="FILE", help="YAML file: quasi_identifiers, sensitive, identifiers, …")
    parser.add_argument(
        "--not-identifying",
        nargs="+",
        action="extend",
        default=[],
        metavar="COLUMN",
        help="columns that look like direct identifiers by their values, and of which you state that they are none",
    )
    parser.add_argument(
        "--settings", metavar="FILE", help="settings file saved by the dashboard; the other options override it"
    )
    parser.add_argument(
        "--hierarchies", metavar="DIR", help="folder of generalization hierarchies: C.csv for the column C"
    )
    parser.add_argument(
        "--set",
        nargs="+",
        action="extend",
        default=[],
        metavar="KEY=VALUE",
        help="parameters of metrics, such as t_closeness.t=0.3",
    )


def add_policy_option(parser: argparse._ActionsContainer, effect: str) -> None:
    """The release policy; `effect` says what the command does with it."""
    names = ", ".join(map(option_name, POLICIES))
    parser.add_argument(
        "--policy", "--preset", metavar="FILE|NAME", help=f"release policy, a JSON file or one of {names}: {effect}"
    )


def add_recipe_option(parser: argparse._ActionsContainer) -> None:
    """A file for what the command did."""
    parser.add_argument(
        "--recipe", metavar="FILE", help="write the steps to a .yaml file, which `apply` can repeat on other tables"
    )


def add_analyses_option(parser: argparse.ArgumentParser) -> None:
    """A file of analyses."""
    parser.add_argument(
        "--analyses",
        metavar="FILE",
        help="YAML file of analyses that the release is to serve (means, cross-tabulations, regressions, counts), such "
        "as 'analyses: {stay: {kind: mean, number: length_of_stay, by: [sex]}}'; without one, reports, explorations "
        "and --metrics analyses use those that the columns suggest",
    )


def add_randomization_option(parser: argparse.ArgumentParser, *, several: bool = False) -> None:
    """How the cells of columns were drawn."""
    repeatable: dict[str, Any] = {"nargs": "+", "action": "extend", "default": []} if several else {}
    each = f"for each table in their order ({NOT_RANDOMIZED} for one that was not randomized), " if several else ""
    parser.add_argument(
        "--randomization",
        metavar="FILE",
        help=f"{each}the recipe of a table that was made by k-rr, pram or safepub, or a YAML file of the probabilities "
        "that its cells were drawn with, such as 'randomization: {sex: {values: [F, M], epsilon: 1}}'",
        **repeatable,
    )


def add_json_option(parser: argparse.ArgumentParser) -> None:
    """Output for programs."""
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
