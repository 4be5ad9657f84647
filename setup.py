"""What a wheel holds and needs: the library as `metrics` and `quasi`, and the dashboard; the rest is in pyproject.toml.

A `metrics.py` beside a notebook hides the package of that name, so a build writes the library a second time as `quasi`,
whose modules import each other by that name.
"""

import re
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

FOLDERS = ("dashboard", "pages", "sample_data")
"""They stand at the top of a checkout, and beside each other in `quasi_dashboard` once installed."""
LIBRARY, SECOND_NAME = "metrics", "quasi"
EXTRAS = {"app": ("streamlit", "altair"), "files": ("openpyxl", "pyreadstat")}
"""What only the dashboard, and what only some files need of requirements.txt."""
OTHER_EXTRAS = {
    "accuracy": ["scikit-learn>=1.9,<2"],
    "notebook": ["ipywidgets>=8.1,<9", "anywidget>=0.9,<1"],
    # Ibis 12 does not run with newer versions of sqlglot.
    "databases": ["ibis-framework[sqlite]>=12,<13", "sqlglot>=27,<29", "psycopg[binary]>=3.2,<4"],
    # For tables beyond one machine; Spark needs Java 17.
    "spark": ["pyspark>=4.1,<5"],
    # Zensical is the successor of Material for MkDocs, whose support ends in May 2027.
    "docs": ["l2m4m>=1.0.4,<2", "zensical>=0.0.73,<0.2", "mkdocstrings-python>=2.0.11,<3"],
}
IMPORT = re.compile(rf"^(\s*(?:from|import) ){LIBRARY}\b", re.MULTILINE)


class BuildWithSecondName(build_py):
    """Writes the library under its second name as well."""

    def run(self) -> None:
        """Build as usual, then copy what was built."""
        super().run()
        library = Path(self.build_lib, LIBRARY)
        for path in [path for path in library.rglob("*") if path.is_file()]:
            copy = Path(self.build_lib, SECOND_NAME, path.relative_to(library))
            copy.parent.mkdir(parents=True, exist_ok=True)
            content = path.read_bytes()
            if path.suffix == ".py":
                content = IMPORT.sub(rf"\g<1>{SECOND_NAME}", content.decode("utf-8")).encode("utf-8")
            copy.write_bytes(content)


def requirements(extra: str | None) -> list[str]:
    """The lines of requirements.txt that an extra needs; None is what the library needs."""
    lines = Path(__file__).with_name("requirements.txt").read_text(encoding="utf-8").splitlines()
    extra_of = {name: extra for extra, names in EXTRAS.items() for name in names}
    needed = [line for line in lines if line and not line.startswith("#")]
    return [line for line in needed if extra_of.get(re.split(r"[<>=]", line)[0]) == extra]


setup(
    cmdclass={"build_py": BuildWithSecondName},
    install_requires=requirements(None),
    extras_require={**{extra: requirements(extra) for extra in EXTRAS}, **OTHER_EXTRAS},
    packages=[
        *find_packages(include=["metrics", "metrics.*"]),
        *(f"quasi_dashboard.{name}" for name in (*FOLDERS, *find_packages(include=["dashboard.*", "pages.*"]))),
    ],
    package_dir={f"quasi_dashboard.{name}": name for name in FOLDERS},
)
