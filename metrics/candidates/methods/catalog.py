"""The methods, once: the explore page, the command line and the tests walk this tuple."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metrics.candidates.methods.additive_noise import AdditiveNoise
from metrics.candidates.methods.method import CandidateMethod, method_parameters
from metrics.candidates.methods.microaggregation import Microaggregation
from metrics.candidates.methods.mondrian import Mondrian
from metrics.candidates.methods.pram import PRAM
from metrics.candidates.methods.randomized_response import RandomizedResponse
from metrics.candidates.methods.rank_swapping import RankSwapping
from metrics.candidates.methods.safepub import SafePub
from metrics.candidates.methods.top_bottom_coding import TopBottomCoding
from metrics.config.roles import Roles
from metrics.errors import InputError
from metrics.formatting import join_names
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.identifiers.released import suppress_identifiers
from metrics.reading import as_table
from metrics.tables.frames import TableLike
from metrics.tables.table import Table

METHODS: tuple[type[CandidateMethod], ...] = (
    Mondrian,
    TopBottomCoding,
    Microaggregation,
    PRAM,
    RandomizedResponse,
    AdditiveNoise,
    RankSwapping,
    SafePub,
)
BY_NAME = {method.name: method for method in METHODS}


def method_named(name: str, values: Mapping[str, Any]) -> CandidateMethod:
    """A method with these parameters, the others at their defaults.

    Parameters
    ----------
    name : str
        Such as "mondrian".
    values : mapping of str to object
        Parameters of the method, by name.

    Returns
    -------
    CandidateMethod
        Its `apply` makes the candidate.

    Raises
    ------
    InputError
        If there is no such method or parameter, or a value is out of range.
    """
    if name not in BY_NAME:
        raise InputError(f'there is no method "{name}"', remedy=f"choose {join_names(list(BY_NAME), 'or')}")
    parameter_names = [parameter.name for parameter in method_parameters(BY_NAME[name])]
    unknown = next((key for key in values if key not in parameter_names), None)
    if unknown is not None:
        raise InputError(
            f'the method {name} has no parameter "{unknown}"', remedy=f"it has {join_names(parameter_names)}"
        )
    return BY_NAME[name](**values)


def make_candidate(
    original: TableLike,
    method: str,
    roles: Roles,
    hierarchies: Hierarchies | None = None,
    *,
    seed: int | None = None,
    **parameters: Any,
) -> Table:
    """Make an anonymized version of the original by one of the methods; the same for the same seed on any machine.

    Parameters
    ----------
    original : Table or data frame
        The table to anonymize; its records keep their order, but by SafePub. Identifiers become `*`; other columns that
        are not quasi-identifiers stay, unless `columns` names them.
    method : str
        Such as "mondrian"; see `metrics.candidates.methods.catalog.METHODS`.
    roles : Roles
        The role of each column.
    hierarchies : mapping of str to Hierarchy, optional
        Used by the methods that generalize.
    seed : int, optional
        Of the random numbers, where the method draws some; without one they differ each time. Keep it secret: with it
        noise can be taken out again. k-RR takes none.
    **parameters
        Those of the method, such as k=10.

    Returns
    -------
    Table
        The candidate; only SafePub's has fewer records than the original.

    Raises
    ------
    InputError
        If there is no such method or parameter, or the table does not allow it.
    """
    return candidate_by(method_named(method, parameters), as_table(original, "original"), roles, hierarchies, seed=seed)


def candidate_by(
    method: CandidateMethod, original: Table, roles: Roles, hierarchies: Hierarchies | None, *, seed: int | None
) -> Table:
    """Apply a method and suppress the identifiers, which no release may show. Raises InputError."""
    if seed is not None and not method.takes_seed:
        raise InputError(
            f"the method {method.name} takes no seed, which would reveal the true values", remedy="omit the seed"
        )
    return suppress_identifiers(method.apply(original, roles, hierarchies, seed=seed), roles)
