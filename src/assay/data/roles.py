"""Which column is text, label, id, part, time and group: as asked, or by the usual names."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from assay.base.errors import AssayError, UsageError, join_names
from assay.data import names
from assay.data.cells import Table, shortened
from assay.data.parts import PARTS, part_of


@dataclass(frozen=True)
class Roles:
    """The columns that play a role; `group_seen` names a group column that nobody asked for."""

    text: tuple[str, ...]
    label: str | None = None
    id: str | None = None
    split: str | None = None
    time: str | None = None
    group: str | None = None
    group_seen: str | None = None
    nested: str | None = None  # a label column that holds lists or objects, and so is none


@dataclass(frozen=True)
class Wanted:
    """The roles a user named; None is to be found, "none" is not to be had."""

    text: tuple[str, ...] = ()
    label: str | None = None
    id: str | None = None
    split: str | None = None
    time: str | None = None
    group: str | None = None


def wanted(text: str | Sequence[str] | None, **others: str | None) -> Wanted:
    """Check and gather the roles a user named."""
    texts = (text,) if isinstance(text, str) else tuple(text or ())
    if len(texts) > 2:
        raise UsageError(f"{len(texts)} text columns ({join_names(texts)}): an item has one text, or two for pairs.")
    if len(set(texts)) < len(texts):
        raise UsageError(f"The text column '{texts[0]}' is given twice: a pair needs two columns.")
    return Wanted(texts, **others)


def find_roles(table: Table, place: str, want: Wanted) -> Roles:
    """Find the columns of all roles; raise where there is no text, or more than one that could be."""
    search = _Search(table, place)
    given = [name for name in (want.label, want.id, want.split, want.time, want.group) if name]
    used = {search.asked(name) for name in given if not _none(name, search)}
    text = tuple(search.asked_text(name) for name in want.text) or search.text(used)
    taken: set[str | None] = {*used, *text}
    label = search.role("label", want.label, names.LABEL, taken)
    taken.add(label)
    id_ = search.role("id", want.id, names.ID, taken)
    split = search.role("split", want.split, names.SPLIT, taken)
    time = search.role("time", want.time, names.TIME, taken)
    group = search.asked(want.group) if want.group and not _none(want.group, search) else None
    seen = None if want.group else search.first(names.GROUP, taken | {id_, split, time})
    nested = None if label or want.label else next((name for name in search.nested(names.LABEL)), None)
    return Roles(text, label, id_, split, time, group, seen, nested)


def _none(name: str, search: _Search) -> bool:
    return name.lower() == "none" and name not in search.frame.columns


class _Search:
    """The columns of a table by their compared names."""

    def __init__(self, table: Table, place: str) -> None:
        self.frame, self.odd, self.place = table.frame, table.odd, place
        self.keys: dict[str, list[str]] = {}
        for name in self.frame.columns:
            self.keys.setdefault(names.key(name), []).append(name)
        self._filled: dict[str, bool] = {}

    def asked(self, name: str) -> str:
        """Return the column a user means; its exact name, or the only one that differs in case."""
        if name in self.frame.columns:
            return name
        alike = [column for column in self.frame.columns if column.lower() == name.strip().lower()]
        if len(alike) == 1:
            return alike[0]
        near = difflib.get_close_matches(name, self.frame.columns[:1000], n=1)
        guess = f" Did you mean '{near[0]}'?" if near else ""
        raise AssayError(f"{self.place} has no column '{name}'.{guess} Its columns: {self.columns()}.")

    def asked_text(self, name: str) -> str:
        """Return the text column a user means; raise where it holds no text."""
        column = self.asked(name)
        self.refuse_odd(column, "--text")
        if not self.filled(column):
            raise AssayError(f"{self.place}: the text column '{column}' is empty throughout.")
        return column

    def text(self, used: set[str]) -> tuple[str, ...]:
        """Return the one text column, or the two of a pair, by the usual names."""
        pairs = [pair for pair in names.PAIRS if self._both(pair, used)]
        strong = self._candidates(names.TEXT[0], used)
        if pairs and not (strong and strong[0] not in self._columns(pairs[0])):
            return self._checked(self._columns(pairs[0]))
        if pairs:
            raise self._ambiguous("text", [*strong, *self._columns(pairs[0])])
        loose = [pair for pair in names.LOOSE_PAIRS if not strong and self._both(pair, used)]
        if loose:
            return self._checked(self._columns(loose[0]))
        for row in names.TEXT:
            found = self._candidates(row, used)
            if len(found) > 1:
                raise self._ambiguous("text", found)
            if found:
                return self._checked(tuple(found))
        raise self._no_text()

    def role(self, role: str, asked: str | None, rows: Sequence[Sequence[str]], used: set[str | None]) -> str | None:
        """Return the column of a role as asked, or by the usual names; None where there is none."""
        if asked and _none(asked, self):
            return None
        if asked:
            column = self.asked(asked)
            self.refuse_odd(column, f"--{role}")
            return column if self.filled(column) else None
        for number, row in enumerate(rows):
            found = [
                name for name in self._candidates(row, used) if name not in self.odd and self._fits(role, number, name)
            ]
            if role == "label" and len(found) > 1:  # other roles take the first of their row
                raise self._ambiguous(role, found)
            if found:
                return found[0]
        return None

    def first(self, rows: Sequence[Sequence[str]], used: set[str | None]) -> str | None:
        """Return the first column by the usual names of a role."""
        return next((name for row in rows for name in self._candidates(row, used)), None)

    def nested(self, rows: Sequence[Sequence[str]]) -> list[str]:
        """Name the columns of a role that hold lists or objects."""
        return [name for row in rows for name in self._candidates(row, set()) if name in self.odd]

    def _fits(self, role: str, row: int, name: str) -> bool:
        """Tell whether a column of a doubtful name holds what its role needs."""
        if role == "split" and row > 0:
            return any(part_of(str(value)) in PARTS for value in self.frame[name].unique().head(100))
        if role == "id" and row > 1:
            return not self.frame[name].is_duplicated().any()
        return True

    def filled(self, name: str) -> bool:
        """Tell whether a column has any content."""
        if name not in self._filled:
            column = self.frame[name]
            self._filled[name] = name in self.odd or bool((column.str.len_bytes() > 0).any())
        return self._filled[name]

    def refuse_odd(self, name: str, option: str) -> None:
        """Raise for a column that holds lists, objects or binary data."""
        if name in self.odd:
            hint = f"Name another with {option}."
            raise AssayError(f"{self.place}: column '{name}' holds {self.odd[name]}, not text. {hint}")

    def columns(self) -> str:
        """List the columns."""
        return shortened(self.frame.columns)

    def _both(self, pair: tuple[str, str], used: set[str]) -> bool:
        return all(self._candidates([name], used) for name in pair)

    def _columns(self, pair: tuple[str, str]) -> tuple[str, ...]:
        return tuple(self.keys[name][0] for name in pair)

    def _candidates(self, keys: Sequence[str], used: set) -> list[str]:
        found = [name for wanted_key in keys for name in self.keys.get(wanted_key, [])]
        return [name for name in found if name not in used and self.filled(name)]

    def _checked(self, columns: tuple[str, ...]) -> tuple[str, ...]:
        for column in columns:
            self.refuse_odd(column, "--text")
        return columns

    def _ambiguous(self, role: str, found: Sequence[str]) -> AssayError:
        unique = list(dict.fromkeys(found))
        return AssayError(
            f"{self.place}: the {role} could be {' or '.join(unique[:5])}. "
            f"Name it with --{role}. Its columns: {self.columns()}."
        )

    def _no_text(self) -> AssayError:
        columns = self.frame.columns
        if any(len(name.split()) > 3 or _is_number(name) for name in columns):
            first = ", ".join(repr(name if len(name) < 40 else name[:39] + "…") for name in columns[:5])
            return AssayError(
                f"{self.place}: no text column; the first line ({first}) looks like data. "
                "Add a header such as: text, label."
            )
        empty = [name for row in names.TEXT for key in row for name in self.keys.get(key, [])]
        if empty:
            return AssayError(f"{self.place}: the text column '{empty[0]}' is empty throughout.")
        return AssayError(
            f"{self.place} has no text column that is recognised. Its columns: {self.columns()}. Name one with --text."
        )


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True


def blank_to_null(column: pl.Series) -> pl.Series:
    """Return a column whose empty cells are null."""
    return column.to_frame("x").select(pl.when(pl.col("x") != "").then(pl.col("x"))).to_series()
