"""The settings file: written and read back without loss, and refused in one sentence if it is anything else."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import metrics
from metrics import METRICS, Hierarchy, InputError, Parameters, Policy, Roles
from metrics.config.parameters import (
    GroundDistance,
    P29Parameters,
    ProfitabilityParameters,
    RecursiveDiversityParameters,
    TClosenessParameters,
)
from metrics.metric import Direction
from metrics.policy.built_in_policies import NO_LIMITS
from metrics.policy.settings import ReadOptions, Settings, TableSettings
from metrics.policy.settings_file import parse_settings
from metrics.tables.matching_rule import Duplicates, MatchingRule, Unmatched

# Names and labels are trimmed wherever they are read.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8).map(str.strip)
names = texts.filter(bool)
amounts = st.floats(0, 1e15)
shares = st.floats(0, 1)


@st.composite
def weights(draw: st.DrawFn) -> P29Parameters:
    first = draw(shares)
    second = draw(st.floats(0, 1 - first))
    return P29Parameters(first, second, max(1 - first - second, 0.0), draw(shares))


@st.composite
def hierarchies(draw: st.DrawFn) -> Hierarchy:
    leaves = draw(st.lists(names, min_size=1, max_size=5, unique=True))
    levels = draw(st.integers(0, 2))
    rows = [[leaf, *(f"{leaf[:1]}{level}" for level in range(levels))] for leaf in leaves]
    parents: dict[str, list[str]] = {}
    return Hierarchy([parents.setdefault(row[0], row) for row in rows], name=draw(texts))


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    limits: dict[str, float | bool] = {}
    for metric in draw(st.sets(st.sampled_from(METRICS))):
        if metric.direction is Direction.TRUE:
            limits[metric.id] = True
        else:
            limits[metric.id] = draw(st.floats(metric.minimum or 0, 1e9 if metric.maximum is None else metric.maximum))
    if draw(st.booleans()):
        limits["suppression"] = draw(st.floats(0, 1))
    return Policy(draw(names.filter(str.strip)), limits)


tables = st.builds(
    TableSettings,
    texts,
    st.text("0123456789abcdef", min_size=64, max_size=64),
    st.builds(
        ReadOptions,
        *[st.none() | texts] * 5,
        missing=st.lists(texts, max_size=3).map(tuple),
    ),
)


matchings = st.just(MatchingRule()) | st.builds(
    MatchingRule,
    st.lists(names, min_size=1, max_size=3, unique=True).map(tuple),
    st.sampled_from(Duplicates),
    st.sampled_from(Unmatched),
)


@st.composite
def documents(draw: st.DrawFn) -> Settings:
    columns = draw(st.lists(names, max_size=8, unique=True))
    cut = [draw(st.integers(0, len(columns))) for _ in range(3)]
    a, b, c = sorted(cut)
    return Settings(
        roles=Roles(
            columns[:a],
            columns[a:b],
            columns[b:c],
            columns[c:],
            weight=draw(st.none() | names),
            person=draw(st.none() | names),
            household=draw(st.none() | names),
            item=draw(st.none() | names),
            not_identifying=columns[:a],
            key_sets={} if a == 0 else draw(st.dictionaries(names, st.just(tuple(columns[:a])), max_size=2)),
            column_weights={name: 0.25 for name in columns[: min(a, 1)]},
            highest_levels={name: 0 for name in columns[:a]},
        ).matched(draw(matchings)),
        parameters=Parameters(
            draw(weights()),
            ProfitabilityParameters(*(draw(amounts) for _ in range(4)), draw(st.booleans()), draw(st.booleans())),
            TClosenessParameters(draw(shares), draw(st.dictionaries(names, st.sampled_from(GroundDistance)))),
            RecursiveDiversityParameters(draw(st.integers(2, 10**9))),
        ),
        policy=draw(policies()),
        hierarchies=draw(st.dictionaries(names, hierarchies(), max_size=3)),
        original=draw(st.none() | tables),
        anonymized=tuple(
            replace(table, matching=draw(st.none() | matchings)) for table in draw(st.lists(tables, max_size=2))
        ),
    )


def known(settings: Settings) -> list[object]:
    """Everything that settings hold, comparable."""
    trees = {column: (tree.rows, tree.name, tree.root_added) for column, tree in settings.hierarchies.items()}
    parts = (settings.parameters, settings.policy, settings.original, settings.anonymized)
    return [settings.roles, *parts, trees]


@given(documents())
def test_settings_come_back_as_they_were(settings: Settings) -> None:
    text = settings.to_json()
    again = parse_settings(text.encode(), "settings.json")
    assert known(again) == known(settings)
    assert again.to_json() == text
    json.loads(text, parse_constant=pytest.fail)


def test_settings_are_read_from_a_file(tmp_path: Path) -> None:
    settings = Settings(Roles(["zip", "質"], ["illness"], key="id"), policy=Policy("Strict", {"p29": 0.25}))
    path = tmp_path / "settings.json"
    path.write_text(settings.to_json(), encoding="utf-8-sig")
    assert known(metrics.read_settings(path)) == known(settings)
    with pytest.raises(InputError, match=r"absent\.json: the file cannot be read"):
        metrics.read_settings(tmp_path / "absent.json")


def test_settings_left_out_keep_their_defaults() -> None:
    settings = parse_settings(b'{"schema_version": 1, "parameters": {"p29": {"t_max": 0}}}', "s.json")
    assert settings.parameters == Parameters(p29=P29Parameters(t_max=0.0))
    assert known(settings)[0] == Roles()
    assert (settings.policy, settings.tables, settings.hierarchies) == (NO_LIMITS, (), {})


BAD: list[tuple[object, str]] = [
    ([], '"settings"'),
    ({}, '"schema_version"'),
    ({"schema_version": True}, '"schema_version"'),
    ({"schema_version": "1"}, '"schema_version"'),
    ({"schema_version": 2}, '"schema_version"'),
    ({"__class__": "os.system"}, 'there is no key "__class__"; use schema_version'),
    ({"\x1b[31m": 1}, 'there is no key "⟨U+001B⟩[31m"'),
    ({"roles": {"quasi": []}}, 'there is no key "quasi" in "roles"'),
    ({"roles": {"sensitive": "zip"}}, '"roles.sensitive"'),
    ({"roles": {"sensitive": [1]}}, '"roles.sensitive"'),
    ({"roles": {"sensitive": ["\ud800"]}}, '"roles.sensitive"'),
    ({"roles": {"key": 1}}, '"roles.key"'),
    ({"roles": {"key": ["a", 1]}}, '"roles.key"'),
    ({"roles": {"key": ["a", "a"]}}, 'column "a": the key names the column twice'),
    ({"roles": {"key": "a", "duplicates": "last"}}, '"duplicates"'),
    ({"roles": {"key": "a", "unmatched": "first"}}, '"unmatched"'),
    ({"roles": {"duplicates": "first"}}, "duplicates"),
    ({"roles": {"sensitive": ["a"], "identifiers": ["a"]}}, 'column "a"'),
    ({"parameters": {"p30": {}}}, 'there is no key "p30" in "parameters"'),
    ({"parameters": {"p29": {"w": 1}}}, 'there is no key "w" in "parameters.p29"'),
    ({"parameters": {"p29": {"w_k": "1"}}}, '"parameters.p29.w_k"'),
    ({"parameters": {"p29": {"w_k": True}}}, '"parameters.p29.w_k"'),
    ({"parameters": {"p29": {"w_k": 1}}}, "p29.w_k, p29.w_l and p29.w_t are not non-negative numbers with sum 1"),
    ({"parameters": {"profitability": {"allow_attack": 1}}}, '"parameters.profitability.allow_attack"'),
    ({"parameters": {"profitability": {"adversary_cost": 10**400}}}, "adversary_cost"),
    ({"parameters": {"recursive_cl_diversity": {"l": 2.0}}}, '"parameters.recursive_cl_diversity.l"'),
    ({"parameters": {"t_closeness": {"distance": {"a": "far"}}}}, '"parameters.t_closeness.distance.a"'),
    ({"parameters": {"t_closeness": {"distance": {"a": []}}}}, '"parameters.t_closeness.distance.a"'),
    ({"thresholds": {"p29": 1}}, '"thresholds"'),
    ({"policy": {"name": "a", "limit": {}}}, 'there is no key "limit" in "policy"'),
    ({"policy": {"name": 1}}, "name of the policy"),
    ({"policy": {"name": " "}}, "name of the policy"),
    ({"policy": {"name": "a", "limits": {"p30": 1}}}, 'there is no metric "p30"'),
    ({"policy": {"name": "a", "limits": {"p29": "1"}}}, '"policy.limits.p29"'),
    ({"policy": {"name": "a", "limits": {"suppression": 1.5}}}, "the limit of suppression is out of range"),
    ({"policy": {"name": "a", "limits": {"p29": 2}}}, "the limit of p29 is out of range; set a number from 0 to 1"),
    ({"policy": {"name": "a", "limits": {"p29": True}}}, "the limit of p29 is out of range"),
    ({"policy": {"name": "a", "limits": {"profitability": 1}}}, "the limit of profitability is not true"),
    ({"hierarchies": {"a": []}}, '"hierarchies.a"'),
    ({"hierarchies": {"a": {"rows": [["x", 1]]}}}, '"hierarchies.a.rows"'),
    ({"hierarchies": {"a": {"rows": []}}}, '"hierarchies.a"'),
    (
        {"hierarchies": {"a": {"rows": [["SECRET", "x"], ["SECRET", "y"]]}}},
        "row 2",
    ),
    ({"tables": {"original": {"name": "a", "sha256": "abc"}}}, '"tables.original.sha256"'),
    ({"tables": {"original": {"sha256": "a" * 64}}}, '"tables.original.name"'),
    ({"tables": {"anonymized": None}}, '"tables.anonymized"'),
    ({"tables": {"anonymized": [{"path": "/etc/passwd"}]}}, 'there is no key "path" in "tables.anonymized"'),
    ({"tables": {"original": {"matching": {}}}}, 'there is no key "matching" in "tables.original"'),
    (
        {"tables": {"anonymized": [{"name": "a", "sha256": "a" * 64, "matching": {"keys": 1}}]}},
        'there is no key "keys" in "tables.anonymized.matching"',
    ),
]


@pytest.mark.parametrize(("content", "fault"), BAD, ids=lambda value: value if isinstance(value, str) else "")
def test_a_fault_in_a_settings_file_is_reported_with_its_key(content: Any, fault: str) -> None:
    if isinstance(content, dict) and content and "schema_version" not in content:
        content = {"schema_version": 1, **content}
    expect_fault(json.dumps(content).encode(), fault)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "not valid JSON"),
        (b"{", "line 1: the file is not valid JSON"),
        (b"\xff\xfe", "the file is not UTF-8 text"),
        (b'{"schema_version": 1, "schema_version": 1}', '"schema_version"'),
        (b'{"schema_version": 1, "policy": {"limits": {"p29": NaN}}}', '"policy.limits.p29"'),
        (b'{"schema_version": 1, "policy": {"limits": {"p29": 1e999}}}', '"policy.limits.p29"'),
        (b"[" * 200_000, "settings"),
        (b"9" * 10_000, "settings"),
        (b"cos\nsystem\n(S'true'\ntR.", "not valid JSON"),
        (b"!!python/object/apply:os.system ['true']", "not valid JSON"),
    ],
)
def test_a_file_that_is_no_document_is_reported(content: bytes, fault: str) -> None:
    expect_fault(content, fault)


def expect_fault(content: bytes, fault: str) -> None:
    with pytest.raises(InputError) as raised:
        parse_settings(content, "settings.json")
    message = str(raised.value)
    assert message.startswith("settings.json")
    assert fault in message
    assert message.endswith(".")
    assert "\n" not in message
    assert "SECRET" not in message


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.text(max_size=5) | st.sampled_from([*Settings().to_dict(), *Parameters().to_dict(), "rows", "a"]),
                inner,
            )
        ),
    )
)
@example({"schema_version": 1, "hierarchies": {"a": {"rows": [[]]}}})
def test_any_json_is_read_as_settings_or_refused_in_one_sentence(content: Any) -> None:
    if isinstance(content, dict):
        content = {**content, "schema_version": 1}
    message = ""
    try:
        parse_settings(json.dumps(content).encode(), "settings.json")
    except InputError as error:
        message = str(error)
    assert "\n" not in message
    assert message.startswith("settings.json" if message else "")
