"""The apostrophe in front of formulas: put there in CSV files, and taken away wherever a table is read."""

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from metrics.tables.formula_guard import neutralized, without_guard, without_guards

TEXTS = st.text(st.sampled_from("=+-@'\uff1d\ufeff\u200b \t\n;,.1e5a|*"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("=1+1", "'=1+1"), ("+1+1", "'+1+1"), ("-1-1", "'-1-1"), ("@SUM(A1)", "'@SUM(A1)"),
        ("-1", "-1"), ("+1.5e3", "+1.5e3"), ("-.5", "-.5"), ("-", "'-"), ("=", "'="), ("a=1", "a=1"),
        ("*", "*"), ("", ""), (None, None), ("<=40", "<=40"), ("[20-30)", "[20-30)"), ("'=1", "'=1"),
        # numbers in any format that is read
        ("-1,5", "-1,5"), ("-2,0", "-2,0"), ("+1,5e3", "+1,5e3"), ("-,5", "-,5"), ("-5.", "-5."),
        ("-1.234,5", "-1.234,5"), ("-1,234.5", "-1,234.5"), ("-1'234.5", "-1'234.5"),
        ("-1\u202f234,5", "-1\u202f234,5"),
        ("-5 %", "-5 %"), ("-1,5,", "'-1,5,"), ("-1,5+cmd", "'-1,5+cmd"), ("-1'a'!A1", "'-1'a'!A1"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"), ("-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0"),
        # labels that a spreadsheet would compute
        ("-20 - -11", "'-20 - -11"), ("-2*", "'-2*"),
        # full-width forms, which spreadsheets take for the plain ones
        ("\uff1d1+1", "'\uff1d1+1"), ("\uff0b1", "'\uff0b1"), ("\uff0d1", "'\uff0d1"),
        ("\uff20SUM(A1)", "'\uff20SUM(A1)"),
        # in front of the formula what programs drop or break lines at
        ("\t=1", "'\t'=1"), ("\r=1", "'\r'=1"), ("\n=1", "'\n'=1"), (" =1", "' '=1"), ("\ufeff=1", "'\ufeff'=1"),
        ("\u3000\r\n\uff1d1", "'\u3000\r\n'\uff1d1"), ("\x00=1", "'\x00'=1"), ("\u200b@a", "'\u200b'@a"),
        # within a cell, where other programs divide it
        ("a;=1", "a;'=1"), ("a; \ufeff=1;\uff20b", "a; \ufeff'=1;'\uff20b"), (";=1", "';'=1"), ("a;;-b", "a;;'-b"),
        ("a\t=1", "a\t'=1"), ("a\n=1", "a\n'=1"), ("a;\n=1", "a;\n'=1"), ("-1;=1", "-1;'=1"), ("-1\t\t=1", "-1\t\t'=1"),
        ("a;b=1", "a;b=1"), ("a,=1", "a,=1"), ("a =1", "a =1"), ("a;", "a;"), ("\t\n", "\t\n"), ("\ta", "\ta"),
        # numbers with a sign are no formulas within a cell either, nor are the intervals that hierarchies write
        ("3;-1", "3;-1"), ("[-10; -5[", "[-10; -5["), ("-1;-2", "-1;-2"), ("3;-1+cmd", "3;'-1+cmd"),
        ("a;-1.x", "a;'-1.x"),
    ],
)  # fmt: skip
def test_formulas_are_neutralized_and_numbers_are_not(text: str | None, expected: str | None) -> None:
    assert neutralized(text) == expected


@pytest.mark.parametrize("text", ["'=1", "'\t'=1", "a;'=1", "'\u3000'\uff1d1", "'-20 - -11"])
def test_neutralizing_twice_changes_nothing_more(text: str) -> None:
    assert neutralized(text) == text


@pytest.mark.parametrize("piece", ["\t", "\n", ";", " ", "-1\t", "-1 ", ";-1", ";-1 ", "\ufeff", "-.", "1e", ";+1e+"])
def test_long_cells_take_linear_time(piece: str) -> None:
    """A quadratic pattern would take many minutes for these cells."""
    for end in ("", "x", "=1"):
        assert neutralized(piece * 50_000 + end) is not None


@given(TEXTS)
@example("'=1")
@example("''-5")
def test_a_guarded_text_is_read_as_it_was(text: str) -> None:
    plain = without_guard(text)
    assert without_guard(plain) == plain
    assert without_guard(neutralized(plain)) == without_guard(neutralized(text)) == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("'-2,0", "-2,0"), ("'=1", "=1"), ("''=1", "=1"), ("a;'=1", "a;=1"), ("'\u200b'=1", "\u200b=1"), ("'-", "-"),
        ("'a", "'a"), ("O'-Neill", "O'-Neill"), ("'90s", "'90s"), ("5'-6'", "5'-6'"), ("'", "'"), ("", ""),
    ],
)  # fmt: skip
def test_only_what_guards_a_formula_is_taken_away(text: str, plain: str) -> None:
    assert without_guard(text) == plain
    assert without_guards(pa.array([text, None], pa.string())).to_pylist() == [plain, None]
    assert without_guards(pa.array([text], pa.string())).to_pylist() == [plain]


@pytest.mark.parametrize("piece", ["'", "';", "'\t", "\t", "'\ufeff", ";'-1 "])
def test_long_cells_are_read_in_linear_time(piece: str) -> None:
    for end in ("", "x", "'=1"):
        assert without_guard(piece * 50_000 + end) is not None
