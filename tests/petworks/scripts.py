"""The PETWorks scripts of the seeds, read where they lie beside the reference data, and run."""

import io
import re
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from tests.support.reference_data import reference

_BLOCK = re.compile(r"^\.\. code-block:: (\w+)\n\s*\n((?: +.*\n|\s*\n)+)", re.MULTILINE)


def seed(name: str) -> tuple[str, str]:
    """The first script of a manual page, which lies beside the reference data, and the output it shows."""
    path = reference().parent / "seeds" / f"{name}.txt"
    (language, script), (_, output) = _BLOCK.findall(path.read_text(encoding="utf-8"))[:2]
    assert language == "python"
    # The pages indent by four; one of them loses a blank in its first line.
    script, output = (re.sub("^ {1,4}", "", block, flags=re.MULTILINE).strip() for block in (script, output))
    command, _, shown = output.partition("\n")
    assert command.startswith("$ python")
    return script + "\n", shown + "\n"


def with_metrics(script: str, tables: Path | None = None) -> str:
    """The script with its imports from metrics.petworks, and its data from a folder: by default, the reference."""
    folder = reference("petworks") if tables is None else tables

    def path(found: re.Match[str]) -> str:
        return f'"{(folder / found[1]).as_posix()}/{found[0][6:-1]}"'

    script = re.sub(r"^from PETWorks\b", "from metrics.petworks", script, flags=re.MULTILINE)
    return re.sub(r'"data/([a-z]+)[_a-z]*(\.csv)?"', path, script)


def run(script: str) -> str:
    """What a script prints; it must say nothing else and end well."""
    printed, message = io.StringIO(), io.StringIO()
    with redirect_stdout(printed), redirect_stderr(message):
        exec(compile(script, "script", "exec"), {"__name__": "__main__"})
    assert message.getvalue() == ""
    return printed.getvalue()
