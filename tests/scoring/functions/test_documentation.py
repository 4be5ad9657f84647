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
    assert metric.doi is None or metric.doi in text
