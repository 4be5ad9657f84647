"""Analyses that a release is to serve: means, cross-tabulations and regressions, as they are saved in files."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar

from metrics.config.strict_document import StrictDocument, quoted_key
from metrics.config.yaml_text import is_null, read_yaml
from metrics.errors import InputError
from metrics.tables.regular_file import read_document

_TERMS = ("by", "columns", "terms")
"""What analyses call the columns that are groups or terms."""
_REMEDY = "write, for example, analyses: {stay: {kind: mean, number: length_of_stay, by: [sex]}}"


@dataclass(frozen=True)
class Term:
    """A column of an analysis, which divides the records into groups or enters a regression.

    Parameters
    ----------
    column : str
        Its name.
    level : int
        The level of its hierarchy whose labels are the groups; 0 for the values themselves.
    reference : str, optional
        The group that others of a regression are compared with; by default the most frequent of the original.
    control : bool
        Whether the term enters the regression, but its estimates do not count.
    groups : bool
        Whether the values of a column of numbers are groups of a regression.
    """

    column: str
    level: int = 0
    reference: str | None = None
    control: bool = False
    groups: bool = False

    def __post_init__(self) -> None:
        if self.level < 0:
            raise InputError("a level is below 0", remedy="write 0 for the values, 1 for the level above")

    def to_dict(self) -> str | dict[str, Any]:
        """Its name, or what a file says of it."""
        given: dict[str, Any] = {"level": self.level, "reference": self.reference, "groups": self.groups}
        if self.control:
            given["role"] = "control"
        given = {key: value for key, value in given.items() if value}
        return {"column": self.column, **given} if given else self.column


Terms = str | Term | Iterable[str | Term]


class _Analysis:
    """Base of the analyses: a frozen dataclass whose fields are the keys in files."""

    kind: ClassVar[str]

    def __post_init__(self) -> None:
        for name in vars(self).keys() & _TERMS:
            given = getattr(self, name)
            terms = (given,) if isinstance(given, str | Term) else given
            object.__setattr__(self, name, tuple(Term(term) if isinstance(term, str) else term for term in terms))

    @property
    def terms_of_all(self) -> tuple[Term, ...]:
        """The columns that are groups or terms."""
        return tuple(term for name in _TERMS for term in getattr(self, name, ()))

    @property
    def column_names(self) -> tuple[str, ...]:
        """Every column that it names."""
        others = (getattr(self, name, None) for name in ("number", "outcome", "weight"))
        return (*(term.column for term in self.terms_of_all), *filter(None, others), *getattr(self, "where", ()))

    def to_dict(self) -> dict[str, Any]:
        """What a file says of it."""
        given = {name: value for name, value in vars(self).items() if value not in (None, ())}
        return {"kind": self.kind, **_plain(given)}


def _plain(value: Any) -> Any:
    if isinstance(value, Term):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


@dataclass(frozen=True)
class Mean(_Analysis):
    """The mean of a number, and its median beside it, in each group of up to two columns.

    Parameters
    ----------
    number : str
        The column of numbers.
    by : str, Term or iterable of these
        The columns of groups, at most two; none for all records together.
    weight : str, optional
        The column of survey weights.
    """

    number: str
    by: Terms = ()
    weight: str | None = None
    kind: ClassVar[str] = "mean"

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.terms_of_all) > 2:
            raise InputError("a mean has more than two columns of groups", remedy="name one or two under by")


@dataclass(frozen=True)
class Crosstab(_Analysis):
    """The shares of records in the cells of two columns.

    Parameters
    ----------
    columns : iterable of str or Term
        The two columns.
    weight : str, optional
        The column of survey weights.
    """

    columns: Terms
    weight: str | None = None
    kind: ClassVar[str] = "crosstab"

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.terms_of_all) != 2:
            raise InputError("a cross-tabulation has not two columns", remedy="name two under columns")


class _Regression(_Analysis):
    """Base of the regressions."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if all(term.control for term in self.terms_of_all):
            raise InputError("a regression has no term whose estimates count", remedy="name columns under terms")


@dataclass(frozen=True)
class Linear(_Regression):
    """Linear regression by least squares.

    Parameters
    ----------
    outcome : str
        The column of numbers to explain.
    terms : iterable of str or Term
        The columns that explain it: numbers where the original's values are, else groups.
    weight : str, optional
        The column of survey weights.
    """

    outcome: str
    terms: Terms
    weight: str | None = None
    kind: ClassVar[str] = "linear"


@dataclass(frozen=True)
class Logistic(_Regression):
    """Logistic regression by maximum likelihood.

    Parameters
    ----------
    outcome : str
        The column to explain.
    event : str or iterable of str
        The values of the outcome that are the event.
    terms : iterable of str or Term
        The columns that explain it: numbers where the original's values are, else groups.
    weight : str, optional
        The column of survey weights.
    """

    outcome: str
    event: str | Iterable[str]
    terms: Terms
    weight: str | None = None
    kind: ClassVar[str] = "logistic"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "event", (self.event,) if isinstance(self.event, str) else tuple(self.event))
        if not self.event:
            raise InputError("a logistic regression has no event", remedy="name values of the outcome under event")


@dataclass(frozen=True)
class Count(_Analysis):
    """How many records have some values in some columns.

    Parameters
    ----------
    where : mapping of str to iterable of str or number
        By column the values that count; two numbers are the smallest and the largest.
    weight : str, optional
        The column of survey weights.
    """

    where: Mapping[str, Iterable[str | float]] = field(hash=False)
    weight: str | None = None
    kind: ClassVar[str] = "count"

    def __post_init__(self) -> None:
        where = {
            name: (values,) if isinstance(values, str) else tuple(map(str, values))
            for name, values in self.where.items()
        }
        object.__setattr__(self, "where", where)
        if not self.where or not all(self.where.values()):
            raise InputError("a count asks for no value", remedy="name values, as in where: {sex: [Female]}")


Estimated = Mean | Crosstab | Linear | Logistic
Analysis = Estimated | Count
KINDS: Mapping[str, type[Analysis]] = {kind.kind: kind for kind in (Mean, Crosstab, Linear, Logistic, Count)}


def check_analyses(
    analyses: Any, anonymized: Container[str], original: Container[str] | None, file: str | None = None
) -> None:
    """Raise InputError where they are no analyses by name, or name a column that neither table has.

    Without the original, they may be about columns that were removed.
    """
    if not isinstance(analyses, Mapping):
        raise InputError("the analyses have no names", remedy='write {"stay": Mean("length_of_stay", by="sex")}')
    for name, analysis in analyses.items():
        if not isinstance(analysis, _Analysis):
            kinds = ", ".join(kind.__name__ for kind in KINDS.values())
            raise InputError(f"{quoted_key(str(name))} is not an analysis", remedy=f"use one of {kinds}", file=file)
        for column in analysis.column_names:
            if original is not None and column not in original and column not in anonymized:
                problem = f"the analysis {quoted_key(name)} names a column that no table has"
                raise InputError(problem, remedy="correct its name, or leave it out", file=file, column=column)


class AnalysesDocument(StrictDocument):
    """The analyses in a file of their own, of roles or of settings."""

    whole = "analyses"

    def analyses(self, value: Any) -> dict[str, Analysis]:
        """Analyses by name."""
        content = {} if is_null(value) else self.mapping(value, "analyses", None)
        if not all(str(name).strip() for name in content):
            self.refuse("analyses", "has an analysis without a name", "name it by what it tells")
        return {self.text(name, "analyses"): self.analysis(part, f"analyses.{name}") for name, part in content.items()}

    def analysis(self, value: Any, path: str) -> Analysis:
        """One analysis."""
        kind = self.mapping(value, path, None).get("kind")
        if not isinstance(kind, str) or kind not in KINDS:
            self.refuse(f"{path}.kind", "is not an analysis", f"use {', '.join(KINDS)}")
        cls = KINDS[kind]
        part = self.mapping(value, path, ("kind", *(each.name for each in fields(cls))))
        given = {key: self.part(key, item, f"{path}.{key}") for key, item in part.items() if key != "kind"}
        try:
            return cls(**given)
        except InputError as error:
            self.refuse(path, f"cannot be used: {error.problem}", error.remedy)
        except TypeError:
            missing = next(each.name for each in fields(cls) if each.default is MISSING and each.name not in part)
            self.refuse(path, f"has no {missing}", f"write {missing}: …")

    def part(self, key: str, value: Any, path: str) -> Any:
        """What one key of an analysis says."""
        several = value if isinstance(value, list) else [value]
        if key in _TERMS:
            return tuple(self.term(item, path) for item in several)
        if key == "where":
            content = self.mapping(value, path, None).items()
            listed = {name: asked if isinstance(asked, list) else [asked] for name, asked in content}
            return {self.text(name, path): self.texts(asked, f"{path}.{name}") for name, asked in listed.items()}
        return self.texts(several, path) if key == "event" else self.text(value, path)

    def term(self, value: Any, path: str) -> Term:
        """A column by its name, or with what else is said of it."""
        if isinstance(value, str):
            return Term(self.text(value, path))
        part = self.mapping(value, path, ("column", "level", "reference", "role", "groups"))
        if part.get("role", "control") != "control":
            self.refuse(f"{path}.role", "is not a role of a term", "write control, or leave it out")
        level, groups = str(part.get("level", 0)), str(part.get("groups", False)).lower()
        if not level.isdecimal() or len(level) > 3:
            self.refuse(f"{path}.level", "is not a level", "write 0 for the values, 1 for the level above")
        if groups not in ("true", "false"):
            self.refuse(f"{path}.groups", "is neither true nor false", "write true or false")
        column, reference = self.text(part.get("column"), f"{path}.column"), part.get("reference")
        reference = self.optional_text(reference, f"{path}.reference")
        return Term(column, int(level), reference, "role" in part, groups == "true")


def read_analyses(path: str | Path) -> dict[str, Analysis]:
    """Read analyses.

    Parameters
    ----------
    path : str or Path
        A YAML file with the key `analyses`: by name the kind of each, and its columns.

    Returns
    -------
    dict of str to Mean, Crosstab, Linear, Logistic or Count
        The analyses by name.

    Raises
    ------
    InputError
        If the file cannot be read or a key in it is wrong; the message names the key.
    """
    name = Path(path).name
    content = read_yaml(read_document(path), name, kind="file of analyses", remedy=_REMEDY)
    document = AnalysesDocument(name)
    return document.analyses(document.mapping(content, "", ("analyses",)).get("analyses"))
