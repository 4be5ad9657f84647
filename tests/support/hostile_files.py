"""Files that took the reader many seconds, or for ever, while nobody else's page answered."""

from collections.abc import Callable, Mapping

_ROWS = b"1,2\n" * 50


def _sized(size: int) -> bytes:
    return b"x" * size + b",b\n" + _ROWS


HOSTILE_FILES: Mapping[str, Callable[[], bytes]] = {
    "first cell of 20,000 letters": lambda: _sized(20_000),
    "first cell of a million letters": lambda: _sized(1_000_000),
    "a million commas in a line": lambda: b"a,b\n" + b"," * 1_000_000 + b"\n" + _ROWS,
    "ten million line breaks in a cell": lambda: b'a,b\n"' + b"\n" * 10_000_000 + b'",2\n' + _ROWS,
    "20,000 columns of 5 rows": lambda: b"\n".join(
        b",".join(b"%s%d" % (start, 10 + row * column % 89 if row else column) for column in range(20_000))
        for row, start in enumerate((b"c", b"", b"", b"", b"", b""))
    ),
    "eight million quotes": lambda: b"a,b\n" + b'"' * 8_000_000 + b",2\n" + _ROWS,
    "an unclosed quote before 20 MB": lambda: b'a,b\n"1,2\n' + b"11,22\n" * 3_500_000,
}
