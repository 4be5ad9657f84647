"""The documentation of each function that scores a data frame."""

import inspect
import re

import pytest

import metrics
from metrics.scoring.catalog import BY_ID
from tests.scoring.functions.names import FUNCTIONS


@pytest.mark.parametrize("metric_id", FUNCTIONS)
def test_a_function_documents_its_arguments_its_definition_and_its_source(metric_id: str) -> None:
    function, metric = getattr(metrics, metric_id), BY_ID[metric_id]
    text = inspect.getdoc(function)
    assert function.__name__ == metric_id
    assert list(inspect.signature(function).parameters) == re.findall(
        r"^(\w+)\n    ", text.partition("Returns")[0], re.M
    )
    assert f"Returns\n-------\n{inspect.signature(function).return_annotation}\n" in text
    assert metric.formula in text
    assert re.sub(r"\s+", "", metric.reference) in re.sub(r"\s+", "", text)


def test_a_function_names_its_metric_as_in_a_sentence_and_gives_no_unit_of_a_verdict() -> None:
    for metric_id, first, returned in (
        ("profitability", "Return the profitability of a table; yes is better.", "Range: yes or no."),
        (
            "utility_bias",
            "Return the utility bias of a table; lower is",
            "Range: 0 to ∞ (unit of the statistic).",
        ),
        ("kl_divergence", "Return the KL divergence of a table; lower is", "Range: 0 to ∞ (nats)."),
    ):
        text = inspect.getdoc(getattr(metrics, metric_id))
        assert (text.startswith(first), returned in text) == (True, True)


@pytest.mark.parametrize(
    ("metric_id", "authors", "doi"),
    [
        ("profitability", "Z. Wan", "10.1371/journal.pone.0120592"),
        ("ambiguity", "J. Goldberger", "10.1109/ICDMW.2009.15"),
        ("ambiguity", "M. E. Nergiz", "10.1016/j.datak.2007.03.009"),
        ("singling_out_attack", "M. Giomi", "10.56553/popets-2023-0055"),
        ("people_k_anonymity", "L. Sweeney", "10.1142/S0218488502001648"),
    ],
)
def test_a_doi_follows_its_own_paper(metric_id: str, authors: str, doi: str) -> None:
    references = inspect.getdoc(getattr(metrics, metric_id)).partition("References\n")[2].replace("\n", " ")
    [paper] = [paper for paper in references.split("; ") if doi in paper]
    assert authors in paper
