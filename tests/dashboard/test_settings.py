"""A session saved and taken up again."""

from dataclasses import replace
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from dashboard.components.uploader import apply_settings
from dashboard.loading import ReadOptions
from dashboard.session_file import session_file
from dashboard.settings import lacking_keys, original_order_file, restore, saved_tables, settings_of
from dashboard.workspace import Slot, Workspace
from metrics import Hierarchy, InputError, Parameters, Policy
from metrics.config.parameters import GroundDistance, P29Parameters, TClosenessParameters
from metrics.config.roles import Role
from metrics.policy.settings import Settings
from metrics.policy.settings_file import parse_settings
from metrics.recipes.recipe import Recipe
from metrics.tables.matching_rule import MatchingRule
from tests.dashboard.application import csv, opened, start, state_of, upload
from tests.dashboard.reading_requests import reading_requests

ORIGINAL = csv(["id", "zip", "disease"], [1, "12345", "flu"], [2, "12346", "?"])
CANDIDATE = csv(["id", "zip", "disease"], [1, "1234*", "flu"], [2, "1234*", "?"])


def loaded() -> Workspace:
    state = Workspace()
    state.tables.add(Slot.ORIGINAL, "original.csv", ORIGINAL)
    state.tables.add(Slot.ANONYMIZED, "candidate.csv", CANDIDATE)
    return state


def chosen() -> Workspace:
    """A session in which everything differs from the defaults."""
    state = loaded()
    state.tables.change(Slot.ANONYMIZED, "candidate.csv")
    state.tables.imports[0].set("missing", ("?",))
    state.tables.confirm(state.tables.imports[0])
    state.roles = {"id": Role.IDENTIFIER, "zip": Role.QUASI_IDENTIFIER, "disease": Role.SENSITIVE}
    state.matching.choose_for_all(MatchingRule(("id",)))
    distances = {"disease": GroundDistance.EQUAL}
    state.policy.parameters = Parameters(P29Parameters(1, 0, 0), t_closeness=TClosenessParameters(0.1, distances))
    state.policy.choose(Policy("Own", {"k_anonymity": 7}))
    state.hierarchies = {"disease": Hierarchy([["flu", "any"], ["?", "any"]], name="disease.csv")}
    return state


def restored(state: Workspace, settings: Settings) -> list[str]:
    """Through a file, as a user does it."""
    restore(state, parse_settings(settings.to_json().encode(), "settings.json"))
    return [*(table.description for table in saved_tables(state) if not table.is_loaded), *lacking_keys(state)]


def test_a_session_is_restored_unchanged_from_its_settings() -> None:
    before, after = chosen(), loaded()
    assert restored(after, settings_of(before)) == []
    assert settings_of(after).to_dict() == settings_of(before).to_dict()
    assert after.roles == before.roles
    assert after.matching.rule == MatchingRule(("id",))
    assert after.tables.versions["candidate.csv"].options == before.tables.versions["candidate.csv"].options
    assert after.tables.versions["candidate.csv"].table["disease"].labels == ["flu", None]
    assert after.card("candidate.csv").to_dict() == before.card("candidate.csv").to_dict()


def test_restoring_unchanged_settings_recomputes_nothing() -> None:
    state = chosen()
    card = state.card("candidate.csv")
    assert restored(state, settings_of(state)) == []
    assert state.card("candidate.csv") is card


def test_tables_that_are_not_loaded_are_named_and_their_roles_wait() -> None:
    settings = settings_of(chosen())
    state = Workspace()
    lacking = restored(state, settings)
    assert lacking[:2] == [f"{table.name} (sha256 {table.sha256[:12]}…)" for table in settings.tables]
    assert "id" in lacking[2]
    state.tables.add(Slot.ORIGINAL, "original.csv", ORIGINAL)
    assert state.roles["disease"] is Role.SENSITIVE
    assert [table.is_loaded for table in saved_tables(state)] == [True, False]
    assert lacking_keys(state) == []


def test_names_of_candidates_and_every_loaded_table_are_saved() -> None:
    before = loaded()
    before.tables.add(Slot.HOLDOUT, "holdout.csv", ORIGINAL)
    before.tables.add(Slot.POPULATION, "population.csv", CANDIDATE)
    before.rename("candidate.csv", "for partners")
    recipe = Recipe(())
    made = before.keep("made here", before.tables.versions["for partners"].table, MatchingRule(), recipe)
    file = before.tables.versions[made].file.unpacked()
    settings = settings_of(before)
    assert [table.name for table in settings.tables] == [
        "original.csv",
        "candidate.csv",
        original_order_file(made),
        "population.csv",
        "holdout.csv",
    ]
    after = Workspace()
    assert len(restored(after, settings)) == 5
    after.tables.add(Slot.ANONYMIZED, "candidate.csv", CANDIDATE)
    after.tables.add(Slot.ANONYMIZED, original_order_file(made), file)
    assert after.tables.labels == ["for partners", made]
    after.rename("for partners", "for all")
    after.tables.add(Slot.ORIGINAL, "original.csv", ORIGINAL)
    assert after.tables.labels == ["for all", made]


def test_settings_that_rename_columns_and_replace_values_are_read() -> None:
    state = loaded()
    (table,) = settings_of(state).anonymized
    reading = replace(table.reading, renamed=(("zip", "postcode"),), same_values=(("postcode", "1234*", "1***"),))
    saved = replace(settings_of(state), anonymized=(replace(table, reading=reading),)).to_json()
    restore(state, parse_settings(saved.encode(), "s.json"))
    (candidate,) = state.tables.versions.values()
    assert "1***" in candidate.table["postcode"].labels


def test_a_changed_table_is_another_table() -> None:
    state = loaded()
    state.remove(Slot.ANONYMIZED, "candidate.csv")
    state.tables.add(Slot.ANONYMIZED, "candidate.csv", CANDIDATE.replace(b"flu", b"FLU"))
    assert len(restored(state, settings_of(chosen()))) == 1


def test_ground_distances_of_columns_no_longer_sensitive_are_not_saved() -> None:
    state = chosen()
    state.roles["disease"] = Role.INSENSITIVE
    assert settings_of(state).parameters.t_closeness.distance == {}


def test_a_file_that_is_refused_changes_nothing() -> None:
    state = chosen()
    before = settings_of(state).to_json()
    good = settings_of(loaded())
    assert good.original is not None
    unreadable = replace(good, original=replace(good.original, reading=ReadOptions(encoding="klingon")))
    for content in (b"{}", b"<script>", unreadable.to_json().encode()):
        with pytest.raises(InputError):
            apply_settings(state, "settings.json", content)
        assert settings_of(state).to_json() == before
        assert state.tables.messages["settings_notes"] == []


def test_a_settings_file_is_parsed_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    content = settings_of(chosen()).to_json().encode()
    state, asked = loaded(), reading_requests(monkeypatch)
    apply_settings(state, "settings.json", content)
    assert state.restored is not None
    assert parse_settings in asked


def test_the_page_restores_a_settings_file_and_reports_what_is_missing_or_wrong() -> None:
    state = chosen()
    content = settings_of(state).to_json().encode()
    fresh = loaded()
    fresh.remove(Slot.ORIGINAL, "original.csv")
    app = upload(opened(fresh), "upload_settings", {"settings.json": content})
    assert fresh.policy.current == state.policy.current
    assert [found.value for found in app.success] == ["Settings restored from settings\\.json\\."]
    (missing,) = [found.value for found in app.warning if "original\\.csv" in found.value]
    assert "- ✓ candidate\\.csv" in missing
    upload(app, "upload_settings", {"bad.json": b'{"schema_version": 1, "roles": []}'})
    assert len(app.error) == 1
    assert app.error[0].value.startswith('bad\\.json\\: "roles"')
    assert not app.success


def test_settings_can_be_restored_before_any_table_is_loaded() -> None:
    app = upload(start(), "upload_settings", {"s.json": settings_of(chosen()).to_json().encode()})
    assert [found.value for found in app.success] == ["Settings restored from s\\.json\\."]
    assert state_of(app).policy.current == Policy("Own", {"k_anonymity": 7})


def test_a_session_is_restored_with_the_versions_made_in_it_and_their_order() -> None:
    before = chosen()
    table = before.tables.versions["candidate.csv"].table
    first = before.keep("made of a version", table, MatchingRule(), Recipe(()), "candidate.csv")
    content = session_file(before)
    after = loaded()
    apply_settings(after, "session.zip", content)
    assert after.tables.labels == before.tables.labels
    assert after.source_of(first) == "candidate.csv"
    recipe = after.recipe_of(first)
    assert recipe is not None
    assert recipe.to_yaml() == Recipe(()).to_yaml()
    assert settings_of(after).to_dict() == settings_of(before).to_dict()
    fresh = Workspace()
    apply_settings(fresh, "session.zip", content)
    fresh.tables.add(Slot.ANONYMIZED, "candidate.csv", CANDIDATE)
    assert fresh.tables.labels == before.tables.labels


def test_a_file_that_is_no_session_changes_nothing() -> None:
    state = chosen()
    before, good = settings_of(state).to_json(), session_file(state)
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        archive.writestr("confidential-settings.json", " " * 1_000_000)
    unnamed = BytesIO()
    with ZipFile(unnamed, "w") as archive:
        archive.writestr("confidential-settings.json", before)
        archive.writestr("versions.json", '[{"table": "absent"}]')
    for content in (good[: len(good) // 2], packed.getvalue(), unnamed.getvalue()):
        with pytest.raises(InputError, match="holds no saved session"):
            apply_settings(state, "session.zip", content)
        assert settings_of(state).to_json() == before
