"""Files whose reading the user decides: the questions about them, and what was answered so far. No Streamlit."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any

from dashboard.loading import Bytes, LoadedTable, ReadOptions, load_table, propose_table
from metrics.errors import InputError
from metrics.reading.proposal import Proposal, Question
from metrics.tables.read_plan import ReadPlan

_MAX_KEPT = 16
"""Proposals kept per file, so that drawing the page again costs nothing."""


class Slot(StrEnum):
    """Role of an uploaded table in the workspace."""

    ORIGINAL = "original"
    ANONYMIZED = "anonymized"
    POPULATION = "population"
    HOLDOUT = "hold-out"


@dataclass(frozen=True)
class Review:
    """A file as it would be read by what was chosen so far."""

    questions: tuple[tuple[Question, int], ...]
    """Each question, and the index of its chosen answer."""
    choices: Mapping[str, Any]
    """The fields of the plan that are chosen."""
    proposal: Proposal | None
    """The proposal under these choices; where they fail, the last one that did not, None if there is none."""
    error: InputError | None = None
    """Why the file cannot be read under these choices; never None where there is no proposal."""

    def value(self, name: str) -> Any:
        """The value of a field of the plan: as chosen, else as proposed, else the default."""
        default = ReadPlan("csv") if self.proposal is None else self.proposal.plan
        return self.choices.get(name, getattr(default, name))


@dataclass(frozen=True)
class Choices:
    """Choices made for a file, which are offered to every file of the same form."""

    name: str
    """Name of the file."""
    settings: Mapping[str, Any]
    answers: Mapping[str, Mapping[str, Any]]


@dataclass(eq=False)
class Import:
    """A file that is not read yet, or is to be read in another way."""

    slot: Slot
    name: str
    file: Bytes
    label: str | None = None
    """Label of the loaded table that it will replace."""
    settings: dict[str, Any] = field(default_factory=dict)
    """Fields of the plan that were chosen one by one."""
    answers: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """The fields that the chosen answer to a question sets, by the question's id."""
    failure: str | None = None
    """Why reading by the last choices failed."""
    _known: dict[str, Proposal | InputError] = field(default_factory=dict)

    @staticmethod
    def again(slot: Slot, label: str, loaded: LoadedTable) -> Import:
        """A loaded table's file, with the questions answered as it was read."""
        pending, plan = Import(slot, loaded.name, loaded.file, label), loaded.plan
        while open_questions := [
            question for question, _ in pending.review().questions if question.id not in pending.answers
        ]:
            for question in open_questions:
                matching_changes = [
                    answer.changes
                    for answer in question.answers
                    if all(getattr(plan, name) == value for name, value in answer.changes.items())
                ]
                pending.answers[question.id] = (matching_changes or [question.answers[0].changes])[0]
        review = pending.review()
        names = [plan_field.name for plan_field in fields(plan) if plan_field.name not in ("kind", "compression")]
        pending.settings = {name: getattr(plan, name) for name in names if getattr(plan, name) != review.value(name)}
        return pending

    @property
    def form(self) -> Hashable:
        """Equal for files that raise the same questions about the same columns; None for one that raises none."""
        review = self._review({}, {})
        if review.proposal is None or not review.questions:
            return None
        questions = tuple(
            (question.id, tuple(repr(answer.changes) for answer in question.answers))
            for question, _ in review.questions
        )
        return questions, review.proposal.names

    def review(self) -> Review:
        """The questions, each under the answers before it, and the proposal under all of them."""
        return self._review(self.settings, self.answers)

    def _review(self, settings: Mapping[str, Any], answers: Mapping[str, Mapping[str, Any]]) -> Review:
        choices = dict(settings)
        outcome = self._proposal(choices)
        proposal = self._proposal({}) if isinstance(outcome, InputError) else outcome
        answered: dict[str, tuple[Question, int]] = {}
        while isinstance(proposal, Proposal):
            question = next((question for question in proposal.questions if question.id not in answered), None)
            if question is None:
                break
            chosen_changes = answers.get(question.id)
            index = next((i for i, answer in enumerate(question.answers) if answer.changes == chosen_changes), 0)
            answered[question.id] = question, index
            choices = {**question.answers[index].changes, **choices}
            if index and isinstance(outcome, Proposal):
                outcome = self._proposal(choices)
                proposal = proposal if isinstance(outcome, InputError) else outcome
        error = outcome if isinstance(outcome, InputError) else None
        return Review(tuple(answered.values()), choices, proposal if isinstance(proposal, Proposal) else None, error)

    def choose_answer(self, question: Question, index: int) -> None:
        """Choose an answer; what was set by hand for its fields no longer holds."""
        changes = question.answers[index].changes
        self.answers[question.id] = changes
        self.settings = {name: value for name, value in self.settings.items() if name not in changes}
        self.failure = None

    def set(self, name: str, value: Any) -> None:
        """Choose a field of the plan; answers that set it no longer hold."""
        self.settings[name] = value
        self.answers = {question_id: changes for question_id, changes in self.answers.items() if name not in changes}
        self.failure = None

    def reset(self) -> None:
        """Go back to the proposal."""
        self.settings, self.answers, self.failure = {}, {}, None

    def copy_choices(self, choices: Choices) -> None:
        """Copy the choices made for another file of the same form."""
        self.settings, self.answers = dict(choices.settings), dict(choices.answers)

    def alternatives(self, name: str) -> tuple[Any, ...]:
        """The values of a field of the plan among which the file itself leaves the choice."""
        questions = (question for question, _ in self._review({}, {}).questions)
        return tuple(
            answer.changes[name] for question in questions for answer in question.answers if name in answer.changes
        )

    def all_names(self, review: Review, *, given: bool = True) -> tuple[str, ...]:
        """Names of all columns of the file, those that are left out too; as `given` by the user, or by the header."""
        names: tuple[str, ...] | None = review.value("names") if given else None
        if names is not None:
            return names
        choices = {name: value for name, value in review.choices.items() if name not in ("names", "omitted_columns")}
        outcome = self._proposal(choices)
        return outcome.names if isinstance(outcome, Proposal) else ()

    @property
    def untouched(self) -> bool:
        """Whether nothing was chosen yet."""
        return not self.settings and not self.answers

    def read_table(self, before: ReadOptions | None = None) -> LoadedTable:
        """Read the table as chosen; names and values replaced `before` stay replaced. Raises InputError."""
        review = self.review()
        if review.error is not None:
            raise review.error.with_traceback(None)
        if review.proposal is None:
            raise AssertionError("a file without a proposal has an error")
        plan = review.proposal.plan
        options = replace(before or ReadOptions(), plan=plan)
        return load_table(self.name, self.file, options, review.proposal.notes)

    def _proposal(self, choices: Mapping[str, Any]) -> Proposal | InputError:
        """Return the proposal under some choices, or the error that says why there is none."""
        key = repr(sorted(choices.items()))
        if key not in self._known:
            if len(self._known) == _MAX_KEPT:
                self._known.clear()
            self._known[key] = _proposal_or_error(self.name, self.file, choices)
        return self._known[key]


def _proposal_or_error(name: str, file: Bytes, choices: Mapping[str, Any]) -> Proposal | InputError:
    try:
        return propose_table(name, file, choices)
    except InputError as error:
        # Its frames hold the bytes of the file.
        error.__traceback__ = error.__context__ = None
        return error
