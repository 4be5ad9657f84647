"""`PETValidation` and `report`, with the names, arguments and printed JSON of PETWorks-framework.

Every figure is the catalog's own. Where PETWorks' code departs from what its documents say, the documents hold:

- t-closeness: no distance exceeds t; PETWorks' code asks for less than t.
- profitability: judged record by record, as the pages define it; PETWorks' code compares totals, and takes the loss
  once per class. The verdict is called "profitability", as the pages print it; later code says "isProfitable".
- Records with `*` in every quasi-identifier are in no class, for l-diversity and t-closeness too.

Attribute types and hierarchies are those a script passes. With `dataHierarchy` alone, every column that has a hierarchy
is a quasi-identifier. With neither, `NAME.yaml` beside `NAME.csv`, the anonymized table, tells both, as in PETWorks.
"""

from __future__ import annotations

import inspect
import json
import math
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from metrics.config.parameters import Parameters, ProfitabilityParameters, SensitiveParameters
from metrics.config.roles import Role, Roles
from metrics.config.roles_file import read_roles
from metrics.errors import InputError
from metrics.hierarchies.files import read_hierarchies, unmatched_files
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.petworks import attributetypes
from metrics.petworks.record_order import non_uniform_entropy_by_record
from metrics.reading import read_table
from metrics.scoring.scorecard import Score, Scorecard, finite, score
from metrics.tables.table import Table
from metrics.utility.utility_bias.measure import bias

_ROLES = {
    attributetypes.IDENTIFIER: Role.IDENTIFIER,
    attributetypes.SENSITIVE_ATTRIBUTE: Role.SENSITIVE,
    attributetypes.INSENSITIVE_ATTRIBUTE: Role.INSENSITIVE,
    attributetypes.QUASI_IDENTIFIER: Role.QUASI_IDENTIFIER,
}
_DELIMITER = ";"


@dataclass(frozen=True, eq=False, repr=False)
class _Given:
    """Arguments that a script passes to every technology; tables and hierarchies are read when first asked for."""

    tech: str
    original: Any
    anonymized: Any
    hierarchies: Any
    types: Mapping[str, str] | None

    @cached_property
    def table(self) -> Table:
        """The anonymized table."""
        return _required_table(self.anonymized, self.tech, "anonymized")

    @cached_property
    def before(self) -> Table:
        """The original table; for d-presence the population."""
        return _required_table(self.original, self.tech, "original")

    @cached_property
    def setting(self) -> tuple[Roles, dict[str, Hierarchy]]:
        """Roles and hierarchies: those passed, or those of the YAML file beside the anonymized table."""
        if self.types or self.hierarchies is not None:
            return self._passed_setting
        path = Path(self.anonymized).with_suffix(".yaml") if isinstance(self.anonymized, str | os.PathLike) else None
        if path is None or not path.is_file():
            raise InputError(
                f'"{self.tech}" needs to know which columns are quasi-identifiers',
                remedy="pass attributeTypes or dataHierarchy, or put a YAML file of the table's name beside it",
                file=self.table.name,
            )
        content = read_roles(path)
        folder = content.hierarchies
        return content.roles, {} if folder is None else read_hierarchies(path.parent / folder, self.table.names)

    @property
    def _passed_setting(self) -> tuple[Roles, dict[str, Hierarchy]]:
        hierarchies: dict[str, Hierarchy] = {}
        if isinstance(self.hierarchies, Mapping):
            hierarchies = dict(self.hierarchies)
        elif self.hierarchies is not None:
            hierarchies = read_hierarchies(self.hierarchies, self.table.names)
        if not self.types:
            if isinstance(self.hierarchies, str | os.PathLike):
                self._refuse_unknown(self.hierarchies)
            return Roles([name for name in self.table.names if name in hierarchies], name="dataHierarchy"), hierarchies
        for column, kind in self.types.items():
            if kind not in _ROLES:
                raise InputError(
                    "there is no such attribute type", remedy=f"use {', '.join(_ROLES)}", column=str(column)
                )
        roles = Roles.from_mapping({str(column): _ROLES[kind] for column, kind in self.types.items()})
        return replace(roles, name="attributeTypes"), hierarchies

    def _refuse_unknown(self, folder: str | os.PathLike[str]) -> None:
        """Raise InputError if a file, which would make its column a quasi-identifier, belongs to no column."""
        for name, column in unmatched_files(Path(folder), self.table.names).items():
            raise InputError(
                f"{self.table.name} has no such column, so the file makes none a quasi-identifier",
                remedy="rename the file, take it out of the folder, or pass attributeTypes",
                file=name,
                column=column,
            )

    def score(
        self,
        metric: str,
        *,
        paired: bool = False,
        population: bool = False,
        parameters: Parameters | None = None,
        roles: Roles | None = None,
    ) -> Score:
        """One metric of the catalog; raises InputError if it is unavailable."""
        return self.card(metric, paired=paired, population=population, parameters=parameters, roles=roles)[metric]

    def card(
        self,
        metric: str,
        *,
        paired: bool = False,
        population: bool = False,
        parameters: Parameters | None = None,
        roles: Roles | None = None,
    ) -> Scorecard:
        """The scorecard that holds this one metric; raises InputError if it is unavailable."""
        card_roles, hierarchies = self.setting if roles is None else (roles, {})
        if not card_roles.quasi_identifiers:
            raise InputError(
                f'no column is a quasi-identifier for "{self.tech}"',
                remedy="name one in attributeTypes, or pass a dataHierarchy that has one",
                file=self.table.name,
            )
        card = score(
            self.table,
            card_roles,
            original=self.before if paired else None,
            hierarchies=hierarchies,
            parameters=parameters,
            population=self.before if population else None,
            metrics=[metric],
        )
        reason = card[metric].unavailable
        if reason is not None:
            raise InputError(
                f'"{self.tech}" cannot be computed: {reason}',
                remedy="check the tables, attributeTypes and dataHierarchy",
                file=self.table.name,
            )
        return card


def _required_table(source: Any, tech: str, table_kind: str) -> Table:
    """A table as PETWorks reads it, delimited by semicolons; other dialects and tables in memory are read as well."""
    if source is None:
        raise InputError(f'"{tech}" needs the {table_kind} table', remedy="pass its path")
    if isinstance(source, Table):
        return source
    if isinstance(source, str | os.PathLike):
        with suppress(InputError):
            table = read_table(source, delimiter=_DELIMITER)
            if len(table.columns) > 1:
                return table
    return read_table(source)


def _number(name: str, value: Any) -> float:
    """The number passed under that name, which may be text. Raises InputError unless it is finite."""
    with suppress(TypeError, ValueError, OverflowError):
        if math.isfinite(float(value)):
            return float(value)
    raise InputError(f"{name} is not a number", remedy="pass a number")


def _aecs(inputs: _Given) -> dict[str, Any]:
    return {"AECS": inputs.score("average_class_size", paired=True).value}


def _ambiguity(inputs: _Given) -> dict[str, Any]:
    return {"ambiguity": inputs.score("ambiguity", paired=True).value}


def _d_presence(inputs: _Given, dMin: Any, dMax: Any) -> dict[str, Any]:
    lowest, highest = _number("dMin", dMin), _number("dMax", dMax)
    details = inputs.score("delta_presence", population=True).details
    is_within = lowest <= details["delta_min_of_classes"] and details["delta_max"] <= highest
    return {"dMin": dMin, "dMax": dMax, "d-presence": is_within}


def _k_anonymity(inputs: _Given, k: Any) -> dict[str, Any]:
    return {"k": k, "fulfill k-anonymity": _value(inputs.score("k_anonymity")) >= _number("k", k)}


def _l_diversity(inputs: _Given, l: Any) -> dict[str, Any]:  # noqa: E741 - PETWorks' own name
    # PETWorks takes the other sensitive attributes as known to an adversary.
    parameters = Parameters(sensitive=SensitiveParameters(others_as_quasi_identifiers=True))
    diversity = inputs.score("distinct_l_diversity", parameters=parameters)
    return {"l": l, "fulfill l-diversity": _value(diversity) >= _number("l", l)}


def _non_uniform_entropy(inputs: _Given) -> dict[str, Any]:
    card = inputs.card("non_uniform_entropy", paired=True)
    return {"Non-Uniform Entropy": non_uniform_entropy_by_record(card.aggregates)}


def _precision(inputs: _Given) -> dict[str, Any]:
    return {"precision": inputs.score("precision", paired=True).value}


def _profitability(
    inputs: _Given, allowAttack: Any, adversaryCost: Any, adversaryGain: Any, publisherLost: Any, publisherBenefit: Any
) -> dict[str, Any]:
    parameters = ProfitabilityParameters(
        adversary_cost=_number("adversaryCost", adversaryCost),
        adversary_gain=_number("adversaryGain", adversaryGain),
        publisher_loss=_number("publisherLost", publisherLost),
        publisher_benefit=_number("publisherBenefit", publisherBenefit),
        allow_attack=bool(allowAttack),
    )
    return {
        "allow attack": allowAttack,
        "adversary's cost": adversaryCost,
        "adversary's gain": adversaryGain,
        "publisher's loss": publisherLost,
        "publisher's benefit": publisherBenefit,
        "profitability": inputs.score("profitability", parameters=Parameters(profitability=parameters)).value,
    }


def _reidentification_risk(inputs: _Given) -> dict[str, Any]:
    # PETWorks passes its only table first, and takes every column of it as a quasi-identifier.
    table = _required_table(
        inputs.anonymized if inputs.original is None else inputs.original, inputs.tech, "anonymized"
    )
    single_table = _Given(inputs.tech, None, table, None, inputs.types)
    roles = single_table.setting[0] if inputs.types else Roles(table.names)
    return {"Re-identification Risk": single_table.score("reidentification_risk", roles=roles).value}


def _t_closeness(inputs: _Given, tLimit: Any) -> dict[str, Any]:
    limit = _number("tLimit", tLimit)
    return {"t": limit, "fulfill t-closeness": _value(inputs.score("t_closeness")) <= limit}


def _utility_bias(inputs: _Given, processingFunc: Callable[[Any], float], maxBias: Any) -> dict[str, Any]:
    if not callable(processingFunc):
        raise InputError("processingFunc is not a function", remedy="pass one that takes a table and returns a number")
    bound = _number("maxBias", maxBias)
    return {"UtilityBias": bias(processingFunc, inputs.original, inputs.anonymized).within(bound)}


def _value(metric_score: Score) -> float:
    """The figure of a score that has one."""
    assert metric_score.value is not None
    return float(metric_score.value)


TECHNOLOGIES: Mapping[str, Callable[..., dict[str, Any]]] = {
    "AECS": _aecs,
    "Ambiguity": _ambiguity,
    "d-presence": _d_presence,
    "k-anonymity": _k_anonymity,
    "l-diversity": _l_diversity,
    "Non-Uniform Entropy": _non_uniform_entropy,
    "Precision": _precision,
    "profitability": _profitability,
    "ReidentificationRisk": _reidentification_risk,
    "t-closeness": _t_closeness,
    "UtilityBias": _utility_bias,
}
"""The de-identification technologies by the names PETWorks gives them."""


def PETValidation(
    original: Any,
    anonymized: Any,
    tech: str,
    *,
    dataHierarchy: str | os.PathLike[str] | Mapping[str, Hierarchy] | None = None,
    attributeTypes: Mapping[str, str] | None = None,
    **arguments: Any,
) -> dict[str, Any]:
    """Return what PETWorks returns for an anonymized table: a dictionary for `report`.

    Parameters
    ----------
    original : path, table or data frame, or None
        The original table, as anything `metrics.read_table` takes; None if the technology does not use it. For
        d-presence the population, for ReidentificationRisk the table itself.
    anonymized : path, table or data frame
        The anonymized table, likewise.
    tech : str
        One of `TECHNOLOGIES`.
    dataHierarchy : path, or mapping of str to Hierarchy, optional
        Folder of the hierarchies, or hierarchies by column.
    attributeTypes : mapping of str to str, optional
        A name of `metrics.petworks.attributetypes` for each column.
    **arguments
        What the technology takes: `k`; `l`; `tLimit`; `dMin` and `dMax`; `allowAttack`, `adversaryCost`,
        `adversaryGain`, `publisherLost`, `publisherBenefit`; `processingFunc` (called with each table as passed here)
        and `maxBias`.

    Returns
    -------
    dict
        The figures by PETWorks' names.

    Raises
    ------
    InputError
        If the technology does not exist, an argument is missing or unknown, a table is invalid, or the metric is
        unavailable for it.
    """
    if tech not in TECHNOLOGIES:
        raise InputError(
            "there is no such de-identification technology", remedy=f"use one of {', '.join(TECHNOLOGIES)}"
        )
    validate = TECHNOLOGIES[tech]
    expected = list(inspect.signature(validate).parameters)[1:]
    if set(arguments) != set(expected):
        names = f"the arguments {', '.join(expected)}" if expected else "only dataHierarchy and attributeTypes"
        raise InputError(f'"{tech}" takes {names}', remedy="pass these by name")
    return validate(_Given(tech, original, anonymized, dataHierarchy, attributeTypes), **arguments)


def report(result: Mapping[str, Any], format: str) -> None:
    """Print a result of `PETValidation`.

    Parameters
    ----------
    result : mapping of str to object
        What `PETValidation` returned.
    format : {"json"}
        The form to print.

    Raises
    ------
    InputError
        If there is no such format.
    """
    if format != "json":
        raise InputError("a result has no such format", remedy='use "json"')
    print(json.dumps(finite(result), indent=4))
