"""Lines above the header, and the one below it: titles, parts of the header, or records, or refused in doubt."""

import pytest

from metrics.reading import read_table
from tests.reading.expectations import columns, refusal

NO_TITLE = "the line may be the header or a record rather than a title"
PART = "the line below the header may be a part of it rather than a record"
OF_FILE = "the line may tell of the file rather than name the columns"
IN_COMMENT = "the first name stands in quotes behind a sign of comments"
RECORDS = "Ann,Bonn,C\nBob,Ulm,D\nCy,Kiel,E\n"


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        ("name;town;code\n" + RECORDS, 1, NO_TITLE),
        ("name|town|code\n" + RECORDS, 1, NO_TITLE),
        ("name\ttown\tcode\n" + RECORDS, 1, NO_TITLE),
        ("name;town;code;\n" + RECORDS, 1, NO_TITLE),
        ("name;town;code;more\n" + RECORDS, 1, NO_TITLE),
        ('"name,town,code"\n' + RECORDS, 1, NO_TITLE),
        ('Name\tTown\tSex\tKind\nDi\tHof\tF\tD\n"Ann";"Bonn";"F";"A"\n"Bob";"Ulm";"M";"B"\n', 1, NO_TITLE),
        ("#id,town\nRef,City\n1,Ulm\n2,Bonn\n", 1, NO_TITLE),
        ("elapsed\n3:12\n\nkey,n\na,1\nb,2\nc,3\n", 2, NO_TITLE),
        ('"Adresse;"Prenom"\n"1 place";"x"\n"12 bis, allee";"Orleans"\n', 1, "the line has 1 field"),
        ("Street1) Category\n1600 Main Ave NW|call back\nPO Box 12|lost\n", 1, "the line has 1 field"),
        ('#"Category","Region"\n"12 High St, Flat 3","Lee"\n"7 Elm Court","J. R. Ewing"\n', 1, IN_COMMENT),
        ('# "id";"town"\n"1";"Ulm"\n', 1, IN_COMMENT),
    ],
)
def test_a_line_above_is_left_out_only_as_an_evident_title(content: str, line: int, problem: str) -> None:
    error = refusal(content.encode(), name="x.csv")
    assert error.row == line
    assert error.problem.startswith(problem)


@pytest.mark.parametrize(
    "title",
    [
        "Cases; deaths and recoveries",
        "Report\n04.03.2021",
        "#exported 2021, by admin\n# do not edit",
        "##fileformat=VCFv4.2\n##source=caller,v1",
        '"Report ""A"", March"',
        "Start: 10:00\nInterval: 5 min",
        ",2019,,",
        "Person,,Person,",
        "Patients of the ward\nExported on May 3, 2024\n",
        "Title,Patients of the ward\nDate,2024-01-31\nRecords,3\n",
        "Clinic:,Nord,,\nPrinted:,3 May,,\n",
    ],
)
def test_evident_titles_are_left_out(title: str) -> None:
    content = f"{title}\nid,name,n,when\n1,Ann,5,10:20\n2,Bob,6,10:30\n3,Cy,7,10:40\n"
    table = read_table(content.encode())
    assert table.names == ("id", "name", "n", "when")
    assert columns(table)["n"] == ["5", "6", "7"]


@pytest.mark.parametrize(
    "content",
    [
        '"Data Source","World Indicators"\n\n"Last Updated Date","2021-05-25"\n\nCountry,Capital\nFrance,Paris\n',
        "Quelle,Klinik\n\nName,Disease\nAnn,flu\nBob,cancer\n",
        "#Stadt\nBonn\nUlm\n",
        "//url\na\nb\n",
    ],
)
def test_what_may_be_a_name_or_tell_of_the_file_is_refused(content: str) -> None:
    assert refusal(content.encode()).row == 1


@pytest.mark.parametrize("above", ["", "Report 2020\n", "Report 2020\n\n"])
def test_groups_above_the_names_are_a_part_of_a_header_of_two_lines(above: str) -> None:
    content = f"{above}Person,,,\nname,sex,age,city\nAnn,f,31,x\nBob,m,45,y\n"
    table = read_table(content.encode(), header_lines=2)
    assert (table.names, table.rows) == (("Person name", "sex", "age", "city"), 2)
    content = f"{above}name,sex,age,city\n,,(years),\nAnn,f,31,x\nBob,m,45,y\n"
    assert read_table(content.encode(), header_lines=2).names == ("name", "sex", "age (years)", "city")


@pytest.mark.parametrize("above", ["key,value\na,1\nb,2\n", "Oslo,5\nRome,7\n", "Title,of,this\n", "Date,1,2,3\n"])
def test_records_above_a_blank_line_are_no_titles(above: str) -> None:
    refusal(f"{above}\nid,name,n,when\n1,Ann,5,10:20\n2,Bob,6,10:30\n3,Cy,7,10:40\n".encode())


TEXTS = "Ohio,Rome,Ann\nUtah,Ulm,Bob\n"


@pytest.mark.parametrize(
    "content",
    [
        *(
            f"Region,City,Name\n{line}\n{TEXTS}"
            for line in ("1,2,3", "0,1,2", "(1),(2),(3)", "v1,v2,v3", "f 1,f 2,f 3")
        ),
        "a|b\n1|2\n-4.2E-03|19\n7.9E-10|53\n",
        "year,rate\n1,2\n1986,148.1\n1962,479.0\n",
        "Income~by region~2023~persons\nregion~2019~2020~2021\nWest~3345~1037~4471\nEast~5170~5928~7483\n",
        "Q2,born,moved\n1,2,3\n4,1986,1985\n3,2010,1964\n5,2001,2021\n3,2011,1961\n",
        "flat,name,age\nat visit,at visit,\n1,Baum,12\n2,Frei,18\n#3,Frei,51\n",
        "age,zip,sex\n(revised),of person,(revised)\n>=50,130**,F\n20-29,1485*,F\n40-49,*,M\n",
        "a,b,c\n1,2,3\nx,,4\ny,,5\n",
        *(f"Region,City,Name\n{line}\n{TEXTS}" for line in ("(%),[s],(kg)", "mg/l,%,kg", "s,-,%", "<chr>,<dbl>,<x>")),
        "id\tname\tv\nUInt32\tString\tNullable(Float64)\n0\tx\t\\N\n1\ty\t1.5\n",
        "Protein\tA\tB\n#!{Type}T\tE\tE\nP1\t4\tNaN\nP2\t5\t6\n",
        "name,sex,code\ncontinuous,discrete,discrete\n,,class\nAnn,f,A65\nBob,m,B26\n",
        "id;town;n\nN = 2;;\n1;Ulm;4\n2;Bonn;5\n",
        "town;code\nTotal;\nUlm;C13\nBonn;C14\n",
        "town;n;m\nTotal;5;7,5\nUlm;2;3,5\nBonn;3;4\n",
        "GEO_ID,NAME,E,M\nGeography,Area Name,Estimate!!Total,Margin of Error\n05US00,Adams,123,*****\n05US01,Al,4,1\n",
        "id,code,sex\nRecord number,Code of ward,Sex of person\nP1,A3,m\nP2,B4,f\n",
        "class\tlevel\nKlasse\tStufe\nA\tC\nA\tB\nC\tD\n",
        "Region;level;group\ntotal;per cent;total\nOhio;D;D\nUtah;A;A\n",
        "age,level\nage_de,level_de\nold,D\nnew,A\n",
        "A,B,C\ntown,kind,name\nUlm,x,Ann\nBonn,y,Bob\n",
        "v1;v2;v3\nRegion;City;Name\nOhio;Rome;Ann\nUtah;Bern;Bob\n",
        "A|B|C\nQ1. name|1991|note, 2\nAnn|12 Elm|ok\nBob|3 High|late\n",
        "age;id\n1;2\n47;504\n82;505\n9;506\n",
        "value,score,id\n1,2,3\n99,4,351\n82,2,352\n35,5,353\n",
        "level,town\ngrade,Comment\nC,ok\nD,late\nC,ok\nD,late\n",
        "Street,Town,Note\nSTREET,Region (2020),Kind\nElm,Ulm,ok\nHigh,Bonn,late\nElm,Bonn,ok\n",
        "level\nN = 3\nC\nB\nB\n",
    ],
)
def test_what_may_be_a_part_of_the_header_is_refused(content: str) -> None:
    error = refusal(content.encode(), name="x.csv")
    assert (error.row, error.problem) == (2, PART)


@pytest.mark.parametrize(
    "content",
    [
        "a,b,c\n1,2,3\n2,5,4\n3,1,1\n",
        "id,val\n1,2\n2,3.5\n3,4.7\n",
        "a,b\n1,2\n3,x\n",
        "from,to\nn1,n2\nn2,n3\nn1,n3\n",
        "V1,V2,V3\nred,new,Ann\nblue,old,Bob\n",
        "name,phone,mail\nAnn,,\nBob,1,x\nCy,2,y\n",
        "kind,n\ntotal,5\nmean,2\nrate,1\n",
        "range,town\n(low),Ulm\n(high),Bonn\n",
        "street,note\nElm Court,late\n12 Elm,none\n3 High,ok\n",
        "A,B,C\nP1,x1,q1\nP2,x2,q2\nP3,x3,q3\n",
        "age,id\n1,2\n47,3\n82,4\n9,5\n",
        "level,n\nC,1\nD,2\nC,3\nD,4\n",
    ],
)
def test_first_records_stay(content: str) -> None:
    assert read_table(content.encode()).rows == content.count("\n") - 1


@pytest.mark.parametrize(
    "content",
    [
        "Report: Cases\nDate: 2021-03-04\nUser: admin\nplz\n12345\n23456\n34567\n",
        "Param0,61\nParam1,7\nParam2,5\nid,age_group\nS1,[20-30)\nS2,[30-40)\n",
        "Device,X1\nOperator,Ann\nid,group\nS1,a\nS2,b\n",
        '"Konto:","DE12"\n"Stand:","5 EUR"\nM,P\nUlm,x\nBonn,y\n',
    ],
)
def test_keys_and_values_above_are_no_header(content: str) -> None:
    error = refusal(content.encode(), name="x.csv")
    assert (error.row, error.problem) == (1, OF_FILE)


def test_a_name_may_begin_with_a_sign_of_comments() -> None:
    assert read_table(b"#id,town\n1,Ulm\n2,Bonn\n").names == ("#id", "town")
    assert read_table(b'# "id";"town"\n"1";"Ulm"\n', quote="").names == ('# "id"', '"town"')
    assert read_table(b"date,amount\n2021-03-04,5\n2021-03-05,7\n").rows == 2


@pytest.mark.parametrize(
    "content",
    [
        "This file lists all cases, by region\n\ntown,class\nUlm,B\nBonn,D\n",
        'All cases, by region; see manual\r\n\r\n"town";"Q1. class"\r\n"Ulm";"B"\r\n"Bonn";"D"\r\n',
    ],
)
def test_a_sentence_apart_from_the_records_is_no_header(content: str) -> None:
    error = refusal(content.encode(), name="x.csv")
    assert (error.row, error.problem) == (1, "the line may be a title rather than name the columns")


def test_blanks_behind_delimiters_are_no_sentence() -> None:
    assert read_table(b"town, class\nUlm,B\nBonn,D\n").rows == 2
