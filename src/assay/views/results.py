"""Base class of results: a frozen dataclass that turns into a dictionary, a frame or JSON."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from assay import __version__
from assay.base.codec import from_plain, to_json, to_plain
from assay.base.errors import MissingExtraError, unknown_name
from assay.base.parameters import Options

if TYPE_CHECKING:
    import polars as pl

    from assay.views.blocks import Block

MAX_REPR_VALUE = 60
_BOUND = re.compile("_(low|high)$")


@dataclass(frozen=True)
class Result:
    """The base of all results: headline number first, then its interval, then the counts it rests on.

    Fields with `metadata={"json": False}` are left out of `to_dict` and JSON.
    """

    _table: ClassVar[str] = ""  # the field whose rows make the frame of a result that holds several tables
    _properties: ClassVar[tuple[str, ...]] = ()  # that `to_dict` and JSON have in addition to the fields

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "__repr__" not in cls.__dict__:
            cls.__repr__ = Result._summarise  # type: ignore[assignment]
        if "__eq__" not in cls.__dict__:
            cls.__eq__ = Result._equals  # type: ignore[assignment]

    def to_dict(self) -> Options:
        """Return the fields as plain Python values, nan as None."""
        fields = [field.name for field in dataclasses.fields(self) if field.metadata.get("json", True)]
        return {name: to_plain(getattr(self, name)) for name in (*fields, *self._properties)}

    @classmethod
    def from_dict(cls, values: Options) -> Self:
        """Rebuild a result from what `to_dict` returned."""
        return from_plain(cls, values)

    def to_frame(self, kind: str = "polars") -> Any:
        """Return the result as a table of polars or pandas."""
        return convert_frame(self._frame(), kind)

    def to_polars(self) -> pl.DataFrame:
        """Return the result as a table of polars."""
        return self._frame()

    def to_pandas(self) -> Any:
        """Return the result as a table of pandas."""
        return self.to_frame("pandas")

    def _frame(self) -> pl.DataFrame:
        """Return the rows of the table inside, or all plain fields as one row."""
        import polars as pl

        values = self.to_dict()
        rows = values[self._table] if self._table else [values]
        return pl.DataFrame([keep_scalars(row) for row in rows], infer_schema_length=None)

    @property
    def summary(self) -> str:
        """The result in one sentence, as a command prints it; empty if a result has none."""
        from assay.views.blocks import collect_blocks

        return collect_blocks(self.blocks()).verdict

    def to_json(self) -> str:
        """Return the whole result as JSON, nan as null."""
        return to_json(self.to_dict())

    def to_html(self) -> str:
        """Return the result as a piece of HTML, in which everything from the data is escaped."""
        from assay.views.rendering import render_html

        return render_html(self.blocks())

    def to_markdown(self) -> str:
        """Return the sentences, facts and tables of the result as Markdown."""
        from assay.views.rendering import render_markdown

        return render_markdown(self.blocks())

    def to_latex(self) -> str:
        """Return the main table of the result as LaTeX with `booktabs` rules."""
        from assay.views.rendering import require_table, write_latex

        return write_latex(require_table(self.blocks()))

    def to_csv(self) -> str:
        """Return the main table of the result as CSV with unrounded values."""
        from assay.views.rendering import require_table, write_csv

        return write_csv(require_table(self.blocks()))

    def save(self, path: str | Path) -> None:
        """Write the result to a file; the end of its name decides the form: .json, .html, .md, .tex or .csv."""
        from assay.system.files import open_for_writing

        forms = {"json": self.to_json, "html": self.to_html, "md": self.to_markdown, "tex": self.to_latex}
        forms["csv"] = self.to_csv
        name = Path(path).suffix.removeprefix(".")
        if name not in forms:
            raise unknown_name("form of a file", name, forms)
        content = forms[name]()
        with open_for_writing(path) as file:
            file.write(content if content.endswith("\n") else content + "\n")

    def blocks(self) -> Iterable[Block]:
        """Yield what people read of this result; by default its frame."""
        from assay.views.blocks import Fact, Table

        frame = self._frame()
        if len(frame) != 1:
            yield Table(type(self).__name__, [_spell_field(name) for name in frame.columns], frame.rows())
            return
        fields = zip(frame.columns, frame.row(0), strict=True)
        yield from (Fact(_spell_field(name), value, "") for name, value in fields if value is not None)

    def _repr_html_(self) -> str:
        """Show the result in a notebook."""
        return self.to_html()

    def _equals(self, other: object) -> bool:
        """Compare field by field; unlike numbers, two undefined results (nan) are equal."""
        if type(other) is not type(self):
            return NotImplemented
        fields = [field.name for field in dataclasses.fields(self) if field.compare]
        return all(_are_equal(getattr(self, name), getattr(other, name)) for name in fields)

    def _summarise(self) -> str:
        if type(self).blocks is not Result.blocks and self.summary:
            return f"{type(self).__name__}: {self.summary}"
        shown = [field for field in dataclasses.fields(self) if field.repr]
        values = [f"{field.name}={_shorten(getattr(self, field.name))}" for field in shown]
        return f"{type(self).__name__}({', '.join(values)})"


def _spell_field(name: str) -> str:
    """Write the name of a field as words.

    >>> _spell_field("n_items"), _spell_field("lambda_var_low")
    ('items', 'λ var, low')
    """
    words = name.removeprefix("n_").replace("lambda", "λ")
    return _BOUND.sub(r", \1", words).replace("_", " ")


def _are_equal(first: object, second: object) -> bool:
    """Compare values, with nan equal to nan, also inside lists, tuples and dictionaries."""
    if isinstance(first, float) and isinstance(second, float) and math.isnan(first):
        return math.isnan(second)
    if isinstance(first, list | tuple) and type(first) is type(second):
        return len(first) == len(second) and all(map(_are_equal, first, second))
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(_are_equal(value, second[key]) for key, value in first.items())
    return bool(first == second)


def _shorten(value: object) -> str:
    """Return the representation of a value, or of a large one its kind and size.

    >>> _shorten(0.25), _shorten(list(range(100)))
    ('0.25', '<list of 100>')
    """
    if isinstance(value, Result):
        return f"<{type(value).__name__}>"
    if isinstance(value, list | tuple | dict) and (len(value) > 6 or any(map(dataclasses.is_dataclass, value))):
        return f"<{type(value).__name__} of {len(value)}>"
    text = repr(value)
    if len(text) <= MAX_REPR_VALUE:
        return text
    return f"{text[: MAX_REPR_VALUE - 2]}…'" if isinstance(value, str) else f"<{type(value).__name__}>"


def convert_frame(frame: pl.DataFrame, kind: str = "polars") -> Any:
    """Return a polars frame as a frame of the library named: polars or pandas."""
    if kind == "polars":
        return frame
    if kind != "pandas":
        raise unknown_name("kind of frame", kind, ("pandas", "polars"))
    try:
        return frame.to_pandas()
    except ImportError as error:
        raise MissingExtraError('to_frame("pandas") needs pandas: pip install pandas.') from error


def frame_to_html(frame: pl.DataFrame) -> str:
    """Write a frame as HTML, with more rows and longer strings than polars shows by default."""
    import polars as pl

    with pl.Config(tbl_rows=40, fmt_str_lengths=300):
        return frame._repr_html_()


def keep_scalars(row: Options) -> Options:
    """Return the plain values of a row of a frame; an estimate becomes three columns, other objects are left out.

    >>> keep_scalars({"name": "x", "score": {"value": 0.5, "low": 0.4, "high": 0.6}, "parts": [1]})
    {'name': 'x', 'score': 0.5, 'score_low': 0.4, 'score_high': 0.6}
    """
    columns: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict) and {"value", "low", "high"} <= value.keys():
            columns |= {name: value["value"], f"{name}_low": value["low"], f"{name}_high": value["high"]}
        elif not isinstance(value, dict | list):
            columns[name] = value
    return columns


def make_signature(command: str, settings: Options, fingerprint: str | None = None) -> str:
    """Describe what produced a number in one line: method, settings, data and version.

    >>> make_signature("hit-rate", {"seed": 0, "share": 0.8}, "ab12")
    'hit-rate|seed=0|share=0.8|data=ab12|assay=...'
    """
    values = [f"{name}={value}" for name, value in settings.items() if value is not None]
    data = [f"data={fingerprint}"] if fingerprint else []
    return "|".join([command, *values, *data, f"assay={__version__}"])


def wrap_result(command: str, result: Any, settings: Options, data: Any = None) -> Options:
    """Return a result with its provenance: version, command, signature, data (a `Dataset`) and what was left out."""
    about: dict[str, Any] | None = None
    left_out = [*getattr(data, "left_out", ()), *getattr(result, "left_out", ())]
    if data is not None:
        about = {"name": data.name, "rows": len(data), "task": data.task, "fingerprint": data.fingerprint}
    if data is not None or left_out:
        about = {**(about or {}), "left_out": left_out}
    signature = make_signature(command, settings, data.fingerprint if data is not None else None)
    return {"assay": __version__, "command": command, "signature": signature, "data": about, "result": result}
