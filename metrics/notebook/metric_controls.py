"""Sliders and switches for the settings of one metric, with its finding and its figure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from html import escape
from typing import Any

import ipywidgets

from metrics.config.setting_values import rescale_weights
from metrics.drawing.widget import FigureWidget
from metrics.errors import InputError
from metrics.metric import Control
from metrics.scoring.catalog import METRICS
from metrics.scoring.scorecard import Scorecard, score_metric

_WIDE = {"description_width": "11rem"}


class Controls(ipywidgets.VBox):  # type: ignore[misc] # ipywidgets ships no types
    """One control per setting; every change computes the metric again from what has been counted.

    `card` holds the scores with the settings as they stand.
    """

    def __init__(self, card: Scorecard, metric_id: str) -> None:
        score = card[metric_id]
        if not score.metric.controls:
            offered = ", ".join(f'"{metric.id}"' for metric in METRICS if metric.controls)
            raise InputError(f'"{metric_id}" has no settings to change here', remedy=f"use {offered}")
        self.card = card
        self._metric_id = metric_id
        self._finding = ipywidgets.HTML()
        self._figure = FigureWidget(card.chart(metric_id))
        self._inputs = {
            control.name: _input(control, self._settings[control.name]) for control in score.metric.controls
        }
        for control in score.metric.controls:
            self._inputs[control.name].observe(partial(self._change, control), names="value")
        reset = ipywidgets.Button(description="Reset", tooltip="The settings that the scores were computed with")
        reset.on_click(partial(self._reset, card))
        self._describe()
        super().__init__([self._finding, ipywidgets.VBox([*self._inputs.values(), reset]), self._figure])

    def __repr__(self) -> str:
        return f"Controls of {self.card[self._metric_id].metric.title}"

    @property
    def _settings(self) -> Mapping[str, Any]:
        return dict(vars(getattr(self.card.parameters, self._metric_id)))

    def _change(self, control: Control, change: Mapping[str, Any]) -> None:
        """Take a control's new value; weights keep their sum."""
        if change["new"] == self._settings[control.name]:
            return
        new_values = {control.name: change["new"]}
        if control.is_weight:
            weights = {control.name: self._settings[control.name] for control in self._weights()}
            new_values = rescale_weights(weights, control.name, change["new"])
        settings = {f"{self._metric_id}.{name}": value for name, value in new_values.items()}
        self._score(settings)

    def _weights(self) -> list[Control]:
        return [control for control in self.card[self._metric_id].metric.controls if control.is_weight]

    def _reset(self, card: Scorecard, _: Any) -> None:
        self.card = card
        self._show()

    def _score(self, settings: Mapping[str, Any]) -> None:
        parameters = self.card.parameters.with_settings(settings)
        new_score = score_metric(self.card[self._metric_id].metric, self.card.aggregates, parameters)
        scores = {**self.card.scores, self._metric_id: new_score}
        self.card = replace(self.card, parameters=parameters, scores=scores)
        self._show()

    def _show(self) -> None:
        """The current settings, finding and figure."""
        self._describe()
        for name, value in self._settings.items():
            if name in self._inputs:
                self._inputs[name].value = value
        self._figure.show(self.card.chart(self._metric_id))

    def _describe(self) -> None:
        score = self.card[self._metric_id]
        value = escape(score.shown_text())
        self._finding.value = f"<b>{escape(score.metric.shown.title)}: {value}</b><br>{escape(score.summary())}"


def _input(control: Control, value: Any) -> Any:
    """A slider, or a switch where the setting has no largest value; with its explanation."""
    if control.maximum is None:
        return ipywidgets.Checkbox(value=value, description=control.label, tooltip=control.help, indent=False)
    return ipywidgets.FloatSlider(
        value=value,
        min=0.0,
        max=max(control.maximum, value),
        step=control.step,
        description=control.label,
        tooltip=control.help,
        readout_format=f".{0 if control.step >= 1 else 1 if control.step >= 0.1 else 3}f",
        style=_WIDE,
        layout={"width": "32rem", "max_width": "100%"},
    )
