"""Draw the splits that models are compared under: folds, several draws of two sides, or one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.base.errors import AssayError
from assay.data import Dataset
from assay.models.row_splits import RowSplit
from assay.splits import SPLITS
from assay.splits.base import FoldSplitter
from assay.splits.items import Ready

CHALLENGING_SPLITS = ("length", "rare-words", "wasserstein", "sds-k-means", "temporal")
DRAWN_OFTEN = ("rare-words", "wasserstein")  # splits into two sides, whose held-out sides overlap
RANDOM, STANDARD = "random", "standard"
N_SPLITS = 5
N_DRAWS = 5
TEST_SIZE = 0.2
NamedSplits = list[tuple[str, RowSplit]]
Draw = Callable[..., list[RowSplit]]  # (name, groups, what is ready, **options of the split) → one draw of it


@dataclass(frozen=True)
class SplitSizes:
    """How many folds and draws a split has, and the share of items that a draw holds out."""

    n_splits: int = N_SPLITS
    n_draws: int = N_DRAWS
    test_size: float = TEST_SIZE


def draw_named_splits(
    names: Sequence[str], draw: Callable[[str], tuple[list[RowSplit], str | None]]
) -> tuple[NamedSplits, list[str]]:
    """Draw every split named; one that the data cannot give is left out, with a note."""
    drawn: NamedSplits = []
    notes: list[str] = []
    for name in names:
        try:
            rows, note = draw(name)
        except AssayError as error:
            notes.append(f"The {name} split is left out: {error.fact.removesuffix('.')}.")
        else:
            drawn += [(name, split) for split in rows]
            notes += [note] if note else []
    return drawn, notes


def draw_challenging(
    data: Dataset,
    name: str,
    draw: Draw,
    *,
    sizes: SplitSizes,
    groups: object,
    ready: Ready,
    random_state: int,
) -> tuple[list[RowSplit], str | None]:
    """Draw a split as folds, several times, or once if nothing is random; a note says that it divides groups.

    `ready` holds the words (`corpus`) and `vectors` of the items if they are known; the Wasserstein split measures word
    counts, not vectors.
    """
    folding = issubclass(SPLITS[name], FoldSplitter)
    options: dict[str, Any] = {"n_splits": sizes.n_splits} if folding else {"test_size": sizes.test_size}
    if name == "temporal":
        options["times"] = find_times(data)
    known = {"corpus": ready.get("corpus"), "vectors": None if name == "wasserstein" else ready.get("vectors")}
    seeds = range(random_state, random_state + (sizes.n_draws if name in DRAWN_OFTEN else 1))

    def draw_all(together: object) -> list[RowSplit]:
        rows = [split for seed in seeds for split in draw(name, together, known, random_state=seed, **options)]
        return [replace(split, fold=number) for number, split in enumerate(rows, start=1)] if len(seeds) > 1 else rows

    try:
        return draw_all(groups), None
    except AssayError as error:
        if groups is None:
            raise
        reason = error.fact.removesuffix(".")
    return draw_all(None), f"The {name} split divides groups, because it cannot keep them whole: {reason}."


def find_times(data: Dataset) -> Any:
    """Return the dates of the items, or raise an error if the data has none."""
    if data.times is None:
        raise AssayError("there is no column with dates", place=data.name, hint="Name it with {time}.")
    return data.times
