"""The data of a figure as a file."""

import io

import pandas as pd
import pyarrow as pa

from dashboard.components.figure_data import csv_of


def test_the_data_of_a_figure_is_offered_as_csv_with_formulas_neutralized() -> None:
    frame = pd.DataFrame({"a": ["=1+1", "é"], "n": [1, 2]}, index=[5, 6])
    assert csv_of(frame) == '"a","n"\n"\'=1+1",1\n"é",2\n'.encode()
    assert csv_of(pa.table({"n": [0.5]})) == b'"n"\n0.5\n'
    assert pd.read_csv(io.BytesIO(csv_of(frame)))["n"].tolist() == [1, 2]
