"""Word vectors to start from: random, from a file, or from a package."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from assay.base.errors import AssayError

MOST_WORDS = 200_000  # of a file, beyond those of training


def known_vectors(source: str | None, seen: list[str], size: int, random_state: int) -> tuple[list[str], np.ndarray]:
    """Return words, those seen in training first, and a matrix of their vectors; unknown words get small random ones.

    >>> words, matrix = known_vectors(None, ["a", "b"], 4, random_state=0)
    >>> words, matrix.shape
    (['a', 'b'], (2, 4))
    """
    draw = np.random.default_rng(random_state)
    if source is None:
        return seen, draw.normal(0, 0.1, (len(seen), size)).astype(np.float32)
    stored, vectors = _stored(source, seen)
    vectors = vectors * (0.1 / max(1e-9, float(vectors.std())))  # of the scale of the random ones
    place = {word: number for number, word in enumerate(stored)}
    known = set(seen)
    more = [word for word in stored if word not in known][:MOST_WORDS]
    words = seen + more
    matrix = draw.normal(0, 0.1, (len(words), vectors.shape[1]))
    rows = np.array([place.get(word, -1) for word in words])
    matrix[rows >= 0] = vectors[rows[rows >= 0]]
    return words, matrix.astype(np.float32)


def write_vectors(path: str | Path, words: Sequence[str], vectors: np.ndarray) -> None:
    """Write word vectors as a small `.npz`: one byte a value, with a scale a word."""
    scale = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-9) / 127
    rounded = np.round(vectors / scale).astype(np.int8)
    packed = "\n".join(words).encode("utf-8")
    np.savez_compressed(
        path, words=np.frombuffer(packed, dtype=np.uint8), vectors=rounded, scale=scale.astype(np.float32)
    )


def read_vectors(path: str | Path) -> tuple[list[str], np.ndarray]:
    """Read what `write_vectors` wrote."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            words = stored["words"].tobytes().decode("utf-8").split("\n")
            return words, stored["vectors"].astype(np.float32) * stored["scale"]
    except (KeyError, ValueError) as error:
        raise AssayError(f"{path}: no word vectors (arrays words, vectors and scale are needed).") from error


def _stored(source: str, seen: list[str]) -> tuple[list[str], np.ndarray]:
    if source.endswith(".npz"):
        if not Path(source).exists():
            raise AssayError(f"{source}: no such file of word vectors.")
        return read_vectors(source)
    if source == "wordllama":
        from assay.text import make_encoder

        made = np.asarray(make_encoder("word-vectors").fit_transform(seen))
        found = np.flatnonzero(np.abs(made).sum(axis=1) > 0)  # marks have no vector
        return [seen[row] for row in found], made[found]
    from assay.text.encoders import vector_files

    return vector_files.read_vectors(source)
