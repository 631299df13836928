"""Profile, duplicates, contamination and scores of shards larger than memory: time, peak resident memory, growth.

    python -m benchmarks.out_of_core [GIGABYTES …] [--folder DIR] [--keep]

Documents are drawn, with a fixed seed, from sentences of real text (IMDB, Yelp, DBpedia, AG News, WikiText-2), so that
words and lengths are those of real text; one document in fifty is a copy and one in fifty a near-copy of another.
Shards have 64 MB. Five systems answer for the evaluation. Needs the shared data. Every size runs in a process of its own.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
SHARD_BYTES = 64_000_000
MIN_SENTENCES, MAX_SENTENCES = 3, 12
N_ITEMS, N_PLANTED = 2000, 100


def main() -> None:
    """Run every size in a process of its own."""
    parser = argparse.ArgumentParser()
    parser.add_argument("gigabytes", nargs="*", type=float, default=[1.0])
    parser.add_argument("--folder", default=tempfile.gettempdir())
    parser.add_argument("--only", choices=sorted(STEPS), help="one step only")
    parser.add_argument("--keep", action="store_true", help="keep the shards")
    parser.add_argument("--step", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        print(json.dumps(STEPS[options.step](Path(options.folder))))
        return
    print("GB     step            s    MB/s  peak GB  result", flush=True)
    for size in options.gigabytes:
        folder = Path(options.folder) / f"assay-shards-{size:g}"
        n_bytes = write_shards(folder, size)
        for step in [options.only] if options.only else STEPS:
            run_step(folder, step, n_bytes)
        if not options.keep:
            shutil.rmtree(folder)


def run_step(folder: Path, step: str, n_bytes: int) -> None:
    """Run one step in a new process and print its time and peak memory."""
    started = time.perf_counter()
    command = [sys.executable, "-m", "benchmarks.out_of_core", "--folder", str(folder), "--step", step]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    seconds = time.perf_counter() - started
    report = json.loads(output.splitlines()[-1])
    rate = n_bytes / 1e6 / seconds
    row = f"{n_bytes / 1e9:<6.1f} {step:<14} {seconds:6.0f} {rate:6.1f} {report['peak']:8.2f}  {report['result']}"
    print(f"{row} (CPU {report['cpu']:.0f} s)", flush=True)


def measure(result: str) -> dict[str, object]:
    """Return peak memory in GB, processor time in seconds, and the result in words."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return {"peak": usage.ru_maxrss * 1024 / 1e9, "cpu": usage.ru_utime + usage.ru_stime, "result": result}


def run_profile(folder: Path) -> dict[str, object]:
    """Profile all shards, duplicates included."""
    from assay import profile

    result = profile(folder / "shards", out_of_core=True, cache=folder / "cache")
    copies = result.duplicates
    return measure(f"{result.n_items:,} rows, {copies.exact:,} exact and {copies.near:,} near copies")


def run_contamination(folder: Path) -> dict[str, object]:
    """Search 2,000 items, 100 of which are in the shards."""
    from assay import find_contamination

    result = find_contamination(pl.read_parquet(folder / "items.parquet"), folder / "shards", cache=folder / "cache")
    return measure(f"{result.contaminated} of {result.items} items, {result.documents:,} documents")


def run_evaluation(folder: Path) -> dict[str, object]:
    """Evaluate the answers of five systems to all documents."""
    from assay import evaluate

    write_answers(folder)
    result = evaluate(folder / "shards", [folder / "answers"], out_of_core=True, n_resamples=100)
    scores = ", ".join(f"{row.value:.4f}" for row in result.systems)
    return measure(f"{result.n_items:,} items, accuracies {scores}")


STEPS = {"profile": run_profile, "contamination": run_contamination, "evaluation": run_evaluation}


def write_answers(folder: Path) -> None:
    """Write the answers of five systems, right for 50 to 90 of 100 items, in as many shards as the data has."""
    (folder / "answers").mkdir(exist_ok=True)
    for number, path in enumerate(sorted((folder / "shards").glob("*.parquet"))):
        labels = pl.read_parquet(path, columns=["label"])["label"]
        rng = np.random.default_rng([2, number])
        wrong = pl.Series(["pos", "neg", "neutral"]).gather(rng.integers(0, 3, len(labels)))
        answers = {
            f"system {share}": wrong.zip_with(pl.Series(rng.random(len(labels)) * 100 >= share), labels)
            for share in (50, 60, 70, 80, 90)
        }
        pl.DataFrame(answers).write_parquet(folder / "answers" / path.name)


def write_shards(folder: Path, gigabytes: float) -> int:
    """Write seeded Parquet shards with text and label, and items of which some are in them; return the text bytes."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "shards").mkdir(parents=True)
    sentences = read_sentences()
    n_shards = max(1, round(gigabytes * 1e9 / SHARD_BYTES))
    total, planted = 0, []
    for number in range(n_shards):
        frame = draw_documents(sentences, np.random.default_rng([0, number]))
        total += int(frame["text"].str.len_bytes().sum())
        frame.write_parquet(folder / "shards" / f"{number:05d}.parquet", compression="lz4")
        planted += frame["text"].head(N_PLANTED // n_shards + 1).to_list()
    rng = np.random.default_rng(1)
    drawn = [sentences[place].split() for place in rng.integers(0, len(sentences), N_ITEMS)]
    clean = [" ".join(rng.permutation(words * 2)[:30].tolist()) for words in drawn]
    pl.DataFrame({"text": [*planted[:N_PLANTED], *clean[N_PLANTED:]]}).write_parquet(folder / "items.parquet")
    return total


def read_sentences() -> list[str]:
    """Return distinct sentences of several sources."""
    from assay.data import read_table

    names = ("imdb", "yelp_reviews", "dbpedia14", "ag_news")
    texts = [read_table(SHARED / name / f"{name}.tsv.gz")["text"].to_list() for name in names]
    for part in ("valid", "test"):
        with gzip.open(SHARED / "wikitext2" / f"{part}.txt.gz", "rt", encoding="utf-8") as file:
            texts.append(file.read().split("\n"))
    sentences = (each.strip() for source in texts for text in source for each in re.split(r"(?<=[.!?])\s+", text))
    return sorted({sentence for sentence in sentences if 20 < len(sentence) < 400})


def draw_documents(sentences: list[str], rng: np.random.Generator) -> pl.DataFrame:
    """Draw documents of a few sentences until a shard is full; some are copies, some near-copies of others."""
    mean = sum(map(len, sentences)) / len(sentences) + 1
    n = int(SHARD_BYTES / mean / (MIN_SENTENCES + MAX_SENTENCES) * 2)
    counts = rng.integers(MIN_SENTENCES, MAX_SENTENCES + 1, n)
    ends = np.concatenate([[0], np.cumsum(counts)])
    drawn = pa.array(sentences).take(pa.array(rng.integers(0, len(sentences), ends[-1])))
    texts = pl.Series(pc.binary_join(pa.ListArray.from_arrays(pa.array(ends, pa.int32()), drawn), " "))
    sources, is_near = np.arange(n), np.zeros(n, bool)
    for first in (7, 23):  # of fifty
        sources[first::50] = rng.integers(0, n, len(sources[first::50]))
    is_near[23::50] = True
    labels = pl.Series(["pos", "neg", "neutral"]).gather(rng.integers(0, 3, n))
    text = pl.when(pl.Series(is_near)).then(pl.col("text") + " Indeed.").otherwise(pl.col("text"))
    return pl.DataFrame({"text": texts.gather(sources), "label": labels}).with_columns(text)


if __name__ == "__main__":
    main()
