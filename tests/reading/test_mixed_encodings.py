"""Lines of two encodings, and encodings of seven bits, whose signs are those of ASCII."""

# The letters of other scripts are the subject here.
# ruff: noqa: RUF001

import pytest

from metrics.reading import read_table
from tests.reading.expectations import columns, refusal

RUSSIAN = "Фамилия;Пол\nИванов;м\n"
NAMES = "name,n\nKöhler,1\nHäußler,2\nGärtner,3\n"


@pytest.mark.parametrize(
    "content",
    [
        RUSSIAN.encode("cp1251") + "Сидоров;м\nКузнецова;ж\n".encode("koi8-r"),
        NAMES.encode("cp1252") + NAMES.encode("cp850").partition(b"\n")[2],
        NAMES.encode("cp1252") + "Zoé,1\nGällé,2\n".encode("mac-roman"),
    ],
)
def test_lines_of_two_encodings_are_refused(content: bytes) -> None:
    assert "encoding" in str(refusal(content, name="x.csv"))


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("ФАМИЛИЯ;ГОРОД\nЖУКОВ;КАЗАНЬ\nПЕТРОВА;МОСКВА\nСИДОРОВ;ОМСК\n", "koi8-r"),
        ("id,name,temp,dose\n1,a,35 °C,5 µg\n2,b,37 °C,10 mg\n", "mac-roman"),
        ("id,name\n1,北京大学\n2,上海\n", "hz"),
        ("id,name\n1,München\n2,Köln\n", "utf-7"),
    ],
)
def test_signs_of_another_encoding_are_in_doubt(text: str, encoding: str) -> None:
    content = text.encode(encoding)
    assert "the file may be in the encoding" in str(refusal(content, name="x.csv"))
    table = read_table(content, encoding=encoding)
    assert list(table.names) == text.splitlines()[0].replace(";", ",").split(",")


@pytest.mark.parametrize(
    "text", ["name,town\nJosé,¿Qué?\nAna,¡Con fe!\nPeña,León\n", "id,phone\n1,+491715-55\n2,+4917-33\n3,~{x\n"]
)
def test_signs_in_their_places_stay(text: str) -> None:
    assert read_table(text.encode("cp1252")).rows == text.count("\n") - 1


@pytest.mark.parametrize(
    "content", [b"id,age\0\n1,23\0\n2,45\0\n3,67\0\n", b"id,age\0\r\n1,23\0\r\n2,45\0\r\n3,67\0\r\n"]
)
def test_nul_at_the_ends_of_lines_is_no_utf16(content: bytes) -> None:
    assert columns(read_table(content)) == {"id": ["1", "2", "3"], "age": ["23", "45", "67"]}
