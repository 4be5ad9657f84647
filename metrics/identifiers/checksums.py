"""Numbers that carry check digits, or a date or region that must exist: what python-stdnum knows of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Final

Check = Callable[[str], bool]

PERSONAL_NUMBERS: Final = {
    "at.vnr": "Austria, social insurance number",
    "au.tfn": "Australia, tax file number",
    "be.nn": "Belgium, national number",
    "bg.egn": "Bulgaria, EGN",
    "bg.pnf": "Bulgaria, number of a foreigner",
    "br.cpf": "Brazil, CPF",
    "ca.bc_phn": "British Columbia, personal health number",
    "ca.sin": "Canada, social insurance number",
    "ch.ssn": "Switzerland, AHV number",
    "cl.rut": "Chile, RUT",
    "cn.ric": "China, resident identity card",
    "cz.rc": "Czechia and Slovakia, birth number",
    "de.idnr": "Germany, tax identification number",
    "dk.cpr": "Denmark, CPR",
    "do.cedula": "Dominican Republic, cédula",
    "ec.ci": "Ecuador, cédula",
    "ee.ik": "Estonia, personal code",
    "es.dni": "Spain, DNI",
    "es.nie": "Spain, NIE",
    "fi.hetu": "Finland, personal identity code",
    "fr.nif": "France, tax number",
    "fr.nir": "France, social security number",
    "gb.nhs": "United Kingdom, NHS number",
    "gr.amka": "Greece, AMKA",
    "hr.oib": "Croatia, OIB",
    "ie.pps": "Ireland, PPS number",
    "il.idnr": "Israel, identity number",
    "in_.aadhaar": "India, Aadhaar",
    "in_.pan": "India, PAN",
    "is_.kennitala": "Iceland, kennitala",
    "it.codicefiscale": "Italy, codice fiscale",
    "jp.in_": "Japan, individual number",
    "kr.rrn": "South Korea, resident registration number",
    "lt.asmens": "Lithuania, personal code",
    "mu.nid": "Mauritius, national identity number",
    "mx.curp": "Mexico, CURP",
    "my.nric": "Malaysia, NRIC",
    "nl.bsn": "Netherlands, BSN",
    "no.fodselsnummer": "Norway, birth number",
    "pl.pesel": "Poland, PESEL",
    "pt.cc": "Portugal, citizen card",
    "pt.nif": "Portugal, NIF",
    "ro.cnp": "Romania, CNP",
    "se.personnummer": "Sweden, personal identity number",
    "si.emso": "Slovenia, EMŠO",
    "th.pin": "Thailand, personal identification number",
    "tr.tckimlik": "Türkiye, identity number",
    "ua.rntrc": "Ukraine, taxpayer number",
    "za.idnr": "South Africa, identity number",
}
"""Numbers of people, by module of python-stdnum; at most one random number in seven passes any of their checks."""
SOCIAL_SECURITY: Final = "United States, social security number"
_SSN = re.compile(r"\d{3}-\d{2}-\d{4}", re.ASCII)
_LONG_ENOUGH: Final = 8
"""Letters and digits: shorter numbers are checked by some modules as if zeros stood before them."""
_LONGEST: Final = 32
"""Characters: no such number has more, and checking a long text takes long."""
_SEPARATORS = re.compile(r"[ ./-]")
_CARD = re.compile(r"[3-6]\d{12,18}", re.ASCII)
_IBAN = re.compile(r"[A-Z]{2}\d\d[A-Z0-9 ]{10,40}", re.IGNORECASE | re.ASCII)
_IMEI = re.compile(r"\d{15}", re.ASCII)
_MAC = re.compile(r"(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}", re.IGNORECASE | re.ASCII)


def is_iban(value: str) -> bool:
    """Whether a value is an IBAN of its country's length with the check digits of ISO 7064."""
    return _IBAN.fullmatch(value) is not None and passes("iban", value)


def is_payment_card(value: str) -> bool:
    """Whether a value is 13 to 19 digits that begin as cards do (ISO/IEC 7812), the last being the check digit."""
    digits = _SEPARATORS.sub("", value)
    return _CARD.fullmatch(digits) is not None and passes("luhn", digits)


def is_device_number(value: str) -> bool:
    """Whether a value is a MAC address or an IMEI with its check digit."""
    digits = _SEPARATORS.sub("", value)
    return _MAC.fullmatch(value) is not None or (_IMEI.fullmatch(digits) is not None and passes("imei", digits))


def scheme_of(values: Sequence[str], accepts: Callable[[int, int], bool]) -> tuple[str, int] | None:
    """The national number that most of the values are, and how many; None where none is accepted.

    `values`: distinct values, at least one.
    """
    ssn = [value for value in values if _SSN.fullmatch(value)]
    candidates = [(sum(passes("us.ssn", value) for value in ssn), SOCIAL_SECURITY)] if ssn else []
    long_values = [value for value in values if len(value) <= _LONGEST and sum(map(str.isalnum, value)) >= _LONG_ENOUGH]
    sample = long_values[: max(20, len(long_values) // 20)]
    for module, title in PERSONAL_NUMBERS.items():
        if 2 * sum(passes(module, value) for value in sample) > len(sample):
            candidates.append((sum(passes(module, value) for value in long_values), title))
    best, title = max(candidates, default=(0, ""), key=lambda candidate: candidate[0])
    return (title, best) if best and accepts(best, len(values)) else None


def passes(module: str, value: str) -> bool:
    """Whether a value passes the check of a module of python-stdnum."""
    try:
        return _check(module)(value)
    except (KeyError, IndexError, TypeError, ValueError):  # some modules do, on texts that are no number at all
        return False


@cache
def _check(module: str) -> Check:
    check: Check = import_module(f"stdnum.{module}").is_valid
    return check
