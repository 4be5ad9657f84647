"""Line ends within cells: meant, or cutting values and lines."""

import pytest

from metrics.reading import read_table
from tests.reading.expectations import refusal

CUT = "a line end stands within a value that others have without it"
WRAPPED = "the line ends within a cell where lines are longest, as if all were cut to a width"


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        ('age,town\n1,New York\n2,"New \nYork"\n3,Ulm\n', 3, CUT),
        ('age,town\r\n1,New York\r\n2,"New\r\n York"\r\n3,Ulm\r\n', 3, CUT),
        ('"born","n"\n"1992-08-01","1"\n"1992-08\n-28","2"\n"1993-05-02","3"\n"1994-05-02","4"\n', 3, CUT),
        ('dx;n\n"H90.\n0";1\nC41;2\nE68.9;3\n', 2, CUT),
        ('n,m\n"2\n6",a\n15,b\n24,c\n35,d\n', 2, CUT),
        ('town,street\nUlm,"3 High\n, rear"\nBonn,12 Elm\nKiel,7 Oak\n', 2, CUT),
        ('town,from\nUlm,Bonn\n"Bo\nnn",Ulm\n', 3, CUT),
        ('id,note\n1,"all went well t\nhis time"\n22,"went badly now\n again"\n3,ok\n', 2, WRAPPED),
    ],
)
def test_line_ends_that_cut_are_refused(content: str, line: int, problem: str) -> None:
    error = refusal(content.encode(), name="x.csv")
    assert (error.row, error.problem) == (line, problem)
    assert read_table(content.encode(), quote='"').rows > 1


@pytest.mark.parametrize(
    "content",
    [
        'id,note\n1,"one\ntwo"\n2,"three\nfour"\n3,x\n',
        'id,tags\n1,"red\nblue"\n2,"red\ngreen"\n3,red\n',
        'n,m\n1,"4\n5"\n2,3\n',
        'id,note\nS1,"two\nlines"\nS2,"two\nlines"\nS3,x\n',
        '"weight\n(kg)",n\n5,1\n6,2\n',
    ],
)
def test_line_ends_that_are_meant_stay(content: str) -> None:
    assert read_table(content.encode()).rows >= 2
