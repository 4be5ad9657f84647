"""Kinds of values that can identify a person, after the identifiers of HIPAA's Safe Harbor, 45 CFR 164.514(b)(2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class IdentifierKind(StrEnum):
    """A kind of identifying value; the value of the member is its name in JSON."""

    EMAIL = "email"
    URL = "url"
    IP_ADDRESS = "ip_address"
    IBAN = "iban"
    PAYMENT_CARD = "payment_card"
    DEVICE_NUMBER = "device_number"
    NATIONAL_NUMBER = "national_number"
    PHONE = "phone"
    DATE = "date"
    COORDINATES = "coordinates"
    ZIP_CODE = "zip_code"
    RECORD_NUMBER = "record_number"
    UNIQUE_TEXT = "unique_text"
    FREE_TEXT = "free_text"

    @property
    def words(self) -> str:
        """Description of the values in words."""
        return _TITLES[self]

    @property
    def generalizable(self) -> bool:
        """Whether a generalized form may be released: the column can be a quasi-identifier instead."""
        return self in (IdentifierKind.DATE, IdentifierKind.ZIP_CODE, IdentifierKind.COORDINATES)

    @property
    def by_uniqueness(self) -> bool:
        """Whether the values have no form of their own, but those of few records each."""
        return self in (IdentifierKind.RECORD_NUMBER, IdentifierKind.UNIQUE_TEXT)


_TITLES = {
    IdentifierKind.EMAIL: "e-mail addresses",
    IdentifierKind.URL: "web addresses",
    IdentifierKind.IP_ADDRESS: "IP addresses",
    IdentifierKind.IBAN: "bank accounts (IBAN)",
    IdentifierKind.PAYMENT_CARD: "payment card numbers",
    IdentifierKind.DEVICE_NUMBER: "device numbers",
    IdentifierKind.NATIONAL_NUMBER: "national identification numbers",
    IdentifierKind.PHONE: "telephone numbers",
    IdentifierKind.DATE: "full dates",
    IdentifierKind.COORDINATES: "coordinates",
    IdentifierKind.ZIP_CODE: "five-digit ZIP codes",
    IdentifierKind.RECORD_NUMBER: "record numbers",
    IdentifierKind.UNIQUE_TEXT: "names or addresses",
    IdentifierKind.FREE_TEXT: "free text",
}


@dataclass(frozen=True)
class Identifier:
    """A column whose values look like identifiers of one kind.

    Attributes
    ----------
    column : str
        Its name.
    kind : IdentifierKind
        What the values look like.
    share : float
        Share of the distinct values that are of this kind, 0 to 1.
    values : int
        Distinct values of the column, missing and suppressed ones left out.
    examples : tuple of str
        A few of the values with every letter and digit but the first hidden.
    scheme : str or None
        Of national numbers, which: "BE national number", for example.
    """

    column: str
    kind: IdentifierKind
    share: float
    values: int
    examples: tuple[str, ...]
    scheme: str | None = None

    @property
    def title(self) -> str:
        """Description of the values in words, with the scheme of their numbers where it is known."""
        return self.kind.words if self.scheme is None else f"{self.kind.words} ({self.scheme})"


def masked(value: str, length: int = 24) -> str:
    """The form of a value without its content: letters and digits after the first become dots, long texts are cut.

    Parameters
    ----------
    value : str
        The value.
    length : int
        Characters that are shown.

    Returns
    -------
    str
        The form.
    """
    form = "".join(
        "•" if index and character.isalnum() else character for index, character in enumerate(value[:length])
    )
    return f"{form}…" if len(value) > length else form
