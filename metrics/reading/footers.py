"""What lines below a table begin with: labels of totals, notes, and what may be either these or a value."""

from __future__ import annotations

import re
from collections.abc import Sequence

from metrics.reading.headers import are_figures, is_comment, is_rule, trimmed
from metrics.reading.letters import FIRST_WORD

_MEAN_WORDS = (
    r"(overall )?(average|mean)s?|mittelwert|durchschnitt|moyenne|promedio|gemiddelde|medelvärde|gennemsnit|keskiarvo"
    r"|ortalama|średnia|průměr|среднее|μέσος όρος|평균|平均|\u00f8|\u2205"
)
_TOTAL_WORDS = (
    r"(grand |overall )?(sub[- ]?)?(total|sum|summe|gesamt|somme|suma|totale)s?( (général|general)e?)?"
    r"|(gesamt|end|zwischen)summe|gesamtergebnis|insgesamt|gesamtwert|sous-total|totaal|totalt|ogółem|razem|celkem"
    r"|yhteensä|összesen|(genel )?toplam|summa|i alt|kokku|kopā|iš viso|spolu|ukupno|skupaj|jumlah|tổng( cộng)?"
    r"|итого|всего|всього|разом|общо|المجموع|الإجمالي|סך הכל|योग|รวม|σύνολο|\u03c3|\u2211"
    r"|합계|총계|소계|合計|合计|總計|总计|小計|小计"
)
_COUNT_WORDS = (
    r"count|anzahl( (der )?(fälle|datensätze|zeilen|personen))?|n|(row|record)[- ]count"
    r"|(number|no\.?|#) of (records|rows|cases|observations|patients|persons|entries|lines)"
)
_LABEL = re.compile(rf"({_MEAN_WORDS}|{_TOTAL_WORDS})\W*", re.IGNORECASE)
_MEAN = re.compile(rf"({_MEAN_WORDS}|avg)\W*", re.IGNORECASE)
_COUNT_OF_ALL = re.compile(rf"({_COUNT_WORDS})\W*", re.IGNORECASE)
_SUM = re.compile(rf"({_TOTAL_WORDS}|all|overall)\W*", re.IGNORECASE)
_TITLED = re.compile(rf"({_TOTAL_WORDS})\s*[:\uff1a]\s*\w", re.IGNORECASE)
_STATISTIC = re.compile(
    r"(sums?|means?|median|mode|min|max|minimum|maximum|averages?|avg|sd|std|stdev|std\.? ?dev\.?"
    rf"|variance|media|overall|all|sa\.|in total|n\s?=\s?\d+|{_COUNT_WORDS})\W*",
    re.IGNORECASE,
)
_RECORDS = r"(rows?|records?|row\(s\)|record\(s\)|lines?|entries|datensätze|datensatz|zeilen?)"
_NOTE = re.compile(
    r"\W*(sources?|quellen?|notes?|footnotes?|anmerkung(en)?|hinweise?|generated|exported|created|printed|erstellt|"
    rf"exportiert|gedruckt|report|page|seite|copyright|stand|as of|date|datum|(grand )?total|{_RECORDS})\b"
    r"[^:\uff1a]{0,30}[:\uff1a].*"
    r"|\W*(generated|exported|created|printed|prepared|compiled|erstellt|exportiert|gedruckt)"
    r" (by|on|at|from|with|am|von|mit|aus) .+"
    r"|\W*(page|seite|stand|as of) \d.*"
    r"|(©|\(c\)|copyright\b).*\w.*"
    r"|\W*end of (the )?(file|report|data|table|list|listing|page|records|export|output)\W*|\W*eof\W*"
    r"|[-*=#]{2,} ?(end|ende|fin) ?[-*=#]{2,}"
    r"|\W*\d[\d,.]* (rows|records|datensätze)\W*|n\s?=\s?\d+"
    rf"|\(\d[\d,.]* {_RECORDS}( \w+)?\)|\W*\d[\d,.]* {_RECORDS} (selected|affected|returned|exported|found|in set)\b.*"
    r"|(#+|%+|!+|//+|--+|;;+|\*\*+|/\*+)\s.*[^\W\d_].*"
    r"|(资料来源|資料來源|备注|備註|註|注)\s*[:\uff1a].*|共\s*\d.*",
    re.IGNORECASE | re.DOTALL,
)
_WORD = re.compile(rf"\W*(end|ende|fin|\d[\d,.]* {_RECORDS}|{_RECORDS} \d[\d,.]*)\W*", re.IGNORECASE)
_COUNT = re.compile(r"\W*(\d+) ")
_PERHAPS = re.compile(
    r"\W*(grand )?(sub)?(total|sum|summe|gesamt|somme|suma|totale|count|average|mean)s?\b"
    r"|\W*(source|sources|note|notes|footnote|generated|exported|created|printed|report|page|copyright|quelle|"
    r"prepared|compiled|continued|error|warning|stand|as of|date|©)\b.*[\s:]"
    rf"|[*\u2020\u2021]+\s+\w|\W*{_RECORDS}\b.*\d|\W*\d[\d,.]* {_RECORDS}\b"
    r"|(合計|總計|总计|资料来源|資料來源|註|注|备注|備註|共)",
    re.IGNORECASE,
)
_TRAILER = re.compile(
    r"(trl|tlr|trailer|ftr|footer|eof|(prepared|compiled|created|checked|reviewed|approved|signed) by)\W*",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"[+-]?\d[\d.,' \u00a0\u202f\u2019]*([eE][+-]?\d+)?", re.ASCII)


def is_footer(cells: Sequence[str], above: Sequence[Sequence[str]]) -> bool:
    """Whether a line that is too short for a record is a footer beyond doubt, and none of the records begins like it.

    It holds one text, be it one with commas, or a label of totals and figures.
    """
    texts = trimmed(cells)
    place = next((place for place, text in enumerate(texts) if text), None)
    if place is None:
        return True
    others = [text for record in above if place < len(record) for text in trimmed([record[place]]) if text]
    if is_rule(cells):
        return not any(is_rule([other]) for other in others)
    first, *rest = filter(None, texts)
    if begins_like(first, others):
        return False
    if not rest:
        return is_note(first) or (is_word_of_end(first) and are_figures(others))
    if is_label(first) or is_statistic(first):
        # Among words it may be one of them.
        return are_figures(others) and all(map(_FIGURE.fullmatch, rest))
    # Text is divided where a blank follows its commas.
    parted = all(cell.startswith(" ") for cell in cells[place + 1 :] if cell)
    return parted and is_note(first) and not any(cell.startswith(" ") for record in above for cell in record)


def is_label(text: str) -> bool:
    """Whether a text is what totals and means are called by, and hardly anything else."""
    return _LABEL.fullmatch(text) is not None


def is_statistic(text: str) -> bool:
    """Whether a text is what a figure of a whole column may be called by."""
    return _STATISTIC.fullmatch(text) is not None


def figure_called(text: str) -> str:
    """What a label says that a figure of a whole column is: "sum", "mean", "count", or nothing that is known."""
    kinds = (("mean", _MEAN), ("count", _COUNT_OF_ALL), ("sum", _SUM))
    return next((kind for kind, pattern in kinds if pattern.fullmatch(text)), "")


def is_titled_total(text: str) -> bool:
    """Whether a text is a label of totals with what follows a colon."""
    return _TITLED.match(text) is not None


def is_note(text: str) -> bool:
    """Whether a text tells of the table or ends it, as no value does."""
    return _NOTE.fullmatch(text) is not None


def is_word_of_end(text: str) -> bool:
    """Whether a text may end a table, or be a name or a value."""
    return is_label(text) or _WORD.fullmatch(text) is not None


def may_be_note(text: str) -> bool:
    """Whether a text begins as notes do, though values may as well."""
    return _kind(text) != ""


def counted_in(text: str) -> int | None:
    """How many records a note counts."""
    count = _COUNT.match(text)
    return int(count[1]) if count else None


def is_trailer(text: str) -> bool:
    """Whether a text marks the last record of a transfer, or what is signed below a table."""
    return _TRAILER.fullmatch(text) is not None


def begins_like(text: str, others: Sequence[str]) -> bool:
    """Whether other cells of a column begin as a text does: with a sign of comments, a word of notes, or its word."""
    kind, word = _kind(text), FIRST_WORD.match(text)
    for other in others:
        if kind and _kind(other) == kind:
            return True
        if word and (begins := FIRST_WORD.match(other)) and begins[1].lower() == word[1].lower():
            return True
    return False


def _kind(text: str) -> str:
    if is_comment([text]):
        return "comment"
    if counted_in(text) is not None:
        return "count" if is_note(text) or _PERHAPS.match(text) else ""
    if is_word_of_end(text):
        return "word"
    return "note" if is_note(text) or _PERHAPS.match(text) else ""
