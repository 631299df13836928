"""Words counted with another tokenizer, or apart for each side of pairs: a further pass, if these are described."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from assay.base.parameters import Options
from assay.features.labelled_texts import LabelledTexts
from assay.features.out_of_core.merging import MergedTexts, merge_texts
from assay.features.out_of_core.partials import WORD_KEYS, count_words, merge_counts, name_run
from assay.features.out_of_core.shard_tasks import iterate_results
from assay.features.out_of_core.signatures import write_frame
from assay.features.out_of_core.sources import Shard, ShardedData, read_shard
from assay.kinds import kind_of

CHARACTER_PAIRS = "character-pairs"


def choose_word_texts(
    data: ShardedData, texts: MergedTexts, lengths: pl.DataFrame, tokenizer: str, folder: str, tasks: Options
) -> tuple[MergedTexts, dict[str | None, MergedTexts]]:
    """Return the texts whose words are listed, and those in which words go with labels: the sides of pairs, or all.

    If the language has no spaces between words, the words are pairs of characters.
    """
    words = texts
    if tokenizer == "words" and not texts.language.has_spaces:
        tokenizer = CHARACTER_PAIRS
        words = merge_words(data, lengths, tokenizer, folder, tasks, apart=False)[""]
    if not data.is_paired:
        return words, {None: words}
    sides = merge_words(data, lengths, tokenizer, folder, tasks, apart=True)
    return words, {side: each for side, each in sides.items()}  # noqa: C416, its keys may be None


def merge_words(
    data: ShardedData, lengths: pl.DataFrame, tokenizer: str, folder: str, tasks: Options, *, apart: bool
) -> dict[str, MergedTexts]:
    """Count the words of all shards, of whole texts (under the empty name) or of each side apart."""
    arguments = [(shard, data.columns, tokenizer, folder, apart) for shard in data.shards]
    frame: pl.DataFrame | None = None
    for file in iterate_results(count_shard_words, arguments, lambda file: [Path(file)], tasks):
        counts = pl.read_parquet(file)
        frame = counts if frame is None else merge_counts([frame, counts], WORD_KEYS)
    assert frame is not None
    sides = ["a", "b"] if apart else [""]
    return {side: merge_texts(frame.filter(pl.col("part") == side), lengths, 0) for side in sides}


def count_shard_words(shard: Shard, columns: Options, tokenizer: str, folder: str, apart: bool) -> str:
    """Count the words of one shard by side and label, and return the file of the counts."""
    data = read_shard(shard, columns)
    sides = kind_of(data).texts.name_sides(data) if apart else {"": data.texts}
    rows = np.arange(len(data))
    counts = [
        count_words(LabelledTexts.from_texts(side, data.labels, tokenizer), rows, name) for name, side in sides.items()
    ]
    file = Path(folder) / f"{shard.name}-{name_run(shard, columns, tokenizer, apart)}.words.parquet"
    Path(folder).mkdir(parents=True, exist_ok=True)
    write_frame(file, pl.concat(counts))
    return str(file)
