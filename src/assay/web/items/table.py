"""Filter, search and sort the items of a version; a million rows take tens of milliseconds."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qsl

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.system.json import JsonObject
from assay.web.damage import read_json_object
from assay.web.items.expressions import parse_expression
from assay.web.items.writing import (
    ANSWERS,
    BLOCK_ROWS,
    BLOCKS,
    BROWSE,
    FLAGGED,
    RESPONSES,
    SORTS,
    SUMMARY,
    map_arrow,
    sort_rows,
)

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.statistics import Interval

OPTION_NAMES = ("part", "label", "proposal", "reasons")

PAGE_ROWS = 50
MAX_MASKS = 48
SCAN_FROM_SHARE = 0.1
MAX_TABLES = 4
MAX_VALUE = 300  # characters of a filter
MAX_GROUPS = 100
MAX_PARTS = 1000  # marks of a chart that are selected together
GROUPS = ("label", "part", "proposal", "suggested")
OTHER_SCORE = "other score as read"
RIGHT_FROM = 0.5  # of a score
OUTCOMES = {"both": (1.0, 1.0), "first": (1.0, 0.0), "second": (0.0, 1.0), "neither": (0.0, 0.0)}


@dataclass(frozen=True)
class ItemQuery:
    """Which items to show, and in which order; an empty field does not filter."""

    search: str = ""
    part: str = ""
    label: str = ""
    proposal: str = ""
    reason: str = ""
    wrong: int | None = None  # the number of a system that is wrong on the items
    solved: int | None = None  # the number of a system that is right on the items
    first: int | None = None  # the numbers of two systems that are compared
    second: int | None = None
    outcome: str = ""  # which of the two are right on the items
    state: str = ""  # of a response, how the harness lost an answer, or that reading changes the score
    right: tuple[float, float] | None = None  # how many systems are right
    rows: frozenset[int] | None = None
    ids: frozenset[str] | None = None
    min_suspicion: float = 0.0
    where: str = ""  # a condition that somebody wrote
    any_of: tuple[ItemQuery, ...] = ()  # of which one must match: what several marks of a chart lead to
    sort: str = "proposal"
    descending: bool = False
    page: int = 1

    @property
    def outcomes(self) -> list[tuple[int, float]]:
        """Return the systems that must be right (1) or wrong (0) on the items, by their numbers."""
        wanted = [(self.wrong, 0.0), (self.solved, 1.0)]
        if self.outcome and self.first is not None and self.second is not None:
            wanted += zip((self.first, self.second), OUTCOMES[self.outcome], strict=True)
        return [(system, outcome) for system, outcome in wanted if system is not None]


@dataclass(frozen=True)
class ItemPage:
    """One page of the items that match, as rows of the file."""

    rows: list[dict[str, Any]]
    n_matching: int
    page: int
    n_pages: int


@dataclass(frozen=True)
class ItemGroup:
    """Items with the same value of a column: how many, how suspicious, right for which share of systems, to change."""

    value: str | None
    n: int
    suspicion: float | None
    right: float | None
    changed: int | None
    first: float | None = None  # mean scores of two systems that are compared
    second: float | None = None


@dataclass(frozen=True)
class PairedOutcomes:
    """On how many items that two systems answered which of them are right, and how far the first is ahead."""

    counts: dict[str, int]
    difference: Interval

    @property
    def n(self) -> int:
        """Return the number of items that both answered."""
        return sum(self.counts.values())


@dataclass
class ItemTable:
    """The items of one version, mapped into memory; masks are kept for the next request."""

    folder: Path
    _masks: OrderedDict[Hashable, Array] = field(default_factory=OrderedDict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @cached_property
    def frame(self) -> pl.DataFrame:
        """Return all items; no items if the file is damaged."""
        frame = map_arrow(self.folder / BROWSE)
        return pl.DataFrame() if frame is None else frame

    @cached_property
    def is_readable(self) -> bool:
        """Return True if the items can be shown, filtered and sorted."""
        return {"id", "search", "reason_bits", *(f"order {name}" for name in SORTS)} <= {*self.frame.columns}

    @cached_property
    def answers(self) -> pl.DataFrame | None:
        """Return the answers of the systems; None if there are none."""
        answers = map_arrow(self.folder / ANSWERS)
        return answers if answers is not None and answers.height == len(self) else None

    @cached_property
    def summary(self) -> JsonObject:
        """Return what was counted when the table was written."""
        return read_json_object(self.folder / SUMMARY) or {}

    @cached_property
    def categories(self) -> dict[str, str]:
        """Return the columns of the file by which items can be grouped: their names, and where they are."""
        names = self.summary.get("categories")
        places = {str(name): f"category-{n}" for n, name in enumerate(names if isinstance(names, list) else [])}
        return {name: place for name, place in places.items() if place in self.columns and name not in SORTS}

    @property
    def groupings(self) -> dict[str, str]:
        """Return the columns by which items can be grouped, by their names."""
        return {**{name: name for name in GROUPS if name in self.columns}, **self.categories}

    def __len__(self) -> int:
        return self.frame.height

    @cached_property
    def columns(self) -> list[str]:
        """Return the columns that have any content."""
        return [name for name in self.frame.columns if self.frame[name].null_count() < len(self)]

    @cached_property
    def bare_items(self) -> Dataset:
        """Return the items as data without their texts and labels, for what counts items only."""
        from assay.kinds import read

        ids = self.frame["id"].to_list()
        return read({"id": ids, "text": ["an item"] * len(ids)}, text="text", label="none")

    @cached_property
    def blocks(self) -> pl.Series | None:
        """Return the texts of several items each, in which a search looks first; None if the file is damaged."""
        blocks = map_arrow(self.folder / BLOCKS)
        return blocks["search"] if blocks is not None and blocks.height == -(-len(self) // BLOCK_ROWS) else None

    @cached_property
    def options(self) -> dict[str, list[tuple[str, int]]]:
        """Return the values of part, label and proposal, and the reasons, each with its count."""
        return {
            name: [(str(row[0]), row[1]) for row in self.summary.get(name, []) if _is_count(row)]
            for name in OPTION_NAMES
        }

    def select(self, query: ItemQuery) -> Array:
        """Return the numbers of the rows that match, in the order of the query."""
        mask = self._mask(query)
        order = self._order(query.sort)
        if query.descending:
            order = order[::-1]
        return order if mask is None else order[mask[order]]

    def query(self, query: ItemQuery) -> ItemPage:
        """Return one page of the rows that match."""
        rows = self.select(query)
        n_pages = max(1, -(-len(rows) // PAGE_ROWS))
        page = min(max(query.page, 1), n_pages)
        shown = rows[(page - 1) * PAGE_ROWS : page * PAGE_ROWS]
        return ItemPage(self.take(shown), len(rows), page, n_pages)

    def group(self, query: ItemQuery, name: str) -> list[ItemGroup]:
        """Return the groups of the items that match, by the values of a column, the largest first."""
        if name not in self.groupings:
            return []
        rows = pl.Series(np.sort(self.select(query)), dtype=pl.UInt32)
        columns = {"suspicion", "n_systems_right", "n_systems", "proposal"} - self._lacking
        scores = {side: self._take_scores(getattr(query, side)) for side in ("first", "second")}
        frame = self.frame.select(
            pl.col(self.groupings[name]).cast(pl.String).alias("value"),
            *sorted(columns),
            **{side: column for side, column in scores.items() if column is not None},
        ).select(pl.all().gather(rows))
        empty = pl.lit(None, pl.Float64)
        right = pl.col("n_systems_right") / pl.col("n_systems") if "n_systems_right" in columns else empty
        grouped = frame.group_by("value").agg(
            pl.len().alias("n"),
            (pl.col("suspicion") if "suspicion" in columns else empty).mean().alias("suspicion"),
            right.mean().alias("right"),
            ((pl.col("proposal") != "keep").sum() if "proposal" in columns else pl.lit(None)).alias("changed"),
            *((pl.col(side) if side in frame.columns else empty).mean().alias(side) for side in scores),
        )
        largest = grouped.sort("n", "value", descending=[True, False], nulls_last=True).head(MAX_GROUPS)
        return [ItemGroup(**row) for row in largest.to_dicts()]

    def _take_scores(self, system: int | None) -> pl.Series | None:
        """Return the scores of a system on all items; None if they are not known."""
        name = f"score-{system}"
        return None if self.answers is None or name not in self.answers.columns else self.answers[name]

    def contrast(self, query: ItemQuery) -> PairedOutcomes | None:
        """Compare two systems on the items that match, whichever of the two is right on them."""
        from assay.statistics.paired_proportions import tango

        known = [self._take_scores(number) for number in (query.first, query.second)]
        pair = [column for column in known if column is not None]
        if len(pair) < len(known):
            return None
        rows = pl.Series(self.select(replace(query, outcome="")), dtype=pl.UInt32)
        scores = pl.DataFrame([column.gather(rows).alias(f"{n}") for n, column in enumerate(pair)]).drop_nulls()
        if not scores.height:
            return None
        first, second = (scores[name].to_numpy() >= RIGHT_FROM for name in scores.columns)
        counts = {name: int(((first == wanted[0]) & (second == wanted[1])).sum()) for name, wanted in OUTCOMES.items()}
        return PairedOutcomes(counts, tango(counts["first"], counts["second"], scores.height))

    def score_systems(self, query: ItemQuery, names: Sequence[str]) -> list[tuple[str, int, float]]:
        """Return for each system how many of the items that match it answered, and its mean score on them."""
        if self.answers is None:
            return []
        rows = pl.Series(np.sort(self.select(query)), dtype=pl.UInt32)
        columns = [f"score-{number}" for number in range(len(names)) if f"score-{number}" in self.answers.columns]
        scores = self.answers.select(pl.col(columns).gather(rows))
        means = scores.select(pl.all().mean()).row(0) if columns else ()
        counts = scores.select(pl.all().count()).row(0) if columns else ()
        found = [(name, n, mean) for name, n, mean in zip(names, counts, means, strict=False) if mean is not None]
        return sorted(found, key=lambda row: (-row[2], row[0]))

    @cached_property
    def _lacking(self) -> set[str]:
        return {name for name in ("suspicion", "n_systems_right", "n_systems", "proposal") if name not in self.columns}

    def take(self, rows: Sequence[int] | Array) -> list[JsonObject]:
        """Return some rows as values; `row` is their number."""
        names = [name for name in self.frame.columns if name not in ("search", "reason_bits") and " " not in name]
        taken = self.frame.select(pl.col(names).gather(np.asarray(rows, dtype=np.uint32)))
        return [{"row": int(row), **values} for row, values in zip(rows, taken.to_dicts(), strict=True)]

    def find_row(self, id_: str) -> int | None:
        """Return the row of an item by its id."""
        rows = np.flatnonzero(self._evaluate(pl.col("id") == id_))
        return int(rows[0]) if len(rows) else None

    def find_flagged(self, anchor: str) -> list[int]:
        """Return the rows of the items of a finding."""
        flagged = map_arrow(self.folder / FLAGGED)
        if flagged is None:
            return []
        rows = flagged.filter(pl.col("anchor") == anchor)["rows"]
        return [] if not len(rows) else [int(row) for row in rows[0]]

    @cached_property
    def flagged(self) -> list[tuple[str, int]]:
        """Return the anchors of the findings that have items, with their counts."""
        flagged = map_arrow(self.folder / FLAGGED)
        if flagged is None:
            return []
        frame = flagged.select("anchor", pl.col("rows").list.len())
        return [(anchor, n) for anchor, n in frame.rows() if n]

    @cached_property
    def responses(self) -> pl.DataFrame | None:
        """Return the responses by the `row` of their item, with `words` that describe each; None if there are none."""
        responses = map_arrow(self.folder / RESPONSES)
        if responses is None or not responses.height or cast("int", responses["row"].max()) >= len(self):
            return None
        is_other = pl.col("graded").ne_missing(pl.col("right"))
        other = pl.when(is_other).then(pl.lit(OTHER_SCORE))
        words = pl.concat_list("state", pl.col("loss").replace("", None), other).list.drop_nulls()
        return responses.with_columns(words=words)

    @cached_property
    def states(self) -> list[tuple[str, int]]:
        """Return the words that describe responses, with their counts."""
        if self.responses is None:
            return []
        return self.responses["words"].explode().drop_nulls().value_counts(sort=True).rows()

    def find_responses(self, row: int) -> list[JsonObject]:
        """Return the responses to one item."""
        return [] if self.responses is None else self.responses.filter(pl.col("row") == row).to_dicts()

    def find_answers(self, row: int) -> list[tuple[str | None, float | None]]:
        """Return the answer of every system to one item, and its score."""
        if self.answers is None:
            return []
        cells = self.answers.row(row)
        return [(cells[at], cells[at + 1]) for at in range(0, len(cells) - 1, 2)]

    def _mask(self, query: ItemQuery) -> Array | None:
        """Return which rows match; None for all."""
        masks: list[Array] = []
        text = query.search.lower()
        if text.strip():
            masks.append(self._remember(("search", text), lambda: self._mask_search(text)))
        values = {name: value for name in ("part", "label", "proposal") if (value := getattr(query, name))}
        masks += [self._mask_value(name, value) for name, value in values.items()]
        if query.reason:
            masks.append(self._mask_reason(query.reason))
        if query.min_suspicion > 0:
            masks.append(self._evaluate(pl.col("suspicion") >= query.min_suspicion))
        if query.where.strip():
            condition = parse_expression(query.where, self.frame.columns, self.categories)
            masks.append(self._remember(("where", query.where), lambda: self._evaluate(condition)))
        parts = [mask for each in query.any_of if (mask := self._mask(each)) is not None]
        if parts and len(parts) == len(query.any_of):
            masks.append(np.logical_or.reduce(parts))
        for system, outcome in query.outcomes:
            masks.append(self._remember(("score", system, outcome), partial(self._mask_scores, system, outcome)))
        if query.state:
            masks.append(self._remember(("state", query.state), lambda: self._mask_state(query.state)))
        if query.right is not None:
            masks.append(self._evaluate(pl.col("n_systems_right").is_between(*query.right)))
        if query.rows is not None:
            mask = np.zeros(len(self), bool)
            mask[[row for row in query.rows if row < len(self)]] = True
            masks.append(mask)
        if query.ids is not None:
            masks.append(self._evaluate(pl.col("id").is_in(sorted(query.ids))))
        return np.logical_and.reduce(masks) if masks else None

    def _mask_search(self, text: str) -> Array:
        """Mark the rows that contain a text: only blocks that contain it are searched row by row."""
        if self.blocks is None:
            return np.asarray(self.frame["search"].str.contains(text, literal=True).to_numpy())
        found = self.blocks.str.contains(text, literal=True).to_numpy()
        mask = np.repeat(found, BLOCK_ROWS)[: len(self)]
        if "\n" in text or not mask.any():
            return mask & False
        rows = np.flatnonzero(mask).astype(np.uint32)
        if len(rows) > SCAN_FROM_SHARE * len(self):  # faster than to gather so many texts
            return np.asarray(self.frame["search"].str.contains(text, literal=True).to_numpy())
        mask[rows] = self.frame["search"].gather(rows).str.contains(text, literal=True).to_numpy()
        return mask

    def _mask_value(self, name: str, value: str) -> Array:
        return self._remember((name, value), lambda: self._evaluate(pl.col(name) == value))

    def _mask_reason(self, reason: str) -> Array:
        from assay.audits.items import REASONS

        number = next((number for number, known in enumerate(REASONS) if known.text == reason), None)
        if number is None:
            return np.zeros(len(self), bool)
        return np.asarray((self.frame["reason_bits"].to_numpy() >> number) & 1, dtype=bool)

    def _mask_scores(self, system: int | None, outcome: float) -> Array:
        """Return the items that a system gets right (1) or wrong (0), which half of the score decides."""
        name = f"score-{system}"
        if self.answers is None or name not in self.answers.columns:
            return np.zeros(len(self), bool)
        scores = self.answers[name]
        return np.asarray((scores >= RIGHT_FROM if outcome else scores < RIGHT_FROM).fill_null(value=False).to_numpy())

    def _mask_state(self, word: str) -> Array:
        mask = np.zeros(len(self), bool)
        if self.responses is not None:
            mask[self.responses.filter(pl.col("words").list.contains(word))["row"].to_numpy()] = True
        return mask

    def _evaluate(self, condition: pl.Expr) -> Array:
        return np.asarray(self.frame.select(mask=condition.fill_null(value=False))["mask"].to_numpy())

    def _remember(self, key: Hashable, compute: Callable[[], Array]) -> Array:
        with self._lock:
            if key in self._masks:
                self._masks.move_to_end(key)
                return self._masks[key]
        mask = compute()
        with self._lock:
            self._masks[key] = mask
            while len(self._masks) > MAX_MASKS:
                self._masks.popitem(last=False)
        return mask

    def _order(self, name: str) -> Array:
        """Return the rows sorted by a column; the orders that were not written with the table are kept for later."""
        if name == "row":
            return np.arange(len(self), dtype=np.uint32)
        place = self.categories.get(name, name)
        if f"order {place}" in self.frame.columns:
            return self.frame[f"order {place}"].to_numpy()
        if place not in self.columns or place == "search":
            return self.frame["order proposal"].to_numpy()
        return self._remember(("order", place), lambda: sort_rows(self.frame, place))


def _is_count(row: Any) -> bool:
    """Return True if a row of a summary is a value and its count."""
    return isinstance(row, list) and len(row) == 2 and isinstance(row[1], int)


class ItemTables:
    """The tables of the versions that were opened last."""

    def __init__(self) -> None:
        """Start without tables."""
        self._tables: OrderedDict[tuple[str, int], ItemTable] = OrderedDict()
        self._lock = threading.Lock()

    def open(self, folder: Path) -> ItemTable | None:
        """Return the table of a version; None if it has none or the file is damaged."""
        try:
            key = (str(folder), (folder / BROWSE).stat().st_mtime_ns)
        except OSError:
            return None
        with self._lock:
            table = self._tables.pop(key, None) or ItemTable(folder)
            self._tables[key] = table
            while len(self._tables) > MAX_TABLES:
                self._tables.popitem(last=False)
        return table if table.is_readable else None


def parse_query(values: Mapping[str, str]) -> ItemQuery:
    """Read a query from the address; what is not valid does not filter.

    >>> parse_query({"q": "cat", "sort": "id", "desc": "1", "page": "2", "part": "test"})
    ItemQuery(search='cat', part='test', label='', proposal='', reason='', wrong=None, solved=None, first=None, \
second=None, outcome='', state='', right=None, rows=None, ids=None, min_suspicion=0.0, where='', \
any_of=(), sort='id', descending=True, page=2)
    """
    numbers = {
        name: int(values[name])
        for name in ("wrong", "solved", "first", "second", "page")
        if is_small_number(values.get(name, ""))
    }
    return ItemQuery(
        search=values.get("q", "")[:MAX_VALUE],
        part=values.get("part", "")[:MAX_VALUE],
        label=values.get("label", "")[:MAX_VALUE],
        proposal=values.get("proposal", "")[:MAX_VALUE],
        reason=values.get("reason", "")[:MAX_VALUE],
        wrong=numbers.get("wrong"),
        solved=numbers.get("solved"),
        first=numbers.get("first"),
        second=numbers.get("second"),
        outcome=values.get("outcome", "") if values.get("outcome") in OUTCOMES else "",
        state=values.get("state", "")[:MAX_VALUE],
        right=parse_range(values.get("right", "")),
        min_suspicion=parse_share(values.get("suspicion", "")),
        where=values.get("where", ""),
        any_of=tuple(map(parse_query, parse_selection(values.get("any", "")))),
        sort=values.get("sort", "proposal")[:MAX_VALUE],
        descending=values.get("desc") == "1",
        page=numbers.get("page", 1),
    )


def parse_selection(text: str) -> list[dict[str, str]]:
    """Return the filters that are joined in a text, as a chart writes them; they contain no further selections.

    >>> parse_selection("label=a%20b|right=3-4&any=x")
    [{'label': 'a b'}, {'right': '3-4'}]
    """
    parts = [dict(parse_qsl(part)) for part in text.split("|")[:MAX_PARTS] if part]
    return [{name: value for name, value in part.items() if name != "any"} for part in parts]


def is_small_number(text: str) -> bool:
    """Return whether a text is a whole number of at most nine digits."""
    return text.isascii() and text.isdigit() and len(text) <= 9


def parse_range(text: str) -> tuple[float, float] | None:
    """Return the ends of a range of whole numbers; None if it is not one.

    >>> parse_range("3-17"), parse_range("-")
    ((3.0, 17.0), None)
    """
    low, _, high = text[:20].partition("-")
    return (float(low), float(high)) if is_small_number(low) and is_small_number(high) else None


def is_share(text: str) -> bool:
    """Return True if a text is a number from 0 to 1.

    >>> is_share("0.5"), is_share("2"), is_share("much")
    (True, False, False)
    """
    try:
        return 0 <= float(text[:20]) <= 1
    except ValueError:
        return False


def parse_share(text: str) -> float:
    """Return a number from 0 to 1; 0 if it is not one."""
    try:
        value = float(text[:20])
    except ValueError:
        return 0.0
    return value if 0 <= value <= 1 else 0.0
