"""The confidential appendix of a report: the file that names equivalence classes."""

from __future__ import annotations

from metrics.report.rendering import environment, policy
from metrics.report.violating import most_serious_first, violation_reasons, violations
from metrics.scoring.scorecard import Scorecard
from metrics.version import VERSION

MAX_CLASSES = 1_000
"""Most violating classes listed."""


def appendix_html(
    card: Scorecard, *, label: str | None = None, sha256: str | None = None, date: str | None = None
) -> str:
    """A self-contained page of the violating classes by their quasi-identifiers, with size and reasons: confidential.

    It says so in its title, at its beginning and on every printed page. At most MAX_CLASSES are listed, the most
    serious first.

    Parameters
    ----------
    card : Scorecard
        The candidate that the page is about.
    label : str, optional
        The candidate's label, by default its table's name.
    sha256 : str, optional
        Digest of the anonymized file, in hexadecimal; shown as it is given.
    date : str, optional
        Shown as it is given.

    Returns
    -------
    str
        HTML.
    """
    classes = card.aggregates.classes
    index = most_serious_first(card)
    chosen = index[:MAX_CLASSES]
    return (
        environment()
        .get_template("appendix.html")
        .render(
            name=label or card.aggregates.anonymized.name,
            date=date,
            sha256=sha256,
            version=VERSION,
            policy=policy(),
            violations=violations(card),
            conditions=card.classes.violations is not None,
            classes=len(index),
            headings=list(classes.quasi_identifiers),
            rows=[
                (list(classes.labels(i).values()), int(classes.sizes[i]), reason)
                for i, reason in zip(chosen.tolist(), violation_reasons(card, chosen), strict=True)
            ],
        )
    )
