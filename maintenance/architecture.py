"""`python -m maintenance.architecture`: draw docs/packages.svg, the layers and packages that pyproject.toml lists."""

from __future__ import annotations

import ast
import tomllib
from html import escape
from pathlib import Path

from dashboard.environment import ROOT

PICTURE = ROOT / "docs" / "packages.svg"
_WIDTH, _LINE, _PADDING, _GAP = 1060, 22, 8, 6
_STYLE = "font-family='system-ui, sans-serif' font-size='14' fill='#1b1f24'"


def layers() -> list[list[str]]:
    """Names of packages and modules, by layer, from the one that nothing imports to those that import nothing."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    outer, inner, *_ = (contract["layers"] for contract in contracts if contract["type"] == "layers")
    metrics_layers = [[f"metrics.{name}" for name in layer.split(" | ")] for layer in inner if layer != "__main__"]
    return [[name] for name in outer if name != "metrics"] + metrics_layers


def description(name: str) -> str:
    """The first sentence of what a package or module says of itself."""
    path = ROOT.joinpath(*name.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return (ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "").partition("\n")[0]


def picture() -> str:
    """The layers as SVG, the importing ones above."""
    parts, top = [], _GAP
    for layer in layers():
        height = len(layer) * _LINE + 2 * _PADDING
        fill = "#dbeafe" if layer[0].startswith("metrics") else "#fde8d0"
        parts.append(f"<rect x='{_GAP}' y='{top}' width='{_WIDTH - 2 * _GAP}' height='{height}' rx='6' fill='{fill}'/>")
        for index, name in enumerate(layer):
            line = top + _PADDING + (index + 0.72) * _LINE
            label, text = name.removeprefix("metrics."), escape(description(name))
            parts.append(
                f"<text x='20' y='{line:g}' font-weight='600'>{label}</text><text x='150' y='{line:g}'>{text}</text>"
            )
        top += height + _GAP
    size = f"width='{_WIDTH}' height='{top}' viewBox='0 0 {_WIDTH} {top}'"
    background = f"<rect width='{_WIDTH}' height='{top}' fill='#ffffff'/>"
    title = "<title>Packages and modules: each layer imports only from the layers below it</title>"
    body = "\n".join([title, background, *parts])
    return f"<svg xmlns='http://www.w3.org/2000/svg' {size} {_STYLE}>\n{body}\n</svg>\n"


def main(path: Path = PICTURE) -> None:
    """Write the picture."""
    path.write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
