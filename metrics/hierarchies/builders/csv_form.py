"""A hierarchy as a file: ARX's form, which `metrics.hierarchies.files.read_hierarchy` reads back the same."""

from __future__ import annotations

import csv
import io

from metrics.hierarchies.hierarchy import Hierarchy

_SEEN_AS_DELIMITERS = "\t;|,\"'\r\n"


def to_csv(hierarchy: Hierarchy) -> bytes:
    """A hierarchy as the bytes of a file that `read_hierarchies` reads: no header, one row per leaf, leaf first.

    Every cell is in quotes where a label holds a character that could be taken for a delimiter or quote. Labels stay as
    they are, for a changed one would be another: unlike in other exports, text that a spreadsheet takes for a formula
    gets no apostrophe.

    Parameters
    ----------
    hierarchy : Hierarchy
        The hierarchy to write.

    Returns
    -------
    bytes
        UTF-8, cells apart by semicolons.
    """
    labels = {label for row in hierarchy.rows for label in row}
    risky = any(character in label for label in labels for character in _SEEN_AS_DELIMITERS)
    # A row of one blank cell would be a blank line; a hierarchy has none, for its root is never blank.
    sink = io.StringIO(newline="")
    writer = csv.writer(sink, delimiter=";", lineterminator="\n", quoting=csv.QUOTE_ALL if risky else csv.QUOTE_MINIMAL)
    writer.writerows(hierarchy.rows)
    return sink.getvalue().encode("utf-8")
