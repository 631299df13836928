"""Read votes between two systems: the two systems, the winner and the prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError, join_names
from assay.data.left_out import LeftOut
from assay.inputs.vote_columns import FLAGS, RANKED_SIDES, SIDES, WINNERS, normalise_name
from assay.system.json import RepeatedKeys, parse_json
from assay.votes.winners import parse_winners
from assay.wording.sentences import count_noun

TIES = ("tie", "is_tie", "draw", "is_draw")  # a column of a table of winners and losers
TRUE = ("1", "1.0", "true", "yes", "tie", "draw")
PROMPTS = ("prompt_id", "prompt", "question_id", "question", "instruction_id", "instruction", "conversation_a")
CATEGORIES = ("category",)


@dataclass(frozen=True, eq=False, repr=False)
class Votes:
    """Votes as arrays: the numbers of the two systems, and 1, 0.5 or 0 for the first one.

    `prompts` numbers the prompt of every vote and `categories` names its category, if they are known.
    """

    input_kind: ClassVar[str] = "votes"
    systems: tuple[str, ...]
    first: Array
    second: Array
    outcomes: Array
    prompts: Array | None = None
    categories: Array | None = None
    name: str = "votes"
    notes: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    @cached_property
    def has_repeated_prompts(self) -> bool:
        """Whether several votes are about one prompt, so that they depend on each other."""
        return self.prompts is not None and len(np.unique(self.prompts)) < len(self.prompts)

    def take(self, rows: Any) -> Votes:
        """Keep some votes; the systems keep their numbers."""
        prompts = None if self.prompts is None else self.prompts[rows]
        categories = None if self.categories is None else self.categories[rows]
        sides = (self.first[rows], self.second[rows], self.outcomes[rows])
        return Votes(self.systems, *sides, prompts, categories, self.name, self.notes, self.left_out)

    def __len__(self) -> int:
        return len(self.outcomes)

    def __repr__(self) -> str:
        return f"Votes({self.name!r}: {count_noun(len(self), 'vote')} on {count_noun(len(self.systems), 'system')})"


def read_votes(
    source: Any,
    *,
    winner: str | None = None,
    prompt: str | None = None,
    category: str | None = None,
) -> Votes:
    """Read a table with `model_a`, `model_b` and `winner`, or `winner` and `loser`; other columns are recognised or named.

    Rows without a winner, and rows in which a system meets itself, are left out with a note.

    >>> votes = read_votes({"model_a": ["x", "y"], "model_b": ["y", "z"], "winner": ["model_a", "tie"]})
    >>> votes.systems, votes.outcomes.tolist()
    (('x', 'y', 'z'), [1.0, 0.5])
    """
    from assay.data.readers.frames import read_frame

    if isinstance(source, Votes):
        return source
    return _build_votes(*read_frame(source, "votes"), winner=winner, prompt=prompt, category=category)


def _build_votes(
    frame: pl.DataFrame,
    name: str,
    *,
    winner: str | None = None,
    prompt: str | None = None,
    category: str | None = None,
) -> Votes:
    columns = _Columns(frame, name)
    side_a, side_b = columns.find_sides()
    prompt_column = columns.find("prompt", prompt, PROMPTS)
    category_column = columns.find("category", category, CATEGORIES)
    winner_column = columns.find_winner(winner)
    cells = [frame[column] for column in (side_a, side_b, *([winner_column] if winner_column else []))]
    texts, (first, second, *winners) = _number_texts(cells)
    outcomes = parse_winners(winners[0], first, second, texts, name) if winners else _read_outcomes(columns)
    has_both = (first >= 0) & (second >= 0)
    met_itself = has_both & (first == second)
    usable = ~np.isnan(outcomes) & has_both & ~met_itself
    left_out = _list_left_out(usable, met_itself)
    notes = [
        f"{name}: {count_noun(entry.n, 'row')} of {frame.height:,} left out: {entry.reason}." for entry in left_out
    ]
    if not usable.any():
        raise AssayError("no row has two systems and a winner", place=name)
    first, second = first[usable], second[usable]
    is_used = np.bincount(np.concatenate([first, second])) > 0
    systems = sorted(texts[number] for number in np.flatnonzero(is_used).tolist())
    places = {system: number for number, system in enumerate(systems)}
    codes = np.array([places.get(text, -1) for text in texts], np.int32)
    kept = pl.Series(usable)
    prompts = None if prompt_column is None else _number_prompts(frame[prompt_column].filter(kept))
    categories = None if category_column is None else frame[category_column].fill_null("").filter(kept).to_numpy()
    parts = [f"{count_noun(len(first), 'vote')} on {count_noun(len(systems), 'system')}"]
    parts += [
        f"{role}: {column}" for role, column in (("prompt", prompt_column), ("category", category_column)) if column
    ]
    return Votes(
        tuple(systems),
        codes[first],
        codes[second],
        outcomes[usable],
        prompts,
        categories,
        name,
        (f"{name}: {'; '.join(parts)}.", *notes),
        left_out,
    )


class _Columns:
    """The columns of a table of votes, found by their names whatever their case."""

    def __init__(self, frame: pl.DataFrame, place: str) -> None:
        self.frame = frame
        self.place = place
        self.names = {normalise_name(name): name for name in reversed(frame.columns)}

    @property
    def is_ranked(self) -> bool:
        """Whether one column has the winners and another the losers."""
        return not self._has_any(SIDES) and self._has_any(RANKED_SIDES)

    def _has_any(self, pairs: Sequence[tuple[str, str]]) -> bool:
        return any(name in self.names and other in self.names for name, other in pairs)

    def find_sides(self) -> tuple[str, str]:
        for pair in (*SIDES, *RANKED_SIDES):
            if all(name in self.names for name in pair):
                return self.names[pair[0]], self.names[pair[1]]
        raise self._missing("no columns 'model_a' and 'model_b'")

    def find(self, role: str, named: str | None, usual: Sequence[str]) -> str | None:
        if named is not None:
            if named not in self.frame.columns:
                raise self._missing(f"no column '{named}' for the {role}")
            return named
        return next((self.names[name] for name in usual if name in self.names), None)

    def find_winner(self, named: str | None) -> str | None:
        """Return the column with the winner; None for a table of winners and losers, or of flags."""
        return None if named is None and self.is_ranked else self.find("winner", named, WINNERS)

    def find_flags(self) -> tuple[str, str, str] | None:
        if not all(name in self.names for name in FLAGS):
            return None
        return self.names[FLAGS[0]], self.names[FLAGS[1]], self.names[FLAGS[2]]

    def _missing(self, fact: str) -> AssayError:
        hint = "Votes need model_a, model_b and winner, or winner and loser."
        return AssayError(f"{fact}; columns are {join_names(self.frame.columns)}", place=self.place, hint=hint)

    def missing_winner(self) -> AssayError:
        columns = join_names(self.frame.columns, limit=12)
        hint = f"Name it with {{winner}}. Columns are {columns}."
        return AssayError("no column 'winner'", place=self.place, hint=hint)


def _number_texts(columns: Sequence[pl.Series]) -> tuple[list[str], list[Array]]:
    """Return the different texts of columns without spaces around them, and their numbers; −1 if missing or empty."""
    encoded = pl.concat([column.alias("text") for column in columns]).to_arrow().dictionary_encode()
    stripped = pl.Series(encoded.dictionary, dtype=pl.String).str.strip_chars().to_list()
    numbers: dict[str, int] = {}
    renumbered = np.array([*(numbers.setdefault(text, len(numbers)) if text else -1 for text in stripped), -1])
    codes = renumbered[encoded.indices.fill_null(-1).to_numpy()]
    return list(numbers), np.split(codes, len(columns))


def _read_outcomes(columns: _Columns) -> Array:
    """Return the outcomes of a table of winners and losers, or of flags; nan if missing."""
    if columns.is_ranked:
        tie = columns.find("tie", None, TIES)
        is_tie = pl.lit(False) if tie is None else pl.col(tie).cast(pl.String).str.to_lowercase().is_in(TRUE)
        outcome = pl.when(is_tie).then(0.5).otherwise(1.0)
        return columns.frame.with_columns(outcome.alias("outcome"))["outcome"].to_numpy()
    flags = columns.find_flags()
    if flags is None:
        raise columns.missing_winner()
    won, lost, tied = (pl.col(name).cast(pl.Float64, strict=False) == 1 for name in flags)
    outcome = pl.when(won).then(1.0).when(lost).then(0.0).when(tied).then(0.5)
    return columns.frame.select(outcome.alias("outcome"))["outcome"].fill_null(np.nan).to_numpy()


def _list_left_out(usable: Array, met_itself: Array) -> tuple[LeftOut, ...]:
    n_left_out, n_same = int((~usable).sum()), int(met_itself.sum())
    if not n_left_out:
        return ()
    reasons = [f"{n_left_out - n_same} without a winner or a system"] if n_left_out > n_same else []
    reasons += [f"{n_same} in which a system meets itself"] if n_same else []
    return (LeftOut("rows", n_left_out, ", ".join(reasons)),)


def _number_prompts(cells: pl.Series) -> Array:
    """Number the prompts; of a conversation the first turn counts, and a missing prompt is one of its own."""
    texts = cells
    head = next((cell for cell in cells if cell), "")
    if head.startswith("[{"):
        texts = pl.Series("prompt", [_read_first_turn(cell) for cell in cells], dtype=pl.String)
    unknown = texts.is_null() | (texts == "")
    own = pl.concat_str([pl.lit("\0"), pl.int_range(len(texts))])
    frame = pl.DataFrame({"text": texts, "unknown": unknown})
    keys = frame.select(pl.when(pl.col("unknown")).then(own).otherwise(pl.col("text")).alias("key"))["key"]
    return keys.rank("dense").to_numpy().astype(np.int64) - 1


def _read_first_turn(cell: str | None) -> str | None:
    try:
        turns = parse_json(cell or "null", "a cell", repeated=RepeatedKeys())
    except AssayError:
        return cell
    turn = turns[0] if isinstance(turns, list) and turns else None
    return str(turn.get("content")) if isinstance(turn, dict) else cell
