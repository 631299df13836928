"""Fine-tune an encoder on IMDB, Yelp, Quora and MNLI and keep held-out probabilities (paper 003).

    PYTHONPATH=src python3 -m benchmarks.paper_003_encoder --data training-inputs/data \
        --encoder training-inputs/encoder --out OUT --minutes 6

For each dataset the rates are searched and the one with the lowest loss on the development set is kept, as in the
paper. OUT/<dataset>.tsv.gz holds system, id, part, gold, predicted and prob:<label> for dev and test; `assay
information --predictions` reads it. Yelp is binary from stars; Quora and MNLI (dev matched) are cut 80-10-10.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import _training_studies as studies

FILES = {"quora": "quora", "imdb": "imdb", "mnli": "mnli_dev_matched", "yelp": "yelp_reviews"}
RATES = [5e-5, 1e-4, 2e-4]
SETTINGS = {"batch_size": 16, "epochs": 4, "patience": 4, "monitor": "loss"}


def load(options: argparse.Namespace, name: str) -> studies.Study:
    path = options.data / f"{FILES[name]}.tsv.gz"
    if name == "imdb":
        return studies.load_study(path, name, 0.0, 0.125)
    study = studies.load_study(path, name, 0.1, 1 / 9, pool=True)
    assert study.dev is not None
    return study


def lines(study: studies.Study, made: dict[str, Any]) -> Iterator[list[str]]:
    assert study.dev is not None
    rows = np.concatenate([study.dev, study.test])
    for place, (row, share) in enumerate(zip(rows, made["probabilities"], strict=True)):
        part = "dev" if place < len(study.dev) else "test"
        predicted = made["classes"][int(share.argmax())]
        yield ["transformer", study.ids[row], part, study.y[row], predicted, *(f"{value:.8g}" for value in share)]


def score(study: studies.Study, made: dict[str, Any]) -> dict[str, Any]:
    """Return accuracy and loss on dev and on test."""
    assert study.dev is not None
    measures: dict[str, Any] = {"n_train": len(study.train)}
    place = {label: number for number, label in enumerate(made["classes"])}
    shares = {"dev": made["probabilities"][: len(study.dev)], "test": made["probabilities"][len(study.dev) :]}
    for part, rows in (("dev", study.dev), ("test", study.test)):
        codes = np.array([place[study.y[row]] for row in rows])
        of_gold = shares[part][np.arange(len(rows)), codes]
        measures[f"{part}_accuracy"] = float((shares[part].argmax(axis=1) == codes).mean())
        measures[f"{part}_nll"] = float(-np.log(np.maximum(of_gold, 1e-12)).mean())
        measures[f"n_{part}"] = len(rows)
    return measures


def main(given: Sequence[str] = ()) -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--data", type=Path)
    arguments.add_argument("--encoder", type=Path)
    arguments.add_argument("--vectors", type=Path, help="Not used; taken so that the studies share a command line.")
    arguments.add_argument("--out", type=Path, default=Path("paper-003"))
    arguments.add_argument("--minutes", type=float, default=6)
    arguments.add_argument("--processes", type=int, default=12)
    arguments.add_argument("--datasets", type=lambda text: text.split(","), default=list(FILES))
    arguments.add_argument("--rows", type=int, help="Only so many rows of each part, to try it out.")
    options = arguments.parse_args(given)
    if options.data is None:
        print("Nothing to do without --data.")
        return
    options.out.mkdir(parents=True, exist_ok=True)
    scores: dict[str, Any] = {}
    if (options.out / "scores.json").exists():
        scores = json.loads((options.out / "scores.json").read_text(encoding="utf-8"))
    loaded = {name: studies.shorten(load(options, name), options.rows) for name in options.datasets}
    tasks = {}
    for name, study in loaded.items():
        assert study.dev is not None
        rows = np.concatenate([study.dev, study.test])
        for rate in RATES:
            settings = {**SETTINGS, "learning_rate": rate, "encoder": str(options.encoder)}
            if f"{name} {rate}" not in scores:
                tasks[f"{name} {rate}"] = (study, "transformer", settings, rows)
    for key, made in studies.side_by_side(tasks, options.processes, options.minutes):
        name = key.split(" ")[0]
        measures = score(loaded[name], made)
        scores[key] = {"dataset": name, "seconds": made["seconds"], "best_epoch": made["best_epoch"], **measures}
        print(f"{key:16s} " + "  ".join(f"{what} {value:.4g}" for what, value in measures.items()), flush=True)
        best = min((found["dev_nll"], each) for each, found in scores.items() if found["dataset"] == name)[1]
        if best == key:
            header = ["system", "id", "part", "gold", "predicted", *(f"prob:{label}" for label in made["classes"])]
            studies.write_predictions(options.out / f"{name}.tsv.gz", header, lines(loaded[name], made))
        studies.write_json(options.out / "scores.json", scores)


if __name__ == "__main__":
    main(sys.argv[1:])
