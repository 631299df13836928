"""Who learns from what: one round for given parts, several that cover all items without them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.base.errors import AssayError

Rows = NDArray[np.int64]
DEV_SHARE = 0.125


@dataclass(frozen=True)
class Round:
    """Rows to fit on, rows to choose and calibrate on, and held-out rows to measure."""

    train: Rows
    dev: Rows
    test: Rows


def rounds(codes: Rows, parts: Any = None, groups: Any = None, n_folds: int = 5, random_state: int = 0) -> list[Round]:
    """Plan the rounds: train, dev and test as the parts say, or cross-fitting when there are none.

    Without a dev part, an eighth of the training rows of every class serves; without a test part, dev is measured.
    Groups are never cut.
    """
    names = np.asarray(parts, dtype=object) if parts is not None else np.array([None] * len(codes))
    train, dev, test = (np.flatnonzero(names == name) for name in ("train", "dev", "test"))
    if len(train) and (len(test) or len(dev)):
        held_out = test if len(test) else dev
        if len(dev) and len(test):
            return [Round(train, dev, test)]
        return [_with_dev(train, held_out, codes, groups, random_state)]
    return _cross_fitted(codes, groups, n_folds, random_state)


def _cross_fitted(codes: Rows, groups: Any, n_folds: int, random_state: int) -> list[Round]:
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    smallest = int(np.bincount(codes).min())
    if len(codes) < 2 * n_folds:
        raise AssayError(f"{len(codes)} labelled items are too few to hold {n_folds} folds out.")
    kind = StratifiedKFold if groups is None else StratifiedGroupKFold
    splitter = kind(n_folds, shuffle=True, random_state=random_state)
    strata = codes if smallest >= n_folds else np.zeros_like(codes)  # rare labels cannot be spread over all folds
    cuts = splitter.split(np.zeros(len(codes)), strata, groups)
    return [_with_dev(train, test, codes, groups, random_state + 1) for train, test in cuts]


def _with_dev(train: Rows, test: Rows, codes: Rows, groups: Any, random_state: int) -> Round:
    draw = np.random.default_rng(random_state)
    if groups is None:
        dev = np.zeros(len(train), bool)
        for code in np.unique(codes[train]):
            members = np.flatnonzero(codes[train] == code)
            dev[draw.permutation(members)[: round(DEV_SHARE * len(members))]] = True
    else:
        names = np.unique(np.asarray(groups)[train])
        drawn = draw.permutation(names)[: max(1, round(DEV_SHARE * len(names)))]
        dev = np.isin(np.asarray(groups)[train], drawn)
    if not dev.any():
        raise AssayError(f"{len(train)} training items are too few to set some aside for choosing a model.")
    return Round(train[~dev], train[dev], test)
