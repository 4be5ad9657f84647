"""Values of three columns with their generalizations: by a hierarchy, by intervals and by masks."""

TREE = {"tree": [[word, group, "all", "*"] for word, group in zip("abcd", ("AB", "AB", "CD", "CD"), strict=True)]}
"""The hierarchy of the one column that needs it."""
LABELS: dict[str, dict[str, list[str]]] = {
    "tree": {row[0]: row for row in TREE["tree"]},
    "age": {str(n): [str(n), "20-24" if n < 25 else "25-29", "20-29", "*"] for n in range(20, 30)},
    "zip": {code: [code, code[:2] + "*", code[:1] + "*", "*"] for code in ("111", "112", "121", "211")},
}
"""By column and value its label on every level."""
