"""Make the forecast's evidence: sub-datasets of public data, and what four models score on each.

    python -m benchmarks.forecast_evidence pack --data ../shared/data --out INPUTS
    python3 -m benchmarks.forecast_evidence train --inputs INPUTS --out OUT --minutes 8 [--done EARLIER …]

`train` needs numpy and torch only. It takes sub-datasets in a seeded random order, several hundred at a time sorted by
length, 64 side by side; what the files of earlier runs hold is not trained again. `--again N` then trains the first N
once more with the same seed, `--seeds 2` everything with a second one.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

ORDER_SEED, CHUNK = 20, 384
Results = dict[str, dict[str, Any]]


def numbered(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put sub-datasets in their seeded random order, each with its number in the list."""
    order = np.random.default_rng(ORDER_SEED).permutation(len(listed))
    return [{**listed[number], "number": int(number)} for number in order]


def groups(inputs: Any, entries: list[dict[str, Any]], size: int) -> Iterator[list[dict[str, Any]]]:
    """Yield sub-datasets of like length, singles and pairs apart, in an order that stays balanced over parents."""
    draw = np.random.default_rng(ORDER_SEED)
    for start in range(0, len(entries), CHUNK):
        chunk = sorted(entries[start : start + CHUNK], key=lambda entry: mean_length(inputs, entry))
        made = []
        for pair in (False, True):
            kind = [entry for entry in chunk if entry["pair"] == pair]
            n = -(-len(kind) // size)
            made += [[kind[place] for place in part] for part in np.array_split(np.arange(len(kind)), n)] if n else []
        yield from (made[number] for number in draw.permutation(len(made)))


def mean_length(inputs: Any, entry: dict[str, Any]) -> float:
    rows = inputs.rows[entry["id"]]["train"]
    sides = inputs.sides[entry["parent"]]
    return float(sum((side.piece_offsets[rows + 1] - side.piece_offsets[rows]).mean() for side in sides))


def read_results(paths: list[Path]) -> Results:
    """Read what earlier runs wrote; the first answer to a question stands."""
    results: Results = {}
    for path in paths:
        with np.load(path, allow_pickle=False) as stored:
            records = json.loads(stored["told"].tobytes().decode("utf-8"))
            bits, ends = stored["bits"], stored["ends"]
        starts = np.concatenate([[0], ends[:-1]])
        for (key, value), start, end in zip(records.items(), starts, ends, strict=True):
            right = np.unpackbits(bits[start:end], count=value["n_test"]).astype(bool)
            results.setdefault(key, {**value, "right": right})
    return results


def write_results(path: Path, results: Results) -> None:
    """Write one small file: settings and scores as JSON, answers as bits."""
    records = {key: {name: item for name, item in value.items() if name != "right"} for key, value in results.items()}
    packed = [np.packbits(value["right"]) for value in results.values()]
    ends = np.cumsum([len(bits) for bits in packed])
    path.parent.mkdir(parents=True, exist_ok=True)
    rough = path.with_suffix(".part.npz")
    text = np.frombuffer(json.dumps(records).encode("utf-8"), dtype=np.uint8)
    np.savez_compressed(rough, told=text, bits=np.concatenate(packed), ends=ends)
    rough.replace(path)


def train(options: argparse.Namespace) -> None:
    """Train until everything is done or the time is up; write after every group."""
    import torch

    from benchmarks import evidence_data, evidence_training

    began = time.monotonic()
    torch.set_float32_matmul_precision("high")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    inputs = evidence_data.load(options.inputs)
    entries = numbered(inputs.listed)
    if options.only:
        entries = [entry for entry in entries if entry["id"] in options.only]
    own = options.out / "evidence.npz"
    results = read_results([*options.done, *([own] if own.exists() else [])])
    name = torch.cuda.get_device_name() if device == "cuda" else "cpu"
    print(
        f"{name}, torch {torch.__version__}; {len(entries)} sub-datasets, {len(results)} fits at hand; "
        f"ready after {time.monotonic() - began:.0f} s",
        flush=True,
    )
    slowest = 0.0
    for label, seed, batch in tasks(inputs, entries, options):
        for model in options.models:
            missing = [entry for entry in batch if f"{entry['id']}|{model}|{label}" not in results]
            if not missing:
                continue
            if time.monotonic() - began + 1.15 * slowest > 60 * options.minutes:
                print(f"time is up after {len(results)} fits", flush=True)
                return
            started = time.monotonic()
            for key, value in fitted(evidence_training, inputs, missing, model, (label, seed), device):
                results[key] = {**value, "device": name, "torch": torch.__version__}
            write_results(own, results)
            if device == "cuda":
                torch.cuda.empty_cache()  # several of these programs may share the card
            slowest = max(slowest, time.monotonic() - started)
            shown(results, missing, model, label, began, time.monotonic() - started)
    print(f"all done: {len(results)} fits", flush=True)


def tasks(inputs: Any, entries: list[dict[str, Any]], options: argparse.Namespace) -> Iterator[tuple[str, int, Any]]:
    """Yield label, seed and group: the first seed, the repeats, then further seeds."""
    for batch in groups(inputs, entries, options.side_by_side):
        yield "0", 0, batch
    for batch in groups(inputs, entries[: options.again], options.side_by_side):
        yield "0 again", 0, batch
    for seed in range(1, options.seeds):
        for batch in groups(inputs, entries, options.side_by_side):
            yield str(seed), seed, batch


def fitted(
    training: Any, inputs: Any, entries: list[dict[str, Any]], model: str, how: tuple[str, int], device: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Train a model on a group; where memory runs out, on halves of it."""
    import torch

    label, seed = how
    try:
        found = training.Run(inputs, entries, model, seed, device).run()
    except torch.OutOfMemoryError:
        torch.cuda.empty_cache()
        if len(entries) == 1:
            raise
        middle = len(entries) // 2
        yield from fitted(training, inputs, entries[:middle], model, how, device)
        yield from fitted(training, inputs, entries[middle:], model, how, device)
        return
    for entry, value in zip(entries, found, strict=True):
        yield f"{entry['id']}|{model}|{label}", {**value, "n_test": len(value["right"])}


def shown(results: Results, entries: list[dict[str, Any]], model: str, label: str, began: float, took: float) -> None:
    found = [results[f"{entry['id']}|{model}|{label}"] for entry in entries]
    accuracy = np.mean([value["right"].mean() for value in found])
    print(
        f"{time.monotonic() - began:6.0f} s  {model:15s} seed {label}: {len(entries)} in {took:5.1f} s, "
        f"{found[0]['periods']} periods, mean accuracy {accuracy:.3f}",
        flush=True,
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    verbs = arguments.add_subparsers(dest="verb")
    packing = verbs.add_parser("pack")
    packing.add_argument("--data", type=Path, required=True)
    packing.add_argument("--out", type=Path, required=True)
    packing.add_argument("--n-pieces", type=int, default=70)
    packing.add_argument("--parents", type=lambda text: text.split(","))
    training = verbs.add_parser("train")
    training.add_argument("--inputs", type=Path, required=True)
    training.add_argument("--out", type=Path, required=True)
    training.add_argument("--minutes", type=float, default=8)
    training.add_argument("--done", type=Path, nargs="*", default=[])
    training.add_argument("--only", type=lambda text: text.split(","))
    training.add_argument(
        "--models", type=lambda text: text.split(","), default=["transformer", "cnn", "lstm", "lstm-attention"]
    )
    training.add_argument("--side-by-side", type=int, default=64)
    training.add_argument("--again", type=int, default=0)
    training.add_argument("--seeds", type=int, default=1)
    options = arguments.parse_args()
    if options.verb == "pack":
        from benchmarks.evidence_inputs import pack

        pack(options.data, options.out, options.n_pieces, options.parents)
    elif options.verb == "train":
        train(options)
    else:
        arguments.print_help(sys.stdout)


if __name__ == "__main__":
    main()
