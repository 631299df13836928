"""A second look at every shard: texts that were drawn, texts with certain words, shingles of candidates."""

from __future__ import annotations

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
from assay.features.out_of_core.partials import PartSums, get_parts, name_run
from assay.features.out_of_core.shard_tasks import iterate_results
from assay.features.out_of_core.signatures import HASHES, save_bytes
from assay.features.out_of_core.sources import Shard, ShardedData, read_shard
from assay.features.text_draws import rank_hashes
from assay.text import Corpus
from assay.text.signatures import list_shingles


@dataclass(frozen=True)
class LookRequest:
    """A second look at a shard: the part, the highest rank of the texts to return, and the top words."""

    part: str | None
    highest_rank: int
    top_words: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class ShardDetails:
    """Sampled texts with ranks, and the number of texts with a top word, by role; the file with shingles, and row ends."""

    sampled: dict[str, tuple[tuple[int, str], ...]]
    n_with_top_words: dict[str, int]
    file: str
    bounds: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class MergedDetails:
    """The details of all shards."""

    sampled: dict[str, tuple[str, ...]]
    n_with_top_words: dict[str, int]
    shingles: ShingleFiles


def plan_look(texts: MergedTexts, sums: PartSums, part: str | None) -> LookRequest:
    """Say which texts are drawn, the same as in memory, and which words to look for."""
    words = tuple(texts.corpus.vocabulary[word] for word in find_top_words(texts)) if has_label_words(texts) else ()
    return LookRequest(part, int(sums.ranks.max(initial=0)), words)


def revisit_shard(
    shard: Shard,
    columns: Options,
    tokenizer: str,
    requests: dict[str, LookRequest],
    rows: NDArray[np.int64],
    folder: str,
    random_state: int,
) -> ShardDetails:
    """Read a shard again for sampled texts and for texts with certain words, and write the shingles of some rows."""
    data = read_shard(shard, columns)
    corpus = Corpus.from_texts(data.texts, tokenizer)
    parts = get_parts(shard, data)
    ranks = rank_hashes(np.load(Path(folder) / HASHES), random_state)
    sampled, counts = {}, {}
    flags = np.zeros(len(corpus.vocabulary), np.int64)
    numbers = {word: number for number, word in enumerate(corpus.vocabulary)}
    for role, request in requests.items():
        own = np.ones(len(data), bool) if request.part is None or parts is None else (parts == request.part).to_numpy()
        places = np.flatnonzero(own & (corpus.lengths > 0) & (ranks <= np.uint64(request.highest_rank)))
        sampled[role] = tuple(zip(ranks[places].tolist(), data.texts.gather(places).to_list(), strict=True))
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
    looks: dict[str, LookRequest],
    rows: NDArray[np.int64],
    tokenizer: str,
    random_state: int,
    tasks: Options,
) -> MergedDetails:
    """Look at every shard again; `rows` are the candidates for near-copies, ascending."""
    cuts = np.searchsorted(rows, signed.starts)
    arguments = [
        (
            shard,
            data.columns,
            tokenizer,
            looks,
            rows[cuts[number] : cuts[number + 1]] - signed.starts[number],
            signed.folders[number],
            random_state,
        )
        for number, shard in enumerate(data.shards)
    ]
    sampled: dict[str, list[tuple[int, str]]] = {role: [] for role in looks}
    counts = dict.fromkeys(looks, 0)
    files, bounds = [], []
    for details in iterate_results(revisit_shard, arguments, lambda details: [Path(details.file)], tasks):
        for role in looks:
            sampled[role] = sorted([*sampled[role], *details.sampled[role]])[:MAX_TEXTS]
            counts[role] += details.n_with_top_words[role]
        files.append(details.file)
        bounds.append(details.bounds)
    drawn = {role: tuple(text for _, text in texts) for role, texts in sampled.items()}
    return MergedDetails(drawn, counts, ShingleFiles.from_shards(files, bounds))
