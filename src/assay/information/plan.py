"""Who learns from what: one round for given parts, several that cover all items without them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.base.errors import AssayError
from assay.data.hold_out import PartRows, choose_parts, draw_per_class, select_part_rows

Rows = NDArray[np.int64]
DEV_SHARE = 0.125


def rounds(
    codes: Rows, parts: Any = None, groups: Any = None, n_folds: int = 5, random_state: int = 0
) -> list[PartRows]:
    """Plan the rounds: train, dev and test as the parts say, or cross-fitting when there are none.

    Without a dev part, an eighth of the training rows of every class serves; without a test part, dev is measured.
    Groups are never cut.
    """
    names = np.asarray(parts, dtype=object) if parts is not None else np.array([None] * len(codes))
    chosen = choose_parts(set(names.tolist()), train=("train",))
    if chosen is None:
        return _cross_fitted(codes, groups, n_folds, random_state)
    rows = select_part_rows(names.tolist(), train=chosen[0], test=chosen[1])
    return [rows if len(rows.dev) else _with_dev(rows.train, rows.test, codes, groups, random_state)]


def _cross_fitted(codes: Rows, groups: Any, n_folds: int, random_state: int) -> list[PartRows]:
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    smallest = int(np.bincount(codes).min())
    if len(codes) < 2 * n_folds:
        raise AssayError(f"{len(codes)} labelled items are too few to hold {n_folds} folds out.")
    kind = StratifiedKFold if groups is None else StratifiedGroupKFold
    splitter = kind(n_folds, shuffle=True, random_state=random_state)
    strata = codes if smallest >= n_folds else np.zeros_like(codes)  # rare labels cannot be spread over all folds
    cuts = splitter.split(np.zeros(len(codes)), strata, groups)
    return [_with_dev(train, test, codes, groups, random_state + 1) for train, test in cuts]


def _with_dev(train: Rows, test: Rows, codes: Rows, groups: Any, random_state: int) -> PartRows:
    draw = np.random.default_rng(random_state)
    if groups is None:
        dev = draw_per_class(codes[train], lambda size: round(DEV_SHARE * size), draw)
    else:
        names = np.unique(np.asarray(groups)[train])
        drawn = draw.permutation(names)[: max(1, round(DEV_SHARE * len(names)))]
        dev = np.isin(np.asarray(groups)[train], drawn)
    if not dev.any():
        raise AssayError(f"{len(train)} training items are too few to set some aside for choosing a model.")
    return PartRows(train[~dev], train[dev], test)
