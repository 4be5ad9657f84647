"""What only few records of each value show, or a column's name: record numbers, names of people, free text."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.identifiers.column_names import says_names, says_names_of_people, says_numbers_of_people
from metrics.identifiers.kinds import IdentifierKind
from metrics.tables.table import SUPPRESSED

Detection = tuple[IdentifierKind, int, str | None]
"""A kind, how many of the examined values are of it, and the scheme of national numbers."""

MOST: Final = 0.8
"""Share of the values from which a column is of a kind."""
_CODE = re.compile(r"(?=.*\d)[A-Za-z0-9][A-Za-z0-9_/-]{0,63}", re.ASCII)
_WHOLE = r"[0-9]{1,18}"
_THOUSANDS = {".": r",' \x{2019}\x{a0}\x{2009}\x{202f}", ",": r".' \x{2019}\x{a0}\x{2009}\x{202f}"}
"""By decimal mark, what separates the thousands of a number in English, German, Swiss or French."""
_FEWEST_RECORDS: Final = 20
_LONG_NUMBER: Final = 8
_LONG_CODE: Final = 16
_FEWEST_NAMES: Final = 5
_FEWER_PAIRS: Final = 5
"""Evidence as a logarithm that equal numbers are fewer than by chance."""
_SPARSE: Final = 100
"""Numbers that a range has for each one assigned, from which equal ones are the same account and no coincidence."""
_WORDS: Final = 5
_DIFFERENT: Final = 0.9
_MANY, _SEVERAL_EACH = 100, 0.3
"""Different names or long codes from which they identify people who have three records on average."""
_TWO_EACH: Final = 0.5
MAX_RECORDS_OF_ONE: Final = 20
"""Records that share a value of an identifier on average, at most: one that many share names nobody."""
_CHINESE_SURNAMES = (
    "王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何林高罗羅郑鄭梁谢謝宋唐许許韩韓邓鄧冯馮曹彭曾肖蕭萧田董潘袁蔡蒋蔣余于"
    "杜叶葉程魏苏蘇吕呂丁任卢盧姚沈钟鍾姜崔谭譚陆陸范汪廖石金韦韋贾賈夏付傅方邹鄒熊白孟秦邱侯江尹薛闫閻段雷龙龍史陶贺賀毛郝顾顧龚龔邵"
)
"""The commonest, of four in five people."""
_CHINESE_NAME = re.compile(rf"[{_CHINESE_SURNAMES}][\u4e00-\u9fff]{{1,3}}")


@dataclass(frozen=True)
class Distinct:
    """The distinct values of a column, a sample of them, and how many records hold any and the commonest of them."""

    name: str
    values: pa.StringArray
    decimal: str
    sample: list[str]
    records: int
    most: int

    @property
    def share(self) -> float:
        """Distinct values for each record."""
        return len(self.values) / self.records

    @property
    def several_each(self) -> bool:
        """Whether there are many values and a few records of each, as of people with several records."""
        return len(self.values) >= _MANY and self.share >= _SEVERAL_EACH

    @property
    def few_share_one(self) -> bool:
        """Whether so few records share a value that a column named as identifiers are holds some."""
        return len(self.values) >= _FEWEST_RECORDS // 2 and len(self.values) * MAX_RECORDS_OF_ONE >= self.records


def of_uniqueness(column: Distinct) -> Detection | None:
    """The kind that only many different values, or the column's name, show: record numbers, names, free text."""
    sample, enough = column.sample, len(column.values) >= _FEWEST_RECORDS // 2
    n_sentences = sum(len(value.split()) >= _WORDS for value in sample)
    if enough and column.share >= 0.5 and 2 * n_sentences >= len(sample):
        return IdentifierKind.FREE_TEXT, n_sentences, None
    n_people = _names_of_people(column)
    if n_people:
        return IdentifierKind.UNIQUE_TEXT, n_people, None
    n_codes = _record_numbers(column)
    if n_codes:
        return IdentifierKind.RECORD_NUMBER, n_codes, None
    n_names = sum(_is_name(value) for value in sample)
    if column.records >= _FEWEST_RECORDS and column.share >= _DIFFERENT and n_names >= MOST * len(sample):
        return IdentifierKind.UNIQUE_TEXT, n_names, None
    return None


def _names_of_people(column: Distinct) -> int:
    """How many of the sampled values are names of people, as they are written or as the column is named; else 0."""
    sample, fewest = column.sample, MOST * len(column.sample)
    says_people = says_names_of_people(column.name) and len(column.values) >= _FEWEST_NAMES
    if says_people or (says_names(column.name) and column.few_share_one):
        n_named = sum(map(_may_be_a_name, sample))
        if n_named >= fewest:
            return n_named
    n_certain = sum(_is_person(value) or _CHINESE_NAME.fullmatch(value) is not None for value in sample)
    enough = len(column.values) >= _FEWEST_RECORDS // 2 and column.share >= _DIFFERENT
    if (enough or column.several_each) and n_certain >= fewest:
        return n_certain
    n_possible = sum(map(_has_words_of_letters, sample))
    return n_possible if len(column.values) >= _MANY and column.share >= _TWO_EACH and n_possible >= fewest else 0


def _record_numbers(column: Distinct) -> int:
    """How many of the sampled values are codes, where they are assigned to records or people; else 0."""
    values, sample = column.values, column.sample
    if are_numbers(values, column.decimal) and not _all_match(values, f"[^{_THOUSANDS[column.decimal]}]*"):
        values, n_codes = pc.replace_substring_regex(values, "[^0-9]", ""), len(sample)
    else:
        n_codes = sum(_CODE.fullmatch(value) is not None for value in sample)
    if n_codes < MOST * len(sample):
        return 0
    if says_numbers_of_people(column.name) and column.few_share_one:
        return n_codes
    return n_codes if _are_assigned(column, values) else 0


def _are_assigned(column: Distinct, values: pa.StringArray) -> bool:
    """Whether codes, as their digits where these are separated, were assigned to records or people."""
    whole = _all_match(values, _WHOLE)
    all_differ = len(values) == column.records >= _FEWEST_RECORDS
    has_letters = any(map(str.isalpha, "".join(column.sample)))
    if all_differ or ((whole or has_letters) and len(values) >= _MANY and column.share >= _DIFFERENT):
        return not whole or _are_assigned_numbers(values, column.records) or _are_accounts(values)
    if column.several_each and column.most <= MAX_RECORDS_OF_ONE:
        return _are_accounts(values, _SPARSE) if whole else _are_long(column.sample)
    return False


def are_numbers(values: pa.StringArray, decimal: str) -> bool:
    """Whether all values are decimal numbers, with or without separated thousands."""
    whole = f"[0-9]*|[0-9]{{1,3}}(?:[{_THOUSANDS[decimal]}][0-9]{{3}})+"
    return _all_match(values, f"[-−+]?(?:{whole})(?:[{decimal}][0-9]+)?(?:[eE][-+]?[0-9]+)?")


def are_whole(values: pa.StringArray, decimal: str) -> bool:
    """Whether all values are whole numbers without separated thousands."""
    return _all_match(values, f"[-−+]?[0-9]+(?:[{decimal}]0*)?")


def _all_match(values: pa.StringArray, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(values, f"^(?:{pattern})$")).as_py())


def _are_assigned_numbers(values: pa.StringArray, records: int) -> bool:
    """Whether whole numbers were assigned to be different, as fewer repeat than of numbers at random.

    Among n numbers from a range of r, about n² / 2r pairs are equal by chance. So few as there are (Chernoff's bound)
    are improbable: with none, from five expected pairs.
    """
    expected = records**2 / (2 * _spread(values))
    found = records - len(values)
    if found >= expected:
        return False
    return expected - found + (found * math.log(found / expected) if found else 0) >= _FEWER_PAIRS


def _are_accounts(values: pa.StringArray, sparse: int = 0) -> bool:
    """Whether whole numbers are long, of one length, not round, and from a range so many times as large as they are."""
    shortest, longest = (int(bound) for bound in pc.min_max(pc.utf8_length(values)).as_py().values())
    n_round = int(np.count_nonzero(pc.cast(values, pa.int64()).to_numpy() % 100 == 0))
    return (
        shortest == longest >= _LONG_NUMBER and n_round < 0.1 * len(values) and _spread(values) >= sparse * len(values)
    )


def _spread(values: pa.StringArray) -> int:
    """Numbers in the range of some whole numbers."""
    numbers = pc.cast(values, pa.int64()).to_numpy()
    return int(numbers.max()) - int(numbers.min()) + 1


def _are_long(sample: list[str]) -> bool:
    """Whether most codes are too long for codes of goods or diagnoses, as UUIDs are."""
    return sum(sum(map(str.isalnum, value)) >= _LONG_CODE for value in sample) >= MOST * len(sample)


def _is_person(value: str) -> bool:
    """Words of letters, the first and the last with a capital letter, as the full name of a person is written."""
    words = value.replace(",", " ").split()
    return _has_words_of_letters(value) and words[0][0].isupper() and words[-1][0].isupper()


def _has_words_of_letters(value: str) -> bool:
    """Two to five words of letters only, as a full name is in any script, or a user name that is made of one."""
    words = re.split(r"[\s,._]+", value.strip(" ,._"))
    return 2 <= len(words) <= 5 and all(word.replace("-", "").replace("'", "").isalpha() for word in words)


def _may_be_a_name(value: str) -> bool:
    """Two letters or more, and few other characters, no digit among them."""
    n_letters = sum(map(str.isalpha, value))
    return 2 <= n_letters >= len(value) / 2 and SUPPRESSED not in value and not any(map(str.isdigit, value))


def _is_name(value: str) -> bool:
    """A text of which a third or more are letters, such as a name or an address."""
    return 3 * sum(map(str.isalpha, value)) >= len(value)
