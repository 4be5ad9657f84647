"""What settings say of each table: how it is read, and how its records are matched."""

from metrics import Roles
from metrics.policy.settings import ReadOptions, Settings, TableSettings
from metrics.tables.matching_rule import Duplicates, MatchingRule


def test_tables_are_known_by_their_bytes_else_by_their_name() -> None:
    first = TableSettings("a.csv", "1" * 64, ReadOptions(delimiter=";"))
    second = TableSettings("b.csv", "2" * 64, ReadOptions(missing=("?",)))
    settings = Settings(original=first, anonymized=(second,))
    assert settings.reading_of("b.csv", "1" * 64) == first.reading
    assert settings.reading_of("b.csv", "3" * 64) == second.reading
    assert settings.reading_of("c.csv", None) == ReadOptions()


def test_a_candidate_is_matched_as_was_chosen_for_it() -> None:
    own = MatchingRule(("id", "visit"), Duplicates.FIRST)
    first, second = TableSettings("a.csv", "1" * 64, matching=own), TableSettings("b.csv", "2" * 64)
    settings = Settings(Roles(["zip"], key="id"), anonymized=(first, second))
    assert settings.roles_of("b.csv", "1" * 64).matching == own
    assert settings.roles_of("a.csv", None).matching == own
    assert settings.roles_of("b.csv", None) == settings.roles
    assert settings.roles_of("c.csv", "3" * 64) == settings.roles
