"""Tables of PostgreSQL and SQLite, by the address of the database and a table or query, counted there by Ibis."""

from __future__ import annotations

import os
import re
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import unquote, urlsplit

import pyarrow as pa

from metrics.engines.backend import NO_RIGHTS
from metrics.engines.frames import lazy_table
from metrics.engines.lazy import LazyTable
from metrics.errors import InputError, missing_extra
from metrics.reading import read_table
from metrics.tables.table import Table

if TYPE_CHECKING:
    import ibis

_SCHEMES = ("postgresql", "postgres", "sqlite")
_QUERY = re.compile(r"\s*(select|with)\b", re.IGNORECASE)
_EXTRA = "databases"


def is_database(path: str | os.PathLike[str]) -> bool:
    """Whether a path is the address of a table in a database: `sqlite:///study.db#release`."""
    return isinstance(path, str) and path.partition("://")[0] in _SCHEMES and "://" in path


class Databases:
    """Connections to databases, one for each address; close them, or use this in a `with` statement."""

    share = 0.0
    """Databases do not say how far they are."""

    def __init__(self) -> None:
        self._connections: dict[str, Any] = {}

    def table(self, path: str | Path, plan: object = None, *, name: str | None = None, **choices: Any) -> LazyTable:
        """The table that an address and, behind `#`, a table's name or a query lead to.

        Raises InputError, whose text holds neither the address, which may have a password, nor a cell.
        """
        address, _, wanted = str(path).partition("#")
        wanted = unquote(wanted).strip()
        shown = name or _shown(wanted)
        if not is_database(path) or {*self._connections} - {address}:
            problem = "the tables are not in one database"
            raise InputError(problem, remedy="name tables of the same database, or files only", file=shown)
        if not wanted:
            problem = "the address names no table"
            raise InputError(problem, remedy="add a table or a query: postgresql://host/database#table", file=shown)
        if address not in self._connections:
            self._connections[address] = _connect(address, shown)
        failure = None
        try:
            found = _found(self._connections[address], wanted)
        except Exception as error:  # each database has its own errors, and their text may hold cells
            failure = type(error).__name__
        if failure is not None:
            raise _refused(failure, shown)
        import narwhals

        return lazy_table(narwhals.from_native(found), shown)

    def read(self, path: str) -> Table:
        """All records of a table, in memory. Raises InputError as `table` does."""
        lazy = self.table(path)
        columns = lazy.frame.collect_schema().names()
        batches = [*lazy.engine.batches(lazy.frame)]
        records = (
            pa.Table.from_batches(batches)
            if batches
            else pa.table({name: pa.array([], pa.string()) for name in columns})
        )
        return read_table(records.select(columns).rename_columns(list(lazy.names)), name=lazy.name)

    def interrupt(self) -> None:
        """End the running query, if any; may be called from another thread."""
        for connection in self._connections.values():
            (connection.con.interrupt if connection.name == "sqlite" else connection.con.cancel)()

    def close(self) -> None:
        """Close every connection."""
        for connection in self._connections.values():
            connection.disconnect()
        self._connections.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


def _refused(failure: str, shown: str) -> InputError:
    """The error for a table that is not there, or a query that does not run, by the type of the database's error."""
    if failure == NO_RIGHTS:
        problem = "this login may not read the table, or, for a query, not make a temporary view"
        return InputError(problem, remedy="ask the database's owner to GRANT it SELECT, or TEMPORARY", file=shown)
    problem = f"the database has no such table, or refuses the query ({failure})"
    return InputError(problem, remedy="check the name and the query", file=shown)


def _shown(wanted: str) -> str:
    """What messages call a table: its name, or that it is a query; behind a `#` in a password both look alike."""
    return "query" if _QUERY.match(wanted) or "@" in wanted else wanted or "database"


def _found(connection: Any, wanted: str) -> ibis.Table:
    """The table of this name, or of a query; Ibis asks for the columns of a query by a temporary view."""
    found: ibis.Table
    if _QUERY.match(wanted):
        _read_only(connection, False)
        found = connection.sql(wanted)
        _read_only(connection, True)
    else:
        schema, _, table = wanted.rpartition(".")
        found = connection.table(table, database=schema or None)
    # Arrow does not take these types as they come; their text is what a file would hold.
    as_text = [name for name, kind in found.schema().items() if kind.is_uuid() or kind.is_inet() or kind.is_macaddr()]
    return found.cast(dict.fromkeys(as_text, "string"))


def _read_only(connection: Any, is_on: bool) -> None:
    """Let PostgreSQL refuse whatever would change something; SQLite's files are opened so."""
    if connection.name == "postgres":
        connection.con.execute(f"SET default_transaction_read_only = {'on' if is_on else 'off'}")
        connection.con.commit()


def _connect(address: str, shown: str) -> Any:
    """A connection that changes nothing. Raises InputError if there is no database, or its driver is not installed."""
    try:
        import ibis
    except ImportError:
        raise missing_extra("a table in a database", _EXTRA) from None
    failure = None
    try:
        if urlsplit(address).scheme == "sqlite":
            path = unquote(address.removeprefix("sqlite://")).removeprefix("/")
            uri = f"{Path(path).absolute().as_uri()}?mode=ro"
            # The dashboard counts in a thread of its own, one query at a time.
            return ibis.sqlite.from_connection(sqlite3.connect(uri, uri=True, check_same_thread=False))
        connection = ibis.connect(address.replace("postgresql://", "postgres://", 1))
        _read_only(connection, True)
        return connection
    except ImportError:
        raise missing_extra("a table in a database", _EXTRA) from None
    except Exception as error:  # of the driver; its text may hold the password
        failure = type(error).__name__
    problem = f"the database cannot be reached ({failure})"
    remedy = "check its address (a password's # is written %23), and that it runs and lets you in"
    raise InputError(problem, remedy=remedy, file=shown)
