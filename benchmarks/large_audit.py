"""A quick audit of many short texts: seconds, processor time by section, and peak resident memory.

    python -m benchmarks.large_audit [ROWS …] [--folder DIR] [--cores 2]

Texts have twenty words: two pieces of ten words each from IMDB, Yelp, DBpedia or AG News, drawn with a fixed seed. The
label is the source; one row in fifty is a copy and one in fifty a near-copy of another; one row in ten is in the test
part. Needs the shared data. Every size runs in a process of its own on so many cores; the default is 10 million rows.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
SOURCES = ("imdb", "yelp_reviews", "dbpedia14", "ag_news")
PIECE_WORDS = 10


def main() -> None:
    """Run every size in a process of its own."""
    parser = argparse.ArgumentParser()
    parser.add_argument("rows", nargs="*", type=int, default=[10_000_000])
    parser.add_argument("--folder", default=tempfile.gettempdir())
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--step", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        run_audit(Path(options.step))
        return
    for n in options.rows:
        path = Path(options.folder) / f"assay-rows-{n}.parquet"
        write_rows(path, n)
        threads = {f"{name}_NUM_THREADS": str(options.cores) for name in ("OMP", "NUMBA", "OPENBLAS")}
        environment = os.environ | threads | {"POLARS_MAX_THREADS": str(options.cores)}
        command = [sys.executable, "-m", "benchmarks.large_audit", "--step", str(path)]
        started = time.perf_counter()
        subprocess.run(command, check=True, env=environment)
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds, cpu = time.perf_counter() - started, usage.ru_utime + usage.ru_stime
        print(f"{n:,} rows: {seconds:.0f} s, CPU {cpu:.0f} s, peak {usage.ru_maxrss * 1024 / 1e9:.2f} GB", flush=True)
        path.unlink()


def run_audit(path: Path) -> None:
    """Audit a file as the command does, and print processor time and peak memory after each section."""
    import assay

    state = {"cpu": time.process_time(), "section": ""}

    def report(section: Any) -> None:
        now = time.process_time()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
        spent = now - float(state["cpu"])
        print(
            f"  {section.name:<16}{spent:8.1f} s CPU, peak {peak:5.2f} GB, {section.status} {section.reason or ''}",
            flush=True,
        )
        state["cpu"] = now

    data = assay.read(path)
    print(f"  {'read':<16}{time.process_time():8.1f} s CPU", flush=True)
    state["cpu"] = time.process_time()
    result = assay.audit(data, cache=False, on_section=report)
    print(f"  {'after':<16}{time.process_time() - float(state['cpu']):8.1f} s CPU", flush=True)
    print(json.dumps({"findings": [finding.code for finding in result.findings], "rows": result.data.rows}))


def write_rows(path: Path, n: int, block: int = 1_000_000) -> None:
    """Write seeded rows, a block at a time."""
    import pyarrow.parquet as pq

    pieces = [read_pieces(name) for name in SOURCES]
    writer = None
    for start in range(0, n, block):
        rng = np.random.default_rng([0, start])
        table = draw_rows(pieces, min(block, n - start), rng).to_arrow()
        writer = writer or pq.ParquetWriter(path, table.schema, compression="lz4")
        writer.write_table(table)
    if writer:
        writer.close()


def read_pieces(name: str) -> pa.Array:
    """Return a source as pieces of ten words."""
    from assay.data import read_table

    words = " ".join(read_table(SHARED / name / f"{name}.tsv.gz")["text"].to_list()).split()
    n = len(words) // PIECE_WORDS
    return pa.array([" ".join(words[place * PIECE_WORDS : (place + 1) * PIECE_WORDS]) for place in range(n)])


def draw_rows(pieces: list[pa.Array], n: int, rng: np.random.Generator) -> pl.DataFrame:
    """Draw texts of two pieces of the same source, with copies and near-copies of others."""
    labels = rng.integers(0, len(pieces), n)
    places = np.concatenate([[0], np.cumsum([len(each) for each in pieces])])
    low, high = places[labels], places[labels + 1]
    both = pa.concat_arrays(pieces)
    halves = [both.take(pa.array(rng.integers(low, high))) for _ in range(2)]
    texts = pl.Series(pc.binary_join_element_wise(*halves, " "))
    sources = np.arange(n)
    for first in (7, 23):  # of fifty
        sources[first::50] = rng.integers(0, n, len(sources[first::50]))
    is_near = pl.Series(np.arange(n) % 50 == 23)
    parts = pl.Series(["train", "test"]).gather((rng.random(n) < 0.1).astype(np.int64))
    frame = pl.DataFrame(
        {"text": texts.gather(sources), "label": pl.Series(SOURCES).gather(labels[sources]), "split": parts}
    )
    return frame.with_columns(
        pl.when(is_near).then(pl.col("text") + " Indeed.").otherwise(pl.col("text")).alias("text")
    )


if __name__ == "__main__":
    main()
