"""Text from files must stay text where Streamlit reads Markdown; what a browser makes of it is tested there."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.text import metric_help, plain
from metrics.formatting import visible
from metrics.scoring.catalog import BY_ID

SIGNS = "\\`*_{}[]()#+-.!|<>$:~^=&"
JOINER = "\u2060"


@given(st.text(st.sampled_from(SIGNS + "abw/@ \n\u202e"), max_size=30))
def test_every_sign_with_a_meaning_has_a_backslash(text: str) -> None:
    escaped = plain(text)
    assert re.sub(r"\\(.)", r"\1", escaped).replace(JOINER, "") == visible(text)
    bare = re.sub(r"(?<=[a-z])[-_](?=[a-z])", "", re.sub(r"\\.", "\\\\", escaped)).replace("\\", "")
    assert not set(bare) & set(SIGNS)


def test_a_name_of_several_words_has_no_backslash() -> None:
    assert plain("marital-status, zip_code") == "marital-status, zip_code"
    assert plain("- a _b_ c. d") == r"\- a \_b\_ c\. d"


@pytest.mark.parametrize(
    "sought",
    ["www.", "://", "@a", "->", "<-", "<->", "--", ">=", "<=", "~=", ":material/", ":material_", ":streamlit:", "WWW."],
)
def test_sequences_that_streamlit_replaces_are_split_by_an_invisible_character(sought: str) -> None:
    read = re.sub(r"\\(.)", r"\1", plain(f"a {sought} b"))
    assert sought not in read
    assert read.replace(JOINER, "") == f"a {sought} b"


def test_signs_that_steer_the_text_are_shown() -> None:
    shown = plain("a\u202eb\tc\nd\x00")
    assert not re.search(r"[\u202e\t\n\x00]", shown)
    assert all(code in shown for code in ("202E", "0009", "000A", "0000"))


def test_missing_and_empty_cells_are_shown_by_name() -> None:
    assert (plain(None), plain("")) == (r"\(missing\)", r"\(empty\)")


def test_ordinary_words_are_not_escaped() -> None:
    assert plain("marital status, 質問 é “x”") == "marital status, 質問 é “x”"


def test_a_help_names_the_meaning_and_the_range() -> None:
    entropy = metric_help(BY_ID["non_uniform_entropy"])
    assert entropy.startswith(BY_ID["non_uniform_entropy"].meaning)
    assert entropy.endswith("Range: 0% to 100%.")
    assert metric_help(BY_ID["t_closeness"]).endswith("Range: 0 to 1.")
    assert metric_help(BY_ID["membership_attack"]).endswith("Range: −100% to 100%.")
