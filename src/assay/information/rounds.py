"""Which rows models learn from, are chosen on and are measured on: one round by parts, several without them."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.data.hold_out import PartRows, choose_parts, draw_per_class, select_part_rows

DEV_SHARE = 0.125


def plan_rounds(
    codes: Array, parts: object = None, groups: object = None, n_splits: int = 5, random_state: int = 0
) -> list[PartRows]:
    """Return train, dev and test by the parts, or cross-fitting rounds if there are none.

    Without a dev part, an eighth of the training rows of every class is set aside; without a test part, dev is
    measured. Groups are never divided.
    """
    names = np.asarray(parts, dtype=object) if parts is not None else np.array([None] * len(codes))
    chosen = choose_parts(set(names.tolist()), train=("train",))
    if chosen is None:
        return _cross_fit(codes, groups, n_splits, random_state)
    rows = select_part_rows(names.tolist(), train=chosen[0], test=chosen[1])
    return [rows if len(rows.dev) else _set_dev_aside(rows.train, rows.test, codes, groups, random_state)]


def _cross_fit(codes: Array, groups: object, n_splits: int, random_state: int) -> list[PartRows]:
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    smallest = int(np.bincount(codes).min())
    if len(codes) < 2 * n_splits:
        raise AssayError(f"{len(codes)} labelled items are too few for {n_splits} folds.")
    kind = StratifiedKFold if groups is None else StratifiedGroupKFold
    splitter = kind(n_splits, shuffle=True, random_state=random_state)
    strata = codes if smallest >= n_splits else np.zeros_like(codes)  # rare labels cannot be spread over all folds
    folds = splitter.split(np.zeros(len(codes)), strata, groups)
    return [_set_dev_aside(train, test, codes, groups, random_state + 1) for train, test in folds]


def _set_dev_aside(train: Array, test: Array, codes: Array, groups: object, random_state: int) -> PartRows:
    rng = np.random.default_rng(random_state)
    if groups is None:
        is_dev = draw_per_class(codes[train], lambda size: round(DEV_SHARE * size), rng)
    else:
        names = np.unique(np.asarray(groups)[train])
        drawn = rng.permutation(names)[: max(1, round(DEV_SHARE * len(names)))]
        is_dev = np.isin(np.asarray(groups)[train], drawn)
    if not is_dev.any():
        raise AssayError(f"{len(train)} training items are too few to set some aside for choosing a model.")
    return PartRows(train[~is_dev], train[is_dev], test)
