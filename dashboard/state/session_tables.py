"""The tables of one session: those loaded, those that wait for a choice of how they are read, and messages on both."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field

from dashboard.file_reviews import Choices, Import, Slot
from dashboard.loading import Bytes, LoadedTable, ReadOptions, load_table
from dashboard.server_tables import ServerTable, ServerTables
from metrics.errors import InputError
from metrics.formatting import join_names

LOADING = "loading"
"""The messages about tables that were not taken in."""


@dataclass
class SessionTables:
    """Tables by slot and label. They are added whole or not at all; a failure leaves what was there."""

    original: LoadedTable | None = None
    versions: dict[str, LoadedTable] = field(default_factory=dict)
    unchanged: str | None = None
    """The label of the original as a version, where it is judged for want of another."""
    population: LoadedTable | None = None
    holdout: LoadedTable | None = None
    server: ServerTables = field(default_factory=ServerTables)
    """Tables that stay on the server's disk: scored beside each other, never with one in memory."""
    imports: list[Import] = field(default_factory=list)
    """Files that wait for the user's choice of how they are read."""
    chosen: dict[Hashable, Choices] = field(default_factory=dict)
    """Choices made for files with questions, by their form."""
    messages: dict[str, list[str]] = field(default_factory=dict)
    seen_uploads: set[str] = field(default_factory=set)
    uploader_generation: int = 0
    on_change: Callable[[], None] = lambda: None
    """Called whenever a table has come, gone or been read anew."""

    def changed(self) -> None:
        """Drop changes to the reading of tables that are gone, once a table came, went or was read anew."""
        files = {(slot, label): loaded.file for slot, label, loaded in self.loaded()}
        self.imports = [
            pending
            for pending in self.imports
            if pending.label is None or files.get((pending.slot, pending.label)) is pending.file
        ]
        self.on_change()

    def loaded(self) -> Iterator[tuple[Slot, str, LoadedTable]]:
        """Every loaded table with its slot and label, the original first, those for reference last."""
        if self.original is not None:
            yield Slot.ORIGINAL, self.original.name, self.original
        for label, loaded in self.versions.items():
            yield Slot.ANONYMIZED, label, loaded
        if self.population is not None:
            yield Slot.POPULATION, self.population.name, self.population
        if self.holdout is not None:
            yield Slot.HOLDOUT, self.holdout.name, self.holdout

    @property
    def labels(self) -> list[str]:
        """Every anonymized table, those on the server last."""
        return [*self.versions, *self.server.versions]

    @property
    def empty(self) -> bool:
        """Whether there is no table at all."""
        return not any(self.loaded()) and not self.server

    def adopt(self, slot: Slot, table: ServerTable) -> None:
        """Keep a table of the server as the original, or as one more version."""
        if slot is Slot.ORIGINAL:
            self.server.original = table
        else:
            self.server.versions[self.new_label(table.name)] = table
        self.changed()

    def add(self, slot: Slot, name: str, content: bytes, options: ReadOptions | None = None) -> LoadedTable:
        """Read a table and keep it. Raises InputError, where a question is open too."""
        loaded = load_table(name, Bytes.from_content(content), options or ReadOptions())
        self.take(slot, loaded)
        return loaded

    def take(self, slot: Slot, loaded: LoadedTable) -> str | None:
        """Keep a table, unless it is there already. Returns the label of a version that equals it."""
        duplicate = None
        if slot is Slot.ANONYMIZED:
            self.versions.pop(self.unchanged or "", None)  # it stood in for a real version
            self.unchanged = None
            duplicate = next((label for label, other in self.versions.items() if other.digest == loaded.digest), None)
        if duplicate is None:
            self.replace_table(slot, self.new_label(loaded.name), loaded)
        self.changed()
        return duplicate

    def add_original(self) -> None:
        """Take the original as a version, as if it were published unchanged, until there is a real one."""
        if self.original is not None and self.unchanged not in self.versions:
            self.unchanged = self.new_label(f"{self.original.name}, unchanged")
            self.replace_table(Slot.ANONYMIZED, self.unchanged, self.original)
            self.changed()

    def try_add(self, slot: Slot, name: str, content: bytes) -> None:
        """Read an upload that raises no question, or one that was answered for a file of the same form.

        Any other waits for the user to decide; a later upload of the same name takes its place.
        """
        self.imports = [
            pending for pending in self.imports if (pending.slot, pending.name, pending.label) != (slot, name, None)
        ]
        new = Import(slot, name, Bytes.from_content(content))
        try:
            loaded = load_table(name, new.file, ReadOptions())
        except InputError:
            self.imports.append(new)
        else:
            self._place(new, loaded)
            return
        if new.form is None:
            self._finish(new)
        elif new.form in self.chosen:
            self._finish_alike([new], self.chosen[new.form])

    def confirm(self, pending: Import) -> None:
        """Read a file with the choices made for it, and those of the same form too; a failure is kept with it."""
        similar = self.similar_imports(pending)
        if self._finish(pending) and pending.form is not None:
            self.chosen[pending.form] = choices = Choices(pending.name, pending.settings, pending.answers)
            self._finish_alike(similar, choices)

    def similar_imports(self, pending: Import) -> list[Import]:
        """Other files that raise the same questions and for which nothing was chosen yet."""
        others = (other for other in self.imports if other is not pending and other.untouched)
        return [] if pending.form is None else [other for other in others if other.form == pending.form]

    def _finish(self, pending: Import) -> bool:
        """Read a file with the choices made for it; return whether it worked. If not, the table before it stays."""
        previous = next(
            (old for slot, label, old in self.loaded() if (slot, label) == (pending.slot, pending.label)), None
        )
        try:
            loaded = pending.read_table(None if previous is None else previous.options)
        except InputError as error:
            pending.failure = str(error)
            return False
        self._place(pending, loaded)
        return True

    def _place(self, pending: Import, loaded: LoadedTable) -> None:
        """Put a table in the place that its file was read for."""
        self.imports = [other for other in self.imports if other is not pending]
        if pending.label is not None:
            self.replace_table(pending.slot, pending.label, loaded)
            self.changed()
            return
        duplicate = self.take(pending.slot, loaded)
        if duplicate is not None:
            self._say(f"{pending.name} has the same content as {duplicate}, which is already loaded; it was not added.")

    def _finish_alike(self, similar: Sequence[Import], choices: Choices) -> None:
        """Read files with the choices made for another of the same form, and say so."""
        for pending in similar:
            pending.copy_choices(choices)
        names = [pending.name for pending in similar if self._finish(pending)]
        if names:
            has, was = ("has", "was") if len(names) == 1 else ("have", "were")
            self._say(
                f"{join_names(names)} {has} the same form as {choices.name} and {was} read in the same way. "
                "To change that, press “Change how it was read” beside its name."
            )

    def _say(self, message: str) -> None:
        self.messages.setdefault(LOADING, []).append(message)

    def change(self, slot: Slot, label: str) -> None:
        """Let the user decide anew how a loaded table's file is read."""
        (loaded,) = (loaded for kind, name, loaded in self.loaded() if (kind, name) == (slot, label))
        self.imports.append(Import.again(slot, label, loaded))

    def replace_table(self, slot: Slot, label: str, loaded: LoadedTable) -> None:
        """Put a table in place of the one with that label."""
        if slot is Slot.ANONYMIZED:
            self.versions[label] = loaded
        else:
            self._assign(slot, loaded)

    def remove(self, slot: Slot, label: str) -> None:
        """Drop a table."""
        if slot is Slot.ANONYMIZED:
            self.versions.pop(label, None)
        else:
            self._assign(slot, None)
        self.changed()

    def _assign(self, slot: Slot, loaded: LoadedTable | None) -> None:
        if slot is Slot.ORIGINAL:
            self.original = loaded
        elif slot is Slot.POPULATION:
            self.population = loaded
        else:
            self.holdout = loaded

    def order_as(self, hashes: Sequence[str]) -> None:
        """Put versions of these files first, in this order, which also decides on their colours."""
        if hashes:
            places = {sha256: place for place, sha256 in reversed(list(enumerate(hashes)))}
            ordered = sorted(self.versions.items(), key=lambda item: places.get(item[1].sha256, len(hashes)))
            self.versions = dict(ordered)

    def new_label(self, name: str) -> str:
        """The name as a label, with a number where it is taken."""
        label, number = name, 2
        while label in self.labels:
            label, number = f"{name} ({number})", number + 1
        return label
