"""What does not fit between the tables, how their records match, and what the user decides about those that do not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Any, TypeVar

import streamlit as st

from dashboard.components.chart import chart_data, data_table
from dashboard.session import bound
from dashboard.state.matching_state import MatchedPair
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.config.roles import Roles
from metrics.errors import InputError
from metrics.formatting import join_names, pluralize, visible
from metrics.hierarchies.files import check_coverage
from metrics.matching.records import MatchedSide, RecordMatching, record_table
from metrics.tables.matching_rule import Duplicates, MatchingRule, Unmatched
from metrics.tables.table import SUPPRESSED, Table, quoted
from pages.data.columns import absent_columns

_ABOUT = (
    "Most utility metrics and attacks compare each anonymized record with its original, so records must be matched. "
    "Measures of equivalence classes count every anonymized record, matched or not."
)
_MAX_OFFERED = 3
_MAX_ROWS = 100
_DUPLICATES = {
    Duplicates.REFUSE: "Not decided",
    Duplicates.FIRST: "Compare the first record of each",
    Duplicates.LEAVE_OUT: "Leave all of them out",
}
_UNMATCHED = {Unmatched.REFUSE: "Not decided", Unmatched.LEAVE_OUT: "Leave them out"}
_UNDECIDED = "Nothing is compared with the original until you decide."

Choice = TypeVar("Choice", Duplicates, Unmatched)


def problems(state: Workspace) -> list[str]:
    """Sentences that name the file, what is wrong and what to do; none if all is well."""
    sentences: dict[str, None] = {}
    original = None if state.tables.original is None else state.tables.original.table
    if not state.chosen_roles().quasi_identifiers:
        return []
    absent = absent_columns(state)
    for label, loaded in state.tables.versions.items():
        table, roles = loaded.table, state.roles_for(label)
        if not {*roles.quasi_identifiers, *roles.sensitive}.isdisjoint(absent):
            continue  # said of all versions at once
        if not _passes(sentences, roles.check, table, original):
            continue
        if original is not None:
            _passes(sentences, _check_columns, original, table, [*roles.identifiers, *absent])
            _passes(sentences, _check_order, original, table, roles)
            refusal = state.matched(label, original).records.refusal
            if refusal is not None:
                sentences[str(refusal)] = None
        distances = state.policy.parameters.t_closeness.distance
        _passes(sentences, check_coverage, state.hierarchies, roles, table, original, distances)
    for label, version in state.tables.server.versions.items():
        original_sample = None if state.tables.server.original is None else state.tables.server.original.sample
        roles = state.roles_for(label)
        if _passes(sentences, roles.check, version.sample, original_sample) and original_sample is not None:
            _passes(sentences, _check_columns, original_sample, version.sample, roles.identifiers)
    if state.tables.population is not None:
        _passes(sentences, _check_population, state.tables.population.table, state.chosen_roles())
    refused = state.refused_holdout()
    if refused is not None:
        sentences[refused] = None
    return list(sentences)


def _passes(sentences: dict[str, None], check: Callable[..., object], *inputs: Any) -> bool:
    """Whether a check holds; if not, its sentence is added, once."""
    try:
        check(*inputs)
    except InputError as error:
        sentences[str(error)] = None
        return False
    return True


def _check_population(population: Table, roles: Roles) -> None:
    """Raise InputError where the population lacks a quasi-identifier, and so cannot be compared with."""
    missing = [name for name in roles.quasi_identifiers if name not in population]
    if missing:
        raise InputError(
            f"the population lacks {quoted(missing)}, so it is left out",
            remedy="load one that has every quasi-identifier",
            file=population.name,
        )


def _check_order(original: Table, anonymized: Table, roles: Roles) -> None:
    """Raise InputError where cells are suppressed in the original alone."""
    in_original, in_anonymized = (
        {name for name in roles.quasi_identifiers if name in table and SUPPRESSED in table[name].code_of}
        for table in (original, anonymized)
    )
    if in_original and not in_anonymized:
        raise InputError(
            f"the original has suppressed cells (*) in {quoted(sorted(in_original))}, and {anonymized.name} has none",
            remedy="if the two were swapped, remove both and load each in the other place",
            file=original.name,
        )


def _check_columns(original: Table, anonymized: Table, removed: Collection[str]) -> None:
    """Raise InputError where two tables have different columns, apart from those that may be removed."""
    missing = [name for name in original.names if name not in anonymized and name not in removed]
    extra = [name for name in anonymized.names if name not in original]
    if missing or extra:
        parts = [f"lacks {quoted(missing)}"] if missing else []
        parts += [f"also has {quoted(extra)}"] if extra else []
        raise InputError(
            f"its columns differ from those of {original.name}: it {' and '.join(parts)}",
            remedy="load matching tables, or continue if this is intended",
            file=anonymized.name,
        )


def record_matching(state: Workspace) -> None:
    """A row per version; nothing where there is no original to match with."""
    if state.tables.original is None or not state.tables.versions:
        return
    st.header("Matching records", anchor=False)
    st.caption(_ABOUT)
    with st.container(border=True, gap="xsmall"):
        for label in list(state.tables.versions):
            with st.container(gap="xsmall", key=f"matching_{label}"):
                _version(state, label, state.matched(label, state.tables.original.table))


def _version(state: Workspace, label: str, pair: MatchedPair) -> None:
    rule = pair.rule
    try:
        records = pair.records
    except InputError as error:
        _choose_key(state, label, pair, str(error))
        return
    _choose_key(state, label, pair, _verdict(records))
    if rule.key and not records.complete:
        st.markdown("\n".join(f"- {line}" for line in _match_counts(records)))
    if _doubtful(state, label) or records.refusal is not None:
        _offer_keys(state, label, pair)
    _remedies(state, label, records)
    _unmatched_records(label, pair)


def _verdict(records: RecordMatching) -> str:
    rule_summary = records.rule.summary()
    if records.complete:
        return f"all {pluralize(records.anonymized.rows, 'record')} matched {rule_summary}"
    if records.refusal is None:
        return f"matched {'as drawn' if records.partners is not None and not records.rule.key else rule_summary}"
    if not records.rule.key:
        return (
            f"{pluralize(records.anonymized.rows, 'anonymized record')} and {records.original.rows:,} original ones "
            "cannot be matched by position"
        )
    return f"not matched yet {rule_summary}"


def _match_counts(records: RecordMatching) -> Iterator[str]:
    """Say in numbers which records match and which do not."""
    original, anonymized, tally = records.original, records.anonymized, records.tally
    yield f"**{tally.matched:,}** of {pluralize(anonymized.rows, 'anonymized record')} matched with their original"
    if tally.deleted:
        originals = pluralize(original.rows, "original record")
        yield f"**{tally.deleted:,}** of {originals} without a counterpart: suppressed"
    if records.added:
        yield f"**{pluralize(records.added, 'anonymized record')}** without an original"
    for name, side in (("original", original), ("anonymized", anonymized)):
        if side.duplicate_keys:
            affected_records = pluralize(len(side.duplicate), f"{name} record")
            verb = "occurs" if side.duplicate_keys == 1 else "occur"
            yield f"**{pluralize(side.duplicate_keys, 'key')}** {verb} more than once, in {affected_records}"
        if len(side.missing):
            yield f"**{pluralize(len(side.missing), f'{name} record')}** without a key"
    if records.refusal is None and tally.left_out is not None:
        yield tally.left_out


def _doubtful(state: Workspace, label: str) -> bool:
    """Warn where records seem to be matched with the originals of others."""
    sentence = state.doubtful_matching(label)
    if sentence is not None:
        st.warning(plain(sentence), icon=":material/warning:")
    return sentence is not None


def _offer_keys(state: Workspace, label: str, pair: MatchedPair) -> None:
    """Buttons for keys that name every record, or nearly every one."""
    for number, offered in enumerate(pair.keys[:_MAX_OFFERED]):
        left, right = st.columns([2, 3], vertical_alignment="center")
        left.button(
            f"Match by {plain(join_names([f'“{visible(column)}”' for column in offered.key]))}",
            key=f"offer_key_{label}_{number}",
            on_click=state.matching.choose,
            args=(label, replace(pair.rule, key=offered.key)),
            icon=":material/key:",
            width="stretch",
        )
        repeated = f"; {pluralize(offered.duplicates, 'record')} with a key that occurs more than once"
        right.caption(
            f"{offered.matched:,} of {pluralize(pair.anonymized.rows, 'anonymized record')} matched with an original"
            f"{repeated if offered.duplicates else ''}"
        )


def _remedies(state: Workspace, label: str, records: RecordMatching) -> None:
    """Ask what becomes of records that the key does not match, where there are some."""
    rule, sides = records.rule, (records.original, records.anonymized)
    if rule.key and any(len(side.ambiguous) for side in sides):
        repeats = _count_on_both_sides(sides, lambda side: len(side.repeats))
        ambiguous = _count_on_both_sides(sides, lambda side: len(side.ambiguous))
        duplicate_captions = {
            Duplicates.REFUSE: _UNDECIDED,
            Duplicates.FIRST: f"The others ({repeats}) count as repetitions and are left out of the measures of loss.",
            Duplicates.LEAVE_OUT: f"They ({ambiguous}) are left out of the measures of loss.",
        }
        title = "Records whose key occurs more than once"
        _choose_treatment(
            title,
            f"duplicates_{label}",
            _DUPLICATES,
            duplicate_captions,
            rule.duplicates,
            _rule_setter(state, label, "duplicates"),
        )
    if rule.key and (records.added or any(len(side.missing) for side in sides)):
        unmatched_captions = {
            Unmatched.REFUSE: _UNDECIDED,
            Unmatched.LEAVE_OUT: "They count in measures of risk, as every record does, but not in measures of loss.",
        }
        title = "Records without an original or without a key"
        _choose_treatment(
            title,
            f"unmatched_{label}",
            _UNMATCHED,
            unmatched_captions,
            rule.unmatched,
            _rule_setter(state, label, "unmatched"),
        )


def _count_on_both_sides(sides: tuple[MatchedSide, MatchedSide], count: Callable[[MatchedSide], int]) -> str:
    return f"{count(sides[0]):,} original, {count(sides[1]):,} anonymized"


def _rule_setter(state: Workspace, label: str, name: str) -> Callable[[Any], None]:
    """Return the callback that puts a choice into the version's rule."""
    return lambda choice: state.matching.choose(label, replace(state.matching.rule_for(label), **{name: choice}))


def _choose_treatment(
    title: str,
    key: str,
    names: dict[Choice, str],
    captions: dict[Choice, str],
    current: Choice,
    choose: Callable[[Choice], None],
) -> None:
    st.radio(
        title,
        list(names),
        index=list(names).index(current),
        format_func=names.__getitem__,
        captions=list(captions.values()),
        **bound(key, current, choose),
    )


def _choose_key(state: Workspace, label: str, pair: MatchedPair, outcome: str) -> None:
    """How the version is matched, with what came of it; beside it, which columns are the key; none is by position."""
    shared_columns = [name for name in pair.original.names if name in pair.anonymized]

    def choose(columns: list[str]) -> None:
        """Match by these columns; decisions on another key's records no longer hold."""
        state.matching.choose(label, MatchingRule(tuple(columns)))

    row = st.container(horizontal=True, vertical_alignment="center", wrap=False)
    row.markdown(f"**{plain(label)}** · {plain(outcome)}", width="stretch")
    with row.popover("Change", key=f"choose_{label}", type="tertiary", help="Choose how records are matched"):
        st.multiselect(
            "Columns that together identify a record",
            list(dict.fromkeys((*shared_columns, *pair.rule.key))),
            default=list(pair.rule.key),
            format_func=visible,
            placeholder="none: by position",
            **bound(f"match_by_{label}", list(pair.rule.key), choose),
            help="Records with equal values in these columns are matched. Without a column, records are matched by "
            "position; both tables must then be in the same order.",
        )
        if len(state.tables.versions) > 1:
            st.button(
                "Use for all versions",
                key=f"match_all_{label}",
                on_click=state.matching.choose_for_all,
                args=(pair.rule,),
            )


def _unmatched_records(label: str, pair: MatchedPair) -> None:
    """The records that are not matched with a counterpart, to look at and to download."""
    records = pair.records
    n_records = sum(
        len(side.ambiguous) + len(side.missing) + len(side.unmatched) for side in (records.original, records.anonymized)
    )
    if not n_records:
        return
    expander = st.expander("Records that do not match", key=f"unmatched_records_{label}", on_change="rerun")
    if expander.open:
        with expander:
            table = record_table(pair.original, pair.anonymized, records, _MAX_ROWS)
            data_table(
                table.to_pandas(), f"Records of {visible(label)} that do not match", key=f"unmatched_table_{label}"
            )
            if n_records > table.num_rows:
                st.caption(f"The first {table.num_rows:,}; the file contains all.")
            chart_data(
                lambda: record_table(pair.original, pair.anonymized, records),
                f"unmatched_{_stem(label)}",
                "Download records (CSV)",
                confidential=True,
            )


def _stem(label: str) -> str:
    return "".join(character if character.isalnum() else "_" for character in label)[:60]
