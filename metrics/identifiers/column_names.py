"""Names of columns that say whose names or numbers their values are, in the languages of Western Europe and others."""

from __future__ import annotations

import re
from typing import Final

MAX_NAME: Final = 1_000
"""Characters of a column's name that are searched for words: a search holds the interpreter until it ends."""

_PEOPLE: Final = (
    r"(?:patients?|patienten|persons?|personen|subject|participant|respondent|proband(?:en)?|members?|mitglieds?"
    r"|clients?|cliente|customers?|kunden?|employees?|mitarbeiters?|staff|students?|pupil|sch[üu]lers?|users?|benutzers?"
    r"|usuario|utilisateur|physician|doctor|arzt|nurse|mother|father|parent|spouse|guardian|contact|applicant|donor"
    r"|insured|versicherten|paciente|paziente|empleado|dipendente)"
)
_RECORDS: Final = r"(?:records?|cases?|fall|encounter|visit|admission|episode|accounts?|konto|passport)"
_NAME: Final = r"(?:name|naam|nom|nome|nombre)"
_NUMBER: Final = r"(?:u?id|uuid|ident|identifier|no|nr|num|numbers?|nummer|n[úu]mero|code|key)"
_NAMES_OF_PEOPLE = re.compile(
    r"(?:last|first|given|family|middle|maiden|birth|full|sur|fore|vor|nach|zu|familien|geburts)[\W_]*names?(?![^\W\d_])"
    r"|pr[ée]nom|nom[\W_]de[\W_]famille|nom[\W_]complet|apellido|nombre[\W_]completo|cognome|nome[\W_]completo"
    r"|sobrenome|apelido|achternaam|voornaam|姓名|姓氏|氏名|الاسم"
    r"|^(?:first|last)$"
    rf"|{_PEOPLE}[\W_]*{_NAME}(?![^\W\d_])"
    rf"|(?<![^\W\d_]){_NAME}[\W_]+(?:(?:des?|der|du|del|della|do|of|van|the|la|le)[\W_]+)*{_PEOPLE}(?![^\W\d_])",
    re.IGNORECASE,
)
_NAMES = re.compile(rf"[\W_]*{_NAME}s?[\W_]*", re.IGNORECASE)
_NUMBERS_OF_PEOPLE = re.compile(
    r"^[\W_]*(?:u?id|pid)[\W_]*$|(?:^|[\W_])(?:uuid|guid|mrn|ssn)(?:$|[\W_])"
    rf"|(?:^|[\W_])(?:{_PEOPLE}|{_RECORDS})[\W_]*{_NUMBER}(?![^\W\d_])|編號|身分證|身份证|病歷號|病历号",
    re.IGNORECASE,
)

_SEX = re.compile(
    r"(?<![^\W\d_])(?:sex|sexe|sexo|sesso|gender|geschlecht|geslacht|genre|g[eé]nero)(?![^\W\d_])|性别|性別", re.I
)
_AGE = re.compile(
    r"(?<![^\W\d_])(?:age|alter|[âa]ge|edad|et[àa]|idade|leeftijd|yob|dob)(?![^\W\d_])|birth|geburt|naissance|年龄|年齡",
    re.I,
)


def says_names_of_people(name: str) -> bool:
    """Whether a column's name says that it holds names of people, such as `patient_name` or `Vorname`."""
    return _NAMES_OF_PEOPLE.search(name[:MAX_NAME]) is not None


def says_names(name: str) -> bool:
    """Whether a column is named as names are, of people or of something else."""
    return _NAMES.fullmatch(name[:MAX_NAME]) is not None


def says_numbers_of_people(name: str) -> bool:
    """Whether a column's name says that it holds numbers of people or their records, such as `mrn` or `patient_no`."""
    return _NUMBERS_OF_PEOPLE.search(name[:MAX_NAME]) is not None


def says_sex(name: str) -> bool:
    """Whether a column's name says that it holds the sex or gender of people."""
    return _SEX.search(name[:MAX_NAME]) is not None


def says_age(name: str) -> bool:
    """Whether a column's name says that it holds the age of people, or when they were born."""
    return _AGE.search(name[:MAX_NAME]) is not None
