"""Built-in release policies, each with the source of its limits, and policies in files."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Final

from metrics.errors import InputError
from metrics.policy.limitable_measures import SUPPRESSION
from metrics.policy.policy import Policy
from metrics.tables.regular_file import open_regular
from metrics.texts import text


class LimitBasis(StrEnum):
    """Kind of source that limits come from."""

    GUIDANCE = "Guidance"
    LITERATURE = "Literature"


@dataclass(frozen=True)
class LimitSource:
    """Source of the limits of a built-in policy, and which of them are a choice."""

    basis: LimitBasis
    title: str
    date: str
    """Date of the edition, or its year."""
    url: str
    note: str
    """Requirements of the source, and the limits that are not from it."""

    def summary(self) -> str:
        """Kind, title and date of the source, and what it requires."""
        return f"{self.basis}: {self.title}, {self.date}. {self.note}"

    def to_dict(self) -> dict[str, str]:
        """All fields, as `score --json` prints them."""
        return {"basis": str(self.basis), "title": self.title, "date": self.date, "url": self.url, "note": self.note}


NO_LIMITS: Final = Policy()
INTERNAL_SHARING: Final = Policy(
    "Internal sharing",
    {"k_anonymity": 5, "distinct_l_diversity": 2, "t_closeness": 0.5, "reidentification_risk": 0.2, SUPPRESSION: 0.1},
)
PUBLIC_CLINICAL_DATA: Final = Policy("Public clinical data", {"k_anonymity": 12, "reidentification_risk": 0.09})
STATISTICAL_TABLES: Final = Policy("Statistical tables", {"k_anonymity": 11})
P29_NOTEBOOK: Final = Policy("P_29 notebook", {"k_anonymity": 2, "distinct_l_diversity": 2, "p29": 0.25})

DEFAULT_POLICY: Final = INTERNAL_SHARING
"""Policy that applies until the user chooses: a common starting point, not a legal or regulatory standard."""

POLICIES: Final[Mapping[str, Policy]] = MappingProxyType(
    {
        policy.name: policy
        for policy in (INTERNAL_SHARING, PUBLIC_CLINICAL_DATA, STATISTICAL_TABLES, P29_NOTEBOOK, NO_LIMITS)
    }
)
"""The built-in policies by name."""

SOURCES: Final[Mapping[str, LimitSource]] = MappingProxyType(
    {
        INTERNAL_SHARING.name: LimitSource(
            LimitBasis.LITERATURE,
            "Institute of Medicine, Sharing Clinical Trial Data, Appendix B",
            "2015",
            "https://doi.org/10.17226/18998",
            text("policy.note.internal_sharing"),
        ),
        PUBLIC_CLINICAL_DATA.name: LimitSource(
            LimitBasis.GUIDANCE,
            "European Medicines Agency, external guidance on Policy 0070 (EMA/90915/2016, version 1.5)",
            "2025-05-14",
            "https://www.ema.europa.eu/en/human-regulatory-overview/marketing-authorisation/clinical-data-publication",
            text("policy.note.public_clinical_data"),
        ),
        STATISTICAL_TABLES.name: LimitSource(
            LimitBasis.GUIDANCE,
            "Centers for Medicare & Medicaid Services, cell size suppression policy",
            "2024-01-26",
            "https://resdac.org/node/1506",
            text("policy.note.statistical_tables"),
        ),
        P29_NOTEBOOK.name: LimitSource(
            LimitBasis.LITERATURE,
            "Article 29 Working Party, Opinion 05/2014 on anonymisation techniques, after which the score is named",
            "2014-04-10",
            "https://ec.europa.eu/justice/article-29/documentation/opinion-recommendation/files/2014/wp216_en.pdf",
            text("policy.note.p29_notebook"),
        ),
    }
)
"""The sources of the built-in policies' limits, by name of the policy."""


def source_of(policy: Policy) -> LimitSource | None:
    """The source of a built-in policy's limits; None for one that was edited or is the user's own."""
    return SOURCES.get(policy.name) if policy == POLICIES.get(policy.name) else None


def option_name(name: str) -> str:
    """A built-in policy's name as the command line takes it: "internal-sharing", "p29-notebook"."""
    return name.lower().replace("_", "").replace(" ", "-")


def read_policy(name_or_path: str | Path) -> Policy:
    """A built-in policy by its name, else the one in a file.

    Parameters
    ----------
    name_or_path : str or Path
        A name such as "Internal sharing" (upper case and hyphens do not matter: "internal-sharing"), or the path of a
        JSON file with the keys "name" and "limits". A settings file counts as well: its policy is used. A `Path` is
        always a file.

    Returns
    -------
    Policy
        Its limits are checked.

    Raises
    ------
    InputError
        If it is neither the name of a built-in policy nor a readable policy file.
    """
    built_in = {_normalized_name(name): policy for name, policy in POLICIES.items()}
    policy = built_in.get(_normalized_name(name_or_path)) if isinstance(name_or_path, str) else None
    return _from_file(name_or_path) if policy is None else policy


def _from_file(path: str | Path) -> Policy:
    name = Path(path).name
    try:
        with open_regular(path) as file:
            content = json.loads(file.read().decode("utf-8-sig"))
    except OSError:
        names = ", ".join(map(option_name, POLICIES))
        raise InputError(
            "there is no policy of this name and no such file", remedy=f"use {names} or the path of a file", file=name
        ) from None
    except (ValueError, RecursionError):
        raise InputError("the policy is not valid JSON", remedy="correct it", file=name) from None
    if isinstance(content, dict) and "schema_version" in content:
        content = content.get("policy")
    if not isinstance(content, dict):
        raise InputError(
            "the file holds no policy", remedy='write {"name": …, "limits": {"k_anonymity": 5}}', file=name
        )
    return Policy.from_dict(content, name)


def _normalized_name(name: str) -> str:
    return re.sub(r"[\s_-]", "", name.lower())
