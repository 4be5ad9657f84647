"""Analyses kept: how far the results of the saved analyses can still be obtained from the release."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from metrics.aggregates import Aggregates
from metrics.aggregates.comparison import NO_ORIGINAL
from metrics.config.analyses import Analysis, Count
from metrics.config.parameters import Parameters
from metrics.errors import Unavailable
from metrics.estimates.analyze import analyze
from metrics.estimates.estimate import Estimate, Outcome
from metrics.estimates.result import AnalysisResult
from metrics.formatting import join_names, visible
from metrics.metric import Basis, Direction, Family, Metric, MetricChart, Result
from metrics.texts import text
from metrics.utility.count_queries.queries import Answer, saved_answer
from metrics.working import two_step_measures


@dataclass(frozen=True)
class Analyses(Result):
    """`value` is the mean over the analyses that the original supports."""

    results: Mapping[str, AnalysisResult]
    """By name the analyses that the original supports."""
    unsupported: Mapping[str, str]
    """By name why the original does not support the others."""

    @property
    def value(self) -> float:
        """All analyses weigh the same."""
        return math.fsum(result.value for result in self.results.values()) / len(self.results)

    @property
    def surviving(self) -> float:
        """The share of estimates that survive, of all analyses together."""
        return self.survivors / self.estimates if self.estimates else 0.0

    @property
    def estimates(self) -> int:
        """How many estimates there are."""
        return sum(result.most for result in self.results.values())

    @property
    def survivors(self) -> int:
        """How many of them survive."""
        return sum(result.survivors for result in self.results.values())

    @property
    def order(self) -> float:
        """The share of estimates in the original's intervals: within these, differences of versions can be chance."""
        within = sum(estimate.within for result in self.results.values() for estimate in result.estimates)
        return within / self.estimates if self.estimates else 0.0

    @property
    def in_short(self) -> str:
        """How many results survive as they are, and how many merged ones agree."""
        found = text("analyses.in_short", survivors=self._single, results=self.estimates)
        agree, merged = sum(each.survives for each in self._merged), len(self._merged)
        return text("analyses.with_merged", found=found, merged=merged, agree=agree) if merged else found

    @property
    def _single(self) -> int:
        return sum(result.single_survivors for result in self.results.values())

    @cached_property
    def _merged(self) -> list[Estimate]:
        return [estimate for result in self.results.values() for estimate in result.merged]

    def details(self) -> dict[str, Any]:
        """The share of estimates that survive, and how many there are."""
        return {"surviving": self.surviving, "estimates": self.estimates}

    def summary(self) -> str:
        """The finding."""
        before = sum(result.merged_own for result in self.results.values())
        parts = [
            text("analyses.in_short", survivors=self._single, results=self.estimates),
            self._of_merged(before) if self._merged else "",
            ", ".join(self._others(self.estimates - self._single - before)),
        ]
        found = "; ".join(filter(None, parts))
        found = text("analyses.found", found=found, analyses=len(self.results), value=self.value)
        further = (text("analyses.unsupported", name=name, reason=reason) for name, reason in self.unsupported.items())
        return " ".join([found, *further])

    def _of_merged(self, before: int) -> str:
        """How many results are merged into how many, and what becomes of these."""
        agree = text("analyses.agree", number=sum(each.survives for each in self._merged))
        found = join_names([agree, *_changes(self._merged)])
        return text("analyses.merged_into", before=before, after=len(self._merged), found=found)

    def _others(self, number: int) -> Iterator[str]:
        """What becomes of the results that neither survive as they are nor are merged with other groups."""
        single = [each for result in self.results.values() for each in result.estimates if not each.is_merged]
        changed = sum(each.outcome is Outcome.CHANGED for each in single)
        guessed = sum(each.survives and each.is_shared for each in single)
        contrasts = sum(result.merged_with_reference for result in self.results.values())
        yield from _changes(single)
        if guessed:
            yield text("analyses.others.guessed", number=guessed)
        if contrasts:
            yield text("analyses.others.with_reference", number=contrasts)
        if number > changed + guessed + contrasts:
            yield text("analyses.others.lost", number=number - changed - guessed - contrasts)


def _changes(estimates: Iterable[Estimate]) -> Iterator[str]:
    """How many change and keep the conclusion, change it, or are too uncertain to tell."""
    changed = [each for each in estimates if each.outcome is Outcome.CHANGED]
    uncertain = sum(each.is_uncertain for each in changed)
    keep = sum(each.keeps_conclusion and not each.is_uncertain for each in changed)
    if keep:
        yield text("analyses.others.conclusion", number=keep)
    if len(changed) > keep + uncertain:
        yield text("analyses.others.changed", number=len(changed) - keep - uncertain)
    if uncertain:
        yield text("analyses.others.uncertain", number=uncertain)


def answer(aggregates: Aggregates, analysis: Analysis) -> AnalysisResult | Answer:
    """What is left of an analysis, or the answer to a count. Raises Unavailable where the original supports neither."""
    return saved_answer(aggregates, analysis) if isinstance(analysis, Count) else analyze(aggregates, analysis)


def all_answers(
    aggregates: Aggregates, analyses: Mapping[str, Analysis]
) -> Iterator[tuple[str, AnalysisResult | Answer | Unavailable]]:
    """By name the answer to each analysis, or why there is none."""
    for name, analysis in analyses.items():
        try:
            yield name, answer(aggregates, analysis)
        except Unavailable as reason:
            yield name, reason


def analyses_to_dict(aggregates: Aggregates, parameters: Parameters) -> dict[str, Any]:
    """The saved analyses by name, as `score --json` prints them; computed once."""
    return {
        name: {"value": None, "unavailable": str(found), "estimates": []}
        if isinstance(found, Unavailable)
        else found.to_dict()
        for name, found in all_answers(aggregates, parameters.analyses)
    }


def sentences(aggregates: Aggregates, parameters: Parameters) -> Iterator[str]:
    """A sentence on each saved analysis, after its name."""
    for name, found in all_answers(aggregates, parameters.analyses):
        yield f"{visible(name)}: {f'Unavailable: {found}.' if isinstance(found, Unavailable) else found.summary()}"


def _compute(aggregates: Aggregates, parameters: Parameters) -> Analyses:
    if aggregates.original is None:
        raise Unavailable(NO_ORIGINAL)
    if not aggregates.original.rows:
        raise Unavailable(text("unavailable.no_records"))
    estimated = {name: each for name, each in parameters.analyses.items() if not isinstance(each, Count)}
    if not estimated:
        counts = text("analyses.unavailable.only_counts")
        raise Unavailable(counts if parameters.analyses else text("analyses.unavailable.no_analysis"))
    answers = dict(all_answers(aggregates, estimated))
    results = {name: found for name, found in answers.items() if isinstance(found, AnalysisResult)}
    unsupported = {name: str(found) for name, found in answers.items() if isinstance(found, Unavailable)}
    if not results:
        name, why = next(iter(unsupported.items()))
        raise Unavailable(text("analyses.unavailable.none_supported", name=name, reason=why))
    return Analyses(results, unsupported)


def _chart(result: Any, aggregates: Aggregates) -> Any:
    from metrics.utility.analyses_chart import kept_by_analysis

    return kept_by_analysis(result)


ANALYSES = Metric(
    id="analyses",
    family=Family.UTILITY,
    minimum=0,
    maximum=1,
    direction=Direction.HIGHER,
    is_share=True,
    formula=r"\frac{1}{|A|} \sum_{a \in A} \frac{1}{E_a} \sum_{i=1}^{C_a} \max(J_{a,i}, 0)",
    reference="A. F. Karr et al., A Framework for Evaluating the Utility of Data Altered to Protect Confidentiality, "
    "The American Statistician 60(3), 2006, doi 10.1198/000313006X124640",
    compute=_compute,
    settings=("analyses",),
    charts=(MetricChart(_chart),),
    working=two_step_measures.ANALYSES,
    loss_basis=Basis.EVERY_RECORD,
)
