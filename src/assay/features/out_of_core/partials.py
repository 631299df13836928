"""Partial results of single shards, and how they are merged."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.base.parameters import Options
from assay.data import Dataset
from assay.data.row_order import sort_ids
from assay.features.labelled_texts import LabelledTexts
from assay.features.measures.language import MAX_TEXTS
from assay.features.measures.lexical import count_distinct_words
from assay.features.measures.readability import HARD_BELOW
from assay.features.out_of_core.exact_sums import ExactSum
from assay.features.out_of_core.signatures import FILES, WORDS, write_frame, write_signatures
from assay.features.out_of_core.sources import Shard, read_shard
from assay.features.profiling.odd_texts import flag_odd_texts
from assay.features.text_draws import rank_hashes
from assay.features.word_label_counts import count_words_by_label
from assay.text import Corpus
from assay.text.signatures import sign_texts

N_EXAMPLES = 5
WORD_KEYS = ("part", "label", "word")
LENGTH_KEYS = ("part", "label", "length")


@dataclass(frozen=True, eq=False)
class PartSums:
    """Sums over the texts of one part, and the lowest ranks of its texts with words, which decide which texts are drawn."""

    part: str | None
    n: int
    n_with_words: int
    type_token_ratios: ExactSum
    reading_ease: ExactSum
    n_hard: int
    ranks: NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class ShardPartial:
    """The partial result of one shard.

    `lengths` counts texts of every length; `odd_rows` are the first rows by id of every oddity in every part,
    `long_rows` those that may be among the first very long ones, whatever the limit will be. Signatures and counts of
    words are in `folder`.
    """

    n: int
    has_labels: bool
    has_row_ids: bool
    lengths: pl.DataFrame
    sums: tuple[PartSums, ...]
    odd_counts: dict[str, int]
    odd_rows: dict[str, tuple[int, ...]]
    long_rows: tuple[tuple[int, int], ...]
    folder: str


def measure_shard(shard: Shard, columns: Options, tokenizer: str, folder: str, random_state: int) -> ShardPartial:
    """Read one shard, count what can be counted, and write the signatures of its texts."""
    data = read_shard(shard, columns)
    parts = get_parts(shard, data)
    texts = LabelledTexts.from_texts(data.texts, data.labels, tokenizer)
    words = texts.corpus if tokenizer == "words" else Corpus.from_texts(data.texts)
    signatures = sign_texts(data.texts, words)
    ranks = rank_hashes(signatures.exact, random_state)
    lengths = texts.corpus.lengths
    names = [None] if parts is None else sorted({str(part) for part in parts})
    missing = pl.repeat(None, len(data), dtype=pl.String, eager=True)
    labels = missing if data.labels is None else data.labels
    text_parts = missing if parts is None else parts.fill_null("None")
    rows_of = {
        name: np.arange(len(data)) if name is None else np.flatnonzero((text_parts == name).to_numpy())
        for name in names
    }
    orders = [rows[sort_ids(data.ids.gather(rows))] for rows in rows_of.values()]
    long_rows = np.concatenate([rows[find_long_candidates(lengths[rows])] for rows in orders])
    flags = flag_odd_texts(data.texts, lengths, np.zeros(len(data), bool))
    odd = {name: flag for name, flag in flags.items() if name != "very_long" and flag.any()}
    place = Path(folder) / f"{shard.name}-{name_run(shard, columns, tokenizer)}"
    place.mkdir(parents=True, exist_ok=True)
    write_frame(place / WORDS, pl.concat([count_words(texts, rows, name) for name, rows in rows_of.items()]))
    write_signatures(place, signatures, data.ids, text_parts, labels)
    return ShardPartial(
        n=len(data),
        has_labels=data.labels is not None,
        has_row_ids=data.has_row_ids,
        lengths=pl.DataFrame({"part": text_parts, "label": labels, "length": lengths}).group_by(LENGTH_KEYS).len("n"),
        sums=tuple(sum_part(texts, rows, name, ranks) for name, rows in rows_of.items()),
        odd_counts={name: int(flag.sum()) for name, flag in odd.items()},
        odd_rows={
            name: tuple(row for rows in orders for row in rows[flag[rows]][:N_EXAMPLES].tolist())
            for name, flag in odd.items()
        },
        long_rows=tuple(zip(long_rows.tolist(), lengths[long_rows].tolist(), strict=True)),
        folder=str(place),
    )


def list_files(partial: ShardPartial) -> list[Path]:
    """Name the files of a shard."""
    return [Path(partial.folder) / name for name in FILES]


def get_parts(shard: Shard, data: Dataset) -> pl.Series | None:
    """Return the part of every row: that of the file, else by the column of parts, None without either."""
    return pl.repeat(shard.part, len(data), dtype=pl.String, eager=True) if shard.part else data.parts


def name_run(*settings: object) -> str:
    """Name what determines the files of a shard, the same in every process."""
    return hashlib.blake2b(repr(settings).encode(), digest_size=8).hexdigest()


def count_words(texts: LabelledTexts, rows: NDArray[np.int64], part: str | None) -> pl.DataFrame:
    """Count tokens and texts of every word under every label; unlabelled texts have the label null."""
    codes = np.where(texts.labels[rows] < 0, len(texts.label_names), texts.labels[rows])
    names = [*texts.label_names, None]
    corpus = texts.corpus.take(rows) if len(rows) < len(texts) else texts.corpus
    counts = count_words_by_label(corpus, codes, len(names))
    return pl.DataFrame(
        {
            "part": pl.repeat(part, len(counts.words), dtype=pl.String, eager=True),
            "label": pl.Series(names, dtype=pl.String).gather(counts.labels),
            "word": pl.Series(corpus.vocabulary, dtype=pl.String).gather(counts.words),
            "tokens": counts.tokens,
            "texts": counts.texts,
        }
    )


def sum_part(texts: LabelledTexts, rows: NDArray[np.int64], part: str | None, ranks: NDArray[np.uint64]) -> PartSums:
    """Add up the measures of single texts."""
    lengths = texts.corpus.lengths[rows]
    has_words = lengths > 0
    ratios = count_distinct_words(texts.corpus)[rows][has_words] / lengths[has_words]
    scores = texts.reading_ease[rows]
    scores = scores[~np.isnan(scores)]
    return PartSums(
        part,
        len(rows),
        int(has_words.sum()),
        ExactSum.from_values(ratios),
        ExactSum.from_values(scores),
        int((scores < HARD_BELOW).sum()),
        np.sort(ranks[rows][has_words])[:MAX_TEXTS],
    )


def find_long_candidates(lengths: NDArray[np.int64], n: int = N_EXAMPLES) -> list[int]:
    """Return the rows that are among the first n texts beyond some length, whatever that length is.

    >>> find_long_candidates(np.array([1, 5, 2, 3, 9]), 2)
    [0, 1, 2, 3, 4]
    >>> find_long_candidates(np.array([7, 8, 2, 3, 9]), 2)
    [0, 1, 4]
    """
    largest: list[int] = []
    rows = []
    for row, length in enumerate(lengths.tolist()):
        if len(largest) < n or length > largest[0]:
            rows.append(row)
            largest = sorted([*largest, length])[-n:]
    return rows


def merge_counts(frames: Sequence[pl.DataFrame], keys: Sequence[str]) -> pl.DataFrame:
    """Add up the counts of equal keys."""
    return pl.concat(frames).group_by(keys).sum()


def merge_sums(sums: Sequence[PartSums], part: str | None) -> PartSums:
    """Add up the sums of a part."""
    chosen = [each for each in sums if each.part == part]
    total = PartSums(part, 0, 0, ExactSum(), ExactSum(), 0, np.empty(0, np.uint64))
    for each in chosen:
        total = PartSums(
            part,
            total.n + each.n,
            total.n_with_words + each.n_with_words,
            total.type_token_ratios + each.type_token_ratios,
            total.reading_ease + each.reading_ease,
            total.n_hard + each.n_hard,
            np.sort(np.concatenate([total.ranks, each.ranks]))[:MAX_TEXTS],
        )
    return total
