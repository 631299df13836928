"""Tables and sentences of splits and of their comparison: sizes, differences between the parts, and a summary."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from assay.splits.comparison.divergence import Divergence
from assay.splits.comparison.measuring import MEASURES
from assay.splits.comparison.part_summary import PartSummary
from assay.splits.comparison.split_comparison import SplitComparison
from assay.splits.dataset_split import SplitPart, SplitResult
from assay.views.blocks import Block, Column, Sentence, Table, Value, format_value, make_table
from assay.views.values import Interval
from assay.wording.sentences import count_noun

MAX_LABELS = 8  # whose shares are columns
FACTS = {"domain_accuracy": "domain classifier (accuracy)", "within_variance": "within-part variance"}


def show_split(result: SplitResult) -> Iterator[Block]:
    """Yield the size of every part, what the method reports, and how many rows the parts have."""
    has_repeats = len(result.draws) > 1
    columns: dict[str | Column, Callable[[Any], Value]] = {
        **({"repeat": lambda size: size.repeat} if has_repeats else {}),
        "part": lambda size: size.part,
        "requested": lambda size: size.requested,
        "rows": lambda size: size.n,
        Column("share", "rounded:3"): lambda size: size.share,
    }
    for label in list(result.sizes[0].labels)[:MAX_LABELS]:
        columns[Column(label, "rounded:3")] = partial(_get_share, label=label)
    title = f"{result.method} split: rows, and shares of labels"
    yield from make_table(title, result.sizes, columns, is_main=True)
    details = [row.to_dict() for row in result.details]
    if details[0]:
        names = [name.removeprefix("n_").replace("_", " ") for name in details[0]]
        rows = [[*([repeat] if has_repeats else []), *row.values()] for repeat, row in enumerate(details)]
        yield Table("Quality of the folds", [*(["repeat"] if has_repeats else []), *names], rows)
    yield Sentence(write_split_verdict(result), is_verdict=True)


def _get_share(size: SplitPart, label: str) -> float:
    return size.labels[label]


def _get_part_share(row: tuple[str, PartSummary], label: str) -> float:
    return row[1].labels[label]


def write_split_verdict(result: SplitResult) -> str:
    """Say how many rows each part has, in the first repeat."""
    first = [size for size in result.sizes if size.repeat == 0]
    repeats = f", drawn {len(result.draws)} times" if len(result.draws) > 1 else ""
    rows = count_noun(len(result.ids), "row")
    return f"The {result.method} split of {rows}{repeats}: {_describe_sizes(first)}."


def _describe_sizes(parts: list[SplitPart]) -> str:
    if not all(part.part.isdigit() for part in parts):
        return ", ".join(f"{part.part} {part.n:,}" for part in parts)
    smallest, largest = min(part.n for part in parts), max(part.n for part in parts)
    sizes = f"{smallest:,}" if smallest == largest else f"{smallest:,} to {largest:,}"
    return f"{count_noun(len(parts), 'fold')} of {sizes} rows"


def show_comparison(splits: Mapping[str, SplitComparison]) -> Iterator[Block]:
    """Yield the parts of every split, how far they differ, and which differences are beyond random splits."""
    for name, split in splits.items():
        yield from show_parts(split, name)
    yield show_divergence(splits)
    yield Sentence(write_comparison_verdict(splits), is_verdict=True)


def show_parts(split: SplitComparison, title: str) -> Iterator[Block]:
    """Yield the sizes and lengths of the parts, and the words that are typical of each."""
    parts = list(split.parts.items())
    columns: dict[str | Column, Callable[[Any], Value]] = {
        "part": lambda row: row[0],
        "rows": lambda row: row[1].n,
        Column("share", "rounded:3"): lambda row: row[1].share,
    }
    for label in list(parts[0][1].labels)[:MAX_LABELS]:
        columns[Column(label, "rounded:3")] = partial(_get_part_share, label=label)
    columns["words per text"] = lambda row: row[1].length_mean
    columns["vocabulary"] = lambda row: row[1].n_words
    if any(math.isfinite(part.within_variance) for _, part in parts):
        columns["variance"] = lambda row: row[1].within_variance
    yield from make_table(title, parts, columns, "Counted, so exact.")
    if any(part.typical_words for _, part in parts):
        words: dict[str | Column, Callable[[Any], Value]] = {
            "part": lambda row: row[0],
            "words": lambda row: ", ".join(row[1].typical_words) or None,
        }
        method = "The words most typical of a part compared with the others. Not a number, so no interval."
        yield from make_table(f"{title}: typical words", parts, words, method, shows_words=True)


def show_divergence(splits: Mapping[str, SplitComparison]) -> Table:
    """Return a table with one row per measure and one column per split: the value, and the range of random splits."""
    known = [name for name in MEASURES if any(name in split.divergence for split in splits.values())]
    rows: list[list[Value]] = [
        [MEASURES[name], *(_bound(split.divergence.get(name)) for split in splits.values())] for name in known
    ]
    rows += [[title, *(getattr(split, name) for split in splits.values())] for name, title in FACTS.items()]
    for name, title in {"exact": "exact duplicates across", "near": "near-duplicates across"}.items():
        counts = [None if split.leaks is None else getattr(split.leaks, name) for split in splits.values()]
        rows += [[title, *counts]] if any(count is not None for count in counts) else []
    title = "Between the parts: value [95% of random splits]"
    return Table(title, ["measure", *splits], rows, is_main=True)


def _bound(divergence: Divergence | None) -> Value:
    if divergence is None:
        return None
    return Interval(divergence.value, divergence.null.low, divergence.null.high, method=divergence.null.method)


def mark_divergence(divergence: Divergence | None) -> str:
    """Write a measure with a star if it is beyond random splits."""
    if divergence is None or not math.isfinite(divergence.value):
        return ""
    return f"{format_value(divergence.value, 'rounded:2')}{' *' if divergence.is_beyond_null else ''}"


def write_comparison_verdict(splits: Mapping[str, SplitComparison]) -> str:
    """Say in how many measures the parts of each split differ from random splits."""
    sentences = []
    for name, split in splits.items():
        known = {measure: row for measure, row in split.divergence.items() if math.isfinite(row.null.low)}
        beyond = [MEASURES[measure] for measure, row in known.items() if row.is_beyond_null]
        names = f": {', '.join(beyond)}" if beyond else ""
        sentences += (
            [f"{name}: {len(beyond)} of {len(known)} measures are beyond random splits{names}."] if known else []
        )
    return " ".join(sentences) or "The parts were not compared with random splits."
