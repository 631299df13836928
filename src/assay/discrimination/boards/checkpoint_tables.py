"""Score tables with several checkpoints of each system."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import polars as pl

from assay.base.errors import AssayError
from assay.discrimination.boards.checkpoints import CheckpointScores
from assay.wording.sentences import count_noun

STEP_NAMES = ("step", "checkpoint", "trainingstep", "trainstep", "globalstep", "iteration")
_FACTORS = {"": 1.0, "k": 1e3, "m": 1e6, "b": 1e9}
_NO_LETTERS = re.compile(r"[^a-z]")
_STEP = re.compile(r"(\d+(?:\.\d+)?)\s*([kmb]?)(?![a-z])", re.IGNORECASE)


def find_step_column(columns: Sequence[str]) -> str | None:
    """Return the column that names checkpoints.

    >>> find_step_column(["model", "Training Step", "MMLU"])
    'Training Step'
    """
    plain = {_NO_LETTERS.sub("", name.lower()): name for name in reversed(columns)}
    return next((plain[name] for name in STEP_NAMES if name in plain), None)


def parse_step(cell: str | None) -> float | None:
    """Read a checkpoint as a number of steps.

    >>> [parse_step(cell) for cell in ("step1000", "2.5k", "iter_0040", "final")]
    [1000.0, 2500.0, 40.0, None]
    """
    match = _STEP.search(cell or "")
    return None if match is None else float(match[1]) * _FACTORS[match[2].lower()]


def separate_checkpoints(rows: pl.DataFrame, name: str) -> tuple[pl.DataFrame, pl.DataFrame, str]:
    """Return the last checkpoint of every system and measurement, all checkpoints, and a note."""
    cells = rows["step"].unique().drop_nulls().to_list()
    steps = {cell: parse_step(cell) for cell in cells}
    unknown = [cell for cell, step in steps.items() if step is None]
    if unknown or rows["step"].null_count():
        fact = f"the checkpoint '{unknown[0]}' is not a number of steps" if unknown else "some rows have no checkpoint"
        raise AssayError(fact, place=name, hint="Write checkpoints as numbers of training steps.")
    ordered = rows.with_columns(
        pl.col("step").replace_strict(steps, return_dtype=pl.Float64), pl.int_range(pl.len()).alias("row")
    )
    keys = ["benchmark", "dataset", "metric", "system"]
    last = ordered.filter(pl.col("step") == pl.col("step").max().over(keys)).sort("row")
    n_steps = ordered["step"].n_unique()
    note = f"{name}: {count_noun(n_steps, 'checkpoint')}; the last one of each system is ranked."
    return last.drop("row", "step"), ordered.drop("row"), note


def collect_checkpoints(rows: pl.DataFrame, lower: dict[tuple[str, str, str], bool]) -> tuple[CheckpointScores, ...]:
    """Return the scores of every measurement at all checkpoints; `lower` says for which ones lower is better."""
    found = []
    for key, part in rows.group_by(["benchmark", "dataset", "metric"], maintain_order=True):
        names = (str(key[0]), str(key[1]), str(key[2]))
        scores = part["score"].to_numpy().astype(float)
        steps = np.asarray(part["step"].to_numpy(), dtype=float)
        found.append(CheckpointScores(*names, tuple(part["system"]), steps, scores, lower.get(names, False)))
    return tuple(found)
