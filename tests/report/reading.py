"""What a report is made of, as a browser reads it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "br", "img", "link", "input", "hr", "base"}


@dataclass
class Element:
    """One element: its attributes, its own text, and the names of the elements around it."""

    tag: str
    attributes: dict[str, str]
    around: tuple[str, ...]
    text: str = ""


@dataclass
class _Reader(HTMLParser):
    elements: list[Element] = field(default_factory=list)
    open: list[Element] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        if tag == "wbr":  # where a line may end: no part of the text
            return
        assert len({name for name, _ in attrs}) == len(attrs), f"an attribute of {tag} stands there twice"
        around = tuple(element.tag for element in self.open)
        made = Element(tag, {name: value or "" for name, value in attrs}, around)
        self.elements.append(made)
        if tag not in VOID:
            self.open.append(made)

    def handle_startendtag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        if self.open:
            self.open[-1].text += data


def read(page: str) -> list[Element]:
    """Every element of a page, in order; each must be closed where it belongs."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert not reader.open, f"<{reader.open[-1].tag}> is not closed"
    return reader.elements


def shown_text(elements: Sequence[Element]) -> str:
    """The text that a reader sees, words apart by single blanks."""
    return " ".join(" ".join(e.text for e in elements if e.tag not in ("script", "style")).split())


def named(elements: Sequence[Element], tag: str) -> list[Element]:
    """The elements with a tag."""
    return [element for element in elements if element.tag == tag]
