"""A chart in a notebook that changes in place, without a request to another host."""

from __future__ import annotations

import anywidget
import plotly.graph_objects as go
import traitlets
from plotly.offline import get_plotlyjs

# The drawing library is loaded while the chart is drawn, once for all figures: a widget whose own module takes
# longer than two seconds to load, as that of Plotly does on a slow machine, is given up and stays empty.
# As a module it must not find a loader of the page, to which it would hand itself over.
_MODULE = """
function library(model) {
  window.quasiPlotly ??= (async () => {
    const source = ["const define = undefined, module = undefined, exports = undefined;", model.get("library")];
    const url = URL.createObjectURL(new Blob(source, { type: "text/javascript" }));
    await import(url).finally(() => URL.revokeObjectURL(url));
    return window.Plotly;
  })();
  return window.quasiPlotly;
}

export default {
  async render({ model, el }) {
    const plotly = await library(model);
    const place = el.appendChild(document.createElement("div"));
    const draw = () => {
      const { data, layout } = JSON.parse(model.get("chart"));
      return plotly.react(place, data, layout, { displaylogo: false });
    };
    model.on("change:chart", draw);
    await draw();
    const width = new ResizeObserver(() => el.offsetWidth && plotly.Plots.resize(place));
    width.observe(el);
    return () => {
      model.off("change:chart", draw);
      width.disconnect();
      plotly.purge(place);
    };
  },
};
"""


class FigureWidget(anywidget.AnyWidget):
    """A Plotly chart that is replaced as a whole."""

    _esm = _MODULE
    chart = traitlets.Unicode().tag(sync=True)
    library = traitlets.Unicode().tag(sync=True)

    def __init__(self, chart: go.Figure) -> None:
        super().__init__(chart=chart.to_json(), library=get_plotlyjs())

    def show(self, chart: go.Figure) -> None:
        """Draw another chart in the same place."""
        self.chart = chart.to_json()
