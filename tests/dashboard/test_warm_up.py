"""After warming up, the first visit of a page imports next to nothing more."""

import subprocess
import sys

from dashboard.environment import ROOT

_VISITS = """
import sys
from dashboard.warm_up import warm_up
from tests.dashboard.application import go, loaded, opened

table = b"zip,age,disease\\n12345,31,flu\\n12346,32,cold\\n12351,47,flu\\n12352,48,flu\\n"
state = loaded(table, table, zip="quasi-identifier", age="quasi-identifier", disease="sensitive")
app = opened(state)
warm_up()
before = set(sys.modules)
for page in ("verdict", "classes", "p29", "t_closeness", "information_loss", "profitability"):
    go(app, page)
new = {name for name in set(sys.modules) - before if not name.startswith("__main__")}
print(sorted(new), len(new))
assert len(new) < 40, sorted(new)
"""


def test_pages_import_next_to_nothing_at_their_first_visit() -> None:
    done = subprocess.run([sys.executable, "-c", _VISITS], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=300)
    assert done.returncode == 0, done.stderr[-2000:] + done.stdout
