"""What stands in a table of HTML."""

from html.parser import HTMLParser


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert {name for name, _ in attrs} <= {"colspan"}

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def texts(view: str) -> list[str]:
    """The texts of a table, of which nothing but a table is made."""
    reader = _Reader()
    reader.feed(view)
    assert reader.tags <= {"table", "caption", "tr", "th", "td"}
    return reader.texts
