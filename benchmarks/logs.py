"""Time and memory of joining many runs from sample files: `python -m benchmarks.logs [n_runs] [n_items]`."""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import assay


def write_run(folder: Path, number: int, n_items: int) -> None:
    """Write the sample file of one run on multiple-choice questions."""
    generator = np.random.default_rng(number)
    home = folder / f"org__model-{number}"
    home.mkdir(parents=True)
    right = generator.random(n_items) < 0.4 + 0.4 * number / 100
    with (home / "samples_quiz_2026-01-01T00-00-00.000000.jsonl").open("w", encoding="utf-8") as file:
        for item in range(n_items):
            gold = item % 4
            best = gold if right[item] else (gold + 1) % 4
            question = f"Question {item}: " + "which of these is right, given all that was said before? " * 6
            choices = [f"answer {item} {letter}" for letter in "ABCD"]
            row = {
                "doc_id": item,
                "doc": {"question": question, "choices": choices, "answer": gold, "subject": f"subject {item % 57}"},
                "target": str(gold),
                "arguments": {
                    f"gen_args_{choice}": {"arg_0": question, "arg_1": f" {choices[choice]}"} for choice in range(4)
                },
                "filtered_resps": [[str(-1.0 - (choice != best)), "False"] for choice in range(4)],
                "filter": "none",
                "metrics": ["acc", "acc_norm"],
                "doc_hash": f"{item:064x}",
                "acc": float(best == gold),
                "acc_norm": float(best == gold),
            }
            file.write(json.dumps(row) + "\n")


def main() -> None:
    """Write runs, read them as data, evaluate them, and print time and memory."""
    n_runs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    n_items = int(sys.argv[2]) if len(sys.argv) > 2 else 14_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(n_runs):
            write_run(folder, number, n_items)
        n_bytes = sum(path.stat().st_size for path in folder.rglob("*.jsonl"))
        start = time.perf_counter()
        data = assay.read(folder)
        seconds = time.perf_counter() - start
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(f"{n_runs} runs × {n_items:,} items, {n_bytes / 1e9:.2f} GB: read in {seconds:.1f} s, {memory:.2f} GB")
        assert data.predictions is not None
        print(f"{len(data):,} items, {data.predictions.height:,} answers")


if __name__ == "__main__":
    main()
