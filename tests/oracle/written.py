"""Small tables written as text."""

Table = list[dict[str, str | None]]


def table(columns: str, *rows: str) -> Table:
    """Records written as text: columns and cells apart by blanks, `-` for a missing value."""
    names = columns.split()
    return [
        {name: None if cell == "-" else cell for name, cell in zip(names, row.split(), strict=True)} for row in rows
    ]
