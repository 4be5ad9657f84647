"""Synthetic tables, whose values an attacker compares exactly."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from metrics import Parameters, Roles, Scorecard, Table, score
from tests.support.small_tables import Cells, written

CAP, DISCO = IDS = ["correct_attribution", "disco"]
ROLES = Roles(["sex", "age"], ["ill", "days"])

ORIGINAL = written("""
    sex age ill days
    f 30 flu 1
    f 30 flu 2
    f 40 flu 3
    m 40 cold 4
    m 50 cold 5
""")
SYNTHETIC = written("""
    sex age ill days
    f 30.0 flu 1
    f 30 flu 2
    f 40 cold 9
    m 40 cold 4
    m 40 flu 4
    m 60 flu 5
""")
# People who are in neither table.
OTHERS = written("sex age ill days\nf 30 flu 7\nf 40 cold 9\nm 99 flu 1\nm 40 flu 0")


def card_of(
    released: Table = SYNTHETIC,
    original: Table | None = ORIGINAL,
    roles: Roles = ROLES,
    holdout: Table | None = None,
    metrics: Sequence[str] = IDS,
    known: Sequence[str] = (),
    **given: Any,
) -> Scorecard:
    parameters = Parameters().with_settings({"attack.known": ",".join(known)} if known else {})
    return score(released, roles, original=original, holdout=holdout, metrics=metrics, parameters=parameters, **given)


words = st.sampled_from(["a", "b", None])
numbers = st.sampled_from(["1", "1.0", "2", "3", "007"])
KINDS = {"sex": words, "age": numbers, "ill": words, "days": numbers}


@st.composite
def people(draw: st.DrawFn, like: dict[str, Cells] | None = None) -> dict[str, Cells]:
    """Any records, or those of a synthetic table: its words and missing values are those of the original."""
    rows = draw(st.integers(1, 12))
    kinds = dict(KINDS)
    if like is not None:
        present = {name: list(dict.fromkeys(cells)) for name, cells in like.items()}
        kinds = {
            name: st.sampled_from(present[name]) | (kind if kind is numbers else st.sampled_from(present[name]))
            for name, kind in kinds.items()
        }
    return {name: draw(st.lists(kind, min_size=rows, max_size=rows)) for name, kind in kinds.items()}


compared = st.tuples(
    people().flatmap(lambda before: st.tuples(st.just(before), people(before))),
    people(),
    st.sampled_from([["sex"], ["age"], ["sex", "age"], ["age", "ill"]]),
)
"""An original with its synthetic table, other people, and the columns known."""
