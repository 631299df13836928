"""A second look at every shard: texts that were drawn, texts with certain words, shingles of candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.base.parameters import Options
from assay.features._kernels import sum_word_values
from assay.features.measures.associations import find_top_words
from assay.features.measures.language import MAX_TEXTS
from assay.features.out_of_core.copies import SignedShards
from assay.features.out_of_core.merging import MergedTexts, has_label_words
from assay.features.out_of_core.near_copies import ShingleFiles
from assay.features.out_of_core.partials import PartSums, ShardPartial, get_parts, name_run
from assay.features.out_of_core.shard_tasks import iterate_results
from assay.features.out_of_core.signatures import save_bytes
from assay.features.out_of_core.sources import Shard, ShardedData, read_shard
from assay.text import Corpus
from assay.text.signatures import list_shingles


@dataclass(frozen=True)
class LookRequest:
    """What to look at in a shard: the part, which of its texts with words to return, and the top words."""

    part: str | None
    ranks: tuple[int, ...]
    top_words: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class ShardDetails:
    """Sampled texts and the number of texts with a top word by role; the file with shingles, and where each row's end."""

    sampled: dict[str, tuple[str, ...]]
    n_with_top_words: dict[str, int]
    file: str
    bounds: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class MergedDetails:
    """The details of all shards."""

    sampled: dict[str, tuple[str, ...]]
    n_with_top_words: dict[str, int]
    shingles: ShingleFiles


def plan_looks(
    partials: Sequence[ShardPartial], texts: MergedTexts, sums: PartSums, part: str | None, random_state: int
) -> list[LookRequest]:
    """Say for every shard which texts are drawn, as they are in memory, and which words to look for."""
    ranks = np.arange(min(sums.n_with_words, MAX_TEXTS))
    if sums.n_with_words > MAX_TEXTS:
        ranks = np.sort(np.random.default_rng(random_state).choice(sums.n_with_words, MAX_TEXTS, replace=False))
    words = tuple(texts.corpus.vocabulary[word] for word in find_top_words(texts)) if has_label_words(texts) else ()
    counts = [
        sum(each.n_with_words for each in partial.sums if part is None or each.part == part) for partial in partials
    ]
    starts = np.concatenate([[0], np.cumsum(counts)])
    return [
        LookRequest(part, tuple((ranks[(ranks >= low) & (ranks < high)] - low).tolist()), words)
        for low, high in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    ]


def revisit_shard(
    shard: Shard,
    columns: Options,
    tokenizer: str,
    requests: dict[str, LookRequest],
    rows: NDArray[np.int64],
    folder: str,
) -> ShardDetails:
    """Read a shard again for sampled texts and for texts with certain words, and write the shingles of some rows."""
    data = read_shard(shard, columns)
    corpus = Corpus.from_texts(data.texts, tokenizer)
    parts = get_parts(shard, data)
    sampled, counts = {}, {}
    flags = np.zeros(len(corpus.vocabulary), np.int64)
    numbers = {word: number for number, word in enumerate(corpus.vocabulary)}
    for role, request in requests.items():
        own = np.ones(len(data), bool) if request.part is None or parts is None else (parts == request.part).to_numpy()
        places = np.flatnonzero(own & (corpus.lengths > 0))[list(request.ranks)]
        sampled[role] = tuple(data.texts.gather(places).to_list())
        flags[:] = 0
        flags[[numbers[word] for word in request.top_words if word in numbers]] = 1
        counts[role] = int((sum_word_values(corpus.offsets, corpus.ids, flags)[own] > 0).sum())
    words = corpus.take(rows) if tokenizer == "words" else Corpus.from_texts(data.texts.gather(rows))
    shingles, bounds = list_shingles(words)
    file = Path(folder) / f"shingles-{name_run(rows.tolist())}.bin"
    save_bytes(file, shingles)
    return ShardDetails(sampled, counts, str(file), bounds)


def revisit_shards(
    data: ShardedData,
    signed: SignedShards,
    looks: dict[str, list[LookRequest]],
    rows: NDArray[np.int64],
    tokenizer: str,
    tasks: Options,
) -> MergedDetails:
    """Look at every shard again; `rows` are the candidates for near-copies, ascending."""
    cuts = np.searchsorted(rows, signed.starts)
    arguments = [
        (
            shard,
            data.columns,
            tokenizer,
            {role: requests[number] for role, requests in looks.items()},
            rows[cuts[number] : cuts[number + 1]] - signed.starts[number],
            signed.folders[number],
        )
        for number, shard in enumerate(data.shards)
    ]
    sampled: dict[str, tuple[str, ...]] = dict.fromkeys(looks, ())
    counts = dict.fromkeys(looks, 0)
    files, bounds = [], []
    for details in iterate_results(revisit_shard, arguments, lambda details: [Path(details.file)], tasks):
        for role in looks:
            sampled[role] += details.sampled[role]
            counts[role] += details.n_with_top_words[role]
        files.append(details.file)
        bounds.append(details.bounds)
    return MergedDetails(sampled, counts, ShingleFiles.from_shards(files, bounds))
