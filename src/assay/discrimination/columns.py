"""Results that hold one array per column, such as one number per system or item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final

import polars as pl

from assay.base.marks import OWN
from assay.views.results import Result

ARRAY: Final[dict[str, Any]] = {"json": False, **OWN}  # metadata of fields that hold arrays of numbers


@dataclass(frozen=True)
class ColumnResult(Result):
    """The base of results whose frame has one row per system, item or dataset."""

    _columns: ClassVar[tuple[str, ...]] = ()

    def _frame(self) -> pl.DataFrame:
        """Return the arrays as columns, nan as missing."""
        columns = {name: pl.Series(name, getattr(self, name)) for name in self._columns}
        return pl.DataFrame(columns).with_columns(pl.col(pl.Float64).fill_nan(None))
