"""The two layouts of prediction files, long and wide, read into one shape."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from assay.base.errors import AssayError, join_names

ID_NAMES = ("id", "ids")
GOLD_NAMES = ("gold", "gold_label", "gold_labels", "label", "labels", "target")
GROUP_NAMES = ("group",)
# Columns that a wide file may have next to its systems.
ROLE_NAMES = set("text text_a text_b text_input_data sentence sentence1 sentence2 sentence_a sentence_b".split())
ROLE_NAMES |= set("question question1 question2 answer premise hypothesis context review split part time date".split())
ROLE_NAMES |= set("timestamp fold repeat weight lang language label_raw clustering_labels".split())
KNOWN_NAMES = {*ID_NAMES, *GOLD_NAMES, *GROUP_NAMES, *ROLE_NAMES}
# A long file of item scores has no other columns than these; with any other, `score` is a system of a wide file.
LONG_NAMES = {"system", "id", "score", "fold", "group", "gold", "repeat", "response"}
REPEAT_NAMES = ("repeat", "epoch", "sample", "run", "trial", "seed")
PROBABILITY_PREFIX = "prob:"


@dataclass(frozen=True)
class SystemColumn:
    """The answers of one system as they are in a file."""

    system: str
    source: str
    ids: pl.Series
    predicted: pl.Series | None = None
    score: pl.Series | None = None
    fold: pl.Series | None = None
    repeat: str | None = None
    probabilities: pl.DataFrame | None = None
    others: pl.DataFrame | None = None  # further columns of a long file, such as human scores
    is_wide: bool = False  # every item has a cell, which is empty if the system was not run on the item


@dataclass(frozen=True)
class PredictionTable:
    """The systems of a prediction file, and what the file says about the items (id, gold, group).

    `stem` names a system that has no name of its own.
    """

    source: str
    stem: str
    columns: list[SystemColumn]
    items: pl.DataFrame


LAYOUTS = "Predictions have a column id and one column per system, or the columns system, id and predicted."


def parse_table(frame: pl.DataFrame, source: str, stem: str) -> PredictionTable:
    """Recognise the layout of a table and return its systems one by one."""
    if not frame.height:
        raise AssayError("there are no predictions, only a header", place=source)
    frame = _unify_names(_add_predicted(_add_ids(_read_pass_table(frame))))
    columns = list(_read_long(frame, source, stem) if _is_long(frame) else _read_wide(frame, source))
    if not columns:
        fact = f"there is no column of predictions next to {join_names(frame.columns, 10)}"
        raise AssayError(fact, place=source, hint=LAYOUTS)
    return PredictionTable(source, stem, columns, _select_items(frame))


def name_system(path: str | Path) -> str:
    """Name a system after its file.

    >>> name_system("runs/my.model.tsv.gz")
    'my.model'
    """
    name = Path(path).name
    for ending in (".gz", ".zst"):
        name = name.removesuffix(ending)
    return Path(name).stem if Path(name).suffix else name


def _read_pass_table(frame: pl.DataFrame) -> pl.DataFrame:
    """Read what the HumanEval evaluator writes: several rows per `task_id`, each passed or not."""
    if not {"task_id", "passed"} <= set(frame.columns) or set(frame.columns) & {*ID_NAMES, "predicted", "score"}:
        return frame
    word = pl.col("passed").str.strip_chars().str.to_lowercase()
    score = pl.when(word.is_in(["true", "1", "1.0"])).then(pl.lit("1")).when(word.is_not_null()).then(pl.lit("0"))
    names = [name for name in ("model", "system") if name in frame.columns]
    repeat = pl.int_range(pl.len()).over("task_id", *names).cast(pl.String)
    return frame.select(pl.col("task_id").alias("id"), *names, score.alias("score"), repeat.alias("repeat"))


def _add_ids(frame: pl.DataFrame) -> pl.DataFrame:
    name = next((name for name in ID_NAMES if name in frame.columns), None)
    if name:
        return frame.rename({name: "id"})
    return frame.with_columns(pl.int_range(frame.height).cast(pl.String).alias("id"))


def _add_predicted(frame: pl.DataFrame) -> pl.DataFrame:
    """Predict the label of the highest probability, if a file has probabilities alone."""
    shares = [name for name in frame.columns if name.startswith(PROBABILITY_PREFIX)]
    if not shares or {"predicted", "prediction"} & set(frame.columns):
        return frame
    table = frame.select(pl.concat_list(pl.col(shares).cast(pl.Float64, strict=False)).alias("shares"))["shares"]
    labels = [name.removeprefix(PROBABILITY_PREFIX) for name in shares]
    best = table.list.arg_max().to_list()
    predicted = [None if place is None else labels[place] for place in best]
    return frame.with_columns(pl.Series("predicted", predicted, dtype=pl.String))


def _unify_names(frame: pl.DataFrame) -> pl.DataFrame:
    """Rename `model`, `prediction` and the names of repeats to `system`, `predicted` and `repeat` in long files."""
    names = set(frame.columns)
    renamed = {"model": "system", "prediction": "predicted"}
    repeat = next((name for name in REPEAT_NAMES if name in names), None)
    renamed |= {} if repeat is None else {repeat: "repeat"}
    renamed = {old: new for old, new in renamed.items() if old in names and new not in names}
    systems = {name for name in _name_wide_systems(frame) if not name.startswith(PROBABILITY_PREFIX)}
    only_long = systems <= {"model", "system", "prediction", "predicted", "score", *REPEAT_NAMES}
    if "predicted" in names or ("prediction" in renamed and only_long):
        return frame.rename(renamed)
    return frame.rename(renamed) if {renamed.get(name, name) for name in names} <= LONG_NAMES else frame


def _is_long(frame: pl.DataFrame) -> bool:
    names = set(frame.columns)
    return "predicted" in names or ("score" in names and names <= LONG_NAMES)


def _select_items(frame: pl.DataFrame) -> pl.DataFrame:
    gold = next((name for name in GOLD_NAMES if name in frame.columns), None)
    group = next((name for name in GROUP_NAMES if name in frame.columns), None)
    return frame.select(
        "id",
        (pl.col(gold) if gold else pl.lit(None, pl.String)).replace("", None).alias("gold"),
        (pl.col(group) if group else pl.lit(None, pl.String)).alias("group"),
    )


def _read_long(frame: pl.DataFrame, source: str, stem: str) -> Iterator[SystemColumn]:
    if "system" not in frame.columns:
        frame = frame.with_columns(pl.lit(stem).alias("system"))
    # Each repeat of a split is a run of its own: an id may occur again in the next.
    keys = ["system", "repeat"] if "repeat" in frame.columns and frame["repeat"].n_unique() > 1 else ["system"]
    shares = [name for name in frame.columns if name.startswith(PROBABILITY_PREFIX)]
    others = [name for name in frame.columns if name not in {*LONG_NAMES, "predicted", *shares}]
    for (name, *repeat), rows in frame.group_by(keys, maintain_order=True):
        yield SystemColumn(
            str(name),
            source,
            rows["id"],
            rows["predicted"] if "predicted" in rows.columns else None,
            rows["score"] if "score" in rows.columns else None,
            rows["fold"] if "fold" in rows.columns else None,
            str(repeat[0]) if repeat else None,
            rows.select(pl.col(shares).name.map(lambda share: share.removeprefix(PROBABILITY_PREFIX)))
            if shares
            else None,
            rows.select(others) if others else None,
        )


def _read_wide(frame: pl.DataFrame, source: str) -> Iterator[SystemColumn]:
    fold = frame["fold"] if "fold" in frame.columns else None
    for name in _name_wide_systems(frame):
        yield SystemColumn(name, source, frame["id"], frame[name], fold=fold, is_wide=True)


def _name_wide_systems(frame: pl.DataFrame) -> list[str]:
    return [name for name in frame.columns if name.lower() not in KNOWN_NAMES]
