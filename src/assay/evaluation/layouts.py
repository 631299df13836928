"""The two layouts of prediction files, long and wide, read into one shape (DESIGN.md, Files)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from assay.base.errors import AssayError, join_names

IDS = ("id", "ids")
GOLD = ("gold", "gold_label", "gold_labels", "label", "labels", "target")
GROUPS = ("group",)
# Columns that a wide file may carry beside its systems.
ROLES = set("text text_a text_b text_input_data sentence sentence1 sentence2 sentence_a sentence_b question".split())
ROLES |= set("question1 question2 answer premise hypothesis context review split part time date timestamp".split())
ROLES |= set("fold repeat weight lang language label_raw clustering_labels".split())
# What a long file of item scores may hold; with any other column, `score` is a system of a wide file.
LONG = {"system", "id", "score", "fold", "group", "gold", "repeat"}


@dataclass(frozen=True)
class Column:
    """The answers of one system as they stand in a file."""

    system: str
    source: str
    ids: pl.Series
    predicted: pl.Series | None = None
    score: pl.Series | None = None
    fold: pl.Series | None = None
    repeat: str | None = None
    probabilities: pl.DataFrame | None = None


@dataclass(frozen=True)
class Table:
    """A prediction file taken apart: its systems, and what it says of the items (id, gold, group)."""

    source: str
    columns: list[Column]
    items: pl.DataFrame


def take_apart(frame: pl.DataFrame, path: str | Path) -> Table:
    """Recognise the layout of a file and return its systems one by one."""
    source, system = Path(path).name, stem(path)
    if not frame.height:
        raise AssayError(f"{source}: no predictions, only a header.")
    frame = _with_id(frame)
    names = set(frame.columns)
    long = "predicted" in names or ("score" in names and names <= LONG)
    columns = list(_long(frame, source, system) if long else _wide(frame, source))
    if not columns:
        raise AssayError(f"{source}: no column of predictions beside {join_names(frame.columns, 10)}.")
    return Table(source, columns, _items(frame))


def stem(path: str | Path) -> str:
    """Name a system after its file.

    >>> stem("runs/my.model.tsv.gz")
    'my.model'
    """
    name = Path(path).name
    for ending in (".gz", ".zst"):
        name = name.removesuffix(ending)
    return Path(name).stem if Path(name).suffix else name


def _with_id(frame: pl.DataFrame) -> pl.DataFrame:
    named = next((name for name in IDS if name in frame.columns), None)
    if named:
        return frame.rename({named: "id"})
    return frame.with_columns(pl.int_range(frame.height).cast(pl.String).alias("id"))


def _items(frame: pl.DataFrame) -> pl.DataFrame:
    gold = next((name for name in GOLD if name in frame.columns), None)
    group = next((name for name in GROUPS if name in frame.columns), None)
    return frame.select(
        "id",
        (pl.col(gold) if gold else pl.lit(None, pl.String)).replace("", None).alias("gold"),
        (pl.col(group) if group else pl.lit(None, pl.String)).alias("group"),
    )


def _long(frame: pl.DataFrame, source: str, system: str) -> Iterator[Column]:
    if "system" not in frame.columns:
        frame = frame.with_columns(pl.lit(system).alias("system"))
    # Each repeat of a split is a run of its own: an id may come back in the next.
    keys = ["system", "repeat"] if "repeat" in frame.columns and frame["repeat"].n_unique() > 1 else ["system"]
    shares = [name for name in frame.columns if name.startswith("prob:")]
    for (name, *repeat), rows in frame.group_by(keys, maintain_order=True):
        yield Column(
            str(name),
            source,
            rows["id"],
            rows["predicted"] if "predicted" in rows.columns else None,
            rows["score"] if "score" in rows.columns else None,
            rows["fold"] if "fold" in rows.columns else None,
            str(repeat[0]) if repeat else None,
            rows.select(pl.col(shares).name.map(lambda share: share.removeprefix("prob:"))) if shares else None,
        )


def _wide(frame: pl.DataFrame, source: str) -> Iterator[Column]:
    known = {"id", *IDS, *GOLD, *GROUPS, *ROLES}
    fold = frame["fold"] if "fold" in frame.columns else None
    for name in frame.columns:
        if name.lower() not in known:
            yield Column(name, source, frame["id"], frame[name], fold=fold)
