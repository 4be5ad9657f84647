"""How records are to be matched: by one column or several, and what becomes of those that cannot be."""

from metrics import Roles
from metrics.config.roles_file import parse_roles
from metrics.tables.matching_rule import Duplicates, MatchingRule, Unmatched


def test_a_key_is_one_column_or_several() -> None:
    assert parse_roles("key: 7", "r.yaml").roles.key == "7"
    several = parse_roles("key: [ward, ' bed']\nduplicates: first\nunmatched: leave_out", "r.yaml").roles
    assert several.key == ("ward", "bed")
    assert several.matching == MatchingRule(("ward", "bed"), Duplicates.FIRST, Unmatched.LEAVE_OUT)
    assert several == Roles(key=["ward", "bed"], duplicates="first", unmatched="leave_out")
    assert Roles(key=["id"]) == Roles(key="id")
    assert Roles(key=[]) == Roles()
    assert several.matched(MatchingRule()) == Roles()
