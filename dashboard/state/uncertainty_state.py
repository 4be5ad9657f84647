"""How far the figures of a session's versions depend on who is in the table: scored in the background. No Streamlit."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from dashboard.serving.background_job import BackgroundJob
from metrics.candidates.compare.uncertainty import Uncertainty, uncertainty
from metrics.errors import Unavailable
from metrics.interruption import reporting
from metrics.scoring.scorecard import Scorecard


class _Stopped(BaseException):
    """Ends work that the user has stopped."""


class Scoring:
    """The halves of some versions being scored, in a thread of its own."""

    def __init__(self, key: object, cards: Mapping[str, Scorecard], metrics: Collection[str]) -> None:
        self.key, self.share, self.is_stopped = key, 0.0, False

        def score() -> Uncertainty:
            with reporting(self._report):
                return uncertainty(cards, metrics)

        self.job = BackgroundJob(score)

    def _report(self, share: float) -> None:
        if self.is_stopped:
            raise _Stopped
        self.share = share


@dataclass
class UncertaintyState:
    """The scoring that was begun last; that of other versions, roles or settings is no longer shown."""

    _scoring: Scoring | None = None

    def begin(self, cards: Mapping[str, Scorecard], metrics: Collection[str]) -> None:
        """Score the halves in the background."""
        self.stop()
        self._scoring = Scoring(_key(cards, metrics), cards, tuple(metrics))

    def stop(self) -> None:
        """End what is being scored and forget it."""
        if self._scoring is not None:
            self._scoring.is_stopped = True
        self._scoring = None

    def scoring(self, cards: Mapping[str, Scorecard], metrics: Collection[str]) -> Scoring | None:
        """The scoring of these versions by these metrics, if it was begun."""
        scoring = self._scoring
        return scoring if scoring is not None and scoring.key == _key(cards, metrics) else None

    def found(self, cards: Mapping[str, Scorecard], metrics: Collection[str]) -> Uncertainty | None:
        """What was found of these versions; None before, and where there is nothing to find."""
        scoring = self.scoring(cards, metrics)
        try:
            return scoring.job.result() if scoring is not None and scoring.job.ended(0) else None
        except Unavailable:
            return None


def _key(cards: Mapping[str, Scorecard], metrics: Collection[str]) -> object:
    """What the halves depend on."""
    return [(label, card.aggregates, card.parameters) for label, card in cards.items()], tuple(metrics)
