"""The profile: what is in a dataset, before anyone trains on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Unpack, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.base.entry_points import entry_point, replace_settings
from assay.base.errors import UsageError
from assay.base.marks import NAME, OWN
from assay.base.parameters import Options
from assay.data import Dataset
from assay.data.hold_out import choose_parts, select_part_rows
from assay.data.row_order import take_rows
from assay.features.dataset_features import DatasetFeatures, measure_features
from assay.features.labelled_texts import LabelledTexts, code_labels
from assay.features.measures.labels import compute_entropy
from assay.features.profiling.duplicates import Duplicates, count_duplicates, number_parts
from assay.features.profiling.label_words import (
    LabelWord,
    WordCount,
    find_label_words,
    rank_words,
    rank_words_by_label,
)
from assay.features.profiling.lengths import LengthSummary, summarise_lengths, summarise_lengths_by_label
from assay.features.profiling.odd_texts import OddTexts, find_odd_texts
from assay.features.profiling.settings import ProfileArguments, ProfileSettings
from assay.inputs import take_data
from assay.kinds import KindProfile, kind_of
from assay.kinds.arguments import DataSource, select_reading
from assay.text import Corpus
from assay.text.characters import is_unspaced
from assay.text.languages import UNKNOWN, LanguageGuess
from assay.views.blocks import Block
from assay.views.results import Result
from assay.wording.sentences import count_noun

if TYPE_CHECKING:
    from assay.features.out_of_core.sources import ShardedData

N_FRAME_WORDS = 5


@dataclass(frozen=True)
class LabelCount(Result):
    """How many items have a label, and their share of the labelled items."""

    count: int
    share: float


@dataclass(frozen=True)
class Profile(Result):
    """Key figures of a dataset: entropy in nats, lengths in words. They do not depend on the file's name or format.

    Duplicates are counted on whole items, such as a question with its options; `kind` has what only this kind has.
    Words and lengths are described for the 1,000 most frequent labels.

    If the language has no spaces between words, lengths are in characters and words are pairs of characters.
    """

    n_items: int
    task: str = field(metadata=OWN)
    parts: dict[str, int] = field(metadata=NAME)
    labels: dict[str, LabelCount] = field(metadata=NAME)
    n_unlabelled: int
    label_entropy: float
    length: LengthSummary
    length_by_label: dict[str, LengthSummary] = field(metadata=NAME)
    top_words: tuple[WordCount, ...]
    top_words_by_label: dict[str, tuple[WordCount, ...]] = field(metadata=NAME)
    label_words: dict[str, tuple[LabelWord, ...]] = field(metadata=NAME)
    duplicates: Duplicates
    odd_texts: OddTexts
    features: DatasetFeatures
    kind: KindProfile = field(default_factory=KindProfile)
    language: LanguageGuess = field(default_factory=lambda: LanguageGuess(UNKNOWN))

    @property
    def length_unit(self) -> str:
        """The unit of lengths: words, or characters if most words are letters of a script without spaces."""
        return name_length_unit(self.top_words)

    def blocks(self) -> Iterator[Block]:
        """Yield counts, labels, lengths, words and features."""
        from assay.features.view import show_profile

        yield from show_profile(self)

    def __repr__(self) -> str:
        counts = [
            count_noun(self.n_items, "item"),
            *([f"parts {', '.join(f'{name} {size:,}' for name, size in self.parts.items())}"] if self.parts else []),
            count_noun(len(self.labels), "label"),
            f"{self.length.mean:.1f} words per text",
            count_noun(self.duplicates.exact, "exact duplicate"),
            count_noun(self.duplicates.near, "near duplicate"),
            count_noun(sum(self.odd_texts.counts.values()), "odd text"),
        ]
        return f"Profile({'; '.join(counts)})"

    def _frame(self) -> pl.DataFrame:
        """Return one row for all items and one per label: counts, lengths, frequent and associated words."""
        rows = [_describe_row("(all)", LabelCount(self.n_items, 1.0), self.length, self.top_words, ())]
        rows += [
            _describe_row(
                name, size, self.length_by_label[name], self.top_words_by_label[name], self.label_words.get(name, ())
            )
            for name, size in self.labels.items()
            if name in self.length_by_label
        ]
        return pl.DataFrame(rows)


def _describe_row(
    name: str,
    size: LabelCount,
    length: LengthSummary,
    top_words: Sequence[WordCount],
    label_words: Sequence[LabelWord],
) -> Options:
    return {
        "label": name,
        "items": size.count,
        "share": size.share,
        "mean_length": length.mean,
        "std_length": length.std,
        "median_length": length.median,
        "top_words": ", ".join(word.word for word in top_words[:N_FRAME_WORDS]),
        "label_words": ", ".join(word.word for word in label_words[:N_FRAME_WORDS]),
    }


@entry_point(ProfileArguments)
def profile(
    data: DataSource | ShardedData,
    *,
    corpus: Corpus | None = None,
    side_corpora: Sequence[Corpus] = (),
    exact_groups: NDArray[np.int64] | None = None,
    near_groups: NDArray[np.int64] | None = None,
    out_of_core: bool = False,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: str | Path | None = None,
    settings: ProfileSettings = ProfileSettings(),
    **options: Unpack[ProfileArguments],
) -> Profile:
    """Describe a dataset: labels, lengths, words, duplicates and leaks, odd texts, and the features of Xiao et al.

    Values that are already computed are reused: `corpus` holds the words of the texts (of pairs: both sides joined),
    `side_corpora` those of each side of pairs, `exact_groups` and `near_groups` the groups of copies.

    With `out_of_core`, data is a folder or glob of shards (or a `ShardedData`), which are read one at a time, on
    `n_jobs` processes or a `backend`; finished shards are kept in `cache`. `options` are fields of the settings
    (`features`, `tokenizer`, `n_words`, …) and arguments of `assay.read`.

    >>> result = profile({"text": ["a good film", "a bad film"], "label": ["pos", "neg"]})
    >>> result
    Profile(2 items; 2 labels; 3.0 words per text; 0 exact duplicates; 0 near duplicates; 0 odd texts)
    >>> result.labels["pos"]
    LabelCount(count=1, share=0.5)
    """
    settings, reading = replace_settings(settings, options), select_reading(options)
    tokenizer, random_state = settings.tokenizer, settings.random_state
    if out_of_core:
        from assay.features.out_of_core.profiling import profile_shards
        from assay.features.out_of_core.sources import ShardedData, find_shards

        if not isinstance(data, ShardedData | str | Path):
            raise UsageError("out of core, data is a file, folder or glob", option="data")
        shards = data if isinstance(data, ShardedData) else find_shards(data, **reading)
        return profile_shards(
            shards,
            features=settings.features,
            tokenizer=tokenizer,
            n_words=settings.n_words,
            threshold=settings.threshold,
            random_state=random_state,
            n_jobs=n_jobs,
            backend=backend,
            cache=cache,
        )
    given = take_data(cast("DataSource", data), reading)
    order, data = given.order, given.sort_rows()
    if data is not given:
        corpus = None if corpus is None else corpus.take(order)
        side_corpora = [side.take(order) for side in side_corpora]
        exact_groups, near_groups = take_rows(exact_groups, order), take_rows(near_groups, order)
    kind = kind_of(data)
    labels = data.labels if kind.gold.has_text_labels else None
    texts = LabelledTexts.from_texts(
        data.texts, labels, tokenizer, random_state, corpus=corpus, perplexity_model=settings.perplexity_model
    )
    items, gold = kind.texts.get_item_texts(data), kind.gold.get_gold(data)
    codes, names = code_labels(kind.gold.get_unique_gold(data), len(data))
    same_text, has_words = items is data.texts, tokenizer == "words"
    lengths, counts = texts.corpus.lengths, texts.label_counts
    if tokenizer == "words" and not texts.language.has_spaces:
        tokenizer, side_corpora = "character-pairs", ()
    words = texts if tokenizer != "character-pairs" else LabelledTexts.from_texts(data.texts, labels, tokenizer)
    return Profile(
        n_items=len(data),
        task=data.task,
        parts=_count_parts(data),
        labels=count_labels(counts, texts.label_names),
        n_unlabelled=len(data) if gold is None else gold.null_count(),
        label_entropy=compute_entropy(counts) if len(counts) else float("nan"),
        length=summarise_lengths(lengths),
        length_by_label=summarise_lengths_by_label(texts),
        top_words=rank_words(words.corpus.frequencies(), words.corpus.vocabulary, settings.n_words),
        top_words_by_label=rank_words_by_label(words, settings.n_words),
        label_words=find_label_words(_split_sides(data, words, tokenizer, side_corpora), settings.n_words),
        duplicates=count_duplicates(
            items,
            data.ids,
            codes if names and not kind.gold.has_grades else None,
            data.parts,
            threshold=settings.threshold,
            corpus=texts.corpus if same_text and has_words else None,
            exact_groups=exact_groups,
            near_groups=near_groups,
        ),
        odd_texts=find_odd_texts(data.texts, lengths, data.ids, settings.n_examples),
        features=measure_features(_split_parts(data, texts), settings.features),
        kind=kind.texts.describe_items(data),
        language=texts.language,
    )


def name_length_unit(words: Sequence[WordCount]) -> str:
    """Name what lengths count: characters if most words are letters of a script without spaces.

    >>> name_length_unit([WordCount("the", 5)]), name_length_unit([WordCount("的", 5), WordCount("ok", 2)])
    ('words', 'characters')
    """
    n_characters = sum(row.count for row in words if all(map(is_unspaced, row.word)))
    return "characters" if 2 * n_characters > sum(row.count for row in words) else "words"


def _split_sides(
    data: Dataset, texts: LabelledTexts, tokenizer: str, corpora: Sequence[Corpus]
) -> dict[str | None, LabelledTexts]:
    """Return the texts, or the two sides of pairs, in which to look for words associated with labels."""
    kind = kind_of(data)
    if not kind.texts.is_paired(data):
        return {None: texts}
    ready = corpora or (None, None)
    return {
        name: LabelledTexts.from_texts(side, data.labels, tokenizer, corpus=corpus)
        for (name, side), corpus in zip(kind.texts.name_sides(data).items(), ready, strict=True)
    }


def _split_parts(data: Dataset, texts: LabelledTexts) -> dict[str, LabelledTexts]:
    """Return the training and the test part for the features; a missing test part is replaced by dev."""
    if data.parts is None:
        return {"all": texts}
    chosen = choose_parts(data.part_names, train=("train",))
    if chosen is None:
        return {"all": texts}
    rows = select_part_rows(data.parts, train=chosen[0], test=chosen[1])
    return {"train": texts.take(rows.train), "test": texts.take(rows.test)}


def _count_parts(data: Dataset) -> dict[str, int]:
    """Count the items of each part, in the order of their names."""
    if data.parts is None:
        return {}
    names, numbers = number_parts(data.parts)
    return dict(zip(names, np.bincount(numbers, minlength=len(names)).tolist(), strict=True))


def count_labels(counts: NDArray[np.int64], names: tuple[str, ...]) -> dict[str, LabelCount]:
    """Return count and share of every label, the most frequent first."""
    order = sorted(range(len(names)), key=lambda code: (-counts[code], names[code]))
    total = counts.sum()
    return {names[code]: LabelCount(int(counts[code]), float(counts[code] / total)) for code in order}
