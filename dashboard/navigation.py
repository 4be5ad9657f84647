"""The pages, once: navigation, links and tests walk this tuple."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from dashboard.workspace import Workspace

ROOT = Path(__file__).resolve().parent.parent


class PageRequirement(StrEnum):
    """Data that must be loaded for a page to show anything."""

    NOTHING = "nothing"
    VERSION = "an anonymized table with a quasi-identifier"
    TABLE = "a table with a quasi-identifier, original or anonymized"


@dataclass(frozen=True)
class PageSpec:
    """One page: its script under pages/, what the menu calls it, and what it needs to show anything."""

    script: str
    title: str
    icon: str
    path: str
    help: str
    section: str = ""
    """The heading in the menu that it stands under."""
    requirement: PageRequirement = PageRequirement.VERSION

    def page(self, available_data: Collection[PageRequirement] = tuple(PageRequirement)) -> StreamlitPage:
        """The page for Streamlit; hidden from the menu unless `available_data` holds what it requires."""
        return st.Page(
            ROOT / "pages" / f"{self.script}.py",
            title=self.title,
            icon=self.icon,
            url_path=self.path,
            default=not self.path,
            visibility="visible" if self.requirement in available_data else "hidden",
            help=self.help,
        )


DATA = PageSpec(
    "data/page",
    "Data",
    ":material/upload_file:",
    "",
    "Load tables and assign roles.",
    requirement=PageRequirement.NOTHING,
)
VERDICT = PageSpec(
    "verdict/page", "Verdict", ":material/fact_check:", "scorecard", "Whether the table meets the policy, and why."
)
ATTACKS = PageSpec(
    "attacks",
    "Attacks",
    ":material/target:",
    "attacks",
    "What an attacker achieves with the table, compared with an attacker without it.",
)
_PEOPLE, _DETAILS, _IMPROVE, _DECIDE, _MORE = "People at risk", "Details", "Improve", "Decide", "More"
CLASSES = PageSpec(
    "classes/page",
    "Equivalence classes",
    ":material/groups:",
    "classes",
    "Every equivalence class with its measures.",
    _PEOPLE,
)
RISK = PageSpec(
    "risk",
    "Re-identification risk",
    ":material/person_search:",
    "risk",
    "The probability of re-identification, in the table and in its population.",
    _PEOPLE,
)
P_29 = PageSpec("p29", "P_29", ":material/shield:", "p29", "The components and conditions of the P_29 score.", _DETAILS)
T_CLOSENESS = PageSpec(
    "t_closeness",
    "t-closeness",
    ":material/balance:",
    "t-closeness",
    "The distance of each class from the whole table.",
    _DETAILS,
)
INFORMATION_LOSS = PageSpec(
    "information_loss",
    "Information loss",
    ":material/compress:",
    "information-loss",
    "The information that each column lost, and how its values changed.",
    _DETAILS,
)
ANALYSES = PageSpec(
    "analyses/page",
    "Analyses",
    ":material/query_stats:",
    "analyses",
    "Which results of the original the version still gives.",
    _DETAILS,
)
PROFITABILITY = PageSpec(
    "profitability",
    "Profitability",
    ":material/payments:",
    "profitability",
    "Whether publishing and attacking are profitable.",
    _DETAILS,
)
EXPLORE = PageSpec(
    "explore/page",
    "Explore",
    ":material/explore:",
    "explore",
    "Make a better table: choose generalization levels, search for the best, or use another method.",
    _IMPROVE,
    requirement=PageRequirement.TABLE,
)
REPAIR = PageSpec(
    "repair/page",
    "Repair",
    ":material/build:",
    "repair",
    "Change as little as possible so that the table meets the policy.",
    _IMPROVE,
)
COMPARE = PageSpec(
    "compare/page", "Compare", ":material/compare_arrows:", "compare", "All versions side by side.", _DECIDE
)
REPORT = PageSpec(
    "report/page",
    "Report",
    ":material/description:",
    "report",
    "Reports to pass on, and the settings.",
    _DECIDE,
)
LEARN = PageSpec(
    "learn/page",
    "Learn",
    ":material/school:",
    "learn",
    "The measures on small examples, step by step.",
    _MORE,
    requirement=PageRequirement.NOTHING,
)
PAGES = (
    DATA,
    VERDICT,
    ATTACKS,
    CLASSES,
    RISK,
    P_29,
    T_CLOSENESS,
    INFORMATION_LOSS,
    ANALYSES,
    PROFITABILITY,
    EXPLORE,
    REPAIR,
    COMPARE,
    REPORT,
    LEARN,
)


def requirement_of(path: str) -> PageRequirement:
    """What the page with a URL path requires."""
    return next(spec.requirement for spec in PAGES if spec.path == path)


def menu(available_data: Collection[PageRequirement]) -> Mapping[str, Sequence[StreamlitPage]]:
    """The pages by section, in order; those that require data not in `available_data` are reachable but not listed."""
    sections: dict[str, list[StreamlitPage]] = {}
    for spec in PAGES:
        sections.setdefault(spec.section, []).append(spec.page(available_data))
    return sections


def available_data(state: Workspace) -> set[PageRequirement]:
    """The needs of pages that the session meets."""
    with_table = {PageRequirement.TABLE} if state.ready or state.searchable else set()
    return {PageRequirement.NOTHING, *with_table, *({PageRequirement.VERSION} if state.ready else ())}
