"""Near-copies in all shards: rows that share a key of their signatures, verified by shingles on disk, in blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.base.parameters import Options
from assay.features.out_of_core.copies import SignedShards
from assay.features.out_of_core.signatures import BANDS, Rows, iterate_equal, save_array
from assay.tasks import Shared, announce_step, iterate_tasks

WINDOW = 64  # a candidate is compared with this many that follow, so that no bucket costs its square
MAX_BLOCK_PAIRS = 1_000_000
MAX_BLOCK_BYTES = 64_000_000
MIN_BATCH_PAIRS = 100_000


@dataclass(frozen=True, eq=False)
class CopyCandidates:
    """Rows that share a key with another row, ascending, and the files that hold these keys with their rows."""

    rows: Rows
    files: tuple[str, ...]

    def iterate_pairs(self) -> Iterator[tuple[Rows, Rows]]:
        """Yield pairs that share a key, as numbers of candidates, a limited number at a time."""
        for number, file in enumerate(self.files):
            announce_step("compare candidates", number, len(self.files))
            keys, rows = np.load(file)
            places = np.searchsorted(self.rows, rows.astype(np.int64))
            for start in range(0, len(keys), MAX_BLOCK_PAIRS):
                stop = start + MAX_BLOCK_PAIRS
                for step in range(1, WINDOW + 1):
                    first = np.flatnonzero(
                        keys[start:stop][: len(keys) - start - step] == keys[start + step : stop + step]
                    )
                    if not len(first):
                        break
                    yield places[start + first], places[start + step + first]


def collect_candidates(shards: SignedShards, repeated: Rows, folder: Path, tasks: Options) -> CopyCandidates:
    """Find the rows that share the key of a band, and write the keys; `repeated` rows are represented by an equal one.

    Every band is a task; their files are only for this run, in a folder that all workers reach.
    """
    signed, skipped = Shared(shards), Shared(repeated)
    arguments = [(signed, column, skipped, str(folder)) for column in BANDS]
    is_candidate = np.zeros(shards.starts[-1], bool)
    files: list[str] = []
    for written in iterate_tasks(merge_signatures, arguments, **tasks | {"cache": None}):
        for file in written:
            is_candidate[np.load(file)[1].view(np.int64)] = True
        files += written
    return CopyCandidates(np.flatnonzero(is_candidate), tuple(files))


def merge_signatures(shards: SignedShards, column: int, repeated: Rows, folder: str) -> list[str]:
    """Write the keys of one band that several rows share, with the rows, and return the files."""
    skipped = np.zeros(shards.starts[-1], bool)
    skipped[repeated] = True
    files: list[str] = []
    for keys, rows in iterate_equal(shards.folders, shards.starts, column, skipped):
        if len(keys):
            files.append(str(Path(folder) / f"keys-{column:02d}-{len(files):06d}.npy"))
            save_array(Path(files[-1]), np.stack([keys, rows.view(np.uint64)]))
    return files


@dataclass(frozen=True, eq=False)
class ShingleFiles:
    """Files with the shingles of candidates, one per shard, and where those of each candidate end.

    `starts` are the numbers of the first candidate of every file, with the total at the end.
    """

    files: tuple[str, ...]
    bounds: tuple[NDArray[np.int64], ...]
    starts: NDArray[np.int64]

    @classmethod
    def from_shards(cls, files: Sequence[str], bounds: Sequence[NDArray[np.int64]]) -> ShingleFiles:
        """Number the candidates of all shards."""
        starts = np.cumsum([0, *(len(each) - 1 for each in bounds)])
        return cls(tuple(files), tuple(bounds), starts)

    def list_sizes(self) -> NDArray[np.int64]:
        """Return how many shingles every candidate has."""
        return np.concatenate([np.empty(0, np.int64), *(np.diff(each) for each in self.bounds)])

    def read(self, numbers: Rows) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Return the shingles of some candidates, whose numbers ascend, and where those of each end."""
        owners = np.searchsorted(self.starts, numbers, "right") - 1
        pieces, sizes = [np.empty(0, np.uint64)], [np.zeros(1, np.int64)]
        for owner in np.unique(owners).tolist():
            own = numbers[owners == owner] - self.starts[owner]
            first, last = self.bounds[owner][own], self.bounds[owner][own + 1]
            pieces += read_pieces(self.files[owner], first.tolist(), last.tolist())
            sizes.append(last - first)
        return np.concatenate(pieces), np.cumsum(np.concatenate(sizes))


def read_pieces(file: str, first: Sequence[int], last: Sequence[int]) -> list[NDArray[np.uint64]]:
    """Read some ranges of the numbers in a file; a mapped file would count far more of it as memory in use."""
    with Path(file).open("rb", buffering=0) as content:
        pieces = []
        for start, stop in zip(first, last, strict=True):
            content.seek(8 * start)
            pieces.append(np.frombuffer(content.read(8 * (stop - start)), np.uint64))
    return pieces


def find_similar(candidates: CopyCandidates, files: ShingleFiles, threshold: float) -> tuple[Rows, Rows]:
    """Return the candidates that have a near-copy, each with the first row of its group.

    Pairs that other pairs connect already are not compared: chains of similar texts are one group.
    """
    from assay.text.scanner.minhash import mark_separate, unite_pairs

    parents = np.arange(len(candidates.rows))
    sizes = files.list_sizes()
    for pairs in join_batches(candidates.iterate_pairs()):
        separate = mark_separate(parents, *pairs)
        first, second = pairs[0][separate], pairs[1][separate]
        for block in cut_pairs(first, second, sizes):
            numbers, places = np.unique(np.concatenate([first[block], second[block]]), return_inverse=True)
            shingles, bounds = files.read(numbers)
            one, other = places.reshape(2, -1)
            unite_pairs(one, other, numbers, shingles, bounds, parents, threshold)
    roots = resolve_roots(parents)
    has_copy = np.bincount(roots, minlength=len(roots))[roots] > 1
    return candidates.rows[has_copy], candidates.rows[roots[has_copy]]


def join_batches(batches: Iterable[tuple[Rows, Rows]]) -> Iterator[tuple[Rows, Rows]]:
    """Yield pairs in batches of at least `MIN_BATCH_PAIRS`, for each of which many files are read, and the rest."""
    pending: list[tuple[Rows, Rows]] = []
    n_pending = 0
    for batch in batches:
        pending.append(batch)
        n_pending += len(batch[0])
        if n_pending >= MIN_BATCH_PAIRS:
            yield _concatenate(pending)
            pending, n_pending = [], 0
    if pending:
        yield _concatenate(pending)


def _concatenate(batches: Iterable[tuple[Rows, Rows]]) -> tuple[Rows, Rows]:
    first, second = zip(*batches, strict=True)
    return np.concatenate(first), np.concatenate(second)


def cut_pairs(first: Rows, second: Rows, sizes: NDArray[np.int64]) -> Iterator[slice]:
    """Yield blocks of pairs whose shingles together fit the limit, or single pairs."""
    n_bytes = np.cumsum(8 * (sizes[first] + sizes[second]))
    start = 0
    while start < len(first):
        used = n_bytes[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(n_bytes, used + MAX_BLOCK_BYTES, "right")))
        yield slice(start, stop)
        start = stop


def resolve_roots(parents: Rows) -> Rows:
    """Return the representative of every row's group."""
    roots = parents
    while not np.array_equal(roots, roots[roots]):
        roots = roots[roots]
    return roots
