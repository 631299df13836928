"""Small things to train on: texts a word decides, and an encoder of one layer made on the spot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

WORDS = "good bad fun dull film plot cast music scene story a the and so very".split()


@pytest.fixture(scope="session")
def texts() -> tuple[list[str], list[str]]:
    """Eighty short texts; 'good' and 'fun' mean pos, 'bad' and 'dull' neg."""
    rows = []
    for number in range(80):
        word = WORDS[number % 4]
        rest = [WORDS[4 + (number * step) % 11] for step in range(1, 2 + number % 5)]
        rows.append((" ".join([*rest, word]), "pos" if word in ("good", "fun") else "neg"))
    return [text for text, _ in rows], [label for _, label in rows]


@pytest.fixture(scope="session")
def pairs() -> tuple[list[tuple[str, str]], list[str]]:
    """Sixty pairs, same or not."""
    rows = []
    for number in range(60):
        a, b = WORDS[number % 15], WORDS[(number * 7 + 3) % 15]
        rows.append(((a, a), "same") if number % 2 else ((a, b if a != b else "film plot"), "other"))
    return [pair for pair, _ in rows], [label for _, label in rows]


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A BERT of one layer with random weights and a limit of 16 tokens."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    folder: Path = tmp_path_factory.mktemp("encoder")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    tokens = {"tokenizer_class": "BertTokenizer", "do_lower_case": True, "model_max_length": 16}
    (folder / "tokenizer_config.json").write_text(json.dumps(tokens), encoding="utf-8")
    size = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}
    config = transformers.BertConfig(vocab_size=len(vocabulary), max_position_embeddings=16, **size)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        transformers.BertModel(config).save_pretrained(folder)
    transformers.BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    return str(folder)
