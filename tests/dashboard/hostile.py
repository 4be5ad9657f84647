"""Names and cells that try to be something else than text, in tables that every page can show."""

import json

from dashboard.workspace import Slot, Workspace
from pages.data.columns import apply_roles
from pages.data.uploads import add_hierarchy
from tests.dashboard.application import csv

TEXTS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "![x](http://outside.invalid/pixel.png)",
    "$\\href{x}{y}$",
    ":red[x]",
    ":material/home:",
    "{{7*7}}",
    "=HYPERLINK(1)",
    "a\u202eb",
    "www.outside.invalid",
    "https://outside.invalid/x",
    "a -> b -- c",
)
NAMES = tuple(f"{text} {number}" for number, text in enumerate(TEXTS))
"""Column names; the first three are tagged sensitive, the others quasi-identifiers."""
SENSITIVE, QUASI_IDENTIFIERS = NAMES[:3], NAMES[3:]
FILE = "<b>x<b> [x](javascript:alert(1)) $x$ :red[x] www.outside.invalid a -> b.csv"
HIERARCHY_FILE = f"{NAMES[5]}.csv"


def table(records: int = 39) -> bytes:
    """Classes of three records, with different sensitive values."""
    rows = []
    for record in range(records):
        of_class, alone = TEXTS[record // 3 % len(TEXTS)], TEXTS[record % len(TEXTS)]
        rows.append([*(alone for _ in SENSITIVE), *(of_class for _ in QUASI_IDENTIFIERS)])
    return csv(NAMES, *rows)


def roles() -> bytes:
    """A roles file of these columns (JSON is YAML)."""
    return json.dumps({"quasi_identifiers": QUASI_IDENTIFIERS, "sensitive": SENSITIVE}).encode()


def hierarchy() -> bytes:
    """Every text a leaf, for the first quasi-identifier."""
    return "\n".join(f'"{text}";"{text} or so";"*"' for text in TEXTS).encode()


def workspace(*candidates: bytes) -> Workspace:
    """A session with this table as the original, and as a candidate or beside others given."""
    state = Workspace()
    state.tables.add(Slot.ORIGINAL, FILE, table())
    for number, content in enumerate(candidates or [table()]):
        state.tables.add(Slot.ANONYMIZED, f"{number or ''}{FILE}", content)
    apply_roles(state, "roles.yaml", roles())
    add_hierarchy(state, HIERARCHY_FILE, hierarchy())
    return state
