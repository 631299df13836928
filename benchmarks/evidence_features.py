"""Measure the features of every sub-dataset, a parent at a time.

    python -m benchmarks.evidence_features --data ../shared/data --out FEATURES [--parents a,b]

A parent's file that exists is kept; sub-datasets it lacks are measured and put in their place.
Grammar errors cost 10 ms a text and more, so they are measured on 600 texts of a parent, cut to 60 words; a
sub-dataset's value is the mean over those it holds (nan below 15).
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Container
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.evidence_parents import PARENTS, PIECES, Parent, pieces_of, read_parent

LINTED, LINTED_WORDS, LEAST_LINTED = 600, 60, 15


def features_of(parent: Parent, data: Path, n_pieces: int, known: Container[str] = ()) -> list[dict[str, Any]]:
    """Return a row for each sub-dataset of a parent whose id is not known."""
    from assay.forecast.features import describe_dataset

    dataset = read_parent(parent, data)
    found = []
    for number, piece in enumerate(pieces_of(parent, dataset, n_pieces)):
        if (id_ := f"{parent.name}-{number:03d}") in known:
            continue
        pair = len(dataset.sides) == 2
        values = describe_dataset(dataset.texts, dataset.labels, piece.train, piece.test, sides=dataset.sides)
        record = {"id": id_, "parent": parent.name, "family": parent.family, "pair": pair}
        record |= {"cut": piece.cut, "cut_by": "+".join(piece.features), "shift": piece.shift, "small": piece.small}
        sizes = {f"n_{part}": len(getattr(piece, part)) for part in ("train", "dev", "test")}
        found.append(record | sizes | values)
    return found


def grammar_of(parent: Parent, data: Path, n_pieces: int, known: Container[str] = ()) -> list[dict[str, Any]]:
    """Return the grammar errors of each sub-dataset whose id is not known, from a sample of its parent."""
    import harper

    dataset = read_parent(parent, data)
    linter, rates = harper.Linter(), np.full(len(dataset), math.nan)
    for row in np.random.default_rng(0).permutation(len(dataset))[:LINTED]:
        words = dataset.texts[int(row)].split()[:LINTED_WORDS]
        if words:
            rates[row] = len(linter.lint(" ".join(words))) / len(words)
    found = []
    for number, piece in enumerate(pieces_of(parent, dataset, n_pieces)):
        if (id_ := f"{parent.name}-{number:03d}") in known:
            continue
        train, test = (_mean(rates[part]) for part in (piece.train, piece.test))
        between = ((train - test) / train) ** 2 if train else math.nan
        values = {"train.grammar_errors": train, "test.grammar_errors": test, "interaction.grammar_errors": between}
        found.append({"id": id_, **values})
    return found


def _mean(rates: np.ndarray) -> float:
    held = rates[~np.isnan(rates)]
    return float(held.mean()) if len(held) >= LEAST_LINTED else math.nan


def completed(target: Path, measured: Callable[..., list[dict[str, Any]]], n_pieces: int, *record: Any) -> int:
    """Write a parent's file, or measure what it lacks; return how many rows were measured."""
    import polars as pl

    tables = [pl.read_parquet(target)] if target.exists() else []
    known = {id_ for table in tables for id_ in table["id"]}
    rows = measured(*record, n_pieces, known) if len(known) < n_pieces else []
    if rows:
        fresh = pl.DataFrame(rows, infer_schema_length=None)
        pl.concat([*tables, fresh], how="vertical_relaxed").sort("id").write_parquet(target)
    return len(rows)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--data", type=Path, default=Path("../shared/data"))
    arguments.add_argument("--out", type=Path, default=Path("features"))
    arguments.add_argument("--parents", type=lambda text: text.split(","))
    arguments.add_argument("--n-pieces", type=int, default=PIECES)
    arguments.add_argument("--grammar", action="store_true")
    options = arguments.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    measured, ending = (grammar_of, "grammar") if options.grammar else (features_of, "features")
    for parent in PARENTS:
        if options.parents and parent.name not in options.parents:
            continue
        target, began = options.out / f"{parent.name}.{ending}.parquet", time.monotonic()
        n = completed(target, measured, options.n_pieces, parent, options.data)
        print(f"{target}: {n} rows measured, {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
