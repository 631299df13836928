"""Read what systems cost: a column of a score table, one number per system, or one per system and item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError, UsageError, join_names
from assay.data.readers.frames import read_frame
from assay.discrimination.outcomes import Outcomes
from assay.inputs.score_columns import find_system_column, parse_cell

COST_WORDS = ("cost", "price", "usd", "tokens", "calls", "time", "seconds", "latency")
ID_NAMES = ("id", "item", "instance_id", "question_id", "task_id")


@dataclass(frozen=True, eq=False, repr=False)
class CostTable:
    """A table with costs of systems or of items, its name, and the column with costs if it was named."""

    frame: pl.DataFrame
    name: str
    column: str | None = None

    def find_column(self) -> str:
        """Return the column with costs."""
        if self.column is not None:
            return self.column
        named = [name for name in self.frame.columns if any(word in name.lower() for word in COST_WORDS)]
        if not named:
            fact = f"no column with costs; columns are {join_names(self.frame.columns)}"
            hint = "Name the column cost, price, tokens, calls, time or the like."
            raise AssayError(fact, place=self.name, hint=hint)
        return named[0]


def read_costs(cost: Any, scores: Any | None = None) -> CostTable:
    """Read a table of costs; a name that is not a file is a column of the table of scores."""
    if isinstance(cost, CostTable):
        return cost
    if isinstance(cost, str) and not Path(cost).exists():
        if scores is None:
            raise UsageError(f"there is no file '{cost}'.", option="cost")
        frame, name = read_frame(scores, "scores")
        if cost not in frame.columns:
            fact = f"no column '{cost}' and no such file; columns are {join_names(frame.columns)}."
            raise UsageError(fact, option="cost")
        return CostTable(frame, name, cost)
    return CostTable(*read_frame(cost, "cost"))


def find_system_costs(costs: CostTable, systems: Sequence[str]) -> tuple[Array, str]:
    """Return one cost per system, nan if there is none, and the name of the column."""
    frame, column = costs.frame, costs.find_column()
    system = find_system_column(frame.columns)
    if system is None:
        raise AssayError(f"no column 'system' or 'model'; columns are {join_names(frame.columns)}", place=costs.name)
    numbers: dict[Any, float] = {}
    for key, cell in zip(frame[system].to_list(), frame[column].to_list(), strict=True):
        numbers.setdefault(key, _to_number(cell))
    return np.array([numbers.get(name, np.nan) for name in systems], dtype=float), column


def find_item_costs(costs: CostTable, outcomes: Outcomes) -> tuple[Array, str]:
    """Return the cost of every system on every item, systems × items; nan if there is none.

    The table is wide (`id`, one column per system) or long (`system`, `id`, `cost`).
    """
    frame = costs.frame
    key = next((column for column in ID_NAMES if column in frame.columns), None)
    if key is None:
        raise AssayError(f"no column 'id'; columns are {join_names(frame.columns)}", place=costs.name)
    system = find_system_column(frame.columns)
    items = [str(item) for item in frame[key].to_list()]
    entries: dict[tuple[Any, str], Any] = {}
    if system is not None and not set(outcomes.systems) & set(frame.columns):
        unit = costs.find_column()
        names, cells = frame[system].to_list(), frame[unit].to_list()
        entries = {(name, item): cell for name, item, cell in zip(names, items, cells, strict=True)}
    else:
        unit = Path(costs.name).name.split(".")[0]
        for name in outcomes.systems:
            if name in frame.columns:
                entries |= {(name, item): cell for item, cell in zip(items, frame[name].to_list(), strict=True)}
    ids = [str(item) for item in outcomes.ids or range(outcomes.table.shape[1])]
    table = [[_to_number(entries.get((name, item))) for item in ids] for name in outcomes.systems]
    values = np.array(table, dtype=float)
    if not np.isfinite(values).any():
        raise AssayError("no cost belongs to a system and an item of the predictions", place=costs.name)
    return values, unit


def _to_number(cell: object) -> float:
    value = None if cell is None else parse_cell(str(cell).lstrip("$€£ "))
    return np.nan if value is None else value
