"""Needs of pages: what a session must hold for a page to show anything. No Streamlit."""

from __future__ import annotations

from enum import StrEnum


class Needs(StrEnum):
    """Data that must be loaded for a page to show anything."""

    NOTHING = "nothing"
    CANDIDATE = "an anonymized table with a quasi-identifier"
    ORIGINAL = "an original table with a quasi-identifier"
