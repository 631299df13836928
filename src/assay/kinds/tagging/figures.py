"""Figures of a tagged dataset: tags, entities, how many of them training has, and broken sequences."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from assay.kinds.facts import UNSEEN_ENTITIES, Distribution, Figure, KindProfile, count_defect
from assay.kinds.tagging.entities import has_entities, list_entities, list_surfaces

if TYPE_CHECKING:
    from assay.data import Dataset

MAX_SHOWN_TAGS = 100


def describe_tags(data: Dataset) -> KindProfile:
    """Return figures, tags and types of entities by frequency, and sentences whose tags are broken."""
    sequences = [tags or [] for tags in data.fields["tags"].to_list()]
    tags = Counter(tag for row in sequences for tag in row)
    tokens = data.fields["tokens"].to_list()
    figures = [Figure("tokens", sum(map(len, tokens))), Figure("tags", len(tags))]
    distributions = [Distribution("tokens per tag", dict(_sort(tags)[:MAX_SHOWN_TAGS]))]
    if not has_entities(data):
        constant = count_defect(
            "one tag only",
            "have no other tag than all others have",
            "Check that the column of tags is the right one: there is nothing to find.",
            [len(tags) == 1] * len(sequences),
            data.ids.to_list(),
        )
        return KindProfile(tuple(figures), tuple(distributions), tuple(constant))
    spans = list_entities(sequences)
    kinds = Counter(kind for row in spans for _, _, kind in row)
    figures.append(Figure("entities", sum(kinds.values())))
    figures += _count_unseen(data)
    distributions.append(Distribution("entities per type", dict(_sort(kinds))))
    broken = count_defect(
        "broken tag sequences",
        "have an entity that begins with I- although others begin with B-",
        "Correct the first tag of these entities: scorers differ in how they count them.",
        _mark_broken(sequences) if any(tag.startswith("B-") for tag in tags) else [False] * len(sequences),
        data.ids.to_list(),
    )
    return KindProfile(tuple(figures), tuple(distributions), tuple(broken))


def _sort(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _count_unseen(data: Dataset) -> list[Figure]:
    """Return the share of entities of each other part that are not an entity of training."""
    if "training entities" not in data.attachments:
        return []
    known = set(data.attachments["training entities"]["entity"].to_list())
    figures = []
    for part in data.part_names:
        if part != "train":
            texts = [text for row in list_surfaces(data.part(part)) for text in row]
            share = sum(text not in known for text in texts) / len(texts) if texts else float("nan")
            figures.append(Figure(f"{UNSEEN_ENTITIES}{part}", share, is_share=True))
    return figures


def _mark_broken(sequences: list[list[str]]) -> list[bool]:
    """Mark sequences in which I- follows O, or another type."""
    marks = []
    for tags in sequences:
        pairs = zip(["O", *tags], tags, strict=False)
        marks.append(any(now.startswith(("I-", "E-")) and before[2:] != now[2:] for before, now in pairs))
    return marks
