"""Charts of the profile: labels, lengths, and words associated with labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from assay.checks.profile.results import ProfileEvidence
from assay.views.charts.base import (
    PERCENT,
    ROW_HEIGHT,
    TOOLTIP,
    Plot,
    chart,
    color_by,
    link_tooltip,
    set_size,
    sort_key,
    start_chart,
)
from assay.views.charts.outlines import draw_outlines
from assay.views.theme import BLUE
from assay.wording.characters import shorten_names
from assay.wording.numbers import format_number

MAX_LABELS = 12
MAX_PARTS = 6
MAX_PANELS = 8
MAX_WORDS = 8
OTHER = "(other labels)"


@dataclass(frozen=True)
class LabelBar:
    """The share of a label within a part."""

    label: str
    name: str
    part: str
    count: int
    share: float
    tooltip: str


@chart(
    "label_counts",
    section="profile",
    title="How many items has each label?",
    method="Counted over all labelled items of each part; shares are of all labels. Counts are exact, so they have no "
    "interval.",
    columns={"label": "label", "part": "part", "count": "items", "share": "share"},
)
def draw_label_counts(profile: ProfileEvidence) -> Plot | None:
    """Draw the share of each label within its part, so that parts of different size can be compared."""
    parts = sorted({row.part for row in profile.label_counts}, key=sort_key)[:MAX_PARTS]
    totals = {part: sum(row.count for row in profile.label_counts if row.part == part) for part in parts}
    labels = list(profile.data.labels)
    shown = labels if len(labels) <= MAX_LABELS else [*labels[: MAX_LABELS - 1], OTHER]
    counts = {(label, part): 0 for label in shown for part in parts}
    for row in profile.label_counts:
        if row.part in totals:
            counts[row.label if row.label in shown else OTHER, row.part] += row.count
    names = shorten_names(shown)
    bars = []
    for (label, part), count in counts.items():
        share = count / max(1, totals[part])
        text = f"{label}, {part or 'all'}: {format_number(count)} ({100 * share:.1f}%)"
        tooltip = text if label == OTHER else link_tooltip(text, label=label, **({"part": part} if part else {}))
        bars.append(LabelBar(label, names[label], part, count, share, tooltip))
    if not bars:
        return None
    whole = "part" if len(parts) > 1 else "items"
    figure = (
        start_chart(bars)
        .mark_bar()
        .encode(
            x=alt.X("share:Q", axis=alt.Axis(labelExpr=PERCENT, title=f"share of the {whole}")),
            y=alt.Y("name:N", sort=list(names.values()), title=None),
            yOffset=alt.YOffset("part:N", sort=parts),
            color=color_by("part", parts),
            description=TOOLTIP,
        )
    )
    return Plot(bars, set_size(figure, max(90, len(shown) * max(ROW_HEIGHT, 14 * len(parts)))))


@chart(
    "length_histogram",
    section="profile",
    title="How long are the texts?",
    method="Words (in scripts without spaces, characters) per text, both sides of a pair together. The last bin holds "
    "everything beyond the 99th percentile. "
    "Shares are of each label's own items, so that rare labels can be compared with common ones. Counts are exact.",
    columns={"label": "label", "low": "from", "high": "to", "count": "items"},
)
def draw_lengths(profile: ProfileEvidence) -> Plot | None:
    """Draw the distribution of lengths by label."""
    unit = profile.data.length_unit
    return draw_outlines(profile.length_histogram, f"{unit} per text", f" per {unit.removesuffix('s')}")


@dataclass(frozen=True)
class WordBar:
    """How strongly a word goes with a group: a label, or a fold."""

    group: str
    panel: str
    word: str
    name: str
    z: float
    tooltip: str


@chart(
    "words",
    section="profile",
    title="Which words go with a label?",
    method="z-score of the share of this label among the texts with the word, compared with its share of all texts. "
    "Only words in at least five texts that stand out beyond chance (5%, Benjamini–Hochberg over all words and "
    "labels). z is itself a measure of error, so it has no further interval.",
    columns={"group": "label", "word": "word", "z": "z"},
    shows_words=True,
)
def draw_label_words(profile: ProfileEvidence) -> Plot | None:
    """Draw a small panel for each label with its words, the strongest first."""
    return draw_word_panels(
        [(row.label, row.word, row.z) for words in profile.data.label_words.values() for row in words]
    )


def draw_word_panels(rows: Sequence[tuple[str, str, float]]) -> Plot | None:
    """Draw bars of words (group, word, z) in one panel per group, two panels per row."""
    groups = list(dict.fromkeys(group for group, _, _ in rows))[:MAX_PANELS]
    if not groups:
        return None
    panels = shorten_names(groups)
    words = shorten_names((word for _, word, _ in rows), 18)
    bars = [
        WordBar(group, panels[group], word, words[word], z, f"“{word}” in {group}: z = {format_number(z)}")
        for group, word, z in rows
        if group in panels
    ]
    base = (
        start_chart(bars)
        .mark_bar(color=BLUE, cornerRadiusEnd=2)
        .encode(
            x=alt.X("z:Q", title=["standard errors", "above chance (z)"], axis=alt.Axis(tickCount=3)),
            y=alt.Y("name:N", sort="-x", title=None),
            description=TOOLTIP,
        )
        .properties(width=125, height=alt.Step(19))
    )
    header = alt.Facet("panel:N", header=alt.Header(labelAnchor="start"), sort=list(panels.values()))
    figure: Any = base.facet(header, columns=2, spacing={"row": 14, "column": 26})
    return Plot(bars, figure.resolve_scale(y="independent"))
