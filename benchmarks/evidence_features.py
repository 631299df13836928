"""Measure the features of every sub-dataset, a parent at a time.

    python -m benchmarks.evidence_features --data ../shared/data --out FEATURES [--parents a,b]

Grammar errors cost 10 ms a text and more, so they are measured on 600 texts of a parent, cut to 60 words; a
sub-dataset's value is the mean over those it holds (nan below 15).
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.evidence_parents import PARENTS, PIECES, Parent, pieces_of, read_parent

LINTED, LINTED_WORDS, LEAST_LINTED = 600, 60, 15


def features_of(parent: Parent, data: Path, n_pieces: int) -> list[dict[str, Any]]:
    """Return a row for each sub-dataset of a parent."""
    from assay.forecast.describing import describe

    dataset = read_parent(parent, data)
    found = []
    for number, piece in enumerate(pieces_of(parent, dataset, n_pieces)):
        pair = dataset.task == "pair"
        values = describe(dataset.texts, dataset.labels, piece.train, piece.test, sides=dataset.sides)
        told = {"id": f"{parent.name}-{number:03d}", "parent": parent.name, "family": parent.family, "pair": pair}
        told |= {"cut": piece.cut, "cut_by": "+".join(piece.features), "shift": piece.shift, "small": piece.small}
        sizes = {f"n_{part}": len(getattr(piece, part)) for part in ("train", "dev", "test")}
        found.append(told | sizes | values)
    return found


def grammar_of(parent: Parent, data: Path, n_pieces: int) -> list[dict[str, Any]]:
    """Return the grammar errors of each sub-dataset, from a sample of its parent."""
    import harper

    dataset = read_parent(parent, data)
    linter, rates = harper.Linter(), np.full(len(dataset), math.nan)
    for row in np.random.default_rng(0).permutation(len(dataset))[:LINTED]:
        words = dataset.texts[int(row)].split()[:LINTED_WORDS]
        if words:
            rates[row] = len(linter.lint(" ".join(words))) / len(words)
    found = []
    for number, piece in enumerate(pieces_of(parent, dataset, n_pieces)):
        train, test = (_mean(rates[part]) for part in (piece.train, piece.test))
        between = ((train - test) / train) ** 2 if train else math.nan
        values = {"train.grammar_errors": train, "test.grammar_errors": test, "interaction.grammar_errors": between}
        found.append({"id": f"{parent.name}-{number:03d}", **values})
    return found


def _mean(rates: np.ndarray) -> float:
    held = rates[~np.isnan(rates)]
    return float(held.mean()) if len(held) >= LEAST_LINTED else math.nan


def main() -> None:
    import polars as pl

    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--data", type=Path, default=Path("../shared/data"))
    arguments.add_argument("--out", type=Path, default=Path("features"))
    arguments.add_argument("--parents", type=lambda told: told.split(","))
    arguments.add_argument("--n-pieces", type=int, default=PIECES)
    arguments.add_argument("--grammar", action="store_true")
    options = arguments.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    measured, ending = (grammar_of, "grammar") if options.grammar else (features_of, "features")
    for parent in PARENTS:
        target = options.out / f"{parent.name}.{ending}.parquet"
        if target.exists() or (options.parents and parent.name not in options.parents):
            continue
        began = time.monotonic()
        rows = measured(parent, options.data, options.n_pieces)
        pl.DataFrame(rows, infer_schema_length=None).write_parquet(target)
        print(f"{target}: {len(rows)} rows, {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
