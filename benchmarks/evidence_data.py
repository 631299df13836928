"""The packed inputs of the evidence, as padded arrays for several sub-datasets at once. Needs numpy only."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

PARTS = ("train", "dev", "test")
CLS, SEP = 101, 102


@dataclass(frozen=True)
class Side:
    """Texts of one side of a parent: pieces and words, one after the other, with where each text starts."""

    pieces: np.ndarray
    piece_offsets: np.ndarray
    words: np.ndarray
    word_offsets: np.ndarray


@dataclass(frozen=True)
class Inputs:
    """Everything unpacked: sides and labels by parent, rows by sub-dataset, word vectors, the encoder's weights."""

    listed: list[dict[str, Any]]
    sides: dict[str, list[Side]]
    labels: dict[str, np.ndarray]
    rows: dict[str, dict[str, np.ndarray]]
    word_vectors: np.ndarray
    weights: dict[str, np.ndarray]
    special: tuple[int, int]


def offsets_of(lengths: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


def load(folder: Path) -> Inputs:
    """Unpack; pieces get the numbers of the cut encoder (0 pads), words numbers from 0 by their pieces."""
    listed = json.loads((folder / "pieces.json").read_text(encoding="utf-8"))
    stored = np.load(folder / "inputs.npz", allow_pickle=False)
    encoder = np.load(folder / "encoder.npz", allow_pickle=False)
    weights = {name: encoder[name].astype(np.float32) for name in encoder.files if name != "kept"}
    place = np.zeros(40_000, dtype=np.int64)
    place[encoder["kept"]] = np.arange(len(encoder["kept"]))
    parents = list(dict.fromkeys(entry["parent"] for entry in listed))
    raw: dict[tuple[str, int], tuple[np.ndarray, np.ndarray, np.ndarray]] = {}
    for parent in parents:
        for number in range(2):
            if f"{parent}/pieces{number}" in stored:
                pieces = place[stored[f"{parent}/pieces{number}"]]
                starts = np.unpackbits(stored[f"{parent}/starts{number}"], count=len(pieces)).astype(bool)
                raw[parent, number] = (pieces, starts, offsets_of(stored[f"{parent}/lengths{number}"]))
    words, vectors = numbered_words(list(raw.values()), weights["embeddings.word_embeddings.weight"])
    sides: dict[str, list[Side]] = {parent: [] for parent in parents}
    for (parent, _), (pieces, starts, offsets), ids in zip(raw, raw.values(), words, strict=True):
        before = offsets_of(starts)  # words before each piece
        sides[parent].append(Side(pieces, offsets, ids, before[offsets]))
    rows = {entry["id"]: {part: stored[f"{entry['id']}/{part}"].astype(np.int64) for part in PARTS} for entry in listed}
    labels = {parent: stored[f"{parent}/labels"].astype(np.int64) for parent in parents}
    return Inputs(listed, sides, labels, rows, vectors, weights, (int(place[CLS]), int(place[SEP])))


def numbered_words(raw: list[tuple[np.ndarray, ...]], table: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
    """Number words by the pieces they consist of; a word's vector is the mean of its pieces' vectors."""
    pieces = np.concatenate([entry[0] for entry in raw])
    begins = np.flatnonzero(np.concatenate([entry[1] for entry in raw]))
    sizes = np.diff(np.append(begins, len(pieces)))
    within = np.arange(len(pieces)) - np.repeat(begins, sizes)
    salt = np.random.default_rng(0).integers(1, 2**63 - 1, (128, 2), dtype=np.int64) | 1
    with np.errstate(over="ignore"):
        hashed = np.add.reduceat((pieces + 17) * salt[within, 0] + (pieces * pieces) * salt[within, 1], begins)
    _, first, numbers = np.unique(hashed, return_index=True, return_inverse=True)
    spans = np.concatenate([np.arange(begins[word], begins[word] + sizes[word]) for word in first])
    ends = offsets_of(sizes[first])[:-1]
    vectors = np.add.reduceat(table[pieces[spans]], ends, axis=0) / sizes[first][:, None]
    counts = [int(entry[1].sum()) for entry in raw]
    return np.split(numbers, np.cumsum(counts)[:-1]), vectors.astype(np.float32)


@dataclass(frozen=True)
class Texts:
    """Texts of one sub-dataset's part as padded matrices, ready to be stacked."""

    matrices: tuple[np.ndarray, ...]
    lengths: np.ndarray
    codes: np.ndarray


def padded(ids: np.ndarray, offsets: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the runs of some rows as a matrix, -1 if there is nothing."""
    lengths = offsets[rows + 1] - offsets[rows]
    columns = np.arange(max(8, int(lengths.max())))
    held = columns < lengths[:, None]
    index = np.minimum(offsets[rows][:, None] + columns, len(ids) - 1)
    return np.where(held, ids[index], -1)


def word_matrices(inputs: Inputs, parent: str, rows: np.ndarray, local: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return word numbers a side, turned into local ones (0 pads)."""
    found = [padded(side.words, side.word_offsets, rows) for side in inputs.sides[parent]]
    return tuple(np.where(matrix >= 0, local[np.maximum(matrix, 0)], 0) for matrix in found)


def piece_matrices(inputs: Inputs, parent: str, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return piece numbers with their marks ([CLS] a [SEP] b [SEP]) and the type of each, 0 pads."""
    start, end = inputs.special
    parts = [np.full((len(rows), 1), start)]
    types = [np.zeros((len(rows), 1), dtype=np.int64)]
    for number, side in enumerate(inputs.sides[parent]):
        matrix = padded(side.pieces, side.piece_offsets, rows)
        closed = np.concatenate([matrix, np.full((len(rows), 1), -1)], axis=1)
        closed[np.arange(len(rows)), (matrix >= 0).sum(axis=1)] = end
        parts.append(closed)
        types.append(np.full(closed.shape, number))
    joined, kinds = np.concatenate(parts, axis=1), np.concatenate(types, axis=1)
    order = np.argsort(joined < 0, axis=1, kind="stable")  # padding to the end
    joined, kinds = np.take_along_axis(joined, order, 1), np.take_along_axis(kinds, order, 1)
    width = int((joined >= 0).sum(axis=1).max())
    joined, kinds = joined[:, :width], kinds[:, :width]
    return np.maximum(joined, 0), np.where(joined >= 0, kinds, 0)
