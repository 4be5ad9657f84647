"""Hypothesis strategies for small candidates: tables, roles, hierarchies, as the oracle and `metrics` take them."""

from dataclasses import dataclass

from hypothesis import strategies as st

from metrics import Hierarchy, Parameters, Roles, Scorecard, score
from tests.support.small_tables import Cells, records, table

Rows = list[list[str]]

PLAIN = ["a", "b", "None", "NA", "?", "", "é", "漢字", "00123", "x<y&z", "n.a."]
NUMBERS = ["1", "1.0", "+1", "01", "2", "10", "-3", "-3.0e0", "2.5", ".5", "0.50", "-0", "0"]
LEAVES = ["p", "q", "r", "s", "t", "ü", "7", ""]


@dataclass(frozen=True)
class Scene:
    """One candidate: cells by column, before and after."""

    quasi_identifiers: list[str]
    sensitive: list[str]
    anonymized: dict[str, Cells]
    original: dict[str, Cells]
    hierarchies: dict[str, Rows]
    key: str | None = None

    @property
    def roles(self) -> Roles:
        return Roles(quasi_identifiers=self.quasi_identifiers, sensitive=self.sensitive, key=self.key)

    @property
    def rows(self) -> int:
        return len(next(iter(self.anonymized.values())))

    @property
    def records(self) -> list[dict[str, str | None]]:
        return records(self.anonymized)

    def score(self, *metrics: str, **settings: object) -> Scorecard:
        """The scorecard of these metrics, or of all but those that take long."""
        return score(
            table(self.anonymized, "anonymized"),
            self.roles,
            original=table(self.original, "original") if self.original else None,
            hierarchies={name: Hierarchy(rows) for name, rows in self.hierarchies.items()},
            parameters=Parameters().with_settings(settings),
            metrics=metrics or None,
        )


@st.composite
def trees(draw: st.DrawFn, leaves: list[str] | None = None) -> Rows:
    """Consistent hierarchies of one to eight leaves and up to three levels above them, with or without a root."""
    chosen = leaves or draw(st.lists(st.sampled_from(LEAVES), min_size=1, max_size=8, unique=True))
    nodes = list(chosen)
    rows = [[leaf] for leaf in chosen]
    for level in range(1, draw(st.integers(1, 3)) + 1):
        parents = {
            # A label may stand on two levels: kept where branches differ in depth, or a leaf naming its group.
            node: draw(st.sampled_from([*(f"L{level}.{i}" for i in range(3)), *([node, chosen[-1]] if named else [])]))
            for node, named in {node: bool(node and chosen[-1]) for node in nodes}.items()
        }
        nodes = [parents[node] for node in nodes]
        for row, node in zip(rows, nodes, strict=True):
            row.append(node)
    return [[*row, "*"] for row in rows] if draw(st.booleans()) else rows


def columns(values: list[str | None], rows: int) -> st.SearchStrategy[list[str | None]]:
    """A column of `rows` cells drawn from values."""
    return st.lists(st.sampled_from(values), min_size=rows, max_size=rows)


@st.composite
def pools(draw: st.DrawFn, values: list[str]) -> list[str | None]:
    """A few of the values, perhaps with the missing one."""
    chosen: list[str | None] = list(draw(st.lists(st.sampled_from(values), min_size=1, max_size=4, unique=True)))
    return [*chosen, None] if draw(st.booleans()) else chosen


@st.composite
def sensitive_scenes(draw: st.DrawFn, max_rows: int = 40) -> Scene:
    """Candidates with one to three quasi-identifiers and one or two sensitive attributes, no original."""
    rows = draw(st.integers(0, max_rows))
    quasi_identifiers = ["q", "Q", "質"][: draw(st.integers(1, 3))]
    sensitive = ["s", "S"][: draw(st.integers(1, 2))]
    cells: dict[str, Cells] = {}
    for name in quasi_identifiers:
        values = ["*", *draw(pools(PLAIN))]
        cells[name] = draw(columns(values, rows))
    hierarchies: dict[str, Rows] = {}
    for name in sensitive:
        kind = draw(st.sampled_from(["plain", "numbers", "mixed", "tree", "numbers and suppressed"]))
        if kind == "tree":
            hierarchies[name] = draw(trees())
            extra: list[str | None] = draw(st.sampled_from([[], [], [], ["no leaf"], [None], ["*"]]))
            values = [*[row[0] for row in hierarchies[name]], *extra]
        elif kind == "numbers and suppressed":
            values = [*NUMBERS[:4], "*"]
        else:
            values = draw(pools({"plain": PLAIN, "numbers": NUMBERS, "mixed": [*PLAIN, *NUMBERS]}[kind]))
        cells[name] = draw(columns(values, rows))
        if kind in ("tree", "numbers and suppressed") and "*" in values:
            suppressed = [all(cells[q][i] == "*" for q in quasi_identifiers) for i in range(rows)]
            fill = next(value for value in values if value != "*")
            # Where a record is suppressed, its sensitive values often are as well; elsewhere they rarely are.
            if draw(st.booleans()):
                cells[name] = [
                    cell if cell != "*" or gone else fill for cell, gone in zip(cells[name], suppressed, strict=True)
                ]
    return Scene(quasi_identifiers, sensitive, cells, {}, hierarchies)


@st.composite
def _tree_column(draw: st.DrawFn, rows: int) -> tuple[Cells, Cells, Rows]:
    tree = draw(trees())
    leaves = [row[0] for row in tree]
    chosen = draw(st.lists(st.sampled_from(range(len(tree))), min_size=rows, max_size=rows))
    levels = draw(st.lists(st.sampled_from(range(len(tree[0]))), min_size=rows, max_size=rows))
    before: list[str | None] = [leaves[i] for i in chosen]
    after: list[str | None] = [tree[i][level] for i, level in zip(chosen, levels, strict=True)]
    if rows and draw(st.integers(0, 5)) == 5:
        # Now and then a label of another branch, a suppressed cell, or a value that the hierarchy does not know.
        strange = [tree[0][-1], "*", "unknown", None, *leaves]
        after[draw(st.integers(0, rows - 1))] = draw(st.sampled_from(strange))
    if rows and draw(st.integers(0, 9)) == 9:
        before[draw(st.integers(0, rows - 1))] = draw(st.sampled_from(["unknown", None]))
    return before, after, tree


INTERVALS = ["{low} - {high}", "{low}-{high}", "[{low}-{next})", "[{low}, {next}[", "({before},{high}]"]


@st.composite
def _integer_column(draw: st.DrawFn, rows: int) -> tuple[Cells, Cells, None]:
    numbers = draw(st.lists(st.integers(-30, 60), min_size=rows, max_size=rows))
    # With two widths or forms a value is generalized in two ways, which only a hierarchy could put in order.
    widths = draw(st.lists(st.sampled_from([1, 5, 10]), min_size=1, max_size=2))
    intervals = draw(st.lists(st.sampled_from(INTERVALS), min_size=1, max_size=2))
    forms = draw(st.lists(st.sampled_from(["same", "*", *intervals]), min_size=rows, max_size=rows))
    after: list[str | None] = []
    for i, (number, form) in enumerate(zip(numbers, forms, strict=True)):
        width = widths[i % len(widths)]
        low = number // width * width
        bounds = {"low": low, "high": low + width - 1, "next": low + width, "before": low - 1}
        after.append({"same": str(number), "*": "*"}.get(form) or form.format(**bounds))
    return [str(number) for number in numbers], after, None


@st.composite
def _plain_column(draw: st.DrawFn, rows: int) -> tuple[Cells, Cells, None]:
    values = draw(pools(PLAIN))
    before = draw(columns(values, rows))
    kept = draw(st.lists(st.sampled_from(["same", "same", "*", "other"]), min_size=rows, max_size=rows))
    other = next(iter(before), None)
    after = [{"same": cell, "*": "*", "other": other}[what] for cell, what in zip(before, kept, strict=True)]
    return before, after, None


@st.composite
def pair_scenes(draw: st.DrawFn, max_rows: int = 40) -> Scene:
    """An original and an anonymized table of one to three quasi-identifiers; some records wholly suppressed."""
    rows = draw(st.integers(0, max_rows))
    names = ["q", "Q", "質"][: draw(st.integers(1, 3))]
    original: dict[str, Cells] = {}
    anonymized: dict[str, Cells] = {}
    hierarchies: dict[str, Rows] = {}
    gone = draw(st.sets(st.integers(0, max(rows - 1, 0)), max_size=4))
    for name in names:
        kind = draw(st.sampled_from([_tree_column, _integer_column, _plain_column]))
        before, after, tree = draw(kind(rows))
        original[name] = before
        anonymized[name] = ["*" if i in gone else cell for i, cell in enumerate(after)]
        if tree is not None:
            hierarchies[name] = tree
    return Scene(names, [], anonymized, original, hierarchies)
