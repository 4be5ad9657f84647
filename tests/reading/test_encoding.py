"""The encoding of a text: proved by a mark or by UTF-8, otherwise a question; bytes that do not fit have a line."""

# The text of other scripts is the subject here.
# ruff: noqa: RUF001

import codecs
from collections.abc import Iterator

import pytest

from metrics.errors import InputError
from metrics.reading.encoding import Chunks, Encoding, decoding_error, known_codec, propose_encoding, text_start, utf8


def pieces(content: bytes, size: int = 3) -> Chunks:
    """The bytes, a few at a time."""

    def chunks() -> Iterator[bytes]:
        yield from (content[at : at + size] for at in range(0, len(content), size))

    return chunks


def proposed(content: bytes) -> Encoding:
    return propose_encoding("t.csv", pieces(content), content, whole=True)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *[("UTF-8", "utf-8"), ("utf_8_sig", "utf-8"), ("ascii", "utf-8"), ("CP1252", "cp1252"), ("latin_1", "latin-1")],
        *[("utf16", "utf-16"), ("U32", "utf-32"), ("utf_16_le", "utf-16-le")],
    ],
)
def test_an_encoding_is_known_by_every_name_of_python(name: str, expected: str) -> None:
    assert known_codec(name, "t.csv") == expected


NO_FILE = ["punycode", "idna", "undefined", "unicode_escape", "raw_unicode_escape"]


@pytest.mark.parametrize("name", ["no such encoding", "", "base64", "rot13", "utf\0", *NO_FILE])
def test_what_is_no_encoding_of_text_is_refused(name: str) -> None:
    with pytest.raises(InputError) as refused:
        known_codec(name, "t.csv")
    assert refused.value.file == "t.csv"


@pytest.mark.parametrize("content", [b"a,b\n1,2\n", "a,b\n1,2\n".encode("utf-16-le"), b"\xff\xc3\n", b"a"])
@pytest.mark.parametrize("name", ["utf-16", "utf-32", *NO_FILE])
def test_text_that_an_encoding_cannot_decode_is_refused_with_a_reason(content: bytes, name: str) -> None:
    """A saved plan may name any encoding."""
    for size in (1, 100):
        with pytest.raises(UnicodeDecodeError):
            list(utf8(pieces(content, size)(), name))
    refused = decoding_error("t.csv", pieces(content), name)
    if name in NO_FILE:
        assert "the encoding is not known" in str(refused)
    else:
        assert f"choose {name}-le or {name}-be" in str(refused)
        with pytest.raises(InputError, match=f"choose {name}-le or {name}-be"):
            text_start("t.csv", pieces(content), name, content, True)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"a,b\n1,2\n", "utf-8"),
        ("é,b\n1,2\n".encode(), "utf-8"),
        (codecs.BOM_UTF8 + b"a,b\n", "utf-8"),
        ("a,b\n1,é\n".encode("utf-16"), "utf-16"),
        ("a,b\n1,é\n".encode("utf-32"), "utf-32"),
    ],
)
def test_utf_8_and_marks_prove_an_encoding(content: bytes, name: str) -> None:
    assert proposed(content) == Encoding(name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("José,Müller\nZoë,x\n", "cp1252"),
        ("Dvořák,Łódź\nżółw,x\n", "cp1250"),
        ("Москва,Казань\nврач,x\n", "cp1251"),
        ("名前,都市\n山田です,東京都\nさくら,x\n", "cp932"),
        ("이름,도시\n김철수,서울\n박,부산\n", "cp949"),
    ],
)
def test_another_encoding_is_asked_about_and_the_first_answer_reads_the_text(text: str, name: str) -> None:
    found = proposed(text.encode(name))
    assert found.name == name
    assert found.question is not None
    assert found.question.answers[0].changes == {"encoding": name}
    assert found.question.answers[0].lines[0] in text
    assert len({answer.lines for answer in found.question.answers}) == len(found.question.answers)


def test_the_question_begins_with_a_line_that_the_encodings_read_differently() -> None:
    lines = [b"M\xfcller"] * 9 + [b"Marl\xe8ne"]  # the first is the same in Western and Central European
    question = proposed(b"\n".join(lines)).question
    assert question is not None
    first_lines = {answer.changes["encoding"]: answer.lines[0] for answer in question.answers}
    assert (first_lines["cp1252"], first_lines["cp1250"]) == ("Marlène", "Marlčne")


def test_bytes_in_a_text_that_is_mostly_utf_8_have_their_line() -> None:
    with pytest.raises(InputError) as refused:
        proposed("é,ö\nü,é\n".encode() + b"\xe9,x\n" + "ä,ß\n".encode())
    assert refused.value.row == 3


def test_nul_is_no_text_unless_it_is_utf_16() -> None:
    assert proposed("a,b\n1,2\n".encode("utf-16-le")).name == "utf-16-le"
    assert proposed("a,b\n1,2\n".encode("utf-16-be")).name == "utf-16-be"
    with pytest.raises(InputError):
        proposed(b"a,b\n1,x\0y\n2,z\n")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252", "utf-8-sig"])
@pytest.mark.parametrize("size", [3, 5, 1000])
def test_text_becomes_utf_8_wherever_a_chunk_ends(encoding: str, size: int) -> None:
    text = "é,b\r\n1,ü\n"
    known = known_codec(encoding, "t.csv")
    assert b"".join(utf8(pieces(text.encode(encoding), size)(), known)).decode() == text


def test_nul_and_incomplete_characters_are_no_text() -> None:
    for content, encoding in ((b"a\0b", "utf-8"), ("é".encode("utf-16")[:-1], "utf-16")):
        with pytest.raises(UnicodeDecodeError):
            list(utf8(pieces(content)(), encoding))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("size", [1, 4, 1000])
def test_the_line_of_bytes_that_are_no_text_is_found_with_any_line_end(end: str, size: int) -> None:
    content = f"a{end}é{end}".encode() + b"x\xff" + end.encode()
    assert decoding_error("t.csv", pieces(content, size), "utf-8").row == 3
    assert decoding_error("t.csv", pieces(content.replace(b"\xff", b"\0"), size), "utf-8").row == 3


def test_the_first_text_of_a_file_is_without_marks_and_may_be_cut() -> None:
    content = codecs.BOM_UTF8 + "é".encode()
    assert text_start("t.csv", pieces(content), "utf-8", content, complete=True) == "é"
    assert text_start("t.csv", pieces(content), "utf-8", content[:-1], complete=False) == ""
    with pytest.raises(InputError):
        text_start("t.csv", pieces(content[:-1]), "utf-8", content[:-1], complete=True)
