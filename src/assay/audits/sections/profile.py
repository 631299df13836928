"""What is in the data: labels, lengths, words, copies, leaks, odd texts."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from assay.audits.case import Case
from assay.audits.drift import compared_parts
from assay.audits.finding import MOST_IDS
from assay.audits.section import Measure, Measured
from assay.audits.word_places import label_shares_of_words
from assay.base.arrays import Array
from assay.data import Dataset
from assay.features.duplicates import conflicting, several
from assay.features.part import label_codes
from assay.features.profile import profile
from assay.text import Corpus, exact_duplicates, near_duplicates, near_matches

N_BINS = 20
MOST_SHOWN = 12  # labels in charts


def measure(case: Case) -> Measured:
    """Profile the data and mark the items that have copies, in their own part or across parts."""
    data = case.data.filled()
    found = profile(data, random_state=case.settings.random_state)
    copies = copy_marks(data)
    result = found.to_dict()
    result["leaks"] = leak_counts(data, copies)
    result["group_leaks"] = group_leaks(data)
    result["within"] = mark_count(data, copies["copy"])
    result["conflicts"] = mark_count(data, copies["conflicting"])
    result["parts_labels"] = part_labels(data)
    result["word_shares"] = label_shares_of_words(data)
    result["charts"] = charts(data, result)
    leak = pl.Series("leak", copies.pop("leak").tolist(), dtype=pl.String)
    return Measured(result, pl.DataFrame({"id": data.ids, "leak": leak, **copies}))


def copy_marks(data: Dataset) -> dict[str, Array]:
    """Mark items with a copy in their own part (from the second on), a copy in training, or a conflicting label."""
    corpus = Corpus.from_texts(data.texts)
    exact, near = exact_duplicates(data.texts), near_duplicates(corpus)
    parts = part_names(data)
    codes = label_codes(data.labels, len(data))[0]
    train = parts == learnt_from(data)
    keys = np.array([f"{part}\t{group}" for part, group in zip(parts.tolist(), exact.tolist(), strict=True)])
    _, firsts = np.unique(keys, return_index=True)
    again = np.ones(len(data), bool)
    again[firsts] = False
    leak = np.full(len(data), None, dtype=object)
    others = np.flatnonzero(~train)
    leak[others[near_matches(corpus, others, np.flatnonzero(train), groups=near)]] = "near"
    leak[np.isin(exact, exact[train]) & ~train] = "exact"
    return {
        "leak": leak,
        "copy": again,
        "near_copy": several(near, None),
        "conflicting": conflicting(exact, codes if (codes >= 0).any() else None),
    }


def part_names(data: Dataset) -> Array:
    """Return the part of every row, "" where there is none."""
    if data.parts is None:
        return np.full(len(data), "", dtype=object)
    return np.array(["" if part is None else part for part in data.parts], dtype=object)


def learnt_from(data: Dataset) -> str | None:
    """Name the part that systems learn from, if there is another to ask them on."""
    named = "train" if "train" in data.part_names else (compared_parts(data.part_names) or (None,))[0]
    return named if len(data.part_names) > 1 else None


def asked_on(data: Dataset) -> list[str]:
    """Name the other parts, test first; none where there is no part to learn from."""
    learnt = learnt_from(data)
    others = [name for name in data.part_names if name != learnt] if learnt else []
    return sorted(others, key=lambda name: name != "test")


def leak_counts(data: Dataset, copies: dict[str, Array]) -> list[dict[str, Any]]:
    """Count, for every other part, the items with an exact or a near copy in train (dev, where there is no train)."""
    parts, learnt = part_names(data), learnt_from(data)
    rows: list[dict[str, Any]] = []
    for part in asked_on(data):
        for kind in ("exact", "near"):
            marked = (parts == part) & (copies["leak"] == kind)
            ids = data.ids.gather(np.flatnonzero(marked)[:MOST_IDS]).to_list()
            counts = {"count": int(marked.sum()), "n": int((parts == part).sum())}
            rows.append({"part": part, "of": learnt, "kind": kind, **counts, "ids": ids})
    return rows


def group_leaks(data: Dataset) -> list[dict[str, Any]]:
    """Count, for every other part, the items whose group stands in train (dev, where there is no train)."""
    learnt = learnt_from(data)
    if data.groups is None or data.parts is None or learnt is None:
        return []
    known = data.groups.filter(data.parts == learnt).drop_nulls().unique()
    shared = data.groups.is_in(known.to_list()).fill_null(value=False)
    rows = []
    for part in asked_on(data):
        here = (data.parts == part).fill_null(value=False)
        groups, ids = data.groups.filter(here & shared), data.ids.filter(here & shared)
        counts = {"count": len(groups), "n": int(here.sum()), "n_groups": groups.n_unique()}
        first = groups[0] if len(groups) else None
        rows.append({"part": part, "of": learnt, **counts, "group": first, "ids": ids.head(MOST_IDS).to_list()})
    return rows


def mark_count(data: Dataset, mark: Array) -> dict[str, Any]:
    """Count marked items and name a few."""
    return {
        "count": int(mark.sum()),
        "n": len(mark),
        "ids": data.ids.gather(np.flatnonzero(mark)[:MOST_IDS]).to_list(),
    }


def part_labels(data: Dataset) -> list[dict[str, Any]]:
    """Count labels by part."""
    if data.labels is None:
        return []
    parts = pl.Series("part", part_names(data).tolist(), dtype=pl.String)
    table = pl.DataFrame({"label": data.labels, "part": parts}).drop_nulls("label")
    return table.group_by("label", "part").len("count").sort("label", "part").to_dicts()


def charts(data: Dataset, result: dict[str, Any]) -> dict[str, Any]:
    """Return the points of the charts: lengths in bins, labels by part, words tied to labels."""
    labels = list(result["labels"])[:MOST_SHOWN]
    words = [
        {"label": label, "word": word["word"], "z": word["z"]}
        for label in labels
        for word in result["label_words"].get(label, [])[:8]
    ]
    counts = [row for row in result["parts_labels"] if row["label"] in set(labels)]
    return {"length_histogram": length_bins(data, labels), "label_counts": counts, "words": words}


def length_bins(data: Dataset, labels: list[str]) -> list[dict[str, Any]]:
    """Count texts by length and label; the last bin holds everything beyond the 99th percentile."""
    lengths = np.asarray(Corpus.from_texts(data.texts).lengths)
    top = max(1, int(np.ceil(np.quantile(lengths, 0.99)))) if len(lengths) else 1
    edges = np.unique(np.linspace(0, top + 1, N_BINS + 1).round().astype(int))
    named = [None] * len(data) if data.labels is None else data.labels.to_list()
    names = np.array(["" if name is None else name for name in named], dtype=object)
    rows = []
    for label in labels or [""]:
        counts = np.histogram(np.minimum(lengths[names == label], top), bins=edges)[0]
        ends = zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)
        rows += [{"label": label, "low": low, "high": high, "count": count} for low, high, count in ends]
    return rows


PROFILE = Measure("profile", 2.0, measure)
