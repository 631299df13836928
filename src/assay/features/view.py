"""Tables of a profile: counts, labels, lengths, words, copies, the facts of the kind of task, and features."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.features.dataset_features import DatasetFeatures
from assay.features.profiling.label_words import LabelWord
from assay.features.profiling.profiles import Profile
from assay.kinds.view import show_distributions, show_figures
from assay.views.blocks import Block, Column, Fact, Sentence, Table, Value, make_fact, make_table
from assay.views.values import Interval, ItemCount
from assay.wording.sentences import count_noun

MAX_LABELS = 20
MAX_WORDS = 10
FEATURE_NAMES = {
    "average_length": "mean length",
    "n_labels": "labels",
    "label_balance": "balance of labels (0: equal)",
    "basic_words": "share of basic words",
    "type_token_ratio": "different words per word",
    "language_mix": "texts in another language",
    "pmi": "words that go with labels (PMI, nats)",
    "pmi_top_words": "texts with one of ten such words",
    "flesch": "ease of reading (Flesch)",
    "flesch_hard": "texts that are hard to read",
    "perplexity": "perplexity",
    "grammar_errors": "errors of grammar per word",
}
FEATURE_PARTS = ("all", "train", "test", "interaction")


def show_profile(profile: Profile) -> Iterator[Block]:
    """Yield everything, the summary last."""
    yield from show_sizes(profile)
    yield from make_fact("Language", profile.language.name, "By script and function words.")
    yield from (Fact(f"Part {part}", size, "Exact.") for part, size in profile.parts.items())
    if profile.n_unlabelled:
        yield Fact("Items without a label", ItemCount(profile.n_unlabelled, profile.n_items), "Exact.")
    yield from show_copies(profile)
    for oddity, items in profile.odd_texts.count_items(profile.n_items).items():
        yield from make_fact(f"Odd texts: {oddity.replace('_', ' ')}", items, "Found by patterns.")
    yield from show_figures(profile.kind)
    yield from show_labels(profile)
    yield from show_words(profile)
    if len(profile.length_by_label) < len(profile.labels):
        yield Sentence(
            f"Words and lengths are described for the {len(profile.length_by_label):,} most frequent of "
            f"{count_noun(len(profile.labels), 'label')}."
        )
    yield from show_features(profile.features)
    yield from show_distributions(profile.kind)
    if profile.features.reasons:
        yield Sentence(describe_missing(profile.features))
    yield Sentence(write_summary(profile), is_verdict=True)


def show_sizes(profile: Profile) -> Iterator[Fact]:
    """Yield the number of items and labels, the balance of the labels, and the mean length."""
    yield from make_fact("Items", profile.n_items, "Rows of the file. Exact.")
    if profile.labels:
        yield from make_fact("Labels", len(profile.labels), "Different labels. Exact.")
    if len(profile.labels) > 1:
        method = (
            "100% means equally frequent labels, 0% a single one: the entropy of the label shares "
            f"({profile.label_entropy:.4g} nats) as a share of the largest possible. Exact."
        )
        balance = profile.label_entropy / math.log(len(profile.labels))
        yield from make_fact("Balance of the labels", balance, method, "percent")
    length = profile.length
    method = f"Mean over {count_noun(length.n, 'text')}, 95% normal interval; median {length.median:.4g}."
    yield from make_fact(f"{profile.length_unit.capitalize()} per text", length.mean_interval, method)


def show_copies(profile: Profile) -> Iterator[Fact]:
    """Yield the duplicates, over all data and from part to part."""
    copies, n = profile.duplicates, profile.n_items
    yield from make_fact("Exact duplicates", ItemCount(copies.exact, n), "Another item has the same text.")
    yield from make_fact("Near-duplicates", ItemCount(copies.near, n), "Another item has nearly the same text.")
    if profile.parts:
        method = "Exact or near."
        yield from make_fact("Items with a copy in another part", ItemCount(copies.across_parts, n), method)
    for pair, count in copies.leaks.items():
        yield Fact(f"Copies {pair}", f"{count.exact:,} exact, {count.near:,} near", "Exact.")
    if profile.labels:
        conflicts = ItemCount(copies.conflicting_labels, n)
        yield from make_fact("Copies with another label", conflicts, "Equal texts that have different labels.")


def show_labels(profile: Profile) -> Iterator[Table]:
    """Yield the count and the lengths of each label."""
    unit = profile.length_unit
    rows = [("all", profile.n_items, 1.0, profile.length)]
    rows += [
        (name, size.count, size.share, profile.length_by_label[name])
        for name, size in profile.labels.items()
        if name in profile.length_by_label
    ]
    yield from make_table(
        f"Labels and lengths (in {unit})",
        rows[: MAX_LABELS + 1],
        {
            "label": lambda row: row[0],
            "items": lambda row: row[1],
            Column("share", "percent"): lambda row: row[2],
            "mean length": lambda row: row[3].mean,
            "std": lambda row: row[3].std,
            "q25": lambda row: row[3].q25,
            "median": lambda row: row[3].median,
            "q75": lambda row: row[3].q75,
        },
        "Counted over all items. Exact.",
        is_main=True,
    )


def show_words(profile: Profile) -> Iterator[Table]:
    """Yield the most frequent words, and those associated with a label."""
    words = "pairs of characters" if profile.length_unit == "characters" else "words"
    frequent = [("all", profile.top_words), *profile.top_words_by_label.items()]
    rows: list[list[Value]] = [
        [label, ", ".join(f"{row.word} ({row.count:,})" for row in ranked[:MAX_WORDS])]
        for label, ranked in frequent[: MAX_LABELS + 1]
    ]
    yield Table(f"Most frequent {words}", ["label", f"{words} (count)"], rows, "Exact.", shows_words=True)
    rows = [
        [label, ", ".join(map(_write_label_word, ranked[:MAX_WORDS]))]
        for label, ranked in list(profile.label_words.items())[:MAX_LABELS]
    ]
    if rows:
        method = "z-score of the label's share among the texts with the word, adjusted for all words and labels (5%)."
        columns = ["label", f"{words} (z, texts with them)"]
        yield Table(f"{words.capitalize()} most associated with a label", columns, rows, method, shows_words=True)


def _write_label_word(word: LabelWord) -> str:
    side = f"{word.side}: " if word.side else ""
    return f"{side}{word.word} ({word.z:.1f}, {word.texts:,})"


def show_features(features: DatasetFeatures) -> Iterator[Table]:
    """Yield the features of Xiao et al. that could be measured, one column per part."""
    by_part = features.parts
    parts = [part for part in FEATURE_PARTS if part in by_part]
    names = list(dict.fromkeys(name for values in by_part.values() for name in values))
    rows: list[list[Value]] = [
        [name_feature(name), *(get_feature(features, part, name) for part in parts)]
        for name in names
        if name not in features.reasons
    ]
    if not rows:
        return
    method = (
        "Features of Xiao et al., section 5; “interaction” is how far train and test differ in each. Computed from all "
        "texts, so exact, except for those with an interval."
    )
    yield Table("Features", ["feature", *parts], rows, f"{method} {describe_missing(features)}".strip())


def describe_missing(features: DatasetFeatures) -> str:
    """Say which features were not measured, and why."""
    missing = "; ".join(f"{name_feature(name)}: {reason}" for name, reason in features.reasons.items())
    return f"Not measured: {missing}." if missing else ""


def get_feature(features: DatasetFeatures, part: str, name: str) -> Value:
    """Return the value of a feature, with its interval if it was measured on a sample."""
    value = features.parts[part].get(name)
    interval = features.intervals.get(f"{part}.{name}")
    return value if value is None or interval is None else Interval(value, interval.low, interval.high)


def name_feature(name: str) -> str:
    """Name a feature for people.

    >>> name_feature("flesch"), name_feature("some_other")
    ('ease of reading (Flesch)', 'some other')
    """
    return FEATURE_NAMES.get(name, name.replace("_", " "))


def write_summary(profile: Profile) -> str:
    """Say in one sentence how large the data is, and how many items are copies."""
    sizes = [count_noun(profile.n_items, "item"), count_noun(len(profile.labels), "label")]
    copies = [
        count_noun(profile.duplicates.exact, "exact duplicate"),
        count_noun(profile.duplicates.near, "near-duplicate"),
    ]
    return f"{sizes[0]}, task {profile.task}, {sizes[1]}; {copies[0]} and {copies[1]}."
