"""The profile of 100,000 short texts against reading and splitting them; and the memory of a large file."""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import assay
from benchmarks.texts import made_texts


def write(path: Path, texts: list[str], copies: int = 1) -> None:
    """Write texts as CSV with an id and a label, several times over with a distinguishing word."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "text", "label"])
        for copy in range(copies):
            for row, text in enumerate(texts):
                writer.writerow([f"{copy}-{row}", f"{text} copy{copy} row{row}" if copies > 1 else text, row % 4])


def split_time(path: Path) -> float:
    """Read with csv and split on white space."""
    start = time.process_time()
    with path.open(newline="", encoding="utf-8") as file:
        _ = [row[1].split() for row in csv.reader(file)]
    return time.process_time() - start


def speed(folder: Path) -> None:
    path = folder / "short.csv"
    write(path, made_texts(100_000, n_words=20))
    assay.profile(assay.read(path, sample=2000))  # compiles the kernels
    slow = min(split_time(path) for _ in range(3))
    times = []
    for _ in range(3):
        start = time.process_time()
        assay.profile(assay.read(path))
        times.append(time.process_time() - start)
    print(f"read and profile 100,000 texts: {min(times) / slow:.1f}x reading with csv and splitting ({slow:.2f} s)")


def memory(folder: Path, megabytes: int) -> None:
    path = folder / "large.csv"
    texts = made_texts(200_000, n_words=30)
    write(path, texts, copies=1)
    write(path, texts, copies=max(1, round(megabytes * 1e6 / path.stat().st_size * 0.93)))
    code = f"import assay, resource; assay.profile(assay.read({str(path)!r})); "
    code += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    print(f"profile of a {path.stat().st_size / 1e6:,.0f} MB CSV: {int(done.stdout) / 1e6:.2f} GB resident")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        speed(Path(folder))
        memory(Path(folder), megabytes=int(sys.argv[1]) if sys.argv[1:] and sys.argv[1].isdigit() else 1000)


if __name__ == "__main__":
    main()
