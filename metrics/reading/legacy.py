"""Encodings before Unicode, told by how likely text of their scripts holds the bytes.

Each pair that a double-byte encoding reads as one character is weighed against what Western text would be, and so are
the words of each single-byte encoding. Where the odds are low the file is refused rather than guessed.
"""

from __future__ import annotations

import codecs
import math
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator

from metrics.errors import InputError
from metrics.reading.single_byte import foreign_words, readings

_SURE = 1.0
"""Log odds below which the second best reading is not ruled out."""
_ENOUGH, _NEARLY_ALL = 6, 0.8
_RARE_SURE = 2.0
"""The same where the best is not the encoding that most such files have."""
_OFTEN = {
    "gb18030": "的一是不了在人有我他这中大来上个国和地到说们为子时道出就年得会自可生好市省区县北京上海广"
    "州男女男岁名姓别职业"
    "病患者高低婚教师学生工程医院城乡收入薪资疾糖尿肺炎离已未小明王李张刘陈杨编号备注",
    "cp950": "的一是不了在人有我他這中大來上個國和地到說們為子時道出就年得會自可生好市縣區北京台灣高雄"
    "男女歲名姓別職業"
    "病患者婚教師學生工程醫院收入薪資疾糖尿肺炎離已未小明王李張劉陳楊編號備註",
    "cp932": "のにはをたがでてとしれさあるいもなこかうりきくらまよっんスンルトリアイラクレロシタテフド"
    "ジ日本人年大会中国東京都市区"
    "県男女病気番号名前年齢職業教師給与性別生年月住所会社員",
    "euc_jp": "のにはをたがでてとしれさあるいもなこかうりきくらまよっんスンルトリアイラクレロシタテフド"
    "ジ日本人年大会中国東京都市区"
    "県男女病気番号名前年齢職業教師給与性別生年月住所会社員",
    "cp949": "이다는을의가에고하지은를로한도서기사자시리아대인어나일정수부스전제해보그원구남여동성명김"
    "박서울나이직업병",
}  # fmt: skip
_SYMBOLS = frozenset("\xa0¡¢£¥§©ª«®°±²³\xb4µ·º»¼½¾¿".encode("latin-1"))
_UNITS = frozenset(
    f"{sign}{unit}".encode("latin-1") for sign, units in (("°", "CFKNSEWR"), ("µ", "gmlsLMVAUSWk")) for unit in units
)

_COMMON_NAME = {"cp950": "big5", "cp932": "shift_jis", "cp949": "euc-kr"}
"""What people call by these names is Microsoft's code page: Python's stricter codecs lack characters of it."""


def common_name(codec: str) -> str:
    """What a reader calls the encoding."""
    return _COMMON_NAME.get(codec, codec)


def widened(codec: str) -> str:
    """The code page that people mean by a stricter codec."""
    return next((wider for wider, common in _COMMON_NAME.items() if codecs.lookup(common).name == codec), codec)


class DoubtfulEncoding(InputError):
    """Two encodings are about as likely."""

    def __init__(self, *names: str) -> None:
        self.names = names
        likely = " or ".join(common_name(name) for name in names)
        super().__init__(f"the file may be in the encoding {likely}", remedy="choose the encoding")


def legacy_encoding(lines: list[bytes]) -> str:
    """The encoding of lines that are not UTF-8. Raises DoubtfulEncoding."""
    text = b"\n".join(lines)
    western = "latin-1" if not any(0x80 <= byte < 0xA0 for byte in text) else "cp1252"
    words = foreign_words(_undivided(lines))
    best, *others = readings(words, western)
    found = _double_byte(lines, text)
    if found is not None:
        beyond = found[0] - (best.odds - _as_western(words))
        if abs(beyond) < _SURE:
            raise DoubtfulEncoding(found[1], best.encoding)
        if beyond > 0:
            return found[1]
    _check_undivided(text, words, best.encoding, western)
    second = next((other for other in others if other.text != best.text), None)
    sure = _SURE if best.encoding == western else _RARE_SURE
    if second is not None and best.odds - second.odds < sure:
        raise DoubtfulEncoding(best.encoding, second.encoding)
    return best.encoding


def _check_undivided(text: bytes, words: bytes, chosen: str, western: str) -> None:
    """Raise DoubtfulEncoding where what may be delimiters would tell another encoding if it were letters."""
    whole = foreign_words(text)
    if whole == words:
        return
    other = readings(whole, western)[0].encoding
    if text.decode(other) != text.decode(chosen):
        raise DoubtfulEncoding(chosen, other)


def _undivided(lines: list[bytes]) -> bytes:
    """Lines without the foreign bytes that nearly all have as many of, as they have of delimiters."""
    always = set(lines[0]).intersection(*map(set, lines)) if len(lines) >= _ENOUGH else set()
    for byte in always:
        times = Counter(line.count(byte) for line in lines).most_common(1)[0][1]
        if byte >= 0x80 and times >= _NEARLY_ALL * len(lines):
            lines = [line.replace(bytes([byte]), b",") for line in lines]
    return b"\n".join(lines)


def decodes(content: bytes, encoding: str) -> bool:
    """Whether bytes are text of an encoding."""
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _double_byte(lines: list[bytes], text: bytes) -> tuple[float, str] | None:
    """The likeliest of the East Asian encodings and its log odds over a Western one; None if it is less likely."""
    odds: list[tuple[float, str]] = []
    for encoding, chance in _CHANCES.items():
        if _may_be(text, encoding):
            odds.append((_over_western(lines, encoding, chance), encoding))
    if not any(encoding == "cp950" for _, encoding in odds) and _may_be(text, "big5hkscs"):
        odds.append((_over_western(lines, "big5hkscs", _big5), "big5hkscs"))
    if not odds:
        return None
    (best, encoding), *others = sorted(odds, reverse=True)
    if best <= 0:
        return None
    second = next((other for other in others if text.decode(other[1]) != text.decode(encoding)), (-math.inf, ""))
    if best - second[0] < _SURE:
        raise DoubtfulEncoding(encoding, second[1])
    return best, encoding


def _may_be(text: bytes, encoding: str) -> bool:
    """Whether bytes are text of an encoding, without characters that stand for none."""
    try:
        return not any(unicodedata.category(sign) in ("Cn", "Co", "Cs") for sign in set(text.decode(encoding)))
    except UnicodeDecodeError:
        return False


def _over_western(lines: list[bytes], encoding: str, chance: Callable[[bytes], float]) -> float:
    """Log odds that lines are text in an encoding rather than Western, each context counted once."""
    contexts = {context for line in lines for context in _characters(line, encoding)}
    often = _OFTEN.get(encoding, _OFTEN["cp950"])
    total = 0.0
    for before, pair, after in contexts:
        likely = chance(pair)
        if len(pair) > 1 and pair.decode(encoding, "ignore") in often:
            likely += 0.4 / len(often)
        western = math.log(_western_pair(pair)) if len(pair) == 2 else sum(math.log(_western(byte)) for byte in pair)
        total += math.log(likely) - western + _neighbour(before) + _neighbour(after)
    return total


def _characters(line: bytes, encoding: str) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Each character above ASCII as its bytes, with the byte before it and the one after."""
    place = 0
    while place < len(line):
        size = 1
        if line[place] >= 0x80:
            if encoding == "cp932" and 0xA1 <= line[place] <= 0xDF:
                size = 1
            elif encoding == "gb18030" and line[place + 1 : place + 2].isdigit():
                size = 4
            elif encoding == "euc_jp" and line[place] == 0x8F:
                size = 3
            else:
                size = 2
            yield line[max(place - 1, 0) : place], line[place : place + size], line[place + size : place + size + 1]
        place += size


def _big5(pair: bytes) -> float:
    share, leads = (0.03, 3) if pair[0] < 0xA4 else (0.95, 35) if pair[0] <= 0xC6 else (0.02, 50)
    return share / leads / 157


def _gb18030(pair: bytes) -> float:
    if len(pair) != 2:
        return 1e-9
    lead, trail = pair
    if trail >= 0xA1 and 0xB0 <= lead <= 0xD7:
        return 0.93 / 40 / 94
    if trail >= 0xA1 and 0xA1 <= lead <= 0xA3:
        return 0.04 / 3 / 94
    return 0.02 / 32 / 94 if trail >= 0xA1 and 0xD8 <= lead <= 0xF7 else 0.002 / 14_000


def _cp932(pair: bytes) -> float:
    if len(pair) == 1:
        return 0.003 / 63
    lead, trail = pair
    if lead == 0x82 and trail >= 0x9F:
        return 0.35 / 83
    if lead == 0x83 and trail <= 0x96:
        return 0.15 / 86
    if lead in (0x81, 0x82):
        return 0.06 / 210
    return 0.42 / 2965 if 0x88 <= lead <= 0x97 else 0.012 / 3400 if lead <= 0xEA else 0.0005 / 4000


def _euc_jp(pair: bytes) -> float:
    lead = pair[0]
    if lead == 0xA4:
        return 0.35 / 83
    if lead == 0xA5:
        return 0.15 / 86
    if len(pair) == 3 or lead == 0x8E:
        return 0.001 / 6000
    return 0.06 / 280 if lead <= 0xA3 else 0.42 / 2965 if 0xB0 <= lead <= 0xCF else 0.012 / 3400


def _cp949(pair: bytes) -> float:
    lead, trail = pair[0], pair[-1]
    if trail < 0xA1 or lead < 0xA1:
        return 0.002 / 8822
    return 0.9 / 2350 if 0xB0 <= lead <= 0xC8 else 0.03 / 280 if lead <= 0xA3 else 0.005 / 4888


_CHANCES: dict[str, Callable[[bytes], float]] = {
    "cp950": _big5,
    "gb18030": _gb18030,
    "cp932": _cp932,
    "euc_jp": _euc_jp,
    "cp949": _cp949,
}


def _as_western(text: bytes) -> float:
    """Log odds of a text's foreign bytes, each context counted once, by the rule that pairs are weighed against."""
    contexts = {
        (text[max(place - 1, 0) : place + 2], byte, place > 0 and text[place - 1] >= 0x80)
        for place, byte in enumerate(text)
        if byte >= 0x80
    }
    return sum(math.log(_western(byte)) + (math.log(0.03) if follows else 0) for _, byte, follows in contexts)


def _western_pair(pair: bytes) -> float:
    if pair in _UNITS:
        return 0.02
    trail = pair[1]
    if trail >= 0x80:
        return _western(pair[0]) * 0.03 * _western(trail)
    return _western(pair[0]) * (0.03 if pair[1:].isalpha() else 0.002)


def _western(byte: int) -> float:
    if byte >= 0xC0 and byte not in (0xD7, 0xF7):
        return 0.02 if byte >= 0xDF else 0.005
    if byte < 0xA0 or byte in _SYMBOLS:
        return 0.004
    return 0.0001


def _neighbour(side: bytes) -> float:
    """Log odds of a pair's neighbour: Western letters stand among letters, East Asian ones rarely do."""
    return math.log(0.03 / 0.7) if side.isalpha() else math.log(0.97 / 0.3)
