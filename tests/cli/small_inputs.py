"""A small table and its roles, as files and as arguments of a command."""

from pathlib import Path

ROLES = "quasi_identifiers: [zip, age]\nsensitive: [illness]\n"
TABLE = "zip,age,illness\n10*,<50,flu\n10*,<50,cough\n20*,<50,flu\n20*,<50,=1+1\n*,*,flu\n"


def inputs(folder: Path) -> list[object]:
    return ["--anonymized", folder / "table.csv", "--roles", folder / "roles.yaml"]
