"""Which rows to learn from and which to test on: the rules for missing parts, and for rows held out at random."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError

if TYPE_CHECKING:
    import polars as pl

    from assay.data.dataset import Dataset

TEST_SHARE = 0.2


@dataclass(frozen=True)
class PartRows:
    """Row numbers to train on, to choose a model by (there may be none) and to test on."""

    train: Array = field(repr=False)
    dev: Array = field(repr=False)
    test: Array = field(repr=False)


def select_part_rows(parts: Sequence[str | None] | pl.Series, *, train: str = "train", test: str = "test") -> PartRows:
    """Return the rows of the parts that serve as train and test, and those of dev if it is neither.

    >>> rows = select_part_rows(["train", "dev", "train", None], test="dev")
    >>> rows.train.tolist(), rows.dev.tolist(), rows.test.tolist()
    ([0, 2], [], [1])
    """
    names = np.asarray(parts, dtype=object)
    dev = np.flatnonzero(names == "dev") if "dev" not in (train, test) else np.arange(0)
    return PartRows(np.flatnonzero(names == train), dev, np.flatnonzero(names == test))


def choose_parts(
    names: Collection[str], *, train: Sequence[str] = ("train", "dev"), test: Sequence[str] = ("test", "dev")
) -> tuple[str, str] | None:
    """Return the parts to train and to test on, None if there are no two: dev takes the place of a missing one.

    >>> choose_parts(["dev", "test", "train"]), choose_parts(["dev", "train"]), choose_parts(["dev", "test"])
    (('train', 'test'), ('train', 'dev'), ('dev', 'test'))
    >>> choose_parts(["test"]) is choose_parts(["dev", "test"], train=["train"]) is None
    True
    """
    train_part = next((name for name in train if name in names), None)
    test_part = next((name for name in test if name in names and name != train_part), None)
    return None if train_part is None or test_part is None else (train_part, test_part)


def find_reference_part(names: Collection[str]) -> str | None:
    """Return the part that systems learn from, None if there is no other part to test on.

    >>> find_reference_part(["test", "train"]), find_reference_part(["dev", "test"]), find_reference_part(["train"])
    ('train', 'dev', None)
    """
    name = "train" if "train" in names else (choose_parts(names) or (None,))[0]
    return name if len(names) > 1 else None


def split_train_test(data: Dataset, random_state: int = 0) -> tuple[PartRows, str | None]:
    """Return the rows of train, test and dev, and a note if they are not what those names say."""
    chosen = choose_parts(data.part_names)
    if chosen is not None:
        assert data.parts is not None
        rows = select_part_rows(data.parts, train=chosen[0], test=chosen[1])
        replaced = next((part for part, name in zip(("train", "test"), chosen, strict=True) if part != name), None)
        return rows, f"There is no {replaced} part: dev takes its place." if replaced else None
    part = next((name for name in ("train", "dev", "test") if name in data.part_names), None)
    pool = np.arange(len(data))
    if part is not None:
        assert data.parts is not None
        pool = np.flatnonzero((data.parts == part).fill_null(value=False).to_numpy())
    if len(pool) < 2:
        fact = f"{len(pool)} row{'s' if len(pool) != 1 else ''}: too few to split into train and test"
        raise AssayError(fact, place=data.name)
    labels = None if data.labels is None else data.labels.gather(pool)
    train, test = hold_out_fifth(labels, len(pool), random_state)
    fact = f"There is only a {part} part" if part else "There are no parts"
    note = f"{fact}: train and test are a stratified split of 80 to 20 (seed {random_state})."
    return PartRows(pool[train], pool[:0], pool[test]), note


def hold_out_fifth(labels: pl.Series | None, n: int, random_state: int = 0) -> tuple[Array, Array]:
    """Draw a fifth of every label, rows in order; labels share the rounding so that the whole is a fifth.

    >>> import polars as pl
    >>> [rows.tolist() for rows in hold_out_fifth(pl.Series(list("aaaaabbbbb")), 10)]
    [[0, 1, 2, 4, 6, 7, 8, 9], [3, 5]]
    """
    random = np.random.default_rng(random_state)
    strata = np.zeros(n, dtype=np.int64) if labels is None else _number_labels(labels)
    shuffled = random.permutation(n)
    by_label = shuffled[np.argsort(strata[shuffled], kind="stable")]
    # Every fifth row along the shuffled labels, from a random start: each label gives its share, to one row.
    step = round(1 / TEST_SHARE)
    start = int(random.integers(min(step, n)))
    is_test = np.zeros(n, dtype=bool)
    is_test[by_label[start::step]] = True
    return np.flatnonzero(~is_test), np.flatnonzero(is_test)


def draw_per_class(codes: Array, count: Callable[[int], int], random: np.random.Generator) -> Array:
    """Draw `count(size)` of the rows of every class and return them as a mask; every stratified draw goes through here.

    >>> draw_per_class(np.array([0, 0, 0, 0, 1, 1]), lambda size: size // 2, np.random.default_rng(0)).tolist()
    [True, False, True, False, False, True]
    """
    is_drawn = np.zeros(len(codes), dtype=bool)
    for code in np.unique(codes):
        members = np.flatnonzero(codes == code)
        is_drawn[random.permutation(members)[: count(len(members))]] = True
    return is_drawn


def hold_out_per_class(codes: Array, share: float, random_state: int) -> Array:
    """Draw a share of every class, halves rounded up, and return it as a mask; one row of each class is kept.

    If no class is large enough, one row of the largest is drawn.

    >>> hold_out_per_class(np.array([0] * 8 + [1] * 8 + [2]), 0.125, random_state=0).sum()
    np.int64(2)
    """
    random = np.random.default_rng(random_state)
    is_drawn = draw_per_class(codes, lambda size: min(round(share * size + 1e-9), size - 1), random)
    if not is_drawn.any() and share > 0 and len(codes) > len(np.unique(codes)):
        largest = np.bincount(codes).argmax()
        is_drawn[random.permutation(np.flatnonzero(codes == largest))[0]] = True
    return is_drawn


def sample_per_class(codes: Array, rows: Array, size: int, random_state: int) -> Array:
    """Draw about `size` of some rows so that every class keeps its share, at least two of each if there are two."""
    random = np.random.default_rng(random_state)
    is_drawn = draw_per_class(codes[rows], lambda count: max(2, round(size * count / len(rows))), random)
    return np.sort(rows[is_drawn])


def _number_labels(labels: pl.Series) -> Array:
    """Number the labels in their sorted order, the missing one last."""
    import polars as pl

    names: list[Any] = labels.drop_nulls().unique().sort().to_list()
    numbers = {name: number for number, name in enumerate(names)}
    if not numbers:
        return np.zeros(len(labels), dtype=np.int64)
    codes = labels.replace_strict(numbers, default=len(numbers), return_dtype=pl.Int64)
    return np.asarray(codes.fill_null(len(numbers)).to_numpy())
