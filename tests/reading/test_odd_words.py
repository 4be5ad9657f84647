"""Words that no language writes, and ASCII that stands for other letters: the encoding is asked for."""

import pytest

from metrics.reading import read_table
from tests.reading.expectations import refusal


@pytest.mark.parametrize(
    "content",
    [
        "n,v\n1,Agnès\n2,Zoë\n".encode("cp1252") + "3,Anaïs\n4,Gaëlle\n".encode("mac-roman"),
        "n,v\n1,Łódź\n2,żona\n".encode("cp1250") + "3,Zając\n4,Dąbrowski\n".encode("iso8859-2"),
        "n,v\n1,Růžena\n2,muž\n3,Šárka\n".encode("cp1250") + "4,žena\n5,Žáček\n6,Tomáš\n".encode("iso8859-2"),
        "n,v\n1,Święch\n2,żona\n3,Łukasz\n".encode("cp1250") + "4,Święch\n5,żona\n6,Zając\n".encode("cp852"),
        "n,v\n1,Иванов\n2,Петрова\n".encode("cp1251") + "3,Сидоров\n4,Кузнецова\n".encode("cp866"),
        "id,temp\n1,40 °C\n2,37 °C\n3,35 °C\n4,36 °C\n5,41 °C\n6,38 °C\n".encode("mac-roman"),
        "n,v\n1,Åsa\n2,Märta\n".encode("mac-roman") + "3,Göran\n4,Åsa\n".encode("cp1252"),
        "id,name\n1,Erzsébet\n2,Fűrész\n3,Béla\n".encode("cp1250"),
        "編號,姓名\n1,張雅婷\n2,陳志豪\n".encode("big5") + "3,王小明\n4,李雅婷\n".encode("gbk"),
        "n,v\n1,Häußler\n2,Gruße\n3,Weiße\n".encode("cp1252") + "4,Köhler\n5,Jürgen\n6,Bäcker\n".encode("mac-roman"),
        "n;v\n1;Đorđe\n2;Ivana\n".encode("cp852"),
        "姓名\0\n王小明\0\n台北\0\n高雄\0\n".encode("big5"),
        "name,age\n欧阳修,23\n李娜,45\n".encode("utf-7"),
        "имя,ж\nЖили,23\nЛили,45\n".encode("utf-7"),
        "имя;ж\n“Жили”;23\n“Лили”;45\n".encode("utf-7"),
        "姓名;年龄\n“陈静”;23\n“刘洋”;45\n".encode("hz"),
    ],
)
def test_the_encoding_is_asked_for(content: bytes) -> None:
    assert "choose the encoding" in str(refusal(content))


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("n,v\n1,Růžena\n2,muž\n3,Šárka\n4,Müller\n5,žena\n", "iso8859-2"),
        ("n,v\n1,Élodie\n2,Jörg\n3,Šimon\n4,Zoë\n5,Nuñez\n6,Bjørn\n", "cp1252"),
        ("n,v\n1,Août\n2,coûter\n3,crème\n4,São\n5,Camões\n", "cp1252"),
        ("編號,姓名\n1,張雅婷\n2,陳志豪\n3,王小明\n4,李雅婷\n", "big5"),
        ("番号,氏名\n1,田中健太\n2,鈴木一郎\n3,山田花子\n", "euc-jp"),
        ("n,v\n1,Сидоров\n2,Жуков\n3,Щукина\n", "cp866"),
        ("n,v\n1,Müller\n2,Größe\n3,ÄRGER\n", "cp1252"),
        ("n,v\n1,Grześ\n2,Zając\n3,Dąbrowski\n", "cp1250"),
        ("phone,n\n+Abc4567,1\n+4912345,2\n", "ascii"),
        ("blood,n\nA+Rh,1\nB+Rh,2\n", "ascii"),
    ],
)
def test_usual_words_are_read(text: str, encoding: str) -> None:
    _, *rows = (line.split(",") for line in text.splitlines())
    assert [list(row.values()) for row in read_table(text.encode(encoding)).to_arrow().to_pylist()] == rows


def test_a_usual_delimiter_that_divides_as_well_as_a_rare_one_is_a_rival() -> None:
    error = refusal(b",from::to\n09:20,2::2\n05:51,4::8\n16:21,4::8\n14:39,5::9\n")
    assert "choose the delimiter" in str(error)


def test_nul_before_the_line_ends_of_utf8_makes_no_utf16() -> None:
    lines = ["имя,ж", "Жили,23", "Лили,45", "Филипп,67"]
    table = read_table("\n".join(f"{line}\0" for line in lines).encode())
    assert table.to_arrow().to_pylist() == [dict(zip(("имя", "ж"), line.split(","), strict=True)) for line in lines[1:]]


def test_a_tab_with_a_blank_behind_it_is_no_text() -> None:
    content = b"genre|sub\t year\t title\nComedy|Kids\t 1984\t Alien\nDrama|War\t 2010\t Heat\nSci-Fi|TV\t 2011\t Up\n"
    assert "both the sign tab and the sign" in str(refusal(content))
