"""Sliders, weights and the class table in a notebook, with figures that follow; needs the extra `notebook`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metrics.errors import missing_extra

if TYPE_CHECKING:
    from metrics.policy.policy import Policy
    from metrics.scoring.scorecard import Scorecard


def classes_browser(card: Scorecard, policy: Policy | None = None) -> Any:
    """The equivalence classes in a notebook: a map of size against t, a list, and the selected class.

    Parameters
    ----------
    card : Scorecard
        Scores of one table.
    policy : Policy, optional
        Its limits on k, l and t decide which classes fail; by default "Internal sharing".

    Returns
    -------
    ipywidgets.VBox
        Filter, order, map, list of classes and the distribution of a sensitive attribute in the selected class. It
        names classes: keep notebooks that hold it confidential.

    Raises
    ------
    InputError
        If ipywidgets or anywidget is not installed, or the table has no equivalence class.
    """
    _require_widgets()
    from metrics.notebook.class_browser import ClassBrowser

    return ClassBrowser(card, policy)


def controls(card: Scorecard, metric_id: str) -> Any:
    """See `Scorecard.controls`."""
    _require_widgets()
    from metrics.notebook.metric_controls import Controls

    return Controls(card, metric_id)


def _require_widgets() -> None:
    try:
        import anywidget  # noqa: F401 - what draws Plotly's figures in a widget
        import ipywidgets  # noqa: F401
    except ImportError:
        raise missing_extra("a control in a notebook", "notebook") from None


__all__ = ["classes_browser", "controls"]
