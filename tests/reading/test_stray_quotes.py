"""Quotes too many or too few that swallow records or let cells fall apart: refused by their line."""

import pytest

from metrics.reading import read_table
from metrics.reading.lexer import records
from tests.reading.expectations import columns, refusal


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ('town,name,kind\n"Ulm,Ann,x\nBonn",Bob,y\nKiel,Cy,z\n', 2),
        ('town;name;kind\nUlm;Ann;"x\nBonn;Bob;y"\nKiel;Cy;z\n', 2),
        ('kind;town\nx;"Ulm\ny;Bonn"\nz;Kiel\n', 2),
        ('kind;town\nw;Hof\n"x;Ulm\ny;Bonn\nz";Kiel\n', 3),
        ('street;name;n\n"1 Elm;Ann;$6\n2 Oak";Bob;$7\n3 Fir;Cy;$8\n', 2),
        ('"town;name;kind\nUlm";Ann;x\nBonn;Bob;y\n', 1),
        # Ditto marks and inches.
        ('town;date\nKoeln;11/07/1994\n";11/02/2012\nUlm;08/01/1942\n";27/05/1983\n', 3),
        ('town,date\nKoeln,11/07/1994\n",11/02/2012\nUlm,08/01/1942\n",27/05/1983\n', 3),
        ('part;len\nrod;12"\npipe;"\nbolt;3"\n', 3),
    ],
)
def test_texts_between_two_stray_quotes_are_not_swallowed(content: str, line: int) -> None:
    error = refusal(content.encode(), name="x.csv")
    assert error.row == line
    assert "as if a quote were missing or too many" in str(error)


@pytest.mark.parametrize(
    "cell",
    ["12 High St\nUlm", "12 High St, left\nUlm", "a\nb,c\nd", "Ann, Bob, Cy\nDi, Ed", "a, b\nc,d, e"],
)
def test_texts_of_several_lines_stay(cell: str) -> None:
    content = f'name,text,kind\nann,"{cell}",x\nbob,short,y\n'
    assert columns(read_table(content.encode()))["text"] == [cell, "short"]


def test_a_choice_says_that_quotes_are_right() -> None:
    content = b'kind;town\nx;"Ulm\ny;Bonn"\nz;Kiel\n'
    assert columns(read_table(content, quote='"'))["town"] == ["Ulm\ny;Bonn", "Kiel"]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ('flag,street\nTrue,"12 Elm, rear"\nFalse"3, High St"\nFalse,1 Oak\n', 3),
        ('flag;street\nyes;"12 Elm; rear"\nno"3; High St"\nno;1 Oak\n', 3),
        ('flag,street\nTrue,"12 Elm, rear"\nFalse "3, High St"\nFalse,1 Oak\n', 3),
        ('flag,street\nTrue,"12 Elm, rear"\nFalse""3, High St"\nFalse,1 Oak\n', 3),
        ('flag,street\nTrue,1 Elm\nFalse"3, St ""High"""\nFalse,1 Oak\n', 3),
        ('a,sex"band, total",zip,g\n9,A,80-89,52963,M\n8,B,70-79,52964,F\n', 1),
        ('note,k\n"x\ny",D"u\nv",A\nz,A\n', 4),
        ('flag||street\nTrue||1 Elm\nFalse"3|| High St"\nFalse||1 Oak\n', 3),
    ],
)
def test_a_quote_within_a_cell_that_another_cell_closes(content: str, line: int) -> None:
    error = refusal(content.encode(), name="x.csv")
    assert error.row == line
    assert "within a cell is closed in another one" in str(error)


@pytest.mark.parametrize(
    "row",
    [
        ['12" pipe', '3"', "x"],
        ["5'6\"", "7'2\"", "x"],
        ['fol"ow-up', "y", "z"],
        ['Bob "Bo" Lee', "y", 'Al "A" Li'],
        ['12"', '4"', '1/2" x 3"'],
        ["x", "y", 'z"w'],
        ['Bob "Bo" Lee', '12"', "x"],
        ['say ""', '3"', "x"],
    ],
)
def test_quotes_within_cells_stay(row: list[str]) -> None:
    content = "a,b,c\nu,v,w\n" + 2 * (",".join(row) + "\n") + "u,v,w\n"
    assert [cells[1] for cells in columns(read_table(content.encode())).values()] == row


def test_a_quote_in_the_line_above_is_forgotten_after_a_line() -> None:
    lines = ['x,D"u\n', "y,z\n", 'v",A\n']
    assert not any(record.astray for record in records(lines, ",", '"'))
    assert [record.astray for record in records(lines[::2], ",", '"')] == [False, True]


@pytest.mark.parametrize(
    "content",
    [
        'id\tunit\tnote\n1\t""""\t\'\'\n2\t\'\tsurplus\t""""\n3\t\'\t""""\n4\tcm\t""""""\n',
        "id,unit,note\n1,'a\nb',\"x\"\n2,'c',\"y\"\n3,'d',\"z\"\n",
    ],
)
def test_quotes_of_two_kinds_swallow_no_record(content: str) -> None:
    assert "quote character" in refusal(content.encode()).remedy
