"""The confidential appendix of a report: the file that names equivalence classes."""

from __future__ import annotations

from metrics.policy.policy import Policy
from metrics.report.rendering import render
from metrics.report.violating import failing_classes
from metrics.scoring.scorecard import Scorecard

MAX_CLASSES = 1_000
"""Most failing classes listed."""


def appendix_html(
    card: Scorecard,
    *,
    label: str | None = None,
    policy: Policy | None = None,
    sha256: str | None = None,
    date: str | None = None,
) -> str:
    """A self-contained page of the failing classes by their quasi-identifiers, with size and reasons: confidential.

    It says so in its title, at its beginning and on every printed page. At most MAX_CLASSES are listed, the most
    serious first.

    Parameters
    ----------
    card : Scorecard
        The version that the page is about.
    label : str, optional
        The version's label, by default its table's name.
    policy : Policy, optional
        The policy whose limits on k, l and t the classes fail; without such a limit, the conditions of P_29.
    sha256 : str, optional
        Digest of the anonymized file, in hexadecimal; shown as given.
    date : str, optional
        Shown as given.

    Returns
    -------
    str
        HTML.
    """
    classes = card.aggregates.classes
    failing = failing_classes(card, policy)
    index = failing.index[:MAX_CLASSES]
    return render(
        "appendix.html",
        name=label or card.aggregates.anonymized.name,
        date=date,
        sha256=sha256,
        violations=failing.summary,
        order=failing.order,
        classes=len(failing.index),
        headings=list(classes.quasi_identifiers),
        rows=[
            (list(classes.labels(i).values()), int(classes.sizes[i]), reason)
            for i, reason in zip(index.tolist(), failing.reasons(index), strict=True)
        ],
    )
