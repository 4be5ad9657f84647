"""What a wheel holds: `metrics`, and the dashboard as one package, `quasi_dashboard`; the rest is in pyproject.toml."""

from setuptools import find_packages, setup

FOLDERS = ("dashboard", "pages", "sample_data")
"""They stand at the top of a checkout, and beside each other in `quasi_dashboard` once installed."""

setup(
    packages=[
        *find_packages(include=["metrics", "metrics.*"]),
        *(f"quasi_dashboard.{name}" for name in (*FOLDERS, *find_packages(include=["dashboard.*", "pages.*"]))),
    ],
    package_dir={f"quasi_dashboard.{name}": name for name in FOLDERS},
)
