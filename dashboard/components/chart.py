"""One way to put a chart or a table on a page: its finding as a heading, its data to download, the drawing below."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeAlias

import pandas as pd
import plotly.graph_objects as go
import pyarrow as pa
import streamlit as st
from plotly.basedatatypes import BaseFigure

from dashboard.components.limits import limit_field
from dashboard.components.updated_chart import updated_chart
from dashboard.session import workspace
from dashboard.text import file_stem, plain
from metrics.drawing.marks import marks
from metrics.drawing.theme import CONFIG, PRIVACY, take_title
from metrics.formatting import isolated, join_names, rounded, visible, without_isolates
from metrics.tables.export import to_csv

DARK_PRIVACY = "#56B4E9"
"""The blue of charts in the dark theme, as config.toml has it."""
_THEMED = "#000001"
"""What Streamlit replaces, in the browser, by the first of its theme's categorical colours."""

_ROW_PX, _BORDER_PX = 31, 2
"""A row of Streamlit's table, 2.1875 times the font size of .streamlit/config.toml, and what is around all of them."""
ChartData: TypeAlias = pa.Table | pd.DataFrame
CHART_CONFIG = {**CONFIG, "displayModeBar": True, "modeBarButtons": [["toImage"]]}
"""Plotly's own button draws the image, without a server; the page hides it, and the chart's menu presses it."""
_IMAGE_SCRIPT = r"""
const save = (name, format, address) => Object.assign(document.createElement('a'), {
    download: `${name}.${format}`, href: address }).click();
// Vega draws an SVG as it is to be saved, but for the colours that it has from the page.
const saveDrawing = (drawing, name, format) => {
    const copy = drawing.cloneNode(true);
    copy.style.color = getComputedStyle(drawing).color;
    copy.style.background = getComputedStyle(document.querySelector('.stApp')).backgroundColor;
    const text = new XMLSerializer().serializeToString(copy);
    const address = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    if (format === 'svg') return save(name, format, address);
    const canvas = document.createElement('canvas');
    const image = new Image();
    image.onload = () => {
        [canvas.width, canvas.height] = [2 * drawing.clientWidth, 2 * drawing.clientHeight];
        canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
        save(name, format, canvas.toDataURL());
    };
    image.src = address;
};
export default function ({ parentElement, data }) {
    for (const button of parentElement.querySelectorAll('button')) button.onclick = () => {
        const place = `[class*="st-key-${CSS.escape(data.key)}"]`;
        const drawing = [...document.querySelectorAll(`${place} svg.marks`)].find((each) => each.clientWidth);
        if (drawing) return saveDrawing(drawing, data.name, button.value);
        const chart = document.querySelector(`${place} .js-plotly-plot`);
        const [width, letters] = [chart.offsetWidth, Math.floor(chart.offsetWidth / 9)];
        const lines = data.title.match(new RegExp(`.{1,${letters}}(\s|$)`, 'g')) || [];
        const added = 20 * lines.length + 10;
        const drawn = chart.layout;
        const text = lines.join('\n').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>');
        // Plotly copies the layout as the button is pressed: the page keeps its own, without title and background.
        chart.layout = { ...drawn,
            title: { text, x: 0, y: 1, yanchor: 'top', pad: { t: 10, l: 10 }, font: { size: 16 } },
            margin: { ...drawn.margin, t: (chart._fullLayout.margin.t || 0) + added },
            paper_bgcolor: getComputedStyle(document.querySelector('.stApp')).backgroundColor };
        chart._context.toImageButtonOptions = {
            format: button.value, filename: data.name, scale: 2, width, height: chart.offsetHeight + added };
        chart.querySelector('.modebar-btn').click();
        chart.layout = drawn;
    };
}
"""
_IMAGE = st.components.v2.component(
    "chart_image",
    html='<button value="png">Image as PNG</button><button value="svg">Image as SVG</button>',
    css="button { display: block; padding: .3rem 0; border: 0; background: none; cursor: pointer; font: inherit;"
    "font-size: .875rem; color: var(--st-link-color); } button:hover { text-decoration: underline; }",
    js=_IMAGE_SCRIPT,
)
_LEFT_TO_RIGHT = "\u200e"
_PLAIN = re.compile(r"[ -~]*")
"""Text that needs nothing to be shown."""
_MAX_ROWS = 1_000
"""Rows of a long table that a page shows."""


def draw(
    chart: go.Figure,
    key: str,
    data: Callable[[], ChartData] | None = None,
    limits: Sequence[str] = (),
    *,
    heading: str = "",
    confidential: bool = False,
    revision: str | None = None,
    **selection: Any,
) -> Any:
    """Show a chart in the page's theme under its finding, which is also its text alternative.

    `heading` stands there instead of a finding that the page has said already. `data` is what its menu offers as CSV,
    `confidential` if it describes single classes, and `limits` are those of the policy that it shows, to be changed
    there; `selection` is for `st.plotly_chart`. The chart is updated in place; one on which something can be selected
    is drawn anew, or, where it has one, as soon as its `revision` changes.
    Returns what that returns, None where there is nothing to draw.
    """
    finding = take_title(chart)
    chart_heading(heading or finding, key, data, limits, confidential=confidential)
    if not chart.data:
        return None
    show = st.plotly_chart if selection and revision is None else updated_chart
    alt = finding or heading or key
    return show(ThemedChart(chart), key=f"{key}{revision or ''}", config=CHART_CONFIG, alt=alt, **selection)


class ThemedChart(BaseFigure):  # type: ignore[misc]  # Plotly ships no types
    """A chart whose blue is that of the page's theme, light or dark.

    Streamlit takes the dictionary of a chart as it is. A dictionary it would validate once more, for 3 to 8 ms.
    """

    def __init__(self, chart: go.Figure) -> None:
        self._chart = chart

    def to_dict(self) -> dict[str, Any]:
        """The chart as a dictionary in the colour that Streamlit replaces."""
        themed: dict[str, Any] = _in_theme(self._chart.to_dict())
        return themed


def _in_theme(element: Any) -> Any:
    if isinstance(element, dict):
        return {name: _in_theme(value) for name, value in element.items()}
    if isinstance(element, (list, tuple)):
        return [_in_theme(value) for value in element]
    return _THEMED if isinstance(element, str) and element == PRIVACY else element


def draw_with_data(chart: go.Figure, key: str, limits: Sequence[str] = (), **selection: Any) -> Any:
    """Show a chart like `draw`, with what is drawn as its data."""
    return draw(chart, key, (lambda: marks(chart)) if chart.data else None, limits, **selection)


def chart_heading(
    title: str,
    key: str,
    data: Callable[[], ChartData] | None = None,
    limits: Sequence[str] = (),
    *,
    confidential: bool = False,
) -> None:
    """A chart's finding, with a menu beside it: its image, its data, and the limits of the policy that it shows."""
    name = f"heading_{key}"
    with st.container(horizontal=True, vertical_alignment="top", gap="small", wrap=False, key=name):
        st.markdown(f"## {plain(title)}", width="stretch")
        if data is None:
            return
        menu_label = join_names(["Image", "data", *["limits of the policy"] * bool(limits)])
        # The label is for those who hear the page; others see the icon.
        with st.popover(menu_label, icon=":material/more_horiz:", type="tertiary", key=f"menu_{key}", help=menu_label):
            name = file_stem(f"confidential {title}" if confidential else title)
            _IMAGE(key=f"image_{key}", data={"key": key, "name": name, "title": visible(title)})
            chart_data(data, key, confidential=confidential)
            for identifier in limits:
                limit_field(workspace(), identifier, f"{key}_limit_{identifier}")


def mark(symbol: str, colour: str) -> str:
    """A chart's mark before the words that explain it, as HTML in the page's theme; both are constants."""
    themed = f"light-dark({PRIVACY}, {DARK_PRIVACY})" if colour == PRIVACY else colour
    return f'<span style="color:{themed}">{symbol}</span>'


def chart_data(
    data: ChartData | Callable[[], ChartData], name: str, label: str = "Data as CSV", *, confidential: bool = False
) -> None:
    """A quiet button that downloads the data of the chart above it as `<name>.csv`.

    `data` may be a function: it is then called on the click alone. `name` also tells the button from others. Data that
    describe single classes or records are `confidential`, which the button and the file's name then say.
    """
    file_name = f"{name.removesuffix('.csv')}.csv"
    st.download_button(
        _confidential(label) if confidential else label,
        lambda: csv_of(data() if callable(data) else data),
        file_name=f"confidential-{file_name}" if confidential else file_name,
        mime="text/csv",
        key=f"data_{name}",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
    )


def _confidential(label: str) -> str:
    return f"{label[:-1]}, confidential)" if label.endswith(")") else f"{label} (confidential)"


def csv_of(data: ChartData) -> bytes:
    """A table as CSV, made harmless for spreadsheets; a frame's index is left out."""
    return to_csv(pa.Table.from_pandas(data, preserve_index=False) if isinstance(data, pd.DataFrame) else data)


def first_rows(rows: Any) -> Any:
    """The rows of an array or Arrow table that a page shows, with a note where its download contains more."""
    if len(rows) > _MAX_ROWS:
        st.caption(f"The first {_MAX_ROWS:,} of {len(rows):,} are shown; the download contains all.")
    return rows[:_MAX_ROWS]


def data_table(
    frame: pd.DataFrame,
    alt: str,
    style: Callable[[Any], str] | None = None,
    shares: Collection[str] = (),
    right: Collection[str] = (),
    rows: int = 10,
    widths: Mapping[str, int] | None = None,
    **options: Any,
) -> Any:
    """Show a table without its index, as `st.dataframe` does: up to `rows` rows at once, none of them cut.

    Control characters are made visible, fractions rounded. `alt` is the accessible name; `style` gives the CSS of each
    cell; the columns named in `shares` are shown in percent. Those in `right` hold values as text, and stand as numbers
    do. `widths` gives the pixels of columns.
    """
    displayed = _visible(frame)
    for name in shares:
        cells = displayed[name].astype("float64")
        displayed[name] = [rounded(100 * cell) / 100 for cell in cells]
    percent = st.column_config.NumberColumn(format="percent")
    decimal = st.column_config.NumberColumn(format="%.3g")
    whole = st.column_config.NumberColumn(format="localized")
    formats = {
        str(name): percent if name in shares else decimal if cells.dtype.kind == "f" and cells.max() < 1000 else whole
        for name, cells in displayed.items()
        if cells.dtype.kind in "fiu"
    }
    formats |= {visible(name): st.column_config.TextColumn(alignment="right") for name in right}
    for name, pixels in (widths or {}).items():
        formats[visible(name)] = {**formats.get(visible(name), st.column_config.TextColumn()), "width": pixels}
    styled = displayed if style is None else displayed.style.map(style)
    height = _ROW_PX + (options.get("row_height") or _ROW_PX) * max(1, min(rows, len(frame))) + _BORDER_PX
    return st.dataframe(styled, hide_index=True, alt=alt, column_config=formats, **{"height": height, **options})


def _visible(frame: pd.DataFrame) -> pd.DataFrame:
    displayed = frame.rename(columns={name: visible(name) for name in frame.columns if name})
    for name, cells in displayed.items():
        # One look at the whole column: nearly all of them need no more.
        if pd.api.types.infer_dtype(cells) == "string" and not _PLAIN.fullmatch("".join(cells.dropna().to_numpy())):
            displayed[name] = [_in_order(visible(cell)) if isinstance(cell, str) and cell else cell for cell in cells]
    return displayed


def _in_order(text: str) -> str:
    """A text of several values from left to right: the table turns a cell around whose first letter is Arabic."""
    return text if text == isolated(without_isolates(text)) else f"{_LEFT_TO_RIGHT}{text}"
