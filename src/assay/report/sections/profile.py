"""What is in the data."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.base.numbers import format_interval, format_number, is_missing
from assay.report.chapter import Chapter, Fact, Table, Values, fact, share, within


def facts(result: Values) -> Iterator[Fact | None]:
    """Yield sizes, length, copies and leaks."""
    yield fact("Items", result.get("n_items"), "Rows of the file. Exact.")
    yield fact("Labels", len(result.get("labels") or {}) or None, "Different labels. Exact.")
    yield fact("Label entropy (nats)", result.get("label_entropy"), "Of the label shares of all items. Exact.")
    yield mean_length(within(result, "length"))
    yield share(
        "Repeated items", result.get("within"), "Items whose text stands before in the same part, word for word."
    )
    yield share("Copies with another label", result.get("conflicts"), "Equal texts that carry different labels.")
    for leak in result.get("leaks") or []:
        kind = "Exact" if leak.get("kind") == "exact" else "Near"
        how = "Word for word." if kind == "Exact" else "Jaccard similarity of word shingles of 0.8 or more."
        yield share(f"{kind} copies of train in {leak.get('part')}", leak, how)


def mean_length(found: Values | None) -> Fact | None:
    """Say how long texts are, with the normal interval of the mean."""
    if found is None or is_missing(found.get("mean")) or not found.get("n"):
        return None
    half = 1.96 * (found.get("std") or 0.0) / math.sqrt(found["n"])
    told = format_interval(found["mean"], found["mean"] - half, found["mean"] + half)
    return Fact(
        "Words a text",
        told,
        f"Mean over {format_number(found['n'])} texts, 95 % normal interval; median {format_number(found.get('median'))}.",
    )


def tables(result: Values) -> Iterator[Table]:
    """Yield the features of paper 000."""
    features = result.get("features") or {}
    parts = [part for part in ("all", "train", "test", "interaction") if part in features]
    if not parts:
        return
    names = list(dict.fromkeys(name for part in parts for name in features[part]))
    reasons, spans = features.get("reasons") or {}, features.get("intervals") or {}
    rows = [
        [name.replace("_", " ")] + [_cell(features[part].get(name), spans.get(f"{part}.{name}")) for part in parts]
        for name in names
        if name not in reasons
    ]
    left = "; ".join(f"{name.replace('_', ' ')}: {why}" for name, why in reasons.items())
    how = "Features of paper 000, section 5. Computed from all texts, hence exact, but for those with an interval."
    yield Table("Features", ["feature", *parts], rows, how + (f" Left out: {left}." if left else ""))


def _cell(value: object, span: Values | None) -> str:
    return format_interval(value, within(span, "low"), within(span, "high"))


PROFILE = Chapter("profile", "What is in it", "Labels, lengths, words, copies and leaks.", facts, tables)
