"""A hierarchy written as a file is read back as it was, whatever its labels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Hierarchy, read_hierarchies
from metrics.hierarchies.builders import to_csv
from metrics.hierarchies.files import read_hierarchy
from tests.hierarchies.builders.generated import TEXT, made_of
from tests.support.reference_data import reference


@pytest.mark.parametrize("label", ["34,5", 'a"b', "'x'", "a|b", "a\tb", "a;b", "a\nb", "sep=;", '""', "=1+1", "ü,ß"])
def test_labels_that_look_like_delimiters_or_quotes_come_back(label: str) -> None:
    hierarchy = Hierarchy([[label, f"{label}, {label},", "*"], ["b", "c", "*"], ["", "", "*"]])
    assert read_hierarchy(to_csv(hierarchy)).rows == hierarchy.rows


@given(st.dictionaries(TEXT.map(str.strip), TEXT.map(str.strip).filter(bool), min_size=1, max_size=12))
def test_any_labels_survive_their_file(parent_of: dict[str, str]) -> None:
    hierarchy = made_of(lambda: Hierarchy([[leaf, parent] for leaf, parent in parent_of.items()]))
    if hierarchy is not None:
        assert read_hierarchy(to_csv(hierarchy)).rows == hierarchy.rows


FOLDERS = ("adult/adult_hierarchy", "adult/adult_hierarchy_intervals", "patient/patient_hierarchy")


@pytest.mark.reference
@pytest.mark.parametrize("folder", FOLDERS)
def test_reference_hierarchies_are_unchanged_after_writing_and_reading(folder: str) -> None:
    for hierarchy in read_hierarchies(reference("petworks", *folder.split("/"))).values():
        assert read_hierarchy(to_csv(hierarchy)).rows == hierarchy.rows
