"""The confidential appendix: it lists the classes that violate a limit, and says what it is."""

import numpy as np
import pyarrow as pa

import metrics
from metrics import Roles
from metrics.policy.policy import Policy
from metrics.report import appendix_html
from tests.report.reading import named, read, shown_text
from tests.report.samples import VERSIONS, scored


def test_the_appendix_names_classes_and_calls_itself_confidential() -> None:
    card = scored(VERSIONS[0])
    page = appendix_html(card, sha256="f" * 64, date="on a Monday")
    elements = read(page)
    text = shown_text(elements)
    assert [e.text for e in named(elements, "title")] == ["Confidential appendix on candidate_light.csv"]
    assert "Confidential." in text
    assert (
        f"Made on on a Monday with Quasi {metrics.version.VERSION}. SHA-256 of the anonymized table: {'f' * 64}" in text
    )
    assert '@top-center { content: "Confidential: lists equivalence classes' in page
    assert not named(elements, "script")
    classes = card.aggregates.classes
    alone = int(np.flatnonzero(classes.sizes == 1)[0])
    assert " ".join(str(label) for label in classes.labels(alone).values()) in text
    assert "k = 1; l = 0 for diagnosis" in text
    assert "The first 1,000 are listed here. For all of them, run" in text
    assert len(named(elements, "tr")) == 1_002


def test_the_appendix_lists_the_most_serious_class_first() -> None:
    table = metrics.read_table(pa.table({"q": list("aabbbbc"), "s": list("xxxyzwx")}), name="few.csv")
    text = shown_text(read(appendix_html(metrics.score(table, Roles(["q"], ["s"])))))
    assert "c 1 k = 1; l = 0 for s" in text
    assert text.index("c 1 k = 1") < text.index("a 2 l = 0 for s")


def test_an_appendix_states_that_no_class_violates_a_limit() -> None:
    table = metrics.read_table(pa.table({"q": list("aa"), "s": list("xy")}), name="fine.csv")
    text = shown_text(read(appendix_html(metrics.score(table, Roles(["q"], ["s"])))))
    assert "Every class meets all three conditions of P_29." in text


def test_the_appendix_lists_the_classes_that_fail_the_policy() -> None:
    card = scored(VERSIONS[0])
    policy = Policy("strict", {"k_anonymity": 3, "distinct_l_diversity": 2, "t_closeness": 0.9})
    text = shown_text(read(appendix_html(card, policy=policy)))
    classes, table = card.aggregates.classes, card.classes
    fails = (classes.sizes < 3) | np.logical_or.reduce([of < 2 for of in table.distinct.values()])
    fails |= np.logical_or.reduce([of > 0.9 for of in table.t.values()])
    records = int(classes.sizes[fails].sum())
    limits = "k ≥ 3, l ≥ 2 or t ≤ 0.9"
    assert f"{int(fails.sum()):,} of {classes.count:,} classes ({records:,} records) fail the policy's limits" in text
    assert limits in text
    assert "k = 1; l = 1 for diagnosis; l = 1 for length_of_stay" in text
    assert "P_29" not in text
    fine = shown_text(read(appendix_html(card, policy=Policy("loose", {"t_closeness": 0.99}))))
    assert f"None of {classes.count:,} classes fails a limit of the policy: t ≤ 0.99." in fine
