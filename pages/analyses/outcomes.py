"""What becomes of the results of one analysis in each version, by name."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

import streamlit as st

from dashboard.components.measures_table import Cell, Row, measures_table
from metrics.config.analyses import Crosstab, Estimated, Linear, Logistic, Mean
from metrics.drawing.version_styles import short_names
from metrics.estimates.estimate import Estimate, Own, Value
from metrics.estimates.result import AnalysisResult
from metrics.formatting import format_number, join_names, percent, visible
from metrics.texts import text
from pages.analyses.forest import in_words

_MOST_ROWS = 200
"""Results of the original that are listed."""


def method(analysis: Estimated, results: Mapping[str, AnalysisResult]) -> str:
    """How an analysis estimates and tests."""
    terms = [
        text("analyses.method.merged", column=term.column, level=term.level) if term.level else visible(term.column)
        for term in analysis.terms_of_all
    ]
    is_randomized = any(result.randomized for result in results.values())
    if isinstance(analysis, Mean):
        number, groups = analysis.number, join_names(terms) if terms else ""
        of_all = text("analyses.method.mean_of_all", number=number)
        sentences = [text("analyses.method.mean", number=number, groups=groups) if terms else of_all]
        sentences += [text("analyses.method.mean_randomized")] if is_randomized else []
    elif isinstance(analysis, Crosstab):
        sentences = [text("analyses.method.crosstab", groups=join_names(terms))]
        sentences += [text("analyses.method.crosstab_randomized")] if is_randomized else []
    else:
        sentences = _of_regression(analysis, terms, results)
    if analysis.weight:
        sentences.append(text("analyses.method.weighted", column=analysis.weight))
    return " ".join(sentences)


def _of_regression(
    analysis: Linear | Logistic, terms: Sequence[str], results: Mapping[str, AnalysisResult]
) -> list[str]:
    """How a regression estimates, with what groups are compared, and what broader labels count for."""
    formula = f"{visible(analysis.outcome)} ~ {' + '.join(terms)}"
    event = "" if isinstance(analysis, Linear) else join_names([visible(value) for value in analysis.event], "or")
    linear = text("analyses.method.linear", formula=formula)
    sentences = [text("analyses.method.logistic", formula=formula, event=event) if event else linear]
    sentences += _references(results)
    if isinstance(analysis, Linear) or len(terms) > len(next(iter(results.values())).references):
        sentences.append(text("analyses.method.bands"))
    return [*sentences, text("analyses.method.generalized")]


def _references(results: Mapping[str, AnalysisResult]) -> list[str]:
    """The groups that others are compared with, and those of each version that merges them."""
    found = next(iter(results.values())).references
    if not found:
        return []
    sentences = [
        text(
            "analyses.method.references",
            references=join_names([f"{visible(column)} {visible(group)}" for column, group, _ in found]),
        )
    ]
    versions: dict[str, list[str]] = {}
    for version, name in short_names(results).items():
        merged = [
            f"{visible(column)} {visible(block)}" for column, own, block in results[version].references if block != own
        ]
        if merged:
            versions.setdefault(join_names(merged), []).append(name)
    return sentences + [
        text("analyses.method.references_merged", versions=join_names(names), references=groups)
        for groups, names in versions.items()
    ]


def extents_table(
    analyses: Mapping[str, Estimated], results: Mapping[str, Mapping[str, AnalysisResult]], failing: Container[str]
) -> None:
    """By analysis and version what becomes of the results: tinted where all survive in full, and where some do not.

    Versions `failing` the policy are marked.
    """
    rows = []
    for name, analysis in analyses.items():
        each = [of_version.get(name) for of_version in results.values()]
        asked = next((one.asked for one in each if one is not None), "")
        if isinstance(analysis, Linear | Logistic) and asked:
            terms = join_names([visible(term.column) for term in analysis.terms_of_all])
            asked = text("analyses.of_terms", coefficients=asked, terms=terms)
        rows.append(Row(name, asked, None, [_in_short(one) for one in each]))
    overview = text("analyses.overview")
    measures_table(list(results), rows, overview, "analysis_extents", first="analysis", failing=failing)


def _in_short(result: AnalysisResult | None) -> Cell:
    if result is None:
        return Cell("—")
    mark = "meets" if result.is_whole else "" if result.is_only_coarser else "fails"
    return Cell(result.in_short, result.remark, mark)


def rests_on(results: Mapping[str, AnalysisResult], left_out: Mapping[str, str | None]) -> None:
    """By version how near its results are to the original's, the records that they rest on, and whom they leave out."""
    found = list(results.values())
    records = text("analyses.of_original", records=found[0].rows_original)
    rows = [
        Row(
            "kept",
            text("analyses.detail_and_overlap"),
            None,
            [Cell(percent(each.value), _left_times_overlap(each)) for each in found],
        ),
        Row("records used", records, None, [_used(result, left_out[version]) for version, result in results.items()]),
    ]
    own = [own.original.is_significant for own in found[0].originals]
    significant = text("analyses.significant_original", number=sum(own), results=len(own))
    rows.append(Row("significant", significant, None, [Cell(each.significant) for each in found]))
    if any(each.caution for each in found):
        rows.append(Row("notes", "", None, [Cell(each.caution) for each in found]))
    measures_table(list(results), rows, "Results by version", "analysis_outcomes", first="result")


def fates_table(results: Mapping[str, AnalysisResult]) -> None:
    """By result of the original what becomes of it in each version."""
    found = list(results.values())
    factor = _factor(found[0])
    first = "result" if factor == 1 else text("analyses.kept.cells")
    each = list(zip(*(result.originals for result in found), strict=True))
    rows = [
        Row(
            visible(own[0].name),
            f"{in_words(own[0].original, factor)}, {own[0].original.conclusion}",
            None,
            [_fate(one, result) for one, result in zip(own, found, strict=True)],
        )
        for own in each[:_MOST_ROWS]
    ]
    if len(rows) < len(each):
        st.caption(text("analyses.kept.first", shown=len(rows), results=len(each)))
    rows += _totals(found, factor)
    measures_table(list(results), rows, "Results of the original", "analysis_fates", first=first, tall=True)


def _left_times_overlap(result: AnalysisResult) -> str:
    """What is kept, as the share of results that is left times how far the intervals of these overlap."""
    left, results = result.kept, result.most
    if not left:
        return ""
    overlap = result.value * results / left
    return text("analyses.left_times_overlap", left=left, results=results, overlap=overlap)


def _factor(result: AnalysisResult) -> float:
    """Shares of cells are shown in percent."""
    return 100 if result.kind == Crosstab.kind else 1


def _totals(found: Sequence[AnalysisResult], factor: float) -> list[Row]:
    """What is left by the other columns, where a version removes one."""
    totals = [{each.name: each for each in one.estimates} if one.has_only_totals else {} for one in found]
    originals = {name: each.original for of_version in totals for name, each in of_version.items()}
    return [
        Row(visible(name), in_words(original, factor), None, [_total(each.get(name), factor) for each in totals])
        for name, original in originals.items()
    ]


def _total(estimate: Estimate | None, factor: float) -> Cell:
    released = None if estimate is None else estimate.released
    return Cell("—") if estimate is None or released is None else Cell(estimate.said, in_words(released, factor))


def _fate(own: Own, result: AnalysisResult) -> Cell:
    """What becomes of a result, and of one that is merged or changes both values."""
    becomes, remark = own.fate
    estimate, factor = own.estimate, _factor(result)
    released = None if estimate is None or own.lost else estimate.released
    if estimate is None or released is None:
        return Cell(becomes, remark)
    after = in_words(released, factor)
    if estimate.survives and not estimate.is_merged:
        return Cell(becomes, _with_records(after, estimate.original, released, factor))
    change, original = text("analyses.kept.change", after=after, conclusion=released.conclusion), estimate.original
    if estimate.is_merged:
        unit = "%" if factor == 100 else ""
        conclusion = "" if original.conclusion == released.conclusion else f", {original.conclusion},"
        change = text(
            "analyses.kept.merged_change",
            before=factor * original.estimate,
            unit=unit,
            merged=text("analyses.kept.terms_merged_alike")
            if result.references
            else text("analyses.kept.merged_alike"),
            without=text("analyses.kept.merged_without", columns=result.removed) if result.removed else "",
            conclusion=conclusion,
            change=change,
        )
    if estimate.recoded is not None:
        recoded = in_words(estimate.recoded, factor)
        by_labels = text("analyses.kept.recoded", change=change, recoded=recoded)
        by_records = text("analyses.kept.not_recoded", change=change, recoded=recoded)
        change = by_labels if estimate.is_by_labels else by_records
    if estimate.adjusted is not None:
        adjusted = in_words(estimate.adjusted, factor)
        change = text("analyses.kept.adjusted_gives", change=change, columns=result.removed, adjusted=adjusted)
    change = _with_records(change, original, released, factor)
    return Cell(becomes, ": ".join(filter(None, [remark, change])))


def _with_records(change: str, original: Value, released: Value, factor: float) -> str:
    """Of a share the records before and after besides."""
    if factor == 1:
        return change
    return text("analyses.kept.change_of_count", change=change, before=original.records, after=released.records)


def _used(result: AnalysisResult, of_group: str | None) -> Cell:
    used, left_out = result.rows_released, result.left_out_released
    about = text("analyses.left_out", left_out=left_out) if left_out else ""
    return Cell(format_number(used), of_group if of_group and used else about)
