"""Signs that divide or quote cells in few files, and lines of labels under names that only count: refused."""

import pytest

from metrics.reading import read_table
from tests.reading.expectations import columns, refusal

_ROWS = [["id", "name", "city"], ["A", "Ann", "Rome"], ["B", "Bob", "Bonn"], ["C", "Cid", "Rome"]]


def _joined(sign: str) -> str:
    return "".join(sign.join(row) + "\n" for row in _ROWS)


@pytest.mark.parametrize(
    "text",
    [
        "~name~,~age~\n~Ann~,~33~\n~Bob~,~44~\n",
        "|name|,|age|\n|Ann|,|33|\n|Bob, Jr|,|44|\n|Cid|,|45|\n",
        "name[|]sex[|]age\nAnn[|]f[|]33\nBob[|]m[|]44\n",
        "name<;>sex<;>age\nAnn<;>f<;>33\nBob<;>m<;>44\n",
        "name,*sex,*age\nAnn,*f,*33\nBob,*m,*44\n",
        "name];sex];age\nAnn];f];33\nBob];m];44\n",
    ],
)
def test_signs_beside_every_delimiter_are_a_part_of_it(text: str) -> None:
    assert "the same sign stands beside every delimiter" in str(refusal(text.encode(), name="x.csv"))


@pytest.mark.parametrize(
    "text",
    [
        "a;*\nx;*\ny;\nz;*\n",
        "n,%\na,1\nb,2\nc,3\n",
        "name,flag*\nAnn,x\nBob,y\n",
        "alive?,n\nyes,1\nno,2\nyes,3\n",
        "[a],[b]\n[x],[y]\n[z],[y]\n",
        "age [years];sex\n[20, 30];f\n[30, 40];m\n[20, 30];f\n",
        "a,<5\n<1,<2\n<3,4\n",
    ],
)
def test_signs_beside_some_delimiters_are_text(text: str) -> None:
    _assert_read(text)


@pytest.mark.parametrize(
    "text",
    [
        "þnameþ;þageþ\nþAnnþ;þ33þ\nþBobþ;þ44þ\n",
        "þnameþ;þageþ\nþAnnþ;33\nþþ;44\nþBobþ;\n",
        "`name`\n`Ann`\n`Bob`\n`Cid`\n",
        "þnameþ;þageþ\nþAnnþ;þ33þ\nþBobþ;þ44þ\nþCidþ;þ55þ\nEve;66\n",
    ],
)
def test_a_sign_at_both_ends_of_cells_may_quote(text: str) -> None:
    error = refusal(text.encode(), name="x.csv")
    assert "choose the quote character, none if the sign is text" in str(error)
    assert columns(read_table(text.encode(), quote=""))


@pytest.mark.parametrize(
    "text",
    ["яна\nядя\nяля\nжиль\n", "яля\nядя\n", "_id_,_val_\n1,2\n3,4\n", "anna\nalla\nada\n", "`name`\n`Ann`\nBob\n"],
)
def test_a_sign_at_both_ends_of_some_cells_is_text(text: str) -> None:
    _assert_read(text)


@pytest.mark.parametrize(
    "text",
    [
        "id'income'share\n1'200'3\n2'300'4\n",
        "age<>disease<>time\n7<>HIV<>06:27<>\n<>flu<>02:02<>\n40<><>11:13<>\n",
        *map(_joined, ["->", "--", "<>", "><", "<delim>", "[]", "}{", "·", "、", "\uff0c", "–"]),
        "city·sex·age\nBoston·f·33\nCork·m·44\n",
        "姓名\uff0c性别\uff0c年龄\n王\uff0c女\uff0c33\n李\uff0c男\uff0c44\n",
        "share<>icd10\n1<>A\n2<>B\n3<>C\n",
    ],
)
def test_odd_delimiters_are_asked_for(text: str) -> None:
    error = refusal(text.encode(), name="x.csv")
    assert "choose the delimiter, or that there is none" in str(error)
    assert len(columns(read_table(text.encode(), delimiter=""))) == 1


@pytest.mark.parametrize("sign", ["->", "--", "<delim>", "·", "\uff0c"])
def test_odd_delimiters_that_are_chosen_divide(sign: str) -> None:
    assert list(columns(read_table(_joined(sign).encode(), delimiter=sign))) == _ROWS[0]


@pytest.mark.parametrize(
    "text",
    [
        "T-score\n-1\n-2.5\n-3\n-1\n",
        "it's\nAnn's\nBob's\n",
        "l\u2019âge\nl\u2019an\nl\u2019été\n",
        "age(y)\n(1)\n(2)\n(3)\n",
        "name\na->b\nc->d\n",
        "price[€]\n3€\n4€\n",
        "T°C\n37°C\n38°C\n",
        "age 18–30\n18–20\n21–30\n",
        "cafe\u0301s\nthe\u0301s\nble\u0301s\n",
    ],
)
def test_signs_of_one_column_are_text(text: str) -> None:
    _assert_read(text)


def test_odd_signs_within_quotes_are_text() -> None:
    assert columns(read_table(b'"a->b"\n"c->d"\n"e->f"\n')) == {"a->b": ["c->d", "e->f"]}


@pytest.mark.parametrize(
    "text",
    [
        "V1;V2\nName;#\nAnn;1\nBob;2\nCid;3\n",
        "V1;V2\nName;%\nAnn;1,5\nBob;2,5\nCid;3,5\n",
        "V1,V2\nИмя,№\nм,12\nж,13\nм,14\n",
        "V1,V2\nSex,City\nm,Rome\nf,Bonn\nm,Rome\n",
        "X1,X2,X3\nSex,City,Job\nm,Rome,a\nf,Bonn,b\nm,Rome,a\n",
    ],
)
def test_labels_under_names_that_count_are_a_part_of_the_header(text: str) -> None:
    error = refusal(text.encode(), name="x.csv")
    assert "the line below the header may be a part of it" in str(error)
    assert error.row == 2


@pytest.mark.parametrize(
    "text",
    [
        "V1,V2\nm,Rome\nf,Bonn\nm,Rome\nf,Rome\n",
        "V1,V2\nAnn,Rome\nBob,Bonn\nCid,Oslo\nDan,Rome\n",
        "V1,V2,V3\nm,Rome,x\nf,Bonn,y\nm,Oslo,x\n",
        "x,#\na,1\nb,2\nc,3\n",
        "sex,city\nd,Oslo\nm,Rome\nf,Bonn\nm,Rome\nf,Bonn\n",
    ],
)
def test_records_under_names_that_count_are_read(text: str) -> None:
    _assert_read(text)


def _assert_read(text: str) -> None:
    """All cells are read as they stand between the only delimiter."""
    table = read_table(text.encode(), name="x.csv")
    names, *rows = (line.split(table.source.delimiter or "\n") for line in text.splitlines())
    assert list(table.names) == names
    assert [list(row.values()) for row in table.to_arrow().to_pylist()] == rows
