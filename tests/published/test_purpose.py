"""Analyses, count queries and k-marginals as an independent implementation found them, SDNist's score among them."""

import json
from collections import Counter
from functools import cache
from statistics import NormalDist
from typing import Any, cast

import numpy as np
import pytest

import metrics
from dashboard.environment import ROOT
from metrics import Hierarchy, Parameters, Roles, Table
from metrics.aggregates import TableAggregates
from metrics.aggregates.label_shares import column_domain
from metrics.config.analyses import AnalysesDocument, Estimated
from metrics.estimates.analyze import analyze
from metrics.privacy.safepub.bound import delta_of, k_for
from metrics.utility.count_queries.queries import answers, written_query
from tests.oracle.hierarchy import with_root
from tests.support.reference_data import REFERENCE_DATA, read_records, read_rows, reference
from tests.support.small_tables import table

pytestmark = pytest.mark.reference

KINDS = ("k_marginals", "queries", "workload")


def purpose() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(reference("purpose.json").read_text(encoding="utf-8"))
    return found


def figures(*kinds: str) -> list[Any]:
    """The figures of these kinds; none where there are no reference data, and the tests are left out."""
    if not REFERENCE_DATA.is_dir():
        return []
    return [pytest.param(one, id=one["id"]) for one in purpose()["figures"] if one["call"]["what"] in kinds]


def path_of(written: str) -> Any:
    place, _, name = written.partition("}/")
    return reference(name) if place == "{reference" else ROOT / "sample_data" / name


@cache
def scene(name: str, candidate: str) -> tuple[Table, Table, dict[str, Hierarchy]]:
    """The original, the candidate and the hierarchies of a table."""
    given = purpose()["tables"][name]
    trees = {column: read_rows(path_of(one["file"])) for column, one in given.get("hierarchies", {}).items()}
    original, rule = path_of(given["source"]), given["candidates"][candidate]
    hierarchies = {column: Hierarchy(rows) for column, rows in trees.items()}
    if isinstance(rule, str):
        return metrics.read_table(original), metrics.read_table(path_of(rule)), hierarchies
    records = read_records(original)
    cells = {column: [record[column] for record in records] for column in records[0]}
    for step in rule:
        if step["do"] == "generalize":
            for column, level in step["levels"].items():
                label = {row[0]: row[level] for row in with_root(trees[column])}
                cells[column] = [label[cell or ""] for cell in cells[column]]
        else:
            classes = list(zip(*(cells[column] for column in step["columns"]), strict=True))
            size = Counter(classes)
            for column in step["columns"]:
                cells[column] = [
                    "*" if size[one] < step["k"] else cell for one, cell in zip(classes, cells[column], strict=True)
                ]
    return metrics.read_table(original), table(cells), hierarchies


def found(call: dict[str, Any]) -> dict[str, Any]:
    """What the library finds, in the form of the file."""
    original, released, hierarchies = scene(call["table"], call["candidate"])
    if call["what"] == "queries":
        names = list(dict.fromkeys(name for query in call["queries"] for name in query))
        aggregates = TableAggregates(released, Roles(names), original, hierarchies)
        domains = {name: column_domain(aggregates, name) for name in names}
        queries = [
            {name: [str(value) for value in asked] for name, asked in query.items()} for query in call["queries"]
        ]
        answered = answers(aggregates, [written_query(query, domains) for query in queries])
        errors = sorted(one.error for one in answered)
        return {"value": errors[len(errors) // 2], "answers": {str(n): vars(one) for n, one in enumerate(answered)}}
    metric, settings = "count_queries", {}
    if call["what"] == "k_marginals":
        metric, settings = "k_marginals", {"k_marginals.k": call["order"]}
    else:
        assert [call[name] for name in ("number", "lambda", "selectivity", "seed")] == [1000, 2, 0.05, 0]
    card = metrics.score(
        released,
        Roles(call["columns"]),
        original=original,
        hierarchies={name: tree for name, tree in hierarchies.items() if name in call["columns"]},
        parameters=Parameters().with_settings(settings),
        metrics=[metric],
    )
    return {"value": card[metric].value, **card[metric].details}


@pytest.mark.parametrize("figure", figures(*KINDS))
def test_the_figure_is_that_of_the_reference(figure: dict[str, Any]) -> None:
    value = found(figure["call"])
    for part in figure["path"]:
        value = value[part]
    assert abs(value - figure["value"]) <= figure["tolerance"] * max(1, abs(figure["value"]))


def test_every_figure_of_these_kinds_is_checked() -> None:
    assert len(figures(*KINDS)) == 23


@pytest.mark.parametrize("figure", figures("krr"))
def test_randomized_response(figure: dict[str, Any]) -> None:
    epsilon, values = figure["call"]["epsilon"], figure["call"]["values"]
    drawn = metrics.k_rr([str(value) for value in range(values)], epsilon)
    # Of a value that nobody has: as many published cells as are drawn by chance, of a single record.
    counts = np.array([drawn.drawn[0], *[(1 - drawn.drawn[0]) / (values - 1)] * (values - 1)])
    estimates = drawn.frequencies(counts)
    assert estimates is not None
    variance = (estimates.half_width[0] / NormalDist().inv_cdf(0.975)) ** 2
    found = {"keep": drawn.kept + drawn.drawn[0], "variance_factor_rare": variance}
    assert found[figure["path"][0]] == pytest.approx(figure["value"], rel=figure["tolerance"])


@pytest.mark.parametrize("figure", figures("krr_frequencies"))
def test_shares_behind_randomized_response(figure: dict[str, Any]) -> None:
    counts = figure["call"]["counts"]
    found = metrics.k_rr([str(value) for value in range(len(counts))], figure["call"]["epsilon"]).frequencies(
        np.array(counts, dtype=float)
    )
    assert found is not None
    first = {"share": found.estimated[0], "half_width": found.half_width[0]}
    assert first[figure["path"][1]] == pytest.approx(figure["value"], rel=figure["tolerance"])


@pytest.mark.parametrize("figure", figures("safepub_k", "safepub_delta"))
def test_safepub(figure: dict[str, Any]) -> None:
    call = figure["call"]
    if call["what"] == "safepub_k":
        assert k_for(call["epsilon"], call["delta"]) == figure["value"]
    else:
        assert delta_of(call["k"], call["epsilon"]) == pytest.approx(figure["value"], abs=figure["tolerance"])


@pytest.mark.parametrize("figure", figures("naive_bayes"))
def test_learning_attack(figure: dict[str, Any]) -> None:
    call = figure["call"]
    original, released, hierarchies = scene(call["table"], call["candidate"])
    roles = Roles(call["known"], [call["sensitive"]])
    holdout = metrics.read_table(ROOT / "sample_data" / "hospital_holdout.csv")
    given: dict[str, Any] = {"original": original, "holdout": holdout, "hierarchies": hierarchies}
    found = metrics.score(released, roles, metrics=["learning_attack"], **given)["learning_attack"]
    value = {"success": found.value, "rapid": found.details["rapid"]}[figure["path"][0]]
    assert value == pytest.approx(figure["value"], abs=figure["tolerance"])
    others = [found.details[name] for name in ("control", "baseline", "null_mean")]
    assert others == pytest.approx([0.108, 0.1054, 0.05222322], abs=1e-9)


def saved_analysis(name: str, analysis: str) -> Estimated:
    saved: Any = AnalysesDocument("purpose.json").analysis(purpose()["tables"][name]["analyses"][analysis], analysis)
    return cast(Estimated, saved)


@pytest.mark.parametrize("figure", figures("analysis"))
def test_analyses(figure: dict[str, Any]) -> None:
    call = figure["call"]
    original, released, hierarchies = scene(call["table"], call["candidate"])
    aggregates = TableAggregates(released, Roles(original.names[:1]), original, hierarchies)
    found: Any = analyze(aggregates, saved_analysis(call["table"], call["analysis"])).to_dict()
    found["estimates"] = {one["name"]: one for one in found["estimates"]}
    for key in figure["path"]:
        found = found[key]
    found = found["estimate"] if isinstance(found, dict) else found
    assert found == pytest.approx(figure["value"], rel=figure["tolerance"], abs=figure["tolerance"])


@pytest.mark.parametrize(("name", "candidate"), [("adult", "k5"), ("hospital", "light"), ("diabetes", "after")])
def test_a_table_keeps_its_own_analyses(name: str, candidate: str) -> None:
    original, _, hierarchies = scene(name, candidate)
    aggregates = TableAggregates(original, Roles(original.names[:1]), original, hierarchies)
    for key in purpose()["tables"][name]["analyses"]:
        found = analyze(aggregates, saved_analysis(name, key))
        assert (found.value, found.surviving, found.detail) == (1, 1, 1), key
