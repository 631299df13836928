"""Pack what `benchmarks.gpu_papers` needs: texts, folds, an encoder in half precision, a causal model as it is stored.

    python -m benchmarks.gpu_inputs --data ../shared/data --out gpu_inputs --model SmolLM2-135M-Instruct.Q4_1.gguf

Folders: `encoder` (MiniLM), `data` (datasets, texts cut to 300 words, and folds), `evidence` is made by
`benchmarks.forecast_evidence pack`, `lm1` and `lm2` hold the blocks of the causal model in two parts of equal size,
`lm2` also the token numbers of the texts whose perplexity is measured.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np

MAX_WORDS = 300
N_FOLDS = 5
FOLD_DATA = {"sst2_phrases": 60_000, "ag_news": None, "trec": None}
INFORMATION_DATA = {
    "imdb": "imdb/imdb",
    "yelp_reviews": "yelp_reviews/yelp_reviews",
    "quora": "quora/quora",
    "mnli_dev_matched": "mnli/mnli_dev_matched",
}
FOLD_METHODS = {"random": ("stratified", None), "sds tfidf": ("sds-k-means", "tfidf")}
FOLD_METHODS["sds wecker-2020"] = ("sds-k-means", "wecker-2020")
PERPLEXITY_TEXTS, PERPLEXITY_TOKENS = 300, 96


def write_rows(path: Path, header: list[str], rows: list[list[str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8", newline="\n", compresslevel=9) as file:
        file.writelines("\t".join(row) + "\n" for row in [header, *rows])


def read_sample(path: Path, n_rows: int | None) -> Any:
    """Return labelled rows of a file, drawn by their places in it: the rows of which the stored results are."""
    from assay.kinds import read

    data = read(path)
    if n_rows is not None and n_rows < len(data):
        data = data.take(np.sort(np.random.default_rng(0).choice(len(data), size=n_rows, replace=False)))
    return data.drop_unlabelled()


def pack_folds(data: Path, out: Path) -> None:
    """Write texts, labels and one column of folds per method."""
    import assay

    for name, n_rows in FOLD_DATA.items():
        dataset = read_sample(data / name / f"{name}.tsv.gz", n_rows)
        texts, labels = dataset.texts.to_list(), dataset.labels.to_list()
        frame = {"text": texts, "label": labels}
        columns = []
        for method, encoder in FOLD_METHODS.values():
            options: dict[str, Any] = {} if encoder is None else {"encoder": encoder}
            result = assay.split(frame, method, n_splits=N_FOLDS, **options)
            columns.append(result.draws[0].folds)
        rows = [
            [text, label, *(str(column[n]) for column in columns)]
            for n, (text, label) in enumerate(zip(texts, labels, strict=True))
        ]
        write_rows(out / f"folds-{name}.tsv.gz", ["text", "label", *FOLD_METHODS], rows)
        print(f"folds of {name}: {len(rows):,} rows", flush=True)


def pack_texts(data: Path, out: Path) -> None:
    """Copy the datasets with their texts cut to the words an encoder of 512 pieces can read."""
    csv.field_size_limit(10**9)
    for name, path in INFORMATION_DATA.items():
        with gzip.open(data / f"{path}.tsv.gz", "rt", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        header = [column for column in rows[0] if column in ("id", "text", "text_a", "text_b", "label", "split")]
        cut = [
            [" ".join(row[column].split()[:MAX_WORDS]) if "text" in column else row[column] for column in header]
            for row in rows
        ]
        write_rows(out / f"{name}.tsv.gz", header, cut)


def pack_model(path: Path, data: Path, out: Path) -> None:
    """Write the blocks of a GGUF model and the token numbers of a sample of each parent of the evidence."""
    from gguf import GGUFReader
    from transformers import AutoTokenizer

    from benchmarks.evidence_parents import PARENTS, read_parent

    tensors = GGUFReader(path).tensors
    total, done = sum(tensor.data.nbytes for tensor in tensors), 0
    halves: list[dict[str, np.ndarray]] = [{}, {}]
    for tensor in tensors:
        kind = tensor.tensor_type.name
        halves[int(done > total / 2)][f"{kind}|{tensor.name}"] = np.asarray(tensor.data)
        done += tensor.data.nbytes
    tokenizer = AutoTokenizer.from_pretrained(str(path.parent), gguf_file=path.name)
    samples: dict[str, np.ndarray] = {}
    for parent in PARENTS:
        dataset = read_parent(parent, data)
        rows = np.sort(np.random.default_rng(0).permutation(len(dataset))[:PERPLEXITY_TEXTS])
        tokens = [ids[:PERPLEXITY_TOKENS] for ids in tokenizer(dataset.texts.gather(rows).to_list())["input_ids"]]
        samples[f"{parent.name}/rows"] = rows
        samples[f"{parent.name}/tokens"] = np.concatenate([np.array(ids, dtype=np.uint16) for ids in tokens])
        samples[f"{parent.name}/lengths"] = np.array([len(ids) for ids in tokens], dtype=np.uint16)
        print(f"tokens of {parent.name}: {sum(map(len, tokens)):,}", flush=True)
    for number, half in enumerate(halves, start=1):
        (out / f"lm{number}").mkdir(parents=True, exist_ok=True)
        np.savez(out / f"lm{number}" / "blocks.npz", **half)
    np.savez_compressed(out / "lm2" / "tokens.npz", **samples)


def main() -> None:
    from benchmarks.export_training_inputs import export_encoder

    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--data", type=Path, default=Path("../shared/data"))
    arguments.add_argument("--out", type=Path, default=Path("gpu_inputs"))
    arguments.add_argument("--model", type=Path)
    options = arguments.parse_args()
    export_encoder(options.out / "encoder")
    pack_texts(options.data, options.out / "data")
    pack_folds(options.data, options.out / "data")
    if options.model:
        pack_model(options.model, options.data, options.out)
    sizes = {
        folder.name: sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 2**20
        for folder in options.out.iterdir()
    }
    print(json.dumps({name: round(size, 1) for name, size in sizes.items()}))


if __name__ == "__main__":
    main()
