"""The parts of the scale page: the verdict with its figure, and its assumptions."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.components.data_table import data_table
from dashboard.components.figure import draw_with_data
from metrics.aggregates import MAX_CLASSES, Aggregates
from metrics.engines.cost import ClusterCost, MeasuredCounts, cluster_cost, cluster_costs
from metrics.figures.cluster_cost import cluster_cost_figure
from metrics.formatting import in_bytes, percent, pluralize

_BILLION = 10**9
_RECORDS = [round(10 ** (power / 4)) for power in range(24, 37)]
_LISTED = [10**6, 10**7, 10**8, _BILLION]
_PER_PARTITION = (100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
_USUAL = 1_000_000
_CHECKED = 64
"""Partitions that the table's own records are thrown into."""
_MAX_THROWN = 5_000_000


def cost_section(measured: MeasuredCounts) -> None:
    """Show what a billion records take, the size of a partition beside the figure, and figures by number of records."""
    per_partition = int(st.session_state.get("records_per_partition", _USUAL))
    costs = cluster_costs(measured, _RECORDS, per_partition)
    largest = costs[-1]
    matching_size = in_bytes(largest.matching_bytes) if largest.matching_bytes else "—"
    matching_note = f" and {matching_size} of records to match them with the original" if largest.matching_bytes else ""
    st.markdown(
        f"Scoring **a billion records** of this kind on a cluster would shuffle {in_bytes(largest.counting_bytes)} of "
        f"partial counts{matching_note}. The driver would hold {in_bytes(largest.driver_bytes)} at most, and no record."
    )
    tiles = st.columns(4)
    tiles[0].metric(
        "Shuffled to count",
        in_bytes(largest.counting_bytes),
        help=f"Bytes of the {largest.partial_counts:,.0f} partial counts that the partitions send.",
    )
    tiles[1].metric(
        "Shuffled to match",
        matching_size,
        help="Bytes of the keys of both tables, and of each quasi-identifier with them; none without an original.",
    )
    cells = sum(largest.cells.values())
    tiles[2].metric(
        "Histogram cells",
        f"{cells:,.0f}",
        help="Combinations of class and sensitive value that are counted: "
        f"{in_bytes(largest.histogram_bytes)} if all were held at once.",
    )
    tiles[3].metric(
        "Driver memory",
        in_bytes(largest.driver_bytes),
        help="Bytes that the driver holds at most, in addition to Python, Java and their libraries.",
    )
    left, right = st.columns([1, 2])
    with left:
        st.select_slider(
            "Records in a partition",
            _PER_PARTITION,
            value=_USUAL,
            format_func=lambda number: f"{number:,}",
            key="records_per_partition",
            persist_state="session",
            help="How many records one task counts. Spark reads about 128 MB of a file into a partition; larger "
            "partitions send fewer partial counts.",
        )
        st.caption(f"A billion records fill {pluralize(largest.partitions, 'partition')} of this size.")
    with right:
        draw_with_data(cluster_cost_figure(costs), "cluster_cost")
    table = _cost_table(cluster_costs(measured, _LISTED, per_partition))
    data_table(table, "Cost by number of records", right=table.columns)


def _cost_table(costs: list[ClusterCost]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "records": [f"{cost.records:,}" for cost in costs],
            "partitions": [f"{cost.partitions:,}" for cost in costs],
            "classes": [f"{cost.classes:,.0f}" for cost in costs],
            **{f"cells of {name}": [f"{cost.cells[name]:,.0f}" for cost in costs] for name in costs[0].cells},
            "partial counts": [f"{cost.partial_counts:,.0f}" for cost in costs],
            "shuffled to count": [in_bytes(cost.counting_bytes) for cost in costs],
            "shuffled to match": [in_bytes(cost.matching_bytes) for cost in costs],
            "held by the driver": [in_bytes(cost.driver_bytes) for cost in costs],
        }
    )


def cost_assumptions(aggregates: Aggregates, measured: MeasuredCounts) -> None:
    """Show what was measured, what is assumed, and a check at random."""
    together, classes, suppressed = measured.together, aggregates.class_sizes.count, aggregates.class_sizes.suppressed
    beside = " (the suppressed records count as one more)" if suppressed else ""
    lines = [
        f"**Measured here**: {pluralize(together.records, 'record')}, {pluralize(classes, 'class', 'classes')}"
        f"{beside}, {pluralize(together.sizes.count, 'combination')} of quasi-identifiers and sensitive values, "
        f"{together.row_bytes:,.0f} bytes each when sent.",
        "**Further records add combinations** at the rate of the last records here, where "
        f"{percent(together.growth)} of the combinations occur once. At most {together.possible:,.0f} combinations are "
        "possible with these values.",
        "**Worst case**: records are in random order, so every partition contains most combinations and sends one "
        "partial count for each. Sizes are before Spark's compression.",
        "**Matching by a key** sends every record of both tables twice to check the key and once per quasi-identifier, "
        f"{measured.key:,.0f} bytes of key each time.",
        f"**The driver** processes {MAX_CLASSES:,} combinations at a time, {measured.combination_bytes:,} bytes each, "
        "and keeps totals and the worst classes.",
    ]
    if together.records <= _MAX_THROWN:
        simulated = aggregates.memoize(
            "thrown", lambda: together.simulated_partial_counts(_CHECKED, np.random.default_rng(29))
        )
        expected = cluster_cost(measured, together.records, _CHECKED).partial_counts
        lines.append(
            f"**Check**: this table's records, assigned to {_CHECKED} partitions at random, give {simulated:,} partial "
            f"counts (expected: {expected:,.0f})."
        )
    st.markdown("\n".join(f"- {line}" for line in lines))
