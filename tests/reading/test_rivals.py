"""Signs of text within cells beside the delimiter: lines around the table and rare delimiters hide none of them."""

import pytest

from metrics.reading import read_table
from tests.reading.expectations import columns, refusal

SIZES = {"Height, cm": ["1,80", "1,67", "1,92"], "Weight, kg": ["75,5", "60,1", "91,0"]}
DIVIDE = "divide all or nearly all lines evenly"


def _written(sign: str) -> str:
    return "".join(sign.join(row) + "\n" for row in [list(SIZES), *zip(*SIZES.values(), strict=True)])


@pytest.mark.parametrize("sign", [";", "\t", "|", "~", "^", "\x1f", "|~|", "||"])
@pytest.mark.parametrize(
    ("before", "after"), [("", ""), ("", "\nSource: Office\n"), ("", "\n(3 rows)\n"), ("Report 2023\n\n", "")]
)
def test_decimal_commas_and_units_are_text(sign: str, before: str, after: str) -> None:
    table = read_table((before + _written(sign) + after).encode())
    assert table.source.delimiter == sign
    assert columns(table) == SIZES


def test_names_with_commas_are_text() -> None:
    assert columns(read_table(b"Name, first~Age\nMeier, Anna~75\nFrei, Ben~40\n"))["Age"] == ["75", "40"]


@pytest.mark.parametrize(
    "content",
    [
        "Export of the register\n\na;b codes,age\n2;9,92,\n5;9,61,\n",
        "id; Name, first; City, canton\n1; Lang, Anna; Chur, GR; \n2; Keller, Cleo; Bern, BE; \n",
        "Height, cm\tWeight, kg\n1,86\t85,0\n1,65\t70,1\t\n1,76\t89,7\n",
        "; exported by system\na;b codes\tage\t\n4;7\t13\n7;9\t27\n3;4\t24\n",
        "a;b codes | age\n1;8 | 75\n4;2 | 60\n7;7 | 91\n",
        "genre|sub; year; title\nComedy|Kids; 1984; Alien\nDrama|War; 2010; Heat\nSci-Fi|TV; 2011; Up\n",
        "genre|sub:year:title\nComedy|Kids:1984:Alien\nDrama|War:2010:Heat\nSci-Fi|TV:2011:Up\n",
        "genre|sub:year:title\nComedy|Kids:1984:Alien\nDrama|War:2010:Heat\nSci-Fi|TV:2011:Up\n3 rows::\n",
        "a;b codes^age\n6;8^58\n1;6^23\n2;5^95\n7;7^89\nPage 1 of 1\n",
        "Survey\nSource: Office\na;b codes::age\n3;4::3\n6;6::78\n2;9::32\n",
        "Survey of it, first wave\nName, first~Age\nFrei, Ben~71\nLang, Cleo~7\nMeier, Di~36\n",
        "Export of the register\na;b codes\x01age\n9;1\x0175\n3;7\x0130\n5;6\x0148\n",
    ],
)
def test_signs_that_both_divide_are_refused(content: str) -> None:
    assert DIVIDE in str(refusal(content.encode(), name="x.csv"))


def test_a_control_character_is_called_by_its_number() -> None:
    assert "the sign U+0001" in str(refusal(b"Export of it\na;b codes\x01age\n9;1\x0175\n3;7\x0130\n5;6\x0148\n"))


@pytest.mark.parametrize("sign", [":", "/"])
def test_times_and_dates_divide_nothing(sign: str) -> None:
    rows = [f"{hour}{sign}30{sign}15,x" for hour in (10, 11, 12)]
    table = read_table("\n".join([f"at hh{sign}mm{sign}ss,note", *rows]).encode())
    assert table.source.delimiter == ","


def test_a_backslash_before_the_delimiter_in_every_line_makes_it_text() -> None:
    content = b"Name\\, first,Age\nFrei\\, Cleo,85\nBaum\\, Ben,19\nBaum\\, Cleo,95\n"
    assert columns(read_table(content)) == {
        "Name, first": ["Frei, Cleo", "Baum, Ben", "Baum, Cleo"],
        "Age": ["85", "19", "95"],
    }
    assert read_table(content, escape="", header_lines=1).names == ("Name\\", "first", "Age")


def test_escaped_apostrophes_tell_the_quote() -> None:
    content = b"grade|name\nC|Smith\nD|'O\\'Brien, Pat'\nA|Lee\n"
    assert columns(read_table(content))["name"] == ["Smith", "O'Brien, Pat", "Lee"]


def test_numbers_in_a_row_behind_commas_are_cells() -> None:
    error = refusal(b"active\n0,363\n0,364\n1,365\n0,366\n1,367\n", name="x.csv")
    assert (error.row, error.problem) == (1, "numbers in a row stand behind the commas, as if they were cells")
    assert read_table(b"rate\n0,363\n0,14\n1,265\n0,366\n").rows == 4


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("@relation t\n@attribute a numeric\n@data\n1\n2\n", "a table of Weka (ARFF)"),
        ("% made by hand\n@RELATION t\n@data\n1\n", "a table of Weka (ARFF)"),
        ('[\n["region","2019"],\n["North 1","5"]\n]\n', "JSON"),
        ("aWQ7YTE7YTI7bm90ZQoxOzU7Njt4CjI7Nzs4O3kK\nMzs3Ozg7ego=\n", "text in base64, as in mails"),
    ],
)
def test_other_kinds_of_files_are_named(content: str, kind: str) -> None:
    assert f"the file holds {kind}" in str(refusal(content.encode(), name="x.csv"))


def test_long_codes_are_no_base64() -> None:
    assert read_table(b"code\nABCDEFGHIJKLMNOPQRST\nABCDEFGHIJKLMNOPQRSU\n").rows == 2


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("code,n,id,note,age\nx,5,11,,39\ny,6,12,b,80\nz,7,13,,55\nSubtotal,18,36,,174\nu,8,14,c,26\nv,9,15,d,62\n", 5),
        ("id,town,n\n1,Ulm,5\n2,Bonn,6\n---,---,---\n", 4),
        ("name;sex;street\nLi;f;3 High\nBo;m;1 Oak\nAl;m;7 Elm\nCy;f;9 Elm\nDi;f;2 Elm\nEd;m;4 Elm\nSa.;;\n", 8),
        ("zip,sex,age,n,m\n35,f,5,7,2\n36,m,6,8,3\n38,f,7,9,4\nNumber of cases,3,,,\n", 5),
    ],
)
def test_totals_and_rules_in_doubt_are_refused(content: str, line: int) -> None:
    assert refusal(content.encode(), name="x.csv").row == line
