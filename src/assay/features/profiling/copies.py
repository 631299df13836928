"""Which items are copies, of what, and under which label."""

from __future__ import annotations

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.data import Dataset
from assay.data.columns.shared_strings import share_strings
from assay.data.hold_out import find_reference_part
from assay.features.labelled_texts import code_labels
from assay.features.profiling.duplicates import mark_conflicts, mark_repeated, number_parts
from assay.features.profiling.overlaps import fill_parts, list_row_parts
from assay.kinds import kind_of
from assay.text import Corpus, most_similar_members, near_matches

MAX_GRADE_GAP = 0.2  # of the range of all grades, between copies that do not conflict
DIFFERING_SHARE = 0.9  # of the groups of copies with different labels, in which a column differs
MIN_WORDS = 4  # of an item whose copies count if its answer is not a class


def mark_copies(data: Dataset, corpus: Corpus, exact: Array, near: Array) -> dict[str, Array]:
    """Mark items with a copy in their own part (from the second on), a copy in training, or a conflicting label.

    `corpus` has the words of whole items, `exact` and `near` the groups of copies. A near copy of a training item with
    another class is not a leak but a contrast: a system that repeats the answer is wrong. If answers are not classes,
    items of a few words recur without being copied.
    """
    parts = list_row_parts(data)
    codes = code_labels(kind_of(data).gold.get_unique_gold(data), len(data))[0]
    train = parts == find_reference_part(data.part_names)
    keys = exact + (int(exact.max(initial=-1)) + 1) * number_parts(fill_parts(data))[1]
    _, firsts = np.unique(keys, return_index=True)
    repeated = np.ones(len(data), bool)
    repeated[firsts] = False
    leak = np.full(len(data), None, dtype=object)
    others = np.flatnonzero(~train)
    leak[others[near_matches(corpus, others, np.flatnonzero(train), groups=near, close=True)]] = "near"
    leak[np.isin(exact, exact[train]) & ~train] = "exact"
    gold = kind_of(data).gold
    if gold.has_grades and data.labels is not None:
        conflicting = mark_distant(exact, data.labels.cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy())
    else:
        conflicting = mark_conflicts(exact, codes if (codes >= 0).any() else None)
    originals = find_first_members(exact, train)
    near_rows = np.flatnonzero(leak == "near")
    originals[near_rows] = most_similar_members(corpus, near_rows, np.flatnonzero(train), near)
    if gold.has_classes:
        known = (codes[near_rows] >= 0) & (codes[originals[near_rows]] >= 0)
        leak[near_rows[known & (codes[near_rows] != codes[originals[near_rows]])]] = "contrast"
    elif not gold.has_grades:
        leak[np.asarray(corpus.lengths) < MIN_WORDS] = None
    contrast = leak == "contrast"
    leak[contrast] = None
    others = find_first_members(np.unique(keys, return_inverse=True)[1], np.ones(len(data), bool))
    is_copy = (leak == None) & repeated  # noqa: E711, numpy compares item by item
    originals[is_copy] = others[is_copy]
    is_conflict = (leak == None) & conflicting  # noqa: E711
    originals[is_conflict] = find_conflicting_members(exact, codes, np.flatnonzero(conflicting))[
        is_conflict[conflicting]
    ]
    has_original = (originals >= 0) & ((leak != None) | is_copy | is_conflict)  # noqa: E711
    copy_of = np.full(len(data), None, dtype=object)
    copy_of[has_original] = data.ids.gather(originals[has_original]).to_list()
    return {
        "leak": leak,
        "contrast": contrast,
        "copy": repeated,
        "near_copy": mark_repeated(near),
        "conflicting": conflicting,
        "copy_label": find_majority_labels(data, exact),
        "copy_of": copy_of,
    }


def find_differing_columns(data: Dataset, conflicting: Array, groups: Array) -> tuple[str, ...]:
    """Return the unused columns of texts or objects that differ in nearly all groups of copies with different labels.

    Such a column may be a part of the input that the data is read without. Codes, and names of the label, do not count.
    """
    rows = np.flatnonzero(conflicting)
    if not len(rows) or data.labels is None:
        return ()
    own, labels = pl.Series("group", groups[rows]), data.labels.gather(rows)
    names = []
    for name in data.unused:
        cells = data.column(name).gather(rows).fill_null("")
        if not _holds_texts(cells) or cells.n_unique() <= labels.n_unique():
            continue
        frame = pl.DataFrame([own, cells.str.to_lowercase().str.replace_all(r"\s+", " ").alias("cell")])
        differs = frame.group_by("group").agg(pl.col("cell").n_unique() > 1)["cell"]
        if float(differs.mean() or 0) >= DIFFERING_SHARE:  # type: ignore[arg-type]
            names.append(name)
    return tuple(names)


def _holds_texts(cells: pl.Series) -> bool:
    """Return whether most cells that are not empty have several words, or are lists or objects."""
    if cells.dtype != pl.String:
        return False
    known = cells.filter(cells != "")
    return len(known) > 0 and float(known.str.contains(r"^\s*[\[{]|\S\s+\S").mean() or 0) > 0.5  # type: ignore[arg-type]


def mark_distant(groups: Array, grades: Array) -> Array:
    """Mark the rows of groups whose grades differ by more than a fifth of the range of all grades; nan is not a grade.

    >>> mark_distant(np.array([0, 0, 1, 1, 2]), np.array([1.0, 1.2, 1.0, 4.0, 5.0])).tolist()
    [False, False, True, True, False]
    """
    known = np.isfinite(grades)
    marks = np.zeros(len(grades), bool)
    if not known.any():
        return marks
    n_groups = int(groups.max()) + 1
    lowest, highest = np.full(n_groups, np.inf), np.full(n_groups, -np.inf)
    np.minimum.at(lowest, groups[known], grades[known])
    np.maximum.at(highest, groups[known], grades[known])
    limit = MAX_GRADE_GAP * (grades[known].max() - grades[known].min())
    marks[known] = (highest - lowest)[groups[known]] > limit
    return marks


def find_first_members(groups: Array, allowed: Array) -> Array:
    """Return, for every row, the first allowed row of its group, −1 if there is none.

    >>> find_first_members(np.array([0, 0, 1]), np.array([False, True, False])).tolist()
    [1, 1, -1]
    """
    rows = np.flatnonzero(allowed)
    first = np.full(int(groups.max()) + 1 if len(groups) else 0, -1)
    first[groups[rows[::-1]]] = rows[::-1]
    return np.asarray(first[groups])


def find_conflicting_members(groups: Array, codes: Array, rows: Array) -> Array:
    """Return, for some rows, the first row of its group with another label, −1 if there is none.

    >>> find_conflicting_members(np.array([0, 0, 0]), np.array([1, 1, 2]), np.array([0, 1, 2])).tolist()
    [2, 2, 0]
    """
    labels: dict[int, dict[int, int]] = {}  # by group, the first row of each label
    for row in rows.tolist():
        if codes[row] >= 0:
            labels.setdefault(int(groups[row]), {}).setdefault(int(codes[row]), row)
    members = []
    for row in rows.tolist():
        known = labels.get(int(groups[row]), {})
        members.append(next((other for code, other in known.items() if code != codes[row]), -1))
    return np.array(members, dtype=np.int64)


def find_majority_labels(data: Dataset, groups: Array) -> Array:
    """Return, for every item, the label that most of its exact copies have; None if no label leads."""
    labels = np.full(len(data), None, dtype=object)
    if data.labels is None:
        return labels
    repeated = mark_repeated(groups)
    labels[~repeated] = share_strings(data.labels)[~repeated]
    rows = np.flatnonzero(repeated)
    table = pl.DataFrame({"group": groups[rows], "label": data.labels.gather(rows), "row": rows}).drop_nulls("label")
    counts = table.group_by("group", "label").len("n").sort("group", "n", descending=[False, True])
    best = counts.group_by("group", maintain_order=True).agg(
        pl.col("label").first(), lead=pl.col("n").first() - pl.col("n").slice(1, 1).first().fill_null(0)
    )
    leading = table.select("group", "row").join(best.filter(pl.col("lead") > 0), on="group")
    labels[leading["row"].to_numpy()] = leading["label"].to_list()
    return labels
