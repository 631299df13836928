"""Predictions from the logs of evaluation harnesses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from assay.base.errors import AssayError
from assay.evaluation.predictions.tables import PredictionTable, parse_table

if TYPE_CHECKING:
    from assay.data import Dataset


def read_log_predictions(source: str | Path, data: Dataset | None) -> PredictionTable:
    """Read the answers in logs; with data of its own ids, items are matched by their text."""
    from assay.kinds.log_data import make_predictions
    from assay.logs import join_tasks, read_logs

    joined = join_tasks(read_logs(source))
    predictions = make_predictions(joined)
    name = Path(source).name
    if data is None:
        if joined.form != "free":
            gold = joined.items.select("id", "gold")
            predictions = predictions.join(gold, on="id", how="left", maintain_order="left")
    elif not set(data.ids) & set(joined.items["id"]):
        predictions = _match_texts(predictions, joined.items, data, name)
    return parse_table(predictions.cast(pl.String), name, joined.name)


def _match_texts(predictions: pl.DataFrame, items: pl.DataFrame, data: Dataset, name: str) -> pl.DataFrame:
    """Give answers the ids of the data, by the text of the item if it is unique."""
    texts = pl.DataFrame({"own": data.ids, "text": data.sides[0].str.strip_chars()}).unique("text", keep="none")
    known = items.select(pl.col("id"), pl.col("text").str.strip_chars()).join(texts, on="text")
    if not known.height:
        raise AssayError("no item of the logs has a text of the data", place=name)
    matched = predictions.join(known.select("id", "own"), on="id", maintain_order="left")
    return matched.with_columns(pl.col("own").alias("id")).drop("own")
