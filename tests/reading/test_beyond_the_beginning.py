"""What stands beyond the first mebibyte of a file is asked about, whatever its encoding and line ends are."""

import pandas as pd

from metrics import k_anonymity, propose, read_table


def test_notes_of_several_lines_are_left_out_whole() -> None:
    records = "".join(f"{number},x,{number}\n" for number in range(29))
    content = f'id,name,age\n{records}Total,,150\n"Source: city,\nand others"\n'.encode()
    proposal = propose(content)
    assert proposal.plan.footer_lines == 3
    assert read_table(content, plan=proposal.plan).rows == 29


def test_columns_that_pandas_cut_are_read_as_it_writes_them() -> None:
    months = pd.period_range("2020-01", periods=4, freq="M")
    frame = pd.DataFrame({"age": pd.cut([1, 5, 9, 2], [0, 3, 6, 10]), "month": months})
    assert [row[0] for row in read_table(frame).head(4)] == ["(0, 3]", "(3, 6]", "(6, 10]", "(0, 3]"]
    assert read_table(frame).head(1)[0][1] == "2020-01"
    assert k_anonymity(frame, ["age"]) == 1
