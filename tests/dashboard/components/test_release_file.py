"""The notice of the order of records: only where it links them, with a file that does not."""

import pytest

from metrics.texts import text
from tests.dashboard.application import captions, csv, go, loaded, opened

PEOPLE = [(age, illness) for age, illness in zip("122334455", "abcabcabc", strict=True)]
COLUMNS = ("age", "illness")
ROLES = {"age": "quasi-identifier", "illness": "sensitive"}


@pytest.mark.parametrize("order", [range(9), (4, 2, 7, 0, 8, 1, 3, 6, 5)])
def test_the_order_of_the_original_is_noticed_and_the_file_offered_has_another_one(order: range | tuple[int]) -> None:
    anonymized = csv(COLUMNS, *(PEOPLE[at] for at in order))
    app = opened(loaded(csv(COLUMNS, *PEOPLE), anonymized, **ROLES), "verdict")
    in_order = order == range(9)
    assert (text("verdict.in_order") in [notice.value for notice in app.warning]) is in_order
    offered = [button.proto.label for button in app.get("download_button")]
    assert (text("verdict.sorted_file") in offered) is in_order
    besides = f":material/warning: {text('verdict.in_order')}"
    for page in ("attacks", "risk"):
        assert (besides in captions(go(app, page))) is in_order
