"""Requirements of pages: the data that a session must hold for a page to show anything. No Streamlit."""

from __future__ import annotations

from enum import StrEnum


class PageRequirement(StrEnum):
    """Data that must be loaded for a page to show anything."""

    NOTHING = "nothing"
    VERSION = "an anonymized table with a quasi-identifier"
    TABLE = "a table with a quasi-identifier, original or anonymized"
