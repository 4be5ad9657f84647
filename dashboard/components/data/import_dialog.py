"""How a file is read: its first lines beside the first records, the questions about it, and one button."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

import pandas as pd
import streamlit as st

from dashboard.components.data.plan_fields import plan_fields
from dashboard.components.figure import data_table
from dashboard.components.fragments import fragment
from dashboard.file_reviews import Import, Review
from dashboard.session import synced_key
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.formatting import join_names, pluralize, visible
from metrics.reading.proposal import Proposal, Question

_MAX_ROWS = 7
"""Records in sight; the others are scrolled to."""
_ROW = 35
"""Height of a row in pixels."""
_MAX_SAMPLES = 3
_WIDTH = 40
"""Characters of a sample line."""
_BEFORE = 16
"""Characters of a sample line before those that differ."""


def pending_imports(state: Workspace) -> None:
    """The files that are to be read, anew or for the first time.

    Of those of the same form only the first is shown, whose answers hold for all.
    """
    covered: list[Import] = []
    for pending in state.imports:
        if pending not in covered:
            _import_dialog(state, pending)
            covered += state.similar_imports(pending) if pending.label is None else []


def _import_dialog(state: Workspace, pending: Import) -> None:
    """The card of a file that is to be read; what is chosen shows at once and is kept until it is read."""
    key = f"import_{pending.slot.value}_{pending.label or pending.name}"
    with st.container(border=True, key=key):
        fragment(lambda: _dialog(state, pending, key), busy=False, key=f"{key}_dialog")()


def _dialog(state: Workspace, pending: Import, key: str) -> None:
    review = pending.review()
    st.markdown(f"**{plain(pending.label or pending.name)}** · {pending.slot.value}")
    if pending.label is None and review.questions:
        st.caption(_open_questions(state, pending, review))
    error = pending.failure or review.error
    # Parts that come and go have a container, so that what the user opened below it stays open.
    with st.container():
        if error is not None:
            st.error(plain(str(error)), icon=":material/error:")
    for question, index in review.questions:
        _question(pending, question, index, f"{key}_question_{question.id}")
    with st.expander("All settings", expanded=pending.label is not None, key=f"{key}_settings"):
        plan_fields(pending, review, key)
        st.button("Back to the proposal", key=f"{key}_reset", on_click=pending.reset, disabled=pending.untouched)
    if review.proposal is not None:
        _draw_preview(review.proposal, readable=review.error is None)
    _buttons(state, pending, review, key)


def _open_questions(state: Workspace, pending: Import, review: Review) -> str:
    text = f"Not loaded yet: {pluralize(len(review.questions), 'question')} about how to read it."
    similar = [plain(other.name) for other in state.similar_imports(pending)]
    if similar:
        verb = "has" if len(similar) == 1 else "have"
        text += f" The answers also apply to {join_names(similar)}, which {verb} the same form."
    return text


def _question(pending: Import, question: Question, index: int, key: str) -> None:
    key = synced_key(key, index)

    def store_answer() -> None:
        """Keep the answer with the file."""
        pending.choose_answer(question, st.session_state[key])

    labels = [plain(answer.label) for answer in question.answers]
    labels[0] += " (proposed)"
    st.radio(
        f"**{plain(question.text)}**",
        range(len(labels)),
        index=index,
        key=key,
        format_func=labels.__getitem__,
        captions=_samples([answer.lines for answer in question.answers]),
        on_change=store_answer,
        horizontal=True,
    )


def _samples(lines: Sequence[Sequence[str]]) -> list[str] | None:
    """For each answer its first lines, cut to where the answers differ; None where they do not."""
    if all(texts == lines[0] for texts in lines):
        return None
    samples: list[list[str]] = [[] for _ in lines]
    for row in list(zip_longest(*lines))[:_MAX_SAMPLES]:
        texts = [text for text in row if text is not None]
        differs = (
            position for position, characters in enumerate(zip(*texts, strict=False)) if len(set(characters)) > 1
        )
        start = max(0, next(differs, 0) - _BEFORE)
        for text, sample in zip(row, samples, strict=True):
            if text is not None:
                sample.append(
                    ("…" if start else "") + text[start : start + _WIDTH] + ("…" if text[start + _WIDTH :] else "")
                )
    return ["  \n".join(map(plain, sample)) for sample in samples]


def _draw_preview(proposal: Proposal, *, readable: bool) -> None:
    """The first lines as they stand beside the first records as they would be read, and what is left out."""
    left, right = st.columns([2, 3])
    height = _ROW * (1 + min(_MAX_ROWS, max(2, len(proposal.preview)))) + 3
    with left:
        st.caption("First lines of the file")
        lines = ("\t".join(visible(cell) if cell else "" for cell in line.split("\t")) for line in proposal.first_lines)
        st.code("\n".join(lines), language=None, line_numbers=True, height=height)
    if not readable:
        right.caption("No preview: the file cannot be read under these settings.")
        return
    with right:
        st.caption(f"First records as they would be read: {pluralize(len(proposal.names), 'column')}")
        records = pd.DataFrame(list(proposal.preview), columns=pd.Index(proposal.names))
        data_table(records, f"First records of {visible(proposal.name)}", height=height)
    plan_remarks(proposal.plan.left_out, proposal.notes)


def plan_remarks(left_out: Sequence[str], notes: Sequence[str]) -> None:
    """Show what a plan leaves out of a file, and what was taken for granted."""
    if left_out:
        st.caption(f"**Left out:** {plain(', '.join(left_out))}.")
    if notes:
        st.caption(f"**Note:** {plain('; '.join(notes))}.")


def _buttons(state: Workspace, pending: Import, review: Review, key: str) -> None:
    with st.container(horizontal=True):
        confirmed = st.button(
            "Read with these settings",
            key=f"{key}_read",
            type="primary",
            disabled=review.error is not None,
            icon=":material/check:",
        )
        if st.button("Do not load it" if pending.label is None else "Keep it as it is", key=f"{key}_cancel"):
            state.imports.remove(pending)
            st.rerun()
    if confirmed:
        with st.spinner(f"Reading {plain(pending.name)}…", show_time=True):
            state.confirm(pending)
        st.rerun()
