"""What every measure returns: frozen values that turn into a dict, a frame or JSON."""

from __future__ import annotations

import dataclasses
import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from assay import __version__
from assay.errors import MissingExtraError, unknown

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Result:
    """The base of all results: headline number first, then its interval, then the counts it rests on."""

    _table: ClassVar[str] = ""  # the field whose rows are the frame of a result that holds several tables

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values, nan as None."""
        return {field.name: plain(getattr(self, field.name)) for field in dataclasses.fields(self)}

    def to_frame(self, kind: str = "polars") -> Any:
        """Return the result as a table, of polars or pandas."""
        return framed(self._frame(), kind)

    def _frame(self) -> pl.DataFrame:
        """Return the rows of the table inside, or all plain fields as one row."""
        import polars as pl

        values = self.to_dict()
        rows = values[self._table] if self._table else [values]
        return pl.DataFrame([_flat(row) for row in rows], infer_schema_length=None)

    def _repr_html_(self) -> str:
        return shown(self._frame())


def framed(frame: pl.DataFrame, kind: str = "polars") -> Any:
    """Return a polars frame as the kind asked for: polars or pandas."""
    if kind == "polars":
        return frame
    if kind != "pandas":
        raise unknown("kind of frame", kind, ("pandas", "polars"))
    try:
        return frame.to_pandas()
    except ImportError as error:
        raise MissingExtraError('to_frame("pandas") needs pandas: pip install pandas.') from error


def shown(frame: pl.DataFrame) -> str:
    """Write a frame as HTML, with more rows and longer sentences than polars shows by itself."""
    import polars as pl

    with pl.Config(tbl_rows=40, fmt_str_lengths=300):
        return frame._repr_html_()


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if not isinstance(value, (dict, list))}


def plain(value: Any) -> Any:
    """Turn a value into what JSON knows: numpy numbers into Python's, nan and infinity into None.

    >>> plain({"a": float("nan"), "b": (1, 2.5)})
    {'a': None, 'b': [1, 2.5]}
    """
    if isinstance(value, Result):
        return value.to_dict()
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if dataclasses.is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if hasattr(value, "to_dicts"):  # a polars frame: one dict a row
        return [plain(row) for row in value.to_dicts()]
    if hasattr(value, "tolist"):  # numpy arrays and scalars
        return plain(value.tolist())
    if hasattr(value, "to_list"):  # a polars column
        return plain(value.to_list())
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return str(value)


def signature(command: str, settings: dict[str, Any], fingerprint: str | None = None) -> str:
    """Name what made a number: method, settings, data and version, in one line.

    >>> signature("hit-rate", {"seed": 0, "share": 0.8}, "ab12")
    'hit-rate|seed=0|share=0.8|data=ab12|assay=...'
    """
    told = [f"{name}={value}" for name, value in settings.items() if value is not None]
    data = [f"data={fingerprint}"] if fingerprint else []
    return "|".join([command, *told, *data, f"assay={__version__}"])


def envelope(command: str, result: Any, settings: dict[str, Any], data: Any = None) -> dict[str, Any]:
    """Wrap a result with what made it: version, command, signature and data (a `Dataset`)."""
    about = {"name": data.name, "rows": len(data), "fingerprint": data.fingerprint} if data is not None else None
    made_by = signature(command, settings, data.fingerprint if data is not None else None)
    return {"assay": __version__, "command": command, "signature": made_by, "data": about, "result": result}


def to_json(value: Any) -> str:
    """Write a value as JSON, the same bytes for the same value."""
    return json.dumps(plain(value), ensure_ascii=False, indent=1, allow_nan=False) + "\n"
