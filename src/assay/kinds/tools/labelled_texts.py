"""Tasks whose item is one text, or two, with one label: where their columns are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from assay.base.errors import AssayError
from assay.data.columns.names import LABEL_NAMES, LOOSE_PAIR_NAMES, PAIR_NAMES, TEXT_NAMES
from assay.kinds.kind import Certainty, Match
from assay.kinds.parts import Layout

if TYPE_CHECKING:
    from assay.data.columns.lookup import Columns
    from assay.data.columns.roles import RoleRequest

DECISION_NAMES = ("answer", "finaldecision", "decision", "verdict", "ideal", "expectedoutput", "groundtruth")
DECISIONS = {"yes", "no", "maybe", "true", "false"}
FIRST_CELLS = 100  # a column of other texts is recognised by its first cells


class LabelledTextLayout(Layout):
    """The base of kinds whose item is one text or two and whose answer is one label."""

    text_counts: ClassVar[tuple[int, ...]]
    """How many texts an item may have."""

    def fits_labels(self, columns: Columns, label: str | None) -> bool:
        """Return whether the contents of the label column are of this kind."""
        from assay.kinds.multilabel import holds_label_sets

        return label is None or not (columns.clean_labels(label).are_grades or holds_label_sets(columns, label))

    def recognise(self, columns: Columns, request: RoleRequest) -> Match | None:
        """Find one or two texts by the usual names, and the label next to them."""
        if request.choices or request.label_columns:
            return None
        used = request.find_named(columns)
        finders = {1: find_text, 2: find_text_pair}
        found = [finders[count](columns, request, used) for count in self.text_counts]
        best = select_best(match for match in found if match is not None)
        if not best:
            return None
        match = find_label(columns, request, best[0], used)
        if match.label is None and match.certainty == Certainty.USUAL and not request.label:
            match = replace(match, certainty=Certainty.WEAK)  # a question and an answer, of which neither is judged
        if len(best) > 1:
            match = replace(
                match, problem=ambiguous_columns("text", [name for each in best for name in each.texts], columns)
            )
        if request.task != self.kind.name and not self.fits_labels(columns, match.label):
            return None
        return match


def select_best(matches: Iterable[Match]) -> list[Match]:
    """Return the most certain match; several if equally certain ones use different columns.

    Of two that are equally certain, the one that uses all columns of the other and more is preferred, and of two with the
    same columns the one without a problem.

    >>> text, pair = Match(("a",), Certainty.CLEAR), Match(("a", "b"), Certainty.CLEAR)
    >>> select_best([text, pair]) == [pair], len(select_best([text, pair, Match(("c",), Certainty.CLEAR)]))
    (True, 2)
    """
    matches = list(matches)
    top = max((match.certainty for match in matches), default=None)
    best = [match for match in matches if match.certainty == top]
    return [match for match in best if not any(_is_better(other, match) for other in best)]


def _is_better(match: Match, other: Match) -> bool:
    columns, others = set(match.columns), set(other.columns)
    return columns > others or (columns == others and match.problem is None and other.problem is not None)


def find_text(columns: Columns, request: RoleRequest, used: Collection[str]) -> Match | None:
    """Find the one text column: as the user names it, or by the usual names."""
    if request.text:
        return _get_named_texts(columns, request.text) if len(request.text) == 1 else None
    for rank, row in enumerate(TEXT_NAMES):
        names = [name for name in columns.find(row, used) if not columns.holds_codes(name, only_numbers=rank == 0)]
        if names:
            problem = (
                ambiguous_columns("text", names, columns) if len(names) > 1 else columns.check_text(names[0], "text")
            )
            return Match((names[0],), Certainty.CLEAR if rank == 0 else Certainty.WEAK, problem=problem)
    return None


def find_text_pair(columns: Columns, request: RoleRequest, used: Collection[str]) -> Match | None:
    """Find the two text columns of a pair: as the user names them, or by the usual names."""
    if request.text:
        return _get_named_texts(columns, request.text) if len(request.text) == 2 else None
    for pairs, certainty in ((PAIR_NAMES, Certainty.CLEAR), (LOOSE_PAIR_NAMES, Certainty.USUAL)):
        for pair in pairs:
            names = [columns.find([name], used)[:1] for name in pair]
            if all(names) and not holds_decisions(columns, names[1][0]) and not _has_numbers(columns, names):
                texts = tuple(name for each in names for name in each)
                problems = [columns.check_text(name, "text") for name in texts]
                return Match(texts, certainty, problem=problems[0] or problems[1])
    return None


def _has_numbers(columns: Columns, names: Iterable[Sequence[str]]) -> bool:
    return any(columns.holds_codes(name, only_numbers=True) for each in names for name in each)


def find_label(columns: Columns, request: RoleRequest, match: Match, used: Collection[str]) -> Match:
    """Add the label column to a match: as the user names it, or by the usual names."""
    from assay.data.columns.roles import is_none

    if request.label:
        if is_none(request.label, columns):
            return match
        name = columns.get(request.label)
        label = name if columns.has_content(name) else None
        return replace(match, label=label, problem=match.problem or columns.check_text(name, "label"))
    for row in LABEL_NAMES:
        names = [name for name in columns.find(row, {*used, *match.texts}) if not columns.is_nested(name)]
        if names:
            problem = ambiguous_columns("label", names, columns) if len(names) > 1 else None
            return replace(match, label=names[0], problem=match.problem or problem)
    decisions = [name for name in columns.find(DECISION_NAMES, {*used, *match.texts}) if holds_decisions(columns, name)]
    return replace(match, label=decisions[0]) if decisions else match


def holds_decisions(columns: Columns, name: str) -> bool:
    """Return whether the answers of a column are yes and no, so that they are labels and not texts."""
    if columns.is_nested(name):
        return False
    cells = columns[name].drop_nulls()
    if not _lower(cells.head(FIRST_CELLS)) <= DECISIONS:
        return False
    answers = _lower(cells.unique().head(FIRST_CELLS))
    return len(answers) > 1 and answers <= DECISIONS


def _lower(cells: Iterable[object]) -> set[str]:
    return {str(cell).strip().lower() for cell in cells}


def find_nested_label(columns: Columns) -> str | None:
    """Return a column with the name of a label that holds lists or objects, and so is none."""
    return next((name for row in LABEL_NAMES for name in columns.find(row) if columns.is_nested(name)), None)


def ambiguous_columns(role: str, names: Iterable[str], columns: Columns) -> AssayError:
    """Return the error for several columns that could play one role."""
    from assay.data.columns.table import shorten_name

    unique = list(dict.fromkeys(names))
    fact = f"the {role} could be {' or '.join(map(shorten_name, unique[:5]))}"
    return AssayError(fact, place=columns.place, hint=f"Name it with {{{role}}}. {columns.describe()}")


def _get_named_texts(columns: Columns, texts: tuple[str, ...]) -> Match:
    from assay.data.columns.roles import NO_TEXT

    names = tuple(columns.get(name) for name in texts)
    for name in names:
        if not columns.has_content(name) and name != NO_TEXT:
            raise AssayError(f"the text column '{name}' is empty throughout", place=columns.place)
    problems = [problem for name in names if (problem := columns.check_text(name, "text"))]
    return Match(names, Certainty.CLEAR, problem=problems[0] if problems else None)
