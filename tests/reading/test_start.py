"""What importing the readers costs."""

import subprocess
import sys
from pathlib import Path

import metrics

PACKAGE = Path(metrics.__file__).parent
HEAVY = ("pandas", "polars", "openpyxl", "scipy", "streamlit", "pyarrow.parquet")


def test_heavy_libraries_wait_until_they_are_needed() -> None:
    """Looks at the readers' own imports: `metrics` itself is a stand-in, so that its other modules do not count."""
    program = f"""
import sys, types
package = types.ModuleType("metrics")
package.__path__ = [{str(PACKAGE)!r}]
sys.modules["metrics"] = package
import metrics.reading
table = metrics.reading.read_table(b"a,b\\n 1,2\\n1,3\\n")
assert table.rows == 2
print([name for name in {HEAVY!r} if name in sys.modules])
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.stderr == ""
    assert result.stdout.strip() == "[]"
