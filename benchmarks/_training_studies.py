"""What the GPU studies share: datasets as rows, cuts, many small trainings on one device, results on disk.

Needs only `assay.models`, so that it runs on an image with torch, transformers and scikit-learn and nothing else.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

csv.field_size_limit(sys.maxsize)


@dataclass(frozen=True)
class Study:
    """A dataset cut for a study."""

    name: str
    ids: list[str]
    X: list[Any]
    y: list[str]
    train: np.ndarray
    dev: np.ndarray | None
    test: np.ndarray


def shorten(study: Study, n: int | None) -> Study:
    """Return the study with at most n rows in every part, drawn at random."""
    if n is None:
        return study
    draw = np.random.default_rng(0)
    parts = [draw.permutation(rows)[:n] for rows in (study.train, study.dev, study.test) if rows is not None]
    return Study(study.name, study.ids, study.X, study.y, *parts)


def rows_of(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def stars_to_polarity(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return Yelp as the papers have it: 1 and 2 stars negative, 4 and 5 positive, 3 left out."""
    sides = {"1": "negative", "2": "negative", "4": "positive", "5": "positive"}
    return [row | {"label": sides[row["label"]]} for row in rows if row["label"] in sides]


def stratified(y: Sequence[str], share: float, seed: int) -> np.ndarray:
    """Return a mask of a share of every label."""
    from assay.data.hold_out import hold_out_per_class

    return hold_out_per_class(np.unique(np.asarray(y), return_inverse=True)[1], share, seed)


def load_study(path: Path, name: str, test_share: float, dev_share: float, pool: bool = False) -> Study:
    """Read a dataset; keep its train, dev and test, or cut what is missing (seed 0). `pool` cuts everything again."""
    rows = rows_of(path)
    if name == "yelp":
        rows = stars_to_polarity(rows)
    parts = np.array([row["split"].split("_")[0] if not pool else "" for row in rows])
    y = [row["label"] for row in rows]
    X = [(row["text_a"], row["text_b"]) if "text_a" in row else row["text"] for row in rows]
    train, dev, test = (np.flatnonzero(parts == part) for part in ("train", "dev", "test"))
    if not len(test):
        held = stratified(y, test_share, 0)
        train, dev, test = np.flatnonzero(~held), dev[:0], np.flatnonzero(held)
    if not len(train):  # DBpedia here has dev and test only
        train, dev = dev, dev[:0]
    if not len(dev):
        held = stratified([y[row] for row in train], dev_share, 1)
        train, dev = train[~held], train[held]
    return Study(name, [row["id"] for row in rows], X, y, train, dev, test)


def fit_one(study: Study, model: str, settings: dict[str, Any], rows: np.ndarray) -> dict[str, Any]:
    """Train one model and return probabilities for the rows; runs in a process of its own."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    import warnings

    from assay.models import MODELS

    warnings.simplefilter("ignore")
    if model != "linear":
        import torch

        torch.set_num_threads(1)
    began = time.perf_counter()

    def part(which: np.ndarray) -> tuple[list[Any], list[str]]:
        return [study.X[row] for row in which], [study.y[row] for row in which]

    classifier = MODELS[model](**settings)
    dev = part(study.dev) if study.dev is not None else (None, None)
    classifier.fit(*part(study.train), *dev)
    seconds = time.perf_counter() - began
    probabilities = classifier.predict_proba(part(rows)[0])
    history = getattr(classifier, "history_", None)
    gold = np.array(part(rows)[1])
    return {
        "classes": [str(label) for label in classifier.classes_],
        "probabilities": probabilities,
        "accuracy": float((classifier.classes_[probabilities.argmax(axis=1)] == gold).mean()),
        "seconds": seconds,
        "best_epoch": getattr(history, "best_epoch", None),
        "dev_loss": getattr(history, "dev_loss", None),
        "dev_accuracy": getattr(history, "dev_accuracy", None),
        "notes": list(classifier.notes_),
    }


def side_by_side(
    tasks: dict[str, tuple[Any, ...]], processes: int, minutes: float, work: Callable[..., Any] = fit_one
) -> Iterator[tuple[str, Any]]:
    """Run tasks in processes that share the device; yield each as it ends, and stop when time is up."""
    deadline = time.monotonic() + 60 * minutes
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"))
    waiting: dict[Future, str] = {pool.submit(work, *task): name for name, task in tasks.items()}
    try:
        while waiting:
            done, _ = wait(waiting, timeout=max(0.0, deadline - time.monotonic()), return_when=FIRST_COMPLETED)
            if not done:
                print(f"Time is up with {len(waiting)} trainings to go.", flush=True)
                break
            for future in done:
                name = waiting.pop(future)
                if future.exception() is not None:
                    print(f"{name}: {type(future.exception()).__name__}: {future.exception()}", flush=True)
                    continue
                yield name, future.result()
    finally:
        for process in list((getattr(pool, "_processes", None) or {}).values()):
            if waiting:
                process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)


def write_json(path: Path, content: Any) -> None:
    temporary = path.with_suffix(".part")
    temporary.write_text(json.dumps(content, indent=1), encoding="utf-8")
    temporary.replace(path)


def write_predictions(path: Path, header: Sequence[str], lines: Iterator[list[str]]) -> None:
    temporary = path.with_suffix(".part")
    with gzip.open(temporary, "wt", encoding="utf-8", newline="\n", compresslevel=5) as file:
        file.write("\t".join(header) + "\n")
        file.writelines("\t".join(line) + "\n" for line in lines)
    temporary.replace(path)
