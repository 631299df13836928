"""Which kind of task a table is of, and which of its columns play which role."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.base.errors import AssayError
from assay.data.columns.grades import is_number
from assay.data.columns.names import ANNOTATION_PREFIXES, TEXT_NAMES
from assay.kinds.kind import KINDS, Match, TaskKind
from assay.kinds.tools.labelled_texts import find_nested_label, select_best
from assay.wording.sentences import quote

if TYPE_CHECKING:
    from assay.data.columns.lookup import Columns
    from assay.data.columns.roles import RoleRequest, SharedRoles

AUTO = "auto"
MIN_SCORE_COLUMNS = 2
NO_HEADER = "Remove the lines before the header, or add a header such as: text, label."


class NoTextError(AssayError):
    """A table in which no column of texts is recognised."""


@dataclass(frozen=True)
class Recognition:
    """The kind of a table, the columns it uses, and the columns of the roles that all kinds share."""

    kind: TaskKind
    match: Match
    roles: SharedRoles
    unused: tuple[str, ...]
    nested_label: str | None = None
    declines_label: bool = False  # the user wants no label
    names_texts: bool = False  # the user names the columns of texts

    def describe(self) -> str:
        """Write the kind, its columns, and the columns that are not used.

        For example: task: pairs (text_a, text_b, label); not used: genre.
        """
        from assay.data.columns.table import list_names, shorten_name

        columns = ", ".join(shorten_name(name) for name in self.match.columns)
        label = "" if self.match.label else "; no label"
        unused = f"; not used: {list_names(self.unused)}" if self.unused else ""
        return f"task: {self.kind.title} ({columns}{label}){unused}"


def recognise(columns: Columns, request: RoleRequest) -> Recognition:
    """Choose the kind of task, and find the columns of all roles; raise if no kind fits, or several."""
    from assay.data.columns.roles import find_shared_roles

    kind, match = choose_kind(columns, request)
    roles = find_shared_roles(columns, request, match.columns)
    used = {*match.columns, *roles.columns}
    unused = [name for name in columns.frame.columns if name not in used and not name.startswith(ANNOTATION_PREFIXES)]
    nested_label = None if match.label or request.label else find_nested_label(columns)
    return Recognition(
        kind,
        match,
        roles,
        tuple(unused),
        nested_label if nested_label in unused else None,
        bool(request.label),
        bool(request.text),
    )


def choose_kind(
    columns: Columns, request: RoleRequest, kinds: Mapping[str, TaskKind] = KINDS
) -> tuple[TaskKind, Match]:
    """Return the kind that the user names, or the one with the most certain match of columns."""
    if request.task != AUTO:
        kind = kinds[request.task]
        match = kind.layout.recognise(columns, request)
        if match is None:
            raise _no_columns(kind, columns)
        return kind, _check(match)
    matches = {
        name: match for name, kind in kinds.items() if (match := kind.layout.recognise(columns, request)) is not None
    }
    best = select_best(matches.values())
    names = [name for name, match in matches.items() if any(match is each for each in best)]
    if not names:
        raise _no_text(columns)
    if len(names) > 1:
        raise _several_kinds({kinds[name].title: matches[name] for name in names}, columns)
    return kinds[names[0]], _check(matches[names[0]])


def _check(match: Match) -> Match:
    if match.problem is not None:
        raise match.problem
    return match


def _no_columns(kind: TaskKind, columns: Columns) -> AssayError:
    fact = f"the columns do not fit the task {kind.title}, which needs {kind.layout.needs}"
    return AssayError(fact, place=columns.place, hint=f"{columns.describe()} Name them with {{text}} and {{label}}.")


def _several_kinds(matches: Mapping[str, Match], columns: Columns) -> AssayError:
    options = " and ".join(f"{title} ({', '.join(match.columns)})" for title, match in matches.items())
    hint = f"Choose one with {{task}}, or name the columns with {{text}}. {columns.describe()}"
    return AssayError(f"the columns fit several kinds of task: {options}", place=columns.place, hint=hint)


def _no_text(columns: Columns) -> AssayError:
    from assay.data.columns.table import shorten_name

    names = columns.frame.columns
    if any(len(name.split()) > 3 or is_number(name) for name in names):
        first = ", ".join(quote(name) for name in names[:5])
        fact = f"no text column is recognised, and the first line ({first}) looks like data"
        return AssayError(fact, place=columns.place, hint=NO_HEADER)
    empty = [name for row in TEXT_NAMES for name in columns.find_empty(row)]
    if empty:
        return AssayError(f"the text column '{empty[0]}' is empty throughout", place=columns.place)
    codes = [name for row in TEXT_NAMES for name in columns.find(row)]
    why = f": column '{shorten_name(codes[0])}' holds numbers or codes" if codes else ""
    hint = f"{columns.describe()} Name one with {{text}}."
    if sum(columns.holds_codes(name, only_numbers=True) for name in names) >= MIN_SCORE_COLUMNS:
        hint += " If these are scores of systems, use assay discriminate."
    return NoTextError(f"no text column is recognised{why}", place=columns.place, hint=hint)
