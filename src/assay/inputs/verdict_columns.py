"""The columns of a table of verdicts, found by the usual names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.base.errors import AssayError, join_names
from assay.inputs.verdict_words import (
    CLEAR_WORDS,
    MISSING,
    NEGATIVE,
    POSITIVE,
    TIE,
    A,
    B,
    choose_kind,
    list_meanings,
)

if TYPE_CHECKING:
    import polars as pl

ROLE_NAMES: dict[str, tuple[str, ...]] = {
    "id": ("id", "item", "item_id", "question_id", "prompt_id", "sample_id", "task_id", "instruction_id"),
    "judge": (
        *("judge", "judge_model", "judge_name", "judge_id", "annotator", "annotator_id", "evaluator", "rater"),
        *("rater_id", "grader", "reviewer", "worker", "worker_id"),
    ),
    "verdict": ("verdict", "preference", "winner", "vote", "judgement", "judgment", "rating", "score", "grade"),
    "order": ("order", "swapped", "is_swapped", "position"),
    "gold": ("gold", "gold_label", "human", "human_label", "truth", "ground_truth", "true_label"),
    "system": ("system", "model", "generator"),
    "system_a": ("system_a", "model_a", "generator_1", "model_1"),
    "system_b": ("system_b", "model_b", "generator_2", "model_2"),
    "length_a": ("length_a", "chars_a", "len_a", "length_1"),
    "length_b": ("length_b", "chars_b", "len_b", "length_2"),
    "text_a": ("response_a", "answer_a", "output_a", "output_1", "completion_a", "text_a"),
    "text_b": ("response_b", "answer_b", "output_b", "output_2", "completion_b", "text_b"),
    "length": ("length", "chars", "output_length"),
    "text": ("response", "answer", "output", "completion"),
    "prompt": ("prompt", "instruction", "question", "input"),
}
# Names of verdicts where the table has a column for the judge; without one they are something else.
LONG_VERDICTS = ("label", "is_correct", "correct", "decision", "outcome", "choice", "answer", "value")
# Roles that only tables with two answers per row have.
PAIR_ROLES = ("system_a", "system_b", "length_a", "length_b", "text_a", "text_b")


# What columns and files of judges are called.
JUDGE_WORDS = ("judge", "verdict", "annotator", "rater", "grader")
HUMAN_NAMES = ("human", "human_label")


@dataclass(frozen=True)
class VerdictColumns:
    """The column of each role that a table has, and the judges of a wide table, which the user may have named."""

    roles: dict[str, str]
    judges: tuple[str, ...]
    are_named: bool = False

    @property
    def is_long(self) -> bool:
        """Whether the table has one row per verdict."""
        return not self.judges

    @property
    def has_pairs(self) -> bool:
        """Whether verdicts choose between two answers, by the columns."""
        return any(role in self.roles for role in PAIR_ROLES)


def find_columns(
    frame: pl.DataFrame, place: str, *, gold: str | None = None, judges: Sequence[str] = ()
) -> VerdictColumns:
    """Find the roles of a table; a table without columns for judge and verdict is wide: one column per judge."""
    for name in (*judges, *([gold] if gold else [])):
        if name not in frame.columns:
            hint = f"Columns are {join_names(frame.columns, limit=12)}."
            raise AssayError(f"no column '{name}'", place=place, hint=hint)
    by_lower = {name.lower(): name for name in reversed(frame.columns) if name not in judges}
    roles: dict[str, str] = {}
    for role, names in ROLE_NAMES.items():
        column = next((by_lower[name] for name in names if name in by_lower), None)
        if column is not None and column not in roles.values():
            roles[role] = column
    if "judge" in roles and "verdict" not in roles:
        free = [by_lower[name] for name in LONG_VERDICTS if by_lower.get(name, gold) != gold]
        roles |= {"verdict": free[0]} if free else {}
        roles = {role: column for role, column in roles.items() if role == "verdict" or column not in free[:1]}
    if gold is not None:
        roles = {role: column for role, column in roles.items() if column != gold} | {"gold": gold}
    if not judges and "verdict" in roles:
        return VerdictColumns(roles, ())
    for role in ("judge", "verdict"):
        roles.pop(role, None)
    used = {*roles.values()}
    candidates = tuple(judges) or tuple(name for name in frame.columns if name not in used)
    if not candidates:
        raise AssayError(
            f"no column of verdicts; columns are {join_names(frame.columns, limit=12)}",
            place=place,
            hint="Verdicts need id, judge and verdict, or id and one column per judge.",
        )
    return VerdictColumns(roles, candidates, bool(judges))


def has_wide_verdicts(frame: pl.DataFrame, name: str = "") -> bool:
    """Return True if a table without texts has one column per judge, rather than one per system.

    Classes may be called 0, 1 and 2, too, so that words alone decide only if they cannot be labels; `name` is the name of
    the file.

    >>> import polars as pl
    >>> has_wide_verdicts(pl.DataFrame({"id": ["1", "2"], "gpt": ["a", "tie"], "claude": ["b", "b"]}))
    True
    >>> has_wide_verdicts(pl.DataFrame({"id": ["1", "2"], "gold": ["1", "2"], "bert": ["1", "2"]}))
    False
    """
    try:
        columns = find_columns(frame, name)
    except AssayError:
        return False
    if columns.is_long or not {"id", "prompt"} & set(columns.roles):
        return False
    words = {judge: _list_words(frame[judge]) for judge in columns.judges}
    gold = _list_words(frame[columns.roles["gold"]]) if "gold" in columns.roles else set()
    verdicts = [each for each in words.values() if each and _are_verdicts(each, has_pairs=columns.has_pairs)]
    if not verdicts or len(verdicts) + bool(gold) < 2:
        return False
    union = set[str]().union(*verdicts)
    if {"system_a", "system_b"} <= set(columns.roles):
        return any(choose_kind([*each], has_pairs=True) == "pairs" for each in verdicts)
    if "system" in columns.roles and frame[columns.roles.get("id", columns.roles["system"])].is_duplicated().any():
        return len(verdicts) == sum(map(bool, words.values()))  # a system per row, so that columns are judges
    if union & CLEAR_WORDS and union <= {*A, *B, *TIE}:
        return True
    if gold == {"1", "2"} and union == {"0", "1", "2"}:  # a tie or no verdict, which gold never is
        return True
    if gold and columns.roles["gold"].lower() in HUMAN_NAMES:
        return any(list_meanings([*each]) & list_meanings([*gold]) for each in verdicts)
    return any(word in text.lower() for word in JUDGE_WORDS for text in (name, *columns.judges))


def _list_words(column: pl.Series) -> set[str]:
    words = {str(value).strip().lower() for value in column.drop_nulls().unique().to_list()}
    return words - set(MISSING)


def _are_verdicts(words: set[str], *, has_pairs: bool) -> bool:
    """Return True if all words are verdicts: choices between two answers, right and wrong, or scores."""
    kind = choose_kind([*words], has_pairs=has_pairs)
    return kind != "labels" or words <= {*POSITIVE, *NEGATIVE}
