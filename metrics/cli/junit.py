"""Requirements and limits as a JUnit report, which test runners of pipelines show."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from metrics.formatting import printable
from metrics.policy.limitable_measures import Outcome
from metrics.policy.policy import PolicyResult
from metrics.policy.requirement import Requirement
from metrics.scoring.scorecard import Scorecard


def junit_xml(card: Scorecard, requirements: Sequence[Requirement], checked: PolicyResult | None) -> bytes:
    """One test case for each requirement and each limit; one that is not met is a failure that says why."""
    cases: list[tuple[str, str, str | None]] = [
        ("requirement", requirement.text, None if requirement.holds(card) else requirement.failure(card))
        for requirement in requirements
    ]
    for limit in () if checked is None else checked.limits:
        failure = None if limit.outcome is Outcome.MET else limit.summary()
        cases.append(
            (f"policy {checked.policy.name}" if checked else "", f"{limit.title} {limit.requirement}", failure)
        )
    failures = sum(failure is not None for _, _, failure in cases)
    name = printable(card.aggregates.anonymized.name)
    suite = ElementTree.Element("testsuite", name=name, tests=str(len(cases)), failures=str(failures))
    for group, title, failure in cases:
        case = ElementTree.SubElement(suite, "testcase", classname=printable(group), name=printable(title))
        if failure is not None:
            ElementTree.SubElement(case, "failure", message=printable(failure))
    root = ElementTree.Element("testsuites")
    root.append(suite)
    document: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return document
