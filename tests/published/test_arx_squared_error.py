"""ARX 3.9.2's squared errors of the reference tables (oracle.json), to 1e-9."""

import pytest

from metrics.utility.arx_squared_error import arx_squared_error
from tests.published.scoring import api
from tests.published.test_arx import EVALUATED, arx, quasi_identifiers
from tests.support.reference_data import reference

pytestmark = pytest.mark.reference


@pytest.mark.parametrize("name", EVALUATED)
def test_squared_errors_equal_those_of_arx(name: str) -> None:
    expected = arx("evaluation", name)
    given, quality = expected["input"], expected["quality"]
    roles = quasi_identifiers(given["types"])
    card = api(reference(given["anon"]), roles, reference(given["orig"]), reference(given["hier"]))
    if "test3qi" in name:
        # No quasi-identifier is a number. ARX has figures all the same: it takes text by its position in the hierarchy.
        assert card["variance_preserved"].unavailable == "no quasi-identifier contains numbers"
    aggregates = card.aggregates
    found = arx_squared_error(
        {one: aggregates.comparison.pair(one) for one in roles.quasi_identifiers}, aggregates.hierarchies
    )
    assert found is not None
    columns = quality["attribute_level_squared_error"]["per_attribute"]
    assert set(found.by_column) == set(columns)
    for column, of in columns.items():
        assert found.by_column[column].score == pytest.approx(of["value"], rel=1e-9, abs=1e-12), column
        assert found.by_column[column].raw == pytest.approx(of["raw_result"], rel=1e-9)
        assert found.by_column[column].largest == pytest.approx(of["raw_maximum"], rel=1e-9)
    for one, of in (
        (found.sse_sst, quality["ssesst"]),
        (found.record_level, quality["record_level_squared_error"]),
    ):
        assert one.score == pytest.approx(of["value"], rel=1e-9, abs=1e-12)
        assert one.raw == pytest.approx(of["raw_result"], rel=1e-9)
        assert one.largest == pytest.approx(of["raw_maximum"], rel=1e-9)
    if "test3qi" not in name:
        details = card["variance_preserved"].details["arx"]
        assert details == found.details()
        assert details["record_level_squared_error"] == pytest.approx(
            quality["record_level_squared_error"]["value"], rel=1e-9
        )


def test_arx_needs_a_hierarchy_that_holds_every_value() -> None:
    given = arx("evaluation", "patient/arx_test2_vs_patient_anonymized/patient_hierarchy")["input"]
    card = api(
        reference(given["anon"]), quasi_identifiers(given["types"]), reference(given["orig"]), reference(given["hier"])
    )
    # Age's hierarchy lacks the table's labels <=40 and >40: ARX has no figure either.
    assert card["variance_preserved"].details["arx"] is None


def test_many_values_are_looked_at_record_by_record(monkeypatch: pytest.MonkeyPatch) -> None:
    given = arx("evaluation", EVALUATED[0])["input"]
    roles = quasi_identifiers(given["types"])
    aggregates = api(reference(given["anon"]), roles, reference(given["orig"]), reference(given["hier"])).aggregates
    pairs = {one: aggregates.comparison.pair(one) for one in roles.quasi_identifiers}
    by_value = arx_squared_error(pairs, aggregates.hierarchies)
    monkeypatch.setattr("metrics.utility.arx_squared_error._MAX_CELLS", 0)
    by_record = arx_squared_error(pairs, aggregates.hierarchies)
    assert by_value is not None
    assert by_record is not None
    assert by_record.record_level.raw == pytest.approx(by_value.record_level.raw, rel=1e-12)
