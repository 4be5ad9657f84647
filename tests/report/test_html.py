"""The report and its technical appendix: what they hold, that text stays text, that no server is asked."""

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest

import metrics
from metrics import Hierarchy, Parameters, Policy, Roles
from metrics.config.parameters import ProfitabilityParameters
from metrics.explanations.findings import findings
from metrics.metric import FindingKind
from metrics.policy.built_in_policies import NO_LIMITS
from metrics.report import appendix_html, report_html, technical_html
from metrics.scoring.scorecard import Scorecard
from metrics.tables.randomization import Sampling
from metrics.texts import text as sentence
from metrics.version import VERSION
from tests.dashboard.hostile import TEXTS
from tests.drawing.drawn import HOSTILE
from tests.report.reading import Element, named, read, shown_text
from tests.report.small_tables import AFTER, BEFORE, TWO, scored
from tests.support.small_tables import table


def test_the_report_states_which_tables_were_compared_and_how(elements: list[Element]) -> None:
    text = shown_text(elements)
    facts = ("on a Monday", VERSION, "after.csv, 6 records, 3 columns, 1 record suppressed", "before.csv", "age, zip")
    assert [fact for fact in (*facts, "a" * 64, "b" * 64, "matched by position") if fact not in text] == []


def test_the_answer_comes_first_with_reasons_and_a_recommendation(elements: list[Element]) -> None:
    text = shown_text(elements)
    assert "✗ Fails the policy “Two alike”" in text
    assert "1 of 3 classes (1 record, 20% of" in text
    attack = text.index("An attacker who knows age and zip and excludes suppressed records finds the records of ")
    order = [text.index("Fails the policy"), text.index("Do not release this table."), text.index("k-anonymity is 1")]
    assert [*order, attack] == sorted([*order, attack])
    assert "Versions compared" not in text
    met = shown_text(read(report_html(scored(AFTER), policy=Policy("One", {"k_anonymity": 1}))))
    assert "✓ Meets the policy “One”" in met
    assert "may be released if" in met
    assert "Choose a policy first" in shown_text(read(report_html(scored(AFTER), policy=NO_LIMITS)))


def test_terms_stand_in_a_list_of_definitions() -> None:
    card = scored(AFTER)
    page = report_html(card, {"one": card, "other": card}, label="one", policy=TWO)
    terms = re.findall(r"<div><dt>([^<]+)</dt><dd>[^<]", page.split('class="faint terms"', 1)[1])
    assert terms[:2] == [sentence("terms.class"), "k-anonymity"]
    assert "P_29" in terms


def test_versions_come_before_attacks_and_the_order_of_records_is_warned_of_once() -> None:
    labels = [label for label in "abcdef" for _ in range(4)]
    before = {"age": [str(20 + number) for number in range(24)], "zip": ["1"] * 24, "illness": labels}
    card = scored({**before, "age": ["2*"] * 10 + ["3*"] * 10 + ["4*"] * 4}, before)
    page = report_html(card, {"one": card, "other": card}, label="one", policy=TWO)
    text = shown_text(read(page))
    headings = ["Why", "Versions compared", "What an attacker achieves", "Initial and residual risk"]
    headings += ["Limits and assumptions", "Variables and their treatment", "Approval"]
    places = [page.index(f">{heading}") for heading in headings]
    assert places == sorted(places)
    assert text.count("original's order") == 1
    assert "Records are matched by position." in text


def test_the_better_version_is_recommended() -> None:
    before = {**BEFORE, "age": ["21", "22", "31", "32", "33", "34"]}
    finer = {"age": ["21", "22", "3*", "3*", "3*", "3*"], "zip": ["1"] * 6, "illness": list("ababab")}
    cards = {"coarse": scored({**finer, "age": ["*"] * 6}, before), "fine": scored(finer, before)}
    middle = scored({**finer, "age": ["2*", "2*", "3*", "3*", "3*", "3*"]}, before)
    page = report_html(cards["fine"], {**cards, "middle": middle}, label="fine", policy=TWO)
    text = shown_text(read(page))
    assert "Do not release this table." in text
    assert "Choose middle: " in text
    better = shown_text(read(report_html(cards["coarse"], {**cards, "middle": middle}, label="coarse", policy=TWO)))
    assert "Consider middle: " in better
    both = {label: cards[label] for label in ("coarse", "fine")}
    alone = shown_text(read(report_html(cards["fine"], both, label="fine", policy=TWO)))
    assert "Choose coarse: it is the only one of 2 versions" in alone


@pytest.mark.parametrize(
    ("label", "level", "reason"),
    [
        (lambda age: age + 1, lambda age: "*", "changed values count as kept"),
        (lambda age: age // 10 * 10 + 5, lambda age: str(age // 10 * 10 + 5), "100% of age values are ambiguous"),
        (lambda age: age, lambda age: "*", ""),
    ],
    ids=["perturbed", "labels that look like values", "unchanged"],
)
def test_information_kept_is_an_upper_bound_where_values_are_not_what_they_seem(
    label: Callable[[int], int], level: Callable[[int], str], reason: str
) -> None:
    released = {**BEFORE, "age": [str(label(int(age))) for age in BEFORE["age"]]}
    trees = {"age": Hierarchy([[str(age), level(age), "*"] for age in range(100)])}
    said = shown_text(read(report_html(scored(released, BEFORE, hierarchies=trees), policy=NO_LIMITS)))
    assert f"upper bound: {reason}" in said if reason else "upper bound" not in said


def test_removed_records_are_not_called_suppressed() -> None:
    shorter = {name: [*cells[:4], cells[5]] for name, cells in AFTER.items()}
    card = scored(shorter, BEFORE)
    policy = Policy("Few lost", {"suppression": 0.1})
    text = shown_text(read(report_html(card, policy=policy)))
    assert "is 33.3% (at most 10% required)" in text
    for page in (text, shown_text(read(technical_html(card, policy=policy)))):
        assert "1 record of the original removed" in page
    (lost,) = findings(card, kinds=[FindingKind.LOST_RECORDS])
    assert lost.sentence == sentence("verdict.suppressed", suppressed=1, records=6, removed=1, share=2 / 6)


def test_violating_classes_are_counted_by_reason_and_not_named(technical: list[Element]) -> None:
    text = shown_text(technical)
    counted = scored(AFTER, BEFORE)["p29"].result.violation_summary()
    assert counted.startswith("2 classes (3 records) fail")
    assert counted in text
    assert "k = 1; l = 0 for illness" not in text
    policy = Policy("P", {"p29": 0.5})
    assert "2 classes (3 records) fail" in shown_text(read(report_html(scored(AFTER, BEFORE), policy=policy)))


def test_columns_that_look_like_direct_identifiers_are_named_without_a_value(elements: list[Element]) -> None:
    assert "No column looks like a direct identifier by its values" in shown_text(elements)
    mails = {**AFTER, "note": [f"p{number}@example.org" for number in range(6)]}
    text = shown_text(read(report_html(scored(mails))))
    assert "May identify people directly, by their values: note (e-mail addresses)." in text
    assert "@example" not in text
    assert "The values of note look like e-mail addresses: remove this column before release." in text
    stated = metrics.score(table(mails), Roles(["age"], ["illness"], not_identifying=["note"]))
    assert "Stated to identify nobody, whatever the values look like: note." in shown_text(read(report_html(stated)))


def test_the_report_says_which_columns_are_kept_and_weighted() -> None:
    people = table({"age": ["1", "2"], "sex": ["f", "m"]})
    card = metrics.score(people, Roles(["age", "sex"], highest_levels={"sex": 0}, column_weights={"age": 1.0}))
    sentence = "Searches and repairs keep sex as it is. Weights in the loss (others 0.5): age 1."
    assert sentence in shown_text(read(report_html(card)))


def test_the_report_is_short_and_shows_three_pictures_with_a_text_alternative(elements: list[Element]) -> None:
    drawn = named(elements, "svg")
    assert [e.attributes["role"] for e in drawn] == ["img"] * 3
    assert all(e.attributes["aria-label"].endswith(".") for e in drawn)
    assert len(shown_text(elements).split()) < 720


def test_the_report_shows_the_attackers_cost_from_which_no_attack_pays(elements: list[Element]) -> None:
    assert "With default amounts (gain 300), no attack pays from a cost of " in shown_text(elements)
    nothing_to_win = replace(Parameters(), profitability=ProfitabilityParameters(adversary_gain=0))
    card = metrics.score(table(AFTER, "after.csv"), Roles(["age"], ["illness"]), parameters=nothing_to_win)
    assert "no attack pays" not in shown_text(read(report_html(card)))


def test_lines_join_the_names_of_a_crowd_with_their_marks() -> None:
    cards = {f"candidate_number_{number}": scored(AFTER, BEFORE) for number in range(6)}
    elements = read(report_html(cards["candidate_number_0"], cards, label="candidate_number_0", policy=TWO))
    marks = {(mark.attributes["cx"], mark.attributes["cy"]) for mark in named(elements, "circle")}
    lines = [line.attributes for line in named(elements, "line") if line.attributes["class"] == "leader"]
    assert lines
    assert {(line["x1"], line["y1"]) for line in lines} <= marks
    assert not {(line["x2"], line["y2"]) for line in lines} & marks


@pytest.mark.parametrize("page", ["elements", "technical"])
def test_the_report_has_landmarks_ordered_headings_and_named_tables(page: str, request: pytest.FixtureRequest) -> None:
    elements: list[Element] = request.getfixturevalue(page)
    tags = [e.tag for e in elements]
    assert {"header", "main"} <= set(tags)
    assert [e.attributes["lang"] for e in named(elements, "html")] == ["en"]
    headings = [int(tag[1]) for tag in tags if re.fullmatch(r"h\d", tag)]
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(headings))
    ids = [e.attributes["id"] for e in elements if "id" in e.attributes]
    assert len(set(ids)) == len(ids)
    targets = {a.attributes["href"][1:] for a in named(elements, "a") if a.attributes["href"].startswith("#")}
    assert targets <= set(ids)
    assert all("scope" in th.attributes for th in named(elements, "th"))


# Nothing is fetched, and nothing of a table takes effect


def assert_self_contained(page: str) -> None:
    """No element, attribute or style rule that a browser would fetch something for; no script."""
    elements = read(page)
    assert not {"link", "iframe", "img", "object", "embed", "base", "form", "video", "audio", "script"} & {
        e.tag for e in elements
    }
    for element in elements:
        for name, value in element.attributes.items():
            assert not name.startswith("on")
            assert name not in ("src", "srcset", "action", "background", "poster", "data", "formaction", "ping")
            if name == "href":
                assert element.tag == "a"
                assert re.fullmatch(r"#[\w-]+|https://doi\.org/10\.[\w./:-]+", value)
    styles = "".join(e.text for e in named(elements, "style"))
    assert styles.count("url(") == styles.count("url(data:font/woff2;base64,") == 1
    assert "@import" not in styles
    (policy,) = [e.attributes["content"] for e in named(elements, "meta") if "http-equiv" in e.attributes]
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'")


def test_the_report_loads_nothing_from_a_server(card: Scorecard) -> None:
    assert_self_contained(report_html(card))
    assert_self_contained(technical_html(card))


def hostile_card(texts: tuple[str, ...]) -> Scorecard:
    """A card with these texts for every name and cell; five classes of two records, one of one."""
    cells = [texts[i // 2 % len(texts)] for i in range(2 * len(texts))]
    before = {f"{texts[0]}1": cells, f"{texts[1]}2": [*cells[1:], texts[0]], f"{texts[2]}3": cells[::-1]}
    after = {
        name: [*values[:-1], values[0] if i < 2 else values[-1]] for i, (name, values) in enumerate(before.items())
    }
    names = list(before)
    rows = [[text, texts[-1] * 2] for text in dict.fromkeys(cells)]
    return metrics.score(
        table(after, texts[3]),
        Roles(quasi_identifiers=names[:2], sensitive=names[2:], not_identifying=names),
        original=table(before, texts[4]),
        hierarchies={names[0]: Hierarchy(rows, name=texts[5])},
        parameters=Parameters().with_settings({f"t_closeness.distance.{names[2]}": "equal"}),
    )


ODD = tuple(
    dict.fromkeys(text for text in (*TEXTS, *HOSTILE, "</script>", "</style><b>", "'\"", "]]>", "--><p>") if text)
)


def test_names_and_cells_are_text_whatever_they_look_like() -> None:
    calm = tuple(f"{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(len(ODD)))
    text = ""
    for made in (report_html, technical_html, appendix_html):
        pages = [made(hostile_card(texts), date=texts[6]) for texts in (ODD, calm)]
        assert_self_contained(pages[0])
        shapes = [[(e.tag, tuple(e.attributes), e.around) for e in read(page)] for page in pages]
        assert shapes[0] == shapes[1]
        page = pages[0]
        assert not set("\u202e\u2066\u2028\x00") & set(page)
        text += shown_text(read(page))
    for odd in ODD:
        if odd.isprintable() and len(odd) < 80:
            assert " ".join(odd.split()) in text
    assert "a⟨U+202E⟩b" in text


# What may be missing


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: scored(AFTER), "The original table was not given"),
        (
            lambda: scored({"age": ["1", "1", "2"]}, sensitive=()),
            "1 equivalence class (1 record) contains a single record.",
        ),
        (lambda: scored({"age": ["1", "1"]}, sensitive=()), "No equivalence class contains a single record."),
        (lambda: scored({"age": ["*", "*"], "illness": ["a", "b"]}), "Every record is suppressed"),
        (lambda: scored({"age": [], "illness": []}), "The table has no records"),
        (lambda: scored({"age": ["1", "1"], "illness": ["a", "b"]}), "Every class meets all three conditions of P_29."),
    ],
)
def test_a_report_states_which_part_is_missing_and_why(made: object, said: str) -> None:
    assert callable(made)
    card = made()
    page = report_html(card)
    text = shown_text(read(page))
    assert_self_contained(page)
    appendix = technical_html(card)
    assert_self_contained(appendix)
    message = shown_text(read(appendix))
    assert said in text or said in message
    for score in card:
        assert score.unavailable is None or f"Unavailable: {score.unavailable}." in message
    assert "SHA-256 of the file" not in text


def test_the_report_of_many_classes_is_a_small_file() -> None:
    records = 60_000
    age = np.arange(records) // 2
    content = pa.table(
        {
            "age": [f"{a}" for a in age],
            "zip": [f"{a % 977}" for a in age],
            "illness": [f"{i % 7}" for i in range(records)],
        }
    )
    card = metrics.score(metrics.read_table(content, name="large.csv"), Roles(["age", "zip"], ["illness"]))
    assert card.aggregates.classes.count == 30_000
    page = report_html(card)
    assert len(page.encode()) < 100_000
    elements = read(page)
    assert len([e for e in named(elements, "tr") if "section" in e.around]) < 200
    technical = shown_text(read(technical_html(card)))
    assert "30,000 classes (60,000 records) fail at least one condition of P_29:" in technical


def test_a_limit_that_the_policy_does_not_have_is_no_changed_parameter() -> None:
    policy = Policy("Only k", {"k_anonymity": 2})
    unlimited, changed = (Parameters().with_settings({"t_closeness.t": t}) for t in (1.0, 0.3))
    roles = Roles(quasi_identifiers="q", sensitive="s")
    content = table({"q": list("aabb"), "s": list("xyxy")})
    reports = [
        report_html(metrics.score(content, roles, parameters=one), policy=policy) for one in (unlimited, changed)
    ]
    changes = ["Changed parameter of t-closeness: <code>t_closeness.t</code> is 0.3" in one for one in reports]
    assert changes == [False, True]


def test_a_saved_count_is_reported_without_the_true_number() -> None:
    """Two women are 30 to 39 years old; of a third the release says that she may be: 2 to 3, and 2.5 expected."""
    before = table({"sex": ["f", "f", "f", "m"], "age": ["30", "31", "47", "30"]})
    after = table({"sex": ["f", "f", "f", "m"], "age": ["30", "31", "[30-49]", "30"]})
    saved = {"young women": metrics.Count({"sex": ["f"], "age": [30, 39]})}
    card = metrics.score(after, Roles(["age", "sex"]), original=before, parameters=Parameters(analyses=saved))
    told = shown_text(read(report_html(card)))
    assert sentence("analyses.counted.released", estimate=2.5, smallest=2, largest=3) in told
    assert "of the original;" not in told


def test_a_secret_sample_tells_which_attacks_were_not_measured_and_a_column_without_values_reveals_nothing() -> None:
    before = table({"age": [*"aaab"] * 40, "ill": ["flu"] * 160, "stay": [str(day) for day in range(160)]})
    after = table({"age": [*"ab"] * 40, "ill": ["flu", "gout"] * 40, "stay": ["*"] * 80})
    sample = replace(after, sampled=Sampling(1, 0.1, 0.6, 3), positions=np.arange(80))
    policy = Policy("l", {"distinct_l_diversity": 2})
    roles = Roles(["age"], ["stay", "ill"])
    card = metrics.score(sample, roles, original=before)
    told = shown_text(read(report_html(card, policy=policy)))
    assert "100% of the records are in a class where all have the same ill" in told
    assert "the same stay" not in told
    assert "Record linkage assumes" not in told
    reason = sentence("attack.unavailable.sampled")
    assert sentence("attack.not_measured", reason=reason) in told
    hidden = metrics.score(replace(sample, sampled=None, positions=None), Roles(["age"], "stay"))
    assert "the same stay" not in report_html(hidden, policy=policy)


def test_what_was_randomized_stands_on_the_first_page_and_with_which_probabilities_in_the_appendix() -> None:
    cells = {"age": ["20"] * 3 + ["30"] * 3, "sex": ["M", "F"] * 3, "ill": ["flu", "cold", "gout"] * 2}
    matrix = metrics.TransitionMatrix(("M", "F"), np.array([[0.75, 0.25], [0.5, 0.5]]))
    by = {"ill": metrics.k_rr(["flu", "cold", "gout"], np.log(2)), "sex": matrix}
    card = metrics.score(table(cells).randomized(by), Roles(["age"], ["ill", "sex"]))
    first_page = report_html(card).partition("</section>")[0]
    assert (
        "<li>ε = 1.39 in all: 0.693 for sex and 0.693 for ill per record; no other column is covered.</li>"
        in first_page
    )
    noise, truthful = sentence("comparison.different_epsilon"), metrics.score(table(cells), Roles(["age"], ["ill"]))
    beside = {"drawn": {"drawn": card, "again": card}, "truthful": {"drawn": card, "truthful": truthful}}
    told = {name: shown_text(read(report_html(card, versions, label="drawn"))) for name, versions in beside.items()}
    assert [noise in told[name] for name in beside] == [False, True]
    appendix = technical_html(card)
    assert "3 values; each is published as itself with p = 0.5, as any other one with q = 0.25." in appendix
    assert "2 values; the probability that one is published lies between 0.25 and 0.75" in appendix
