"""Word vectors to start from: random, from a file, or from a package."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError, MissingFileError
from assay.system.files import open_for_writing

MAX_OTHER_WORDS = 200_000  # words of a file that are not in training


def find_vectors(source: str | None, train_words: list[str], size: int, random_state: int) -> tuple[list[str], Array]:
    """Return words, those of training first, and a matrix of their vectors; unknown words get small random ones.

    >>> words, matrix = find_vectors(None, ["a", "b"], 4, random_state=0)
    >>> words, matrix.shape
    (['a', 'b'], (2, 4))
    """
    rng = np.random.default_rng(random_state)
    if source is None:
        return train_words, rng.normal(0, 0.1, (len(train_words), size)).astype(np.float32)
    stored, vectors = _load_vectors(source, train_words)
    vectors = vectors * (0.1 / max(1e-9, float(vectors.std())))  # of the scale of the random ones
    positions = {word: number for number, word in enumerate(stored)}
    in_training = set(train_words)
    words = train_words + [word for word in stored if word not in in_training][:MAX_OTHER_WORDS]
    matrix = rng.normal(0, 0.1, (len(words), vectors.shape[1]))
    rows = np.array([positions.get(word, -1) for word in words])
    matrix[rows >= 0] = vectors[rows[rows >= 0]]
    return words, matrix.astype(np.float32)


def write_vectors(path: str | Path, words: Sequence[str], vectors: Array) -> None:
    """Write word vectors as a small `.npz`: one byte per value, one scale per word."""
    scale = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-9) / 127
    rounded = np.round(vectors / scale).astype(np.int8)
    packed = "\n".join(words).encode("utf-8")
    with open_for_writing(path, "wb") as file:
        np.savez_compressed(
            file, words=np.frombuffer(packed, dtype=np.uint8), vectors=rounded, scale=scale.astype(np.float32)
        )


def read_vectors(path: str | Path) -> tuple[list[str], Array]:
    """Read what `write_vectors` wrote."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            words = stored["words"].tobytes().decode("utf-8").split("\n")
            return words, stored["vectors"].astype(np.float32) * stored["scale"]
    except (KeyError, ValueError) as error:
        fact = "not a file of word vectors: the arrays words, vectors and scale are needed"
        raise AssayError(fact, place=path) from error


def _load_vectors(source: str, train_words: list[str]) -> tuple[list[str], Array]:
    if source.endswith(".npz"):
        if not Path(source).exists():
            raise MissingFileError("this file of word vectors does not exist", place=source)
        return read_vectors(source)
    if source == "wordllama":
        from assay.text import make_encoder

        vectors = np.asarray(make_encoder("word-vectors").fit_transform(train_words))
        rows = np.flatnonzero(np.abs(vectors).sum(axis=1) > 0)  # punctuation marks have no vector
        return [train_words[row] for row in rows], vectors[rows]
    from assay.text.encoders import vector_files

    return vector_files.read_vectors(source)
