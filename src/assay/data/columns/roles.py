"""Which columns hold ids, parts, times and groups: as the user names them, or by the usual names."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from assay.base.errors import AssayError, UsageError, join_names
from assay.data.columns import names
from assay.data.columns.lookup import Columns
from assay.data.columns.parts import PART_NAMES, normalise_part

NO_TEXT = "(no text)"  # the column of empty texts of data without texts
NONE = "none"  # what a user writes for a role that no column shall play


@dataclass(frozen=True)
class RoleRequest:
    """The columns a user names, and the kind of task; None is recognised, "none" is left out."""

    text: tuple[str, ...] = ()
    label: str | None = None
    id: str | None = None
    split: str | None = None
    time: str | None = None
    group: str | None = None
    task: str = "auto"
    choices: tuple[str, ...] = ()  # one column of lists, or one column per option
    label_columns: tuple[str, ...] = ()  # several columns of 0 and 1
    label_separator: str | None = None

    @classmethod
    def make(
        cls,
        text: str | Sequence[str] | None = None,
        label: str | Sequence[str] | None = None,
        choices: str | Sequence[str] | None = None,
        **others: Any,
    ) -> RoleRequest:
        """Check and gather what a user names; several columns of labels belong to a multilabel task."""
        others["choices"] = (choices,) if isinstance(choices, str) else tuple(choices or ())
        labels = (label,) if isinstance(label, str) else tuple(label or ())
        others |= {"label": labels[0]} if len(labels) == 1 else {"label_columns": labels}
        texts = (text,) if isinstance(text, str) else tuple(text or ())
        if len(texts) > 2:
            fact = f"names {len(texts)} columns ({join_names(texts)}): an item has one text, or two for pairs"
            raise UsageError(fact, option="text")
        if len(set(texts)) < len(texts):
            raise UsageError(f"names '{texts[0]}' twice: a pair needs two columns", option="text")
        return cls(texts, **others)

    def find_label(self, columns: Columns) -> str | None:
        """Return the column named for the label; None if none is named, or the user asks for none."""
        return None if self.label is None or is_none(self.label, columns) else columns.get(self.label)

    def find_named(self, columns: Columns) -> set[str]:
        """Return the columns named for roles other than the text; raise for one that is not there."""
        return {columns.get(name) for name in self._others if name and not is_none(name, columns)}

    @property
    def names(self) -> set[str]:
        """Return every name that the user gives, of a column or "none"."""
        return {*self.text, *(name for name in self._others if name)}

    @property
    def _others(self) -> tuple[str | None, ...]:
        return (self.label, self.id, self.split, self.time, self.group, *self.choices, *self.label_columns)


@dataclass(frozen=True)
class SharedRoles:
    """The columns of the roles that every kind of task has; `possible_group` is one that the user did not name."""

    id: str | None = None
    split: str | None = None
    time: str | None = None
    group: str | None = None
    possible_group: str | None = None

    @property
    def columns(self) -> set[str]:
        """Return the columns that are used."""
        return {name for name in (self.id, self.split, self.time, self.group) if name}


def is_none(name: str, columns: Columns) -> bool:
    """Return whether a user asks for no column: "none", unless a column has that name."""
    return name.lower() == NONE and name not in columns


def find_shared_roles(columns: Columns, request: RoleRequest, used: Collection[str]) -> SharedRoles:
    """Find the columns of ids, parts, times and groups among those that are not used for texts and labels."""
    taken = {*request.find_named(columns), *used}
    id_ = _find_role(columns, "id", request.id, names.ID_NAMES, taken)
    split = _find_role(columns, "split", request.split, names.SPLIT_NAMES, taken)
    time = _find_role(columns, "time", request.time, names.TIME_NAMES, taken)
    if request.group:
        group = None if is_none(request.group, columns) else columns.get(request.group)
        return SharedRoles(id_, split, time, group)
    others = taken | {name for name in (id_, split, time) if name}
    possible = next((name for row in names.GROUP_NAMES for name in columns.find(row, others)), None)
    return SharedRoles(id_, split, time, None, possible)


def _find_role(
    columns: Columns, role: str, requested: str | None, rows: Sequence[Sequence[str]], used: Collection[str]
) -> str | None:
    if requested:
        return _get_requested(columns, role, requested)
    for rank, row in enumerate(rows):
        for name in columns.find(row, used):
            if not columns.is_nested(name) and _fits(columns, role, rank, name):
                return name
    return None


def _get_requested(columns: Columns, role: str, requested: str) -> str | None:
    """Return the column that a user names for a role; None for "none" and for a column that is empty throughout."""
    if is_none(requested, columns):
        return None
    name = columns.get(requested)
    problem: AssayError | None = columns.check_text(name, role)
    if problem is not None:
        raise problem
    return name if columns.has_content(name) else None


def _fits(columns: Columns, role: str, rank: int, name: str) -> bool:
    """Return whether a column with a doubtful name holds what its role needs."""
    if role == "split" and rank > 0:
        return any(normalise_part(str(value)) in PART_NAMES for value in columns[name].unique().head(100))
    if role == "id" and rank > 1:
        return not columns[name].is_duplicated().any()
    return True
