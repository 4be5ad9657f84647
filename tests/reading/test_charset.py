"""Encodings told apart on short, realistic tables."""

# The text of other scripts is the subject here.
# ruff: noqa: RUF001

import codecs
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.reading import read_table
from metrics.reading.charset import Charset, detect
from metrics.reading.legacy import DoubtfulEncoding
from tests.reading.expectations import columns, refusal

WESTERN = {
    "Spanish": "nombre,ciudad\nJosé Pérez,Córdoba\nMaría Núñez,Málaga\n",
    "Spanish marks": "respuesta\n¿Qué?\n¡Ñandú!\n",
    "German": "Größe;Straße\n1,2;Hauptstraße\nÄrger;Öl\n",
    "French": "prénom,nom\nÉlodie,Lefèvre\nÀ,ça\nBjörn,Ångström\n",
    "French capitals": "NOM\nFRANÇOIS\nHÉLÈNE\n",
    "Portuguese": "cidade\nSão Paulo\nBrasília\n",
    "one Danish name": "name,city\nAnna,Århus\nBo,Odense\n",
    "one name": "a,b\nZoë,1\n",
    "Finnish": "nimi\nHämäläinen\nMäkelä\n",
    "Swedish": "n\nÖberg\nÅke\nÄlg\n",
    "Icelandic": "n\nÞór\nðað\n",
    "degrees": "id,Temp (°C)\n1,20\n",
    "degrees in cells": "id,t\n1,25°C\n2,26°C\n",
    "micrograms": "id,dose (µg/L)\n1,2\n",
    "quotation marks": "t\n“quoted” – it’s\n",
    "currencies": "p\n5€\n£5\n",
}
CHINESE = {
    "names": "姓名,年齡,疾病\n王小明,39,流感\n李大華,50,肺炎\n陳美玲,28,糖尿病\n",
    "sex": "id,sex\n1,男\n2,女\n",
    "one sex": "sex\n女\n",
    "cities": "id,city\n1,台北市\n2,高雄市\n",
    "header alone": "年齡,sex\n1,m\n2,f\n",
    "jobs": "郵遞區號;職業\n100;教師\n103;工程師\n",
    "schools": "a,education\n1,大學\n2,高中\n3,研究所\n",
    "yes and no": "a,b\n1,是\n2,否\n",
    "punctuation": "a\n中國（台灣）\n「是」，否\n",
    "marital status": "marital\n已婚\n未婚\n離婚\n",
    "ages": "d,w\n1,20歲\n2,30歲\n",
    "age ranges": "age\n30歲以上\n60～70\n",
}
RUSSIAN = "имя,город\nИван,Москва\nПётр,Тверь\nОльга Иванова,Санкт-Петербург\n"
POLISH = "imię,miasto\nŚwiętosława,Łódź\nGrażyna,Kraków\nMałgorzata,Gdańsk\n"
GERMAN = "Name;Straße\nJürgen;Hauptstraße\nGötz;Bäckerweg\nFrançois;Größe\n"


@pytest.mark.parametrize("text", WESTERN.values(), ids=WESTERN)
def test_western_text(text: str) -> None:
    content = text.encode("cp1252")
    found = detect(content, True)
    assert found is not None
    assert found.encoding in ("latin-1", "cp1252")
    assert content.decode(found.encoding) == text


@pytest.mark.parametrize("text", CHINESE.values(), ids=CHINESE)
def test_big5_text(text: str) -> None:
    content = text.encode("cp950")
    found = detect(content, True)
    assert found is not None
    assert content.decode(found.encoding) == text


def test_big5_of_windows() -> None:
    table = read_table("姓名,年齡\n恒春,20～30\n王小明,39\n".encode("cp950"))
    assert columns(table) == {"姓名": ["恒春", "王小明"], "年齡": ["20～30", "39"]}
    assert table.source.encoding == "big5"


@pytest.mark.parametrize("text", [*WESTERN.values(), *CHINESE.values()], ids=[*WESTERN, *CHINESE])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"])
def test_unicode(text: str, encoding: str) -> None:
    found = detect(text.encode(encoding), True)
    assert found == Charset(encoding, True)


@pytest.mark.parametrize(("mark", "encoding"), [(codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")])
def test_utf16_with_its_mark(mark: bytes, encoding: str) -> None:
    text = CHINESE["names"]
    table = read_table(mark + text.encode(encoding))
    assert columns(table)["姓名"] == ["王小明", "李大華", "陳美玲"]
    assert table.source.encoding == encoding


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("gb18030", "姓名,年龄,疾病\n王小明,39,流感\n李大华,50,肺炎\n陈美玲,28,糖尿病\n" * 3),
        *((encoding, RUSSIAN) for encoding in ("cp1251", "koi8-r", "cp866", "iso8859-5")),
        *((encoding, POLISH) for encoding in ("cp1250", "iso8859-2")),
        ("cp1254", "isim,şehir\nAyşe,İstanbul\nGülşen,Eskişehir\nÇağrı,Muğla\n"),
        ("cp1253", "όνομα,πόλη\nΓιώργος,Αθήνα\nΕλένη,Θεσσαλονίκη\n"),
        *((encoding, GERMAN) for encoding in ("mac-roman", "cp850", "cp437")),
        ("cp1252", "id,m²,µg\n1,±3,½\n2,±4,¼\n"),
        ("cp1252", "id;price\n1;1\xa0000\n2;12\xa0000\n"),
    ],
)
def test_other_encodings_by_their_letters(encoding: str, text: str) -> None:
    found = detect(text.encode(encoding), True)
    assert found is not None
    assert text.encode(encoding).decode(found.encoding) == text


@pytest.mark.parametrize("encoding", ["mac-roman", "cp850"])
def test_one_word_of_a_rare_encoding_is_no_proof(encoding: str) -> None:
    with pytest.raises(DoubtfulEncoding):
        detect("name,n\nann,1\nZoë,3\n".encode(encoding), True)


@pytest.mark.parametrize("sign", [*"äüßéèñçąłńśžčřıİşğåøőșțöавяαβω€°µ’–…中文あ한ไשع😀"])
def test_one_usual_sign_of_utf8_is_enough(sign: str) -> None:
    for cell in (sign, f"{sign}b", f"a{sign}", f"5{sign}"):
        found = detect(f"id,name\n1,{cell}\n2,x\n".encode(), True)
        assert found is not None
        assert found.encoding == "utf-8"


@pytest.mark.parametrize("records", [1, 20_000])
def test_a_doubtful_encoding_is_told_by_the_first_line_with_such_letters(records: int) -> None:
    content = "name,n\n" + "ann,1\n" * records + "Zoë,3\nZoë,4\n"
    error = refusal(content.encode("cp850"), name="x.csv")
    assert str(error).startswith(f"x.csv, line {records + 2}: the file may be in the encoding")


def test_a_letter_of_every_line_is_no_delimiter_for_sure() -> None:
    rows = "".join(f"{i},{('Wałęsa', 'żółw')[i % 2]},\n" for i in range(12))
    with pytest.raises(DoubtfulEncoding):
        detect(f"id,nemoc,płaca\n{rows}".encode("iso8859-2"), True)


def test_lines_of_two_encodings_are_refused() -> None:
    lines = [f"{i},pâté,5 €\n" for i in range(9)]
    content = b"id,name,price\n" + b"".join(
        line.encode("utf-8" if place < 3 else "cp1252") for place, line in enumerate(lines)
    )
    assert refusal(content, name="x.csv").row == 5


@pytest.mark.parametrize("end", ["\n", "\r"])
def test_one_wrong_byte_in_utf8_is_refused_by_its_line(end: str) -> None:
    text = end.join(["名前,年齢", *("田中太郎,39" for _ in range(9)), ""]).encode()
    assert refusal(text.replace(b",39", b"\xff,39", 3).replace(b"\xff", b"", 2), name="x.csv").row == 4


@pytest.mark.parametrize("word", ["Köln", "Größe", "Ärzte", "é", "naïve", "Łódź", "中文", "5 €"])
@pytest.mark.parametrize("byte", [b"\x81", b"\xa0", b"\xc3", b"\xf6", b"\xff"])
@pytest.mark.parametrize("beside", [b"a%sb", b"%s", b"ab%s", b"%sab"])
def test_utf8_with_one_other_byte_is_no_older_encoding(word: str, byte: bytes, beside: bytes) -> None:
    content = b"id;note;w\n1;" + word.encode() + b";" + beside % byte + b"\n2;y;z\n"
    assert refusal(content, name="x.csv").row == 2


@pytest.mark.parametrize("cell", [b"Gr\xc3\xb6\xc3e", b"Gr\xc3\xb6\xc3", b"\xe2\x82\xac 5 \xe2\x82"])
def test_a_cell_cut_within_a_character_is_refused(cell: bytes) -> None:
    assert refusal(b"F4;Note\n3;" + cell + b"\n5;4\n", name="x.csv").row == 2


@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        *((encoding, "Yılmaz İstanbul Şehir Muğla Adı aldı") for encoding in ("cp1254", "iso8859-9")),
        ("cp850", "Straße Weiß Maßnahme Özdemir"),
        ("mac-roman", "Özdemir Saint-Étienne"),
        ("cp1250", "Plzeň Gdańsk"),
        ("iso8859-2", "Gdańsk"),
        ("euc_jp", "山田太郎 佐藤花子 鈴木一郎 札幌 再検査 診断名 予約変更"),
        ("cp932", "札幌"),
        ("cp949", "주소 비고"),
        ("gb18030", "需要复查"),
        ("cp950", "歐陽修"),
        *((encoding, "ΣΧΌΛΙΟ ΠΌΛΗ") for encoding in ("cp1253", "iso8859-7")),
        ("cp866", "фон"),
    ],
)
def test_one_word_is_read_right_or_refused(encoding: str, words: str) -> None:
    for word in words.split():
        content = f"id,name\n1,{word}\n2,x\n".encode(encoding)
        with suppress(DoubtfulEncoding):
            found = detect(content, True)
            assert found is not None
            assert content.decode(found.encoding).split(",")[2] == f"{word}\n2"


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", "José"),
        ("cp1252", "Müller"),
        ("cp1252", "Lefèvre"),
        ("cp1254", "Ayşe Yılmaz,Muğla"),
        ("cp1250", "Małgorzata"),
        ("euc_jp", "東京都,カタカナ"),
        ("cp949", "김철수,서울"),
        ("gb18030", "王小明,北京"),
        ("cp850", "Hauptstraße,München"),
    ],
)
def test_a_few_words_tell_their_encoding(encoding: str, text: str) -> None:
    content = f"id,name\n1,{text}\n2,x\n".encode(encoding)
    found = detect(content, True)
    assert found is not None
    assert content.decode(found.encoding) == content.decode(encoding)


def test_lines_of_utf8_among_utf16_are_refused() -> None:
    lines = ["ID\tNachname\tStraße\tBeruf\n", "100\tKöhler\tHöhenstraße\tKünstler\n", "101\tGroß\tGasse\tSchüler\n"]
    whole = "".join(lines[:2]).encode()
    refusal(whole + b"\n" * (len(whole) % 2) + lines[2].encode("utf-16-le"))


def test_the_mark_of_utf8_speaks_against_another_encoding() -> None:
    content = codecs.BOM_UTF8 + "city,age\nMünchen,33\n".encode("cp1252")
    assert "begins with the mark of UTF-8" in str(refusal(content, encoding="cp1252"))


def test_nul_behind_the_last_line_fills_up_a_block() -> None:
    table = read_table(b"id,name\n1,Ann\n2,Bob\n" + bytes(500))
    assert columns(table) == {"id": ["1", "2"], "name": ["Ann", "Bob"]}
    assert "NUL characters left out" in table.source.notes


@pytest.mark.parametrize("sign", "½✓→€😀ñ中あя한")
def test_one_character_of_utf8_is_enough(sign: str) -> None:
    assert detect(f"a,b\n1,{sign}\n".encode(), True) == Charset("utf-8", True)


@pytest.mark.parametrize("added", [b"abc,def\n", b"x,1\ny,2\n", b"abc,def\r\n"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le"])
def test_ascii_added_to_utf16_is_refused(encoding: str, added: bytes) -> None:
    refusal("size\tt\n5x9\t1968\n8x4\t2003".encode(encoding) + added)


@pytest.mark.parametrize(
    "text", ["名前,年\n山上太郎,5\nさくら,6\n", "姓名,地\n上官婉儿,上海\n", "नाम,शहर\nराम,दिल्ली\n"]
)
def test_utf16_of_characters_like_pairs_of_ascii(text: str) -> None:
    assert columns(read_table(text.encode("utf-16"))) == columns(read_table(text.encode()))


def test_an_encoding_is_told_by_the_whole_file() -> None:
    rows = "Ann,1\n" * 20_000
    text = f"name,n\nJosé,1\n{rows}" + "Świętosława,1\nMałgorzata,2\nGrażyna,3\n" * 3
    assert columns(read_table(text.encode("cp1250")))["name"][-3:] == ["Świętosława", "Małgorzata", "Grażyna"]


def test_stray_byte_order_mark_is_no_utf16() -> None:
    for content in (b"a\n\xff\xfe\nx'\n", b"\n\xff\xfeac\nx", b'a,b\n1,"x"\n\xff\xfe2,'):
        with suppress(DoubtfulEncoding):
            found = detect(content, True)
            assert found is not None
            assert not found.encoding.startswith("utf-16")
            assert content.decode(found.encoding)


def test_cut_sample_is_no_error() -> None:
    content = CHINESE["names"].encode() * 5
    for end in range(20, len(content)):
        assert detect(content[:end], False) == Charset("utf-8", True)


def test_cut_line_is_no_error() -> None:
    content = ("年齡,性別," * 30).encode()
    for end in range(20, len(content)):
        assert detect(content[:end], False) == Charset("utf-8", True)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "big5"])
def test_detected_encoding_is_recorded_and_read(encoding: str) -> None:
    table = read_table(CHINESE["names"].encode(encoding))
    assert columns(table)["疾病"] == ["流感", "肺炎", "糖尿病"]
    assert table.source.encoding == encoding


def test_latin_1_and_windows_1252_are_recorded() -> None:
    assert read_table("a,b\nJosé,1\n".encode("latin-1")).source.encoding == "latin-1"
    assert read_table("a,b\nJosé,5 €\n".encode("cp1252")).source.encoding == "cp1252"


def test_encoding_can_be_chosen() -> None:
    table = read_table("имя,город\nИван,Тверь\n".encode("koi8-r"), encoding="KOI8_R")
    assert columns(table) == {"имя": ["Иван"], "город": ["Тверь"]}
    assert table.source.encoding == "koi8-r"


@pytest.mark.parametrize("written", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf16_chosen_without_a_byte_order(written: str) -> None:
    mark = codecs.BOM_UTF16_BE if written == "utf-16-be" else b""
    table = read_table(mark + "a,b\nc,d\n".encode(written), encoding="utf-16")
    assert columns(table) == {"a": ["c"], "b": ["d"]}
    assert table.source.encoding == ("utf-16-be" if mark else "utf-16-le")


@pytest.mark.parametrize("encoding", ["latin-1", "big5"])
def test_foreign_bytes_only_after_the_sample(encoding: str) -> None:
    cell = {"latin-1": "José", "big5": "糖尿病"}[encoding]
    text = "id,name\n" + "1,Anna\n" * 30_000 + f"2,{cell}\n"
    table = read_table(text.encode(encoding))
    assert table.source.encoding == encoding
    assert columns(table)["name"][-1] == cell
    assert table.rows == 30_001


def test_unknown_encoding() -> None:
    for name in ("utf-9", "hex", "rot13", "idna", "undefined", "unicode_escape"):
        assert "the encoding chosen is not known" in str(refusal(b"a,b\n1,2\n", name="x.csv", encoding=name))


def test_binary_junk() -> None:
    for junk in (bytes(range(256)) * 4, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"\x01\x02\x03\x04\x05" * 40):
        assert "junk.csv: the file holds binary data, not text" in str(refusal(junk, name="junk.csv"))


@settings(deadline=None)
@given(st.binary(min_size=1, max_size=300))
def test_detection_never_fails(content: bytes) -> None:
    with suppress(DoubtfulEncoding):
        found = detect(content, True)
        if found is not None:
            codecs.lookup(found.encoding)
