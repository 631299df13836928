"""Time and memory of many runs from sample files: `python -m benchmarks.logs [n_runs] [n_items] [folder]`."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np


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


STEPS = {
    "read": "data = assay.read({folder!r}); print(len(data), 'items,', data.predictions.height, 'answers')",
    "discriminate": "print(assay.discriminate({folder!r}, metric='acc,none'))",
    "audit": "result = assay.audit({folder!r}, only=['profile', 'task', 'discrimination']); print(result.verdict)",
}
MEASURE = """
import resource, time
import assay
start, before = time.perf_counter(), time.process_time()
{step}
seconds, cpu = time.perf_counter() - start, time.process_time() - before
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
print(f"{seconds:.1f} s, {cpu:.1f} s of processor time, {memory:.2f} GB at most")
"""


def measure(step: str, folder: Path) -> None:
    """Run one step in a process of its own and print its time and memory."""
    code = MEASURE.replace("{step}", STEPS[step].format(folder=str(folder)))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    print(f"{step}: {done.stdout.splitlines()[-1]}", flush=True)


def main() -> None:
    """Write runs, and measure reading, discrimination and the audit of systems and items."""
    n_runs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    n_items = int(sys.argv[2]) if len(sys.argv) > 2 else 14_000
    with tempfile.TemporaryDirectory(dir=sys.argv[3] if len(sys.argv) > 3 else None) as name:
        folder = Path(name)
        for number in range(n_runs):
            write_run(folder, number, n_items)
        n_bytes = sum(path.stat().st_size for path in folder.rglob("*.jsonl"))
        print(f"{n_runs} runs × {n_items:,} items, {n_bytes / 1e9:.2f} GB", flush=True)
        for step in STEPS:
            measure(step, folder)


if __name__ == "__main__":
    main()
