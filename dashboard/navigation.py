"""The pages, once: navigation, links and tests walk this tuple."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from dashboard.needs import Needs

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class PageSpec:
    """One page: its script under pages/, what the menu calls it, and what it needs to show anything."""

    script: str
    title: str
    icon: str
    path: str
    help: str
    needs: Needs = Needs.CANDIDATE

    def page(self, there: Collection[Needs] = tuple(Needs)) -> StreamlitPage:
        """The page for Streamlit; hidden from the menu while what it needs is not `there`."""
        return st.Page(
            ROOT / "pages" / f"{self.script}.py",
            title=self.title,
            icon=self.icon,
            url_path=self.path,
            default=not self.path,
            visibility="visible" if self.needs in there else "hidden",
            help=self.help,
        )


DATA = PageSpec(
    "data", "Data", ":material/upload_file:", "", "Load tables, tag columns, add hierarchies.", needs=Needs.NOTHING
)
SCORECARD = PageSpec("scorecard", "Scorecard", ":material/fact_check:", "scorecard", "Every metric of one candidate.")
CLASSES = PageSpec(
    "classes",
    "Equivalence classes",
    ":material/groups:",
    "classes",
    "Every class with its measures, down to the distributions within it.",
)
RISK = PageSpec(
    "risk",
    "Risk",
    ":material/person_search:",
    "risk",
    "How likely a record is found, in the table and in its population, and by which columns.",
)
P_29 = PageSpec("p29", "P_29", ":material/shield:", "p29", "What the P_29 score is made of, and what shuts its gates.")
T_CLOSENESS = PageSpec(
    "t_closeness",
    "t-closeness",
    ":material/balance:",
    "t-closeness",
    "How far each class lies from the whole table, and what makes it so.",
)
INFORMATION_LOSS = PageSpec(
    "information_loss",
    "Information loss",
    ":material/compress:",
    "information-loss",
    "Which columns paid for anonymity, which values became what, and how vague the records are.",
)
PROFITABILITY = PageSpec(
    "profitability",
    "Profitability",
    ":material/payments:",
    "profitability",
    "Whether publishing pays, and attacking does.",
)
COMPARE = PageSpec(
    "compare",
    "Compare",
    ":material/compare_arrows:",
    "compare",
    "All candidates side by side: which is best on what, and which is dominated.",
)
EXPLORE = PageSpec(
    "explore",
    "Explore",
    ":material/explore:",
    "explore",
    "Make a better table: levels by hand, or the best of all by search.",
    needs=Needs.ORIGINAL,
)
REPORT = PageSpec(
    "report",
    "Report",
    ":material/description:",
    "report",
    "One page for those who were not there, and the settings to go on from.",
)
SCALE = PageSpec(
    "scale",
    "Scale",
    ":material/hub:",
    "scale",
    "What scoring a table like this would take on a cluster, at a billion records.",
)
LEARN = PageSpec(
    "learn",
    "Learn",
    ":material/school:",
    "learn",
    "The measures by small examples to change, worked out step by step.",
    needs=Needs.NOTHING,
)
PAGES = (
    DATA,
    SCORECARD,
    CLASSES,
    RISK,
    P_29,
    T_CLOSENESS,
    INFORMATION_LOSS,
    PROFITABILITY,
    COMPARE,
    EXPLORE,
    REPORT,
    SCALE,
    LEARN,
)
