"""Read verdicts of judges: one row per verdict, or one column per judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import polars as pl

from assay.base.errors import AssayError, join_names
from assay.data.left_out import LeftOut
from assay.data.row_order import sort_ids
from assay.inputs.verdict_columns import ROLE_NAMES, VerdictColumns, find_columns
from assay.inputs.verdict_words import MISSING, VerdictKind, choose_kind, list_meanings
from assay.judges.values import parse_labels, parse_order, parse_pairs, parse_scores
from assay.wording.sentences import count_noun

PARSERS = {"pairs": parse_pairs, "labels": parse_labels, "scores": parse_scores}
UNNAMED = "judge"


@dataclass(frozen=True, eq=False, repr=False)
class Verdicts:
    """Verdicts in one frame: id, unit, judge, swapped, verdict, value, gold, gold_value, and what is known of answers.

    A unit is what is judged: an item, with its systems if they are named. Verdicts between two answers are a, b, tie
    or other (neither answer), whatever the order in which they were shown; `value` is the share that goes to b.
    """

    input_kind: ClassVar[str] = "verdicts"
    frame: pl.DataFrame
    kind: VerdictKind
    judges: tuple[str, ...]
    has_order: bool
    name: str
    notes: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    def take_judge(self, judge: str) -> pl.DataFrame:
        """Return the verdicts of one judge that say something."""
        return self.frame.filter((pl.col("judge") == judge) & pl.col("verdict").is_not_null())

    def __repr__(self) -> str:
        counts = f"{count_noun(self.frame.height, 'verdict')} of {count_noun(len(self.judges), 'judge')}"
        return f"Verdicts({self.name!r}, {self.kind}: {counts})"


def read_verdicts(source: Any, *, gold: str | None = None, judges: Sequence[str] = (), swapped: Any = None) -> Verdicts:
    """Read a table with `id`, `judge` and `verdict`, or with `id` and one column per judge.

    `swapped` is a second table of the same form: verdicts on the same answers, shown in the opposite order.

    >>> read_verdicts({"id": [1, 2], "judge": ["x", "x"], "verdict": ["a", "tie"]})
    Verdicts('verdicts', pairs: 2 verdicts of 1 judge)
    """
    from assay.data.readers.frames import read_frame

    if isinstance(source, Verdicts):
        return source
    frame, name = read_frame(source, "verdicts")
    columns = find_columns(frame, name, gold=gold, judges=judges)
    if swapped is None:
        long, unused = _to_long(frame, columns, None)
    else:
        other, other_name = read_frame(swapped, "swapped verdicts")
        other_columns = find_columns(other, other_name, gold=gold, judges=judges)
        parts = [_to_long(frame, columns, "ab"), _to_long(other, other_columns, "ba")]
        long = pl.concat([part[0] for part in parts], how="diagonal")
        unused = list(dict.fromkeys([*parts[0][1], *parts[1][1]]))
    return _parse(long, columns, name, unused)


def _to_long(frame: pl.DataFrame, columns: VerdictColumns, order: str | None) -> tuple[pl.DataFrame, list[str]]:
    """Return one row per verdict with the columns named by role, and the columns that are not used."""
    source = columns.roles.get("id") or columns.roles.get("prompt")
    ids = frame[source] if source else pl.int_range(frame.height, eager=True).cast(pl.String)
    roles = {role: pl.col(column) for role, column in columns.roles.items() if role != "id"}
    named = frame.select(ids.alias("id"), **roles)
    if order is not None:
        named = named.with_columns(pl.lit(order).alias("order"))
    if columns.is_long:
        if "judge" not in columns.roles:
            named = named.with_columns(pl.lit(UNNAMED).alias("judge"))
        unused = [name for name in frame.columns if name not in columns.roles.values()]
        return named, unused
    kept = [role for role in ROLE_NAMES if role in named.columns and role not in ("judge", "verdict")]
    chosen = [name for name in columns.judges if columns.are_named or _holds_verdicts(frame[name], columns)]
    if not columns.are_named:
        chosen = _drop_other_columns(frame, chosen, columns.roles.get("gold"))
    parts = [
        named.select(kept).with_columns(pl.lit(name).alias("judge"), frame[name].alias("verdict")) for name in chosen
    ]
    used = {*columns.roles.values(), *chosen}
    if not parts:
        raise AssayError(f"no column holds verdicts; columns are {join_names(frame.columns, limit=12)}")
    return pl.concat(parts), [name for name in frame.columns if name not in used]


def _holds_verdicts(column: pl.Series, columns: VerdictColumns) -> bool:
    """Return whether a column of a wide table may be a judge: with two answers per row it chooses between them."""
    values = column.drop_nulls().unique().to_list()
    if not any(value.strip().lower() not in MISSING for value in values):
        return False
    return not columns.has_pairs or choose_kind(values, has_pairs=True) == "pairs"


def _drop_other_columns(frame: pl.DataFrame, candidates: list[str], gold: str | None) -> list[str]:
    """Leave out columns that share no word with gold, or without gold with any other column: they hold no verdicts."""
    words = {name: list_meanings(frame[name].drop_nulls().unique().to_list()) for name in (*candidates, gold) if name}
    judges = [
        name
        for name in candidates
        if any(words[name] & words[other] for other in ([gold] if gold else candidates) if other != name)
    ]
    return judges or candidates


def _parse(long: pl.DataFrame, columns: VerdictColumns, name: str, unused: list[str]) -> Verdicts:
    given = [value for value in long["verdict"].unique().drop_nulls().to_list() if value.strip().lower() not in MISSING]
    if not given:
        raise AssayError("no row has a verdict", place=name)
    kind = choose_kind(given, has_pairs=columns.has_pairs)
    parse = PARSERS[kind]
    verdict, value = parse(long["verdict"])
    frame = long.with_columns(verdict.alias("verdict"), value.alias("value"))
    if kind == "labels":
        frame = _code_labels(frame)
    if "gold" in frame.columns:
        gold, gold_value = parse(frame["gold"])
        frame = frame.with_columns(gold.alias("gold"), gold_value.alias("gold_value"))
    else:
        frame = frame.with_columns(pl.lit(None, pl.String).alias("gold"), pl.lit(None, pl.Float64).alias("gold_value"))
    has_order = "order" in frame.columns
    shown = parse_order(frame["order"]) if has_order else pl.repeat(None, frame.height, dtype=pl.Boolean, eager=True)
    keys = ["id", *(role for role in ("system", "system_a", "system_b") if role in frame.columns)]
    unit = pl.concat_str([pl.col(key).fill_null("") for key in keys], separator="\x1f")
    frame = frame.with_columns(shown.alias("swapped"), unit.alias("unit"), pl.col("judge").fill_null(UNNAMED))
    judges = tuple(frame["judge"].unique(maintain_order=True))
    frame = frame.sort("judge", "swapped")
    frame = frame[sort_ids(frame["unit"])]
    _refuse_duplicates(frame, name)
    notes = _describe(frame, kind, judges, name, unused)
    n_missing = int(frame["verdict"].null_count())
    left_out = (LeftOut("verdicts", n_missing, "missing or unreadable"),) if n_missing else ()
    return Verdicts(_add_lengths(frame), kind, judges, has_order, name, notes, left_out)


def _code_labels(frame: pl.DataFrame) -> pl.DataFrame:
    """Keep the values of labels only if all labels are words for right and wrong."""
    incomplete = frame.filter(pl.col("verdict").is_not_null() & pl.col("value").is_null()).height > 0
    return frame.with_columns(pl.lit(None, pl.Float64).alias("value")) if incomplete else frame


def _add_lengths(frame: pl.DataFrame) -> pl.DataFrame:
    """Add the lengths of answers, in characters if the texts are known."""
    for length, text in (("length_a", "text_a"), ("length_b", "text_b"), ("length", "text")):
        if length in frame.columns:
            column = pl.col(length).cast(pl.Float64, strict=False)
        elif text in frame.columns:
            column = pl.col(text).str.len_chars().cast(pl.Float64)
        else:
            column = pl.lit(None, pl.Float64)
        frame = frame.with_columns(column.alias(length))
    return frame


def _refuse_duplicates(frame: pl.DataFrame, name: str) -> None:
    twice = frame.filter(pl.struct("unit", "judge", "swapped").is_duplicated())
    if twice.height:
        row = twice.row(0, named=True)
        n_rows = count_noun(twice.height, "such row")
        raise AssayError(
            f"judge '{row['judge']}' has several verdicts on item '{row['id']}' ({n_rows})",
            place=name,
            hint="Add a column order if answers were shown in both orders, or system if several were judged.",
        )


def _describe(
    frame: pl.DataFrame, kind: VerdictKind, judges: tuple[str, ...], name: str, unused: list[str]
) -> tuple[str, ...]:
    words = {"pairs": "choices between two answers", "labels": "labels", "scores": "scores"}[kind]
    sizes = f"{count_noun(frame['unit'].n_unique(), 'item')}, {count_noun(len(judges), 'judge')}"
    left = f"; not used: {join_names(unused)}" if unused else ""
    notes = [f"{name}: {words}; {sizes}{left}."]
    n_missing = int(frame["verdict"].null_count())
    if n_missing:
        notes.append(f"{name}: {count_noun(n_missing, 'verdict')} of {frame.height:,} missing or unreadable, left out.")
    return tuple(notes)
