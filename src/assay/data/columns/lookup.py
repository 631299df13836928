"""The columns of a table by their names, whatever their case and punctuation."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Sequence

import polars as pl

from assay.base.errors import AssayError
from assay.data.columns.labels import CleanLabels, clean_labels
from assay.data.columns.names import normalise_name
from assay.data.columns.table import RawTable, list_names, shorten_name
from assay.wording.letters import N_LETTERS, name_letter

MIN_CODES, MIN_REPEATS = 10, 2  # cells of a column that may hold codes; rows per code
_LINK = r"^\s*https?://"
_CODE = r"^[!-~]{1,40}$"  # printable ASCII without spaces


class Columns:
    """A table whose columns can be found by usual names. A column that is empty throughout is never found."""

    def __init__(self, table: RawTable, place: object) -> None:
        self.table, self.frame, self.place = table, table.frame, place
        self._by_name: dict[str, list[str]] = {}
        for name in self.frame.columns:
            self._by_name.setdefault(normalise_name(name), []).append(name)
        self._has_content: dict[str, bool] = {}
        self._holds_codes: dict[tuple[str, bool], bool] = {}
        self._labels: dict[tuple[str, bool], CleanLabels] = {}

    def __contains__(self, name: str) -> bool:
        return name in self.frame.columns

    def __getitem__(self, name: str) -> pl.Series:
        return self.frame[name]

    def get(self, name: str) -> str:
        """Return the column that a user names: by its exact name, or the only one that differs in case."""
        if name in self.frame.columns:
            return name
        same = [column for column in self.frame.columns if column.lower() == name.strip().lower()]
        if len(same) == 1:
            return same[0]
        close = difflib.get_close_matches(name, self.frame.columns[:1000], n=1)
        guess = f"Did you mean '{shorten_name(close[0])}'? " if close else ""
        raise AssayError(
            f"there is no column '{shorten_name(name)}'", place=self.place, hint=f"{guess}{self.describe()}"
        )

    def find(self, names: Sequence[str], used: Collection[str] = ()) -> list[str]:
        """Return the columns that have one of some usual names, in the order of those names."""
        columns = [column for name in names for column in self._by_name.get(name, [])]
        return [column for column in columns if column not in used and self.has_content(column)]

    def find_series(self, patterns: Sequence[str], used: Collection[str] = ()) -> tuple[str, ...]:
        """Return the columns named by one of some patterns, in order and without a gap, if there are at least two.

        "#" in a pattern is a letter from a or a number from 0 or 1.
        """
        for pattern in patterns:
            for start in ("a", "0", "1"):
                names = self._follow(pattern, start, used)
                if len(names) > 1:
                    return names
        return ()

    def _follow(self, pattern: str, start: str, used: Collection[str]) -> tuple[str, ...]:
        names = []
        for number in range(N_LETTERS):
            mark = name_letter(number).lower() if start == "a" else str(int(start) + number)
            found = self.find([pattern.replace("#", mark)], used)
            if not found:
                break
            names.append(found[0])
        return tuple(names)

    def find_empty(self, names: Sequence[str]) -> list[str]:
        """Return the columns that have one of some usual names and no content."""
        return [column for name in names for column in self._by_name.get(name, []) if not self.has_content(column)]

    def has_content(self, name: str) -> bool:
        """Return whether a column has a cell that is not empty."""
        if name not in self._has_content:
            self._has_content[name] = self.is_nested(name) or bool((self.frame[name].str.len_bytes() > 0).any())
        return self._has_content[name]

    def is_nested(self, name: str) -> bool:
        """Return whether a column holds lists, objects or binary data instead of text."""
        return name in self.table.nested

    def holds_codes(self, name: str, *, only_numbers: bool = False) -> bool:
        """Return whether a column holds numbers, or short codes that repeat, and so no texts."""
        key = (name, only_numbers)
        if key not in self._holds_codes:
            self._holds_codes[key] = not self.is_nested(name) and _are_codes(self.frame[name], only_numbers)
        return self._holds_codes[key]

    def holds_links(self, name: str) -> bool:
        """Return whether most cells of a column start with a link, as those that name where an item is from."""
        cells = self.frame[name].drop_nulls()
        return bool(2 * cells.str.contains(_LINK).sum() > len(cells))

    def check_text(self, name: str, option: str) -> AssayError | None:
        """Return the error for a column that holds lists, objects or binary data, None for a column of text."""
        if not self.is_nested(name):
            return None
        fact = f"column '{shorten_name(name)}' holds {self.table.nested[name]}, not text"
        return AssayError(fact, place=self.place, hint=f"Name another with {{{option}}}.")

    def clean_labels(self, name: str, parts: pl.Series | None = None) -> CleanLabels:
        """Return the labels of a column, computed once; with the parts of the rows if they are known."""
        key = (name, parts is not None)
        if key not in self._labels:
            self._labels[key] = clean_labels(self.frame[name], parts)
        return self._labels[key]

    def describe(self) -> str:
        """List the columns in a sentence."""
        return f"Its columns: {list_names(self.frame.columns)}."


def _are_codes(cells: pl.Series, only_numbers: bool) -> bool:
    known = cells.drop_nulls().str.strip_chars()
    known = known.filter(known != "")
    if len(known) < MIN_CODES:
        return False
    if known.head(MIN_CODES).cast(pl.Float64, strict=False).null_count() == 0:
        return known.cast(pl.Float64, strict=False).null_count() == 0
    values = pl.Series([], dtype=pl.String) if only_numbers else known.unique()
    if not len(values) or len(values) * MIN_REPEATS > len(known):
        return False
    return bool(values.str.contains(_CODE).all())
