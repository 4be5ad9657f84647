"""Counts: what each version says of those that are saved, and how near those of every two columns come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from dashboard.components.measures_table import Cell, Row, measures_table
from metrics.aggregates import Aggregates
from metrics.config.analyses import Count
from metrics.config.parameters import MarginalParameters, Parameters
from metrics.errors import Unavailable
from metrics.formatting import format_number, percent, visible
from metrics.metric import Result
from metrics.privacy.local_dp.measure import LOCAL_DP
from metrics.scoring.scorecard import Scorecard, score_metric
from metrics.texts import text
from metrics.utility.count_queries.queries import saved_answer
from metrics.utility.k_marginals.marginals import Marginals
from metrics.utility.k_marginals.measure import K_MARGINALS, KMarginals


def counts_table(counts: Mapping[str, Count], cards: Mapping[str, Scorecard]) -> None:
    """A row per saved count, and two on the joint counts of every two columns."""
    rows = [_count(name, count, cards) for name, count in counts.items()]
    about = [text("analyses.about_counts")] if counts else []
    found = [card.aggregates.whole.memoize(_marginals, card.parameters.k_marginals) for card in cards.values()]
    marginals = [result for result in found if isinstance(result, KMarginals)]
    if marginals and len(marginals) == len(cards):
        aggregates = [card.aggregates for card in cards.values()]
        samples = [_sample(each.by_value, one) for each, one in zip(marginals, aggregates, strict=True)]
        groups = [_sample(each.as_released, one) for each, one in zip(marginals, aggregates, strict=True)]
        rows.append(Row(text("analyses.sample.values"), text("analyses.sample.values_help"), None, samples))
        rows.append(Row(text("analyses.sample.groups"), text("analyses.sample.groups_help"), None, groups))
        about.append(
            text("analyses.about_joint_counts", columns=marginals[0].k, sets=len(marginals[0].by_value.distances))
        )
        about += [text("analyses.drawn_counts")] * any(card[LOCAL_DP.id].result for card in cards.values())
    if rows:
        st.markdown("## Counts")
        st.caption(" ".join(about))
        measures_table(list(cards), rows, "Counts by version", "counts", first="count")
    if len(marginals) == len(cards):
        with st.expander(text("analyses.sample.each")):
            sets = [_set(names, marginals, list(cards.values())) for names in marginals[0].by_value.distances]
            measures_table(list(cards), sets, "Samples by columns", "count_sets", first="columns", tall=True)


def _count(name: str, count: Count, cards: Mapping[str, Scorecard]) -> Row:
    cells, true = [], ""
    for card in cards.values():
        try:
            found = saved_answer(card.aggregates, count)
        except Unavailable as reason:
            cells.append(Cell("—", str(reason)))
            continue
        true = text("analyses.counted.true", true=found.true)
        bounds = text("analyses.counted.bounds", smallest=found.smallest, largest=found.largest)
        cells.append(Cell(format_number(found.estimate), bounds))
    return Row(name, true, None, cells)


def _marginals(aggregates: Aggregates, parameters: MarginalParameters) -> Result | None:
    return score_metric(K_MARGINALS, aggregates, Parameters(k_marginals=parameters)).result


def _sample(found: Marginals | None, aggregates: Aggregates) -> Cell:
    if found is None or aggregates.original is None:
        return Cell("—")
    share, records = found.equals_sample, aggregates.original.rows
    equals = text("analyses.sample.equals", sample=round(share * records), records=records, share=share)
    sets = [each for each in found.each_equals.items() if all(map(aggregates.anonymized.shows, each[0]))]
    sets.sort(key=lambda each: each[1])
    apart = ""
    if sets and sets[0][1] < sets[-1][1]:
        (worst, low), (best, high) = sets[0], sets[-1]
        apart = text(
            "analyses.sample.apart",
            worst=_joined(worst),
            low=percent(low) if low else text("analyses.sample.hardly"),
            best=_joined(best),
            high=high,
        )
    return Cell(equals if share else text("analyses.sample.below"), apart)


def _set(names: tuple[str, ...], marginals: Sequence[KMarginals], cards: Sequence[Scorecard]) -> Row:
    """The sample that each version equals by one set of columns: of single values, and of the groups as released."""
    cells = []
    for found, card in zip(marginals, cards, strict=True):
        share, released = found.by_value.each_equals.get(names), found.as_released
        if share is None or not all(map(card.aggregates.anonymized.shows, names)):
            cells.append(Cell("—", text("analyses.sample.removed")))
            continue
        groups = None if released is None else released.each_equals.get(names)
        sample = round(share * int(found.by_value.counts[names].sum()))
        equals = text("analyses.sample.records", sample=sample, share=share) if share else text("analyses.sample.below")
        share_of_groups = percent(groups) if groups else text("analyses.sample.hardly")
        cells.append(Cell(equals, "" if groups is None else text("analyses.sample.of_groups", share=share_of_groups)))
    return Row(_joined(names), "", None, cells)


def _joined(names: tuple[str, ...]) -> str:
    return " × ".join(map(visible, names))
