"""Time training against the same thing done by hand: LinearClassifier and a scikit-learn pipeline, our loop and
`transformers.Trainer`.

    python -m benchmarks.training                                 # both, small
    python -m benchmarks.training linear --rows 60000             # the full size
    PYTHONPATH=src python3 -m benchmarks.training encoder --encoder DIR --rows 20000 --batch 32   # on a GPU

Texts are random words of a Zipf distribution with the lengths of short sentences, so that no data is needed.
Ratios are ours to theirs in one process, in turns; below 1 means that ours is faster.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks._bars import print_bar


def texts(n: int, mean_words: float, seed: int = 0) -> tuple[list[str], list[str]]:
    """Return texts and labels; the label follows from which half of the frequent words is more often there."""
    draw = np.random.default_rng(seed)
    words = np.array(["".join(letters) for letters in draw.choice(list("aeioubcdfglmnprst"), (20_000, 6))])
    shares = 1 / np.arange(1, len(words) + 1)
    lengths = np.maximum(2, draw.lognormal(np.log(mean_words), 0.5, n).astype(int))
    chosen = draw.choice(len(words), int(lengths.sum()), p=shares / shares.sum())
    made, labels, place = [], [], 0
    for length in lengths:
        rows = chosen[place : place + length]
        place += int(length)
        made.append(" ".join(words[rows]))
        labels.append("even" if (rows[rows < 200] % 2 == 0).sum() * 2 >= (rows < 200).sum() else "odd")
    return made, labels


def timed(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def linear(n: int) -> None:
    """Fit once and in five folds, by our classifier and by the pipeline written by hand."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_predict
    from sklearn.pipeline import make_pipeline, make_union

    from assay.models import LinearClassifier

    X, y = texts(n, 9)

    def by_hand() -> Any:
        words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, token_pattern=r"(?u)\b\w+\b")
        characters = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True, min_df=2)
        return make_pipeline(make_union(words, characters), LogisticRegression(C=5.0, max_iter=1000))

    def run(make: Callable[[], Any]) -> None:
        make().fit(X, y)
        cross_val_predict(make(), X, y, cv=5, method="predict_proba")

    times: dict[str, list[float]] = {}
    for name, make in {"by hand": by_hand, "assay": LinearClassifier}.items():
        began = time.process_time()  # processor time, for other work on the machine must not count
        wall = timed(lambda make=make: run(make))  # type: ignore[misc]
        times[name] = [wall, time.process_time() - began]
        print(f"  {name:8s} {wall:.1f} s, {times[name][1]:.1f} s of processor time", flush=True)
    ratios = [ours / theirs for ours, theirs in zip(times["assay"], times["by hand"], strict=True)]
    comparison = f"ratio {ratios[0]:.2f}, of processor time {ratios[1]:.2f}"
    print_bar(f"LinearClassifier, {n:,} texts, fit + 5 folds: {comparison}", is_held=ratios[1] <= 1)


def encoder(options: argparse.Namespace) -> None:
    """Fine-tune for one epoch, in turns; print texts a second."""
    import torch

    if options.threads:
        torch.set_num_threads(options.threads)
    X, y = texts(options.rows, options.words)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    contenders = {
        "assay": lambda: _ours(X, y, options),
        "Trainer": lambda: _trainer(X, y, options, grouped=False),
        "Trainer, grouped by length": lambda: _trainer(X, y, options, grouped=True),
    }
    if device == "cuda":
        for work in contenders.values():  # every shape of a batch costs its first use: one turn outside the clock
            work()
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(options.turns):
        for name, work in contenders.items():
            rates[name].append(len(X) / work())
    best = {name: statistics.median(found) for name, found in rates.items()}
    clock = "wall time" if device == "cuda" else "processor time"
    print(f"{options.encoder}, {len(X):,} texts, batch {options.batch}, one epoch on {device}, by {clock}:")
    for name, rate in best.items():
        line = f"  {name:28s} {rate:9.1f} texts a second, assay is at {best['assay'] / rate:.0%} of it"
        print_bar(line, is_held=best["assay"] >= rate)


def _ours(X: list[str], y: list[str], options: argparse.Namespace) -> float:
    """Return the seconds of the training itself; tokens are made before, as they are for Trainer."""
    import torch

    from assay.models import TransformerClassifier
    from assay.models.neural.training.loop import LabelledItems, TrainingLoop

    model = TransformerClassifier(encoder=options.encoder, epochs=1, batch_size=options.batch, max_length=128)
    model.classes_, codes = np.unique(np.array(y), return_inverse=True)
    model.notes_ = ()
    torch.manual_seed(0)
    model._prepare((X,))  # noqa: SLF001
    network, items = model._network(2), model._items((X,))  # noqa: SLF001
    settings = model._training_settings()  # noqa: SLF001
    loop = TrainingLoop(network, LabelledItems(items, codes), None, settings, print)
    return _synchronized(lambda: loop.run("assay"))


def _trainer(X: list[str], y: list[str], options: argparse.Namespace, grouped: bool) -> float:
    import torch
    import transformers
    from transformers import (
        AutoModelForSequenceClassification,
        AutoTokenizer,
        DataCollatorWithPadding,
        Trainer,
        TrainingArguments,
    )

    from assay.models.neural.encoders import find_encoder

    transformers.utils.logging.set_verbosity_error()
    place = find_encoder(options.encoder)
    tokenizer = AutoTokenizer.from_pretrained(place)
    model = AutoModelForSequenceClassification.from_pretrained(place, num_labels=2).float()
    tokens = tokenizer(X, truncation=True, max_length=128)
    codes = [int(label == "odd") for label in y]
    rows = [{"input_ids": ids, "labels": code} for ids, code in zip(tokens["input_ids"], codes, strict=True)]
    half = torch.cuda.is_available()
    settings: dict[str, Any] = {"per_device_train_batch_size": options.batch, "num_train_epochs": 1, "bf16": half}
    settings |= {"learning_rate": 5e-5, "warmup_steps": 10, "report_to": [], "save_strategy": "no"}
    settings |= {"logging_strategy": "no", "disable_tqdm": True, "seed": 0, "dataloader_pin_memory": half}
    if grouped:
        known = TrainingArguments.__dataclass_fields__  # version 5 names a strategy, version 4 has a switch
        settings |= (
            {"group_by_length": True} if "group_by_length" in known else {"train_sampling_strategy": "group_by_length"}
        )
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = TrainingArguments(folder, **settings)
        trainer = Trainer(model, made, train_dataset=rows, data_collator=DataCollatorWithPadding(tokenizer))
        return _synchronized(trainer.train)


def _synchronized(work: Callable[[], Any]) -> float:
    import torch

    if not torch.cuda.is_available():  # processor time, for other work on the machine must not count
        began = time.process_time()
        work()
        return time.process_time() - began

    def whole() -> None:
        work()
        torch.cuda.synchronize()

    return timed(whole)


def main(given: Sequence[str] = ()) -> None:
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("what", nargs="*", default=["linear", "encoder"])
    arguments.add_argument("--rows", type=int)
    arguments.add_argument("--encoder", default="sentence-transformers/all-MiniLM-L6-v2")
    arguments.add_argument("--batch", type=int, default=16)
    arguments.add_argument("--words", type=float, default=18)
    arguments.add_argument("--turns", type=int, default=3)
    arguments.add_argument("--threads", type=int, default=0)
    options = arguments.parse_args(given)
    if "linear" in options.what:
        linear(options.rows or 6_000)
    if "encoder" in options.what:
        options.rows = options.rows or 320
        encoder(options)


if __name__ == "__main__":
    main(sys.argv[1:])
