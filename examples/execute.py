"""Run a notebook in a fresh kernel of this interpreter and write it with its outputs; a warning in it is an error.

`python examples/execute.py examples/NAME.ipynb` renews the outputs that are stored; `--out FILE` writes elsewhere. It
needs `requirements-test.txt` and leaves the user's Jupyter folders alone.
"""

import argparse
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

STRICT = "import warnings\nwarnings.simplefilter('error')\nwarnings.filterwarnings('ignore', module='ipykernel')\n"


def execute(notebook: Path, out: Path) -> None:
    """Raises nbclient's CellExecutionError where a cell fails."""
    with TemporaryDirectory() as folder:
        for name in ("JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
            os.environ[name] = str(Path(folder, name))
        startup = Path(folder, "IPYTHONDIR", "profile_default", "startup")
        startup.mkdir(parents=True)
        (startup / "strict.py").write_text(STRICT, encoding="utf-8")
        # A figure's data alone: Plotly's script would be stored with every one of them otherwise.
        os.environ["PLOTLY_RENDERER"] = "plotly_mimetype"
        _run(notebook, out)


def _run(notebook: Path, out: Path) -> None:
    # jsonschema, which checks the notebook, would spend seconds on a grammar of addresses that no notebook needs.
    sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]
    # Imported here because they look the folders up when they are loaded.
    import nbformat
    from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient
    from traitlets import default

    class ThisInterpreter(KernelSpecManager):
        """Offers the interpreter that runs this, whatever kernels the user has installed."""

        def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
            command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
            return KernelSpec(argv=command, display_name=kernel_name, language="python")

    class Kernel(AsyncKernelManager):
        """Shut down by the client that started it."""

        @default("kernel_spec_manager")
        def _kernel_spec_manager_default(self) -> KernelSpecManager:
            return ThisInterpreter()

    content = nbformat.read(notebook, as_version=4)
    client = NotebookClient(
        content,
        kernel_manager_class=Kernel,
        kernel_name="python3",
        timeout=120,
        record_timing=False,
        coalesce_streams=True,
        # It would hold the drawing library and every label; a notebook that is opened again makes its widgets anew.
        store_widget_state=False,
        resources={"metadata": {"path": str(notebook.resolve().parent)}},
    )
    client.execute()
    content.metadata["language_info"] = {"name": "python"}
    nbformat.write(content, out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("notebook", type=Path)
    parser.add_argument("--out", type=Path, help="file to write; by default the notebook itself")
    given = parser.parse_args()
    execute(given.notebook, given.out or given.notebook)
