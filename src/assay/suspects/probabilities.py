"""Probabilities of labels: what the user gives, put in the order of the items, and the doubt they throw on labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.arrays import Array, Values
from assay.base.errors import AssayError, join_names
from assay.suspects.votes import EMPTY_ANSWERS
from assay.wording.numbers import format_number
from assay.wording.sentences import choose_verb, count_noun

if TYPE_CHECKING:
    import polars as pl

PREFIX = "prob:"
TIE_WEIGHT = 1e-3  # of the probability of the best other label: it only divides labels that are equally improbable
MIN_PROBABILITY = 1e-6
BLOCK_ROWS = 100_000
MAX_ROUNDING = 0.01  # of the sum of a row: probabilities are written with few digits


@dataclass(frozen=True)
class Doubt:
    """Evidence of probabilities on the label of each item.

    `order` rises with doubt; `confidence` is the logarithm of the ratio between the most probable label and the next
    one; `preferred` is the number of the most probable label, `best` its probability, `own` that of the gold label.
    """

    order: Array = field(repr=False)
    confidence: Array = field(repr=False)
    preferred: Array = field(repr=False)
    own: Array = field(repr=False)
    best: Array = field(repr=False)

    def mark_disagreement(self, codes: Array) -> Array:
        """Mark the items whose most probable label is not their own."""
        return np.asarray(self.preferred != codes)


def measure_doubt(probabilities: Array, codes: Array) -> Doubt:
    """Return the doubt that out-of-sample probabilities (items × labels) throw on the labels `codes`.

    The order is by self-confidence, -log p(own label); of equally improbable labels, the one with the more probable
    rival comes first.

    >>> doubt = measure_doubt(np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([0, 0]))
    >>> doubt.order.round(2).tolist(), doubt.confidence.round(2).tolist(), doubt.preferred.tolist()
    ([0.1, 1.61], [2.2, 1.39], [0, 1])
    """
    parts = [
        _measure_block(probabilities[start : start + BLOCK_ROWS], codes[start : start + BLOCK_ROWS])
        for start in range(0, max(len(codes), 1), BLOCK_ROWS)
    ]
    return Doubt(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _measure_block(block: Array, codes: Array) -> tuple[Array, ...]:
    shares = _share_out(block)
    rows = np.arange(len(codes))
    preferred, best, second = _find_best(shares)
    own = shares[rows, codes]
    order = -np.log(own) + TIE_WEIGHT * np.log(np.where(preferred == codes, second, best))
    return order, np.log(best / second), preferred, own, best


def doubt_labels(probabilities: Array) -> Array:
    """Return the order of `measure_doubt` for every label that items could have (items × labels).

    >>> doubt_labels(np.array([[0.9, 0.1], [0.2, 0.8]])).round(2).tolist()
    [[0.1, 2.3], [1.61, 0.22]]
    """
    shares = _share_out(probabilities)
    preferred, best, second = _find_best(shares)
    rivals = np.repeat(TIE_WEIGHT * np.log(best)[:, None], shares.shape[1], axis=1)
    rivals[np.arange(len(shares)), preferred] = TIE_WEIGHT * np.log(second)
    return np.asarray(rivals - np.log(shares))


def _share_out(table: Array) -> Array:
    """Return probabilities without zeros, each row adding up to one."""
    shares = np.maximum(np.asarray(table, dtype=float), MIN_PROBABILITY)
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def _find_best(shares: Array) -> tuple[Array, Array, Array]:
    """Return the most probable label of every item, its probability and that of the second."""
    rows = np.arange(len(shares))
    preferred = shares.argmax(axis=1)
    best = shares[rows, preferred]
    shares[rows, preferred] = MIN_PROBABILITY
    second = shares.max(axis=1)
    shares[rows, preferred] = best
    return preferred, best, second


def average_probabilities(tables: Sequence[Array], weights: Sequence[float]) -> Array:
    """Return the weighted geometric mean of tables of probabilities, each row adding up to one.

    >>> average_probabilities([np.array([[0.9, 0.1]]), np.array([[0.5, 0.5]])], [1, 1]).round(2).tolist()
    [[0.75, 0.25]]
    """
    if len(tables) == 1:
        return tables[0]
    logs = sum(
        weight * np.log(np.maximum(table, MIN_PROBABILITY)) for table, weight in zip(tables, weights, strict=True)
    )
    shares = np.exp(logs / sum(weights))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


@dataclass(frozen=True)
class GivenProbabilities:
    """Probabilities (rows × labels, in the order of the sorted labels) of the items in `rows`; each row adds up to one.

    `notes` say how many rows were left out or scaled.
    """

    rows: Array = field(repr=False)
    table: Array = field(repr=False)
    notes: tuple[str, ...] = ()


def read_probabilities(source: Values, ids: pl.Series, labels: list[str]) -> GivenProbabilities:
    """Read probabilities of some or all items, one column per label.

    `source` is an array in the order of the items and of the sorted labels, a mapping or frame whose columns are named
    by labels (or `prob:<label>`), with a column `id` unless it has all items in their order, or a file of these.
    """
    if isinstance(source, GivenProbabilities):
        return source
    if isinstance(source, np.ndarray) or (isinstance(source, Sequence) and not isinstance(source, str)):
        table = np.asarray(source, dtype=float)
        return _check_table(np.arange(len(ids)), table, labels)
    frame = _to_frame(source)
    names = {label: next((name for name in (PREFIX + label, label) if name in frame.columns), None) for label in labels}
    missing = [label for label, name in names.items() if name is None]
    if missing:
        hint = f"Its columns: {join_names(frame.columns, 20)}."
        raise AssayError(f"gives no column for {join_names(missing)}", option="probabilities", hint=hint)
    table = _to_numbers(frame.select(str(name) for name in names.values()))
    if "id" not in frame.columns:
        return _check_table(np.arange(len(ids)), table, labels)
    rows, places = _match_ids(frame["id"], ids)
    return _check_table(rows, table[places], labels)


def _to_frame(source: Any) -> pl.DataFrame:
    import polars as pl

    if isinstance(source, pl.DataFrame):
        return source
    if isinstance(source, Mapping):
        return pl.DataFrame({str(name): np.asarray(values) for name, values in source.items()})
    if isinstance(source, str | Path):
        from assay.data import read_table

        return read_table(source)
    return pl.DataFrame(source)


def _match_ids(own: pl.Series, ids: pl.Series) -> tuple[Array, Array]:
    """Return the rows of the items that have probabilities, and where these are."""
    import polars as pl

    own = own.cast(pl.String).str.strip_chars()
    if own.n_unique() < len(own):
        repeated = own.filter(own.is_duplicated()).unique(maintain_order=True).to_list()
        raise AssayError(f"gives ids more than once ({join_names(repeated)})", option="probabilities")
    places = pl.DataFrame({"id": own, "place": pl.int_range(len(own), eager=True)})
    items = pl.DataFrame({"id": ids.cast(pl.String), "row": pl.int_range(len(ids), eager=True)})
    matched = items.join(places, on="id", how="inner", maintain_order="left")
    if not len(matched):
        shown = f"{join_names(own.head(2).to_list())} against {join_names(ids.head(2).to_list())}"
        raise AssayError(f"gives no id of the data ({shown})", option="probabilities", hint="Is {id} right?")
    return matched["row"].to_numpy(), matched["place"].to_numpy()


def _to_numbers(table: pl.DataFrame) -> Array:
    import polars as pl

    try:
        is_empty = pl.col(pl.String).str.strip_chars().is_in(EMPTY_ANSWERS)
        cells = table.with_columns(pl.when(~is_empty).then(pl.col(pl.String).str.strip_chars()))
        return cells.cast(pl.Float64).to_numpy()
    except pl.exceptions.PolarsError as error:
        raise AssayError("has cells that are not numbers", option="probabilities") from error


def _check_table(rows: Array, table: Array, labels: list[str]) -> GivenProbabilities:
    """Check probabilities; rows that do not add up to one are scaled, those without any are left out, both with a note."""
    n = len(rows)
    if table.shape != (n, len(labels)):
        n_rows, columns = (*table.shape, 1)[:2]
        fact = f"has {n_rows:,} rows × {columns:,} columns for {n:,} items with {len(labels):,} labels"
        raise AssayError(fact, option="probabilities", hint=f"The labels are {join_names(labels)}.")
    if (table < 0).any() or (table > 1).any():
        raise AssayError("has values that are not between 0 and 1", option="probabilities")
    totals = table.sum(axis=1)
    is_known = totals > 0  # False for nan
    if not is_known.any():
        raise AssayError("has only rows of zeros or with empty cells", option="probabilities")
    notes = []
    if n_empty := n - int(is_known.sum()):
        rows, table, totals = rows[is_known], table[is_known], totals[is_known]
        has = choose_verb(n_empty, "has only zeros or an empty cell", "have only zeros or an empty cell")
        notes.append(
            f"Probabilities: {count_noun(n_empty, 'row')} {has}, and {choose_verb(n_empty, 'is', 'are')} no evidence."
        )
    n_scaled = int((np.abs(totals - 1) > MAX_ROUNDING).sum())
    if n_scaled:
        table = table / totals[:, None]
        low, high = format_number(totals.min()), format_number(totals.max())
        verb = choose_verb(n_scaled, "does not add up to 1 and is", "do not add up to 1 and are")
        notes.append(
            f"Probabilities: {count_noun(n_scaled, 'row')} {verb} divided by the sum (sums are {low} to {high})."
        )
    return GivenProbabilities(rows, table, tuple(notes))
