"""How fast and how large it is to read a file, next to pandas and the csv module: python -m benchmarks.reading [MB]."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl

WAYS = {
    "assay.read": "from assay.kinds import read; data = read(PATH)",
    "assay.read + fingerprint": "from assay.kinds import read; data = read(PATH); data.fingerprint",
    "pandas, dtype=str": "import pandas as pd; data = pd.read_csv(PATH, dtype=str, keep_default_na=False)",
    "csv module": "import csv; data = list(csv.reader(open(PATH, encoding='utf-8', newline='')))",
}
MEASURE = """
import resource, sys, time
PATH = sys.argv[1]
start = time.perf_counter()
{way}
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)
"""


def write_file(path: Path, megabytes: int) -> int:
    """Write a CSV of texts of twenty words, and return its rows."""
    random = np.random.default_rng(0)
    words = np.array([f"word{number}" for number in range(20_000)])
    texts = pl.Series([" ".join(words[random.zipf(1.3, 20) % len(words)]) for _ in range(20_000)])
    n = megabytes * 1_000_000 // 145
    rows = random.integers(0, len(texts), n)
    frame = pl.DataFrame({"id": np.arange(n), "text": texts.gather(rows), "label": random.integers(0, 4, n)})
    frame.write_csv(path)
    return n


def main() -> None:
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "reviews.csv"
        n = write_file(path, megabytes)
        print(f"{path.stat().st_size / 1e6:,.0f} MB, {n:,} rows; each way in a process of its own, imports included")
        base = 0.0
        for name, way in WAYS.items():
            code = MEASURE.format(way=way)
            done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
            seconds, gigabytes = map(float, done.stdout.split())
            base = base or seconds
            print(f"{name:26} {seconds:7.2f} s  {seconds / base:5.1f}×  peak {gigabytes:.2f} GB")


if __name__ == "__main__":
    main()
