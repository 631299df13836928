"""Train the four models of paper 000, and LinearClassifier, on its nine datasets; keep all predictions.

    python -m benchmarks.export_training_inputs --data ../shared/data --out training-inputs
    PYTHONPATH=src python3 -m benchmarks.paper_000_models --data training-inputs/data \
        --vectors training-inputs/vectors.npz --encoder training-inputs/encoder --out OUT --minutes 9
    python -m benchmarks.paper_000_models --table OUT [OUT2 ...]

A dataset and model that is in OUT already is not trained again. The datasets are the samples at hand, not the
papers' full ones; word vectors are wordllama's where the paper has Word2Vec and GloVe, and the encoder is MiniLM
if it has BERT base. Rates and batches follow the size of these, not the paper's table.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import _training_studies as studies

FILES = {
    "mr": "mr",
    "cr": "cr",
    "sst1": "sst1",
    "trec": "trec",
    "atis": "atis",
    "ade": "ade",
    "imdb": "imdb",
    "yelp": "yelp_reviews",
    "dbpedia": "dbpedia14",
}
COST = ["imdb", "yelp", "ade", "dbpedia", "mr", "sst1", "trec", "atis", "cr"]  # the longest first
WORDS = {"epochs": 30, "patience": 5, "batch_size": 32, "max_words": 400}
SETTINGS: dict[str, dict[str, Any]] = {
    "linear": {},
    "cnn": {**WORDS, "learning_rate": 1e-3},
    "lstm": {**WORDS, "learning_rate": 1e-3, "dropout": 0.3},
    "lstm-attention": {**WORDS, "learning_rate": 1e-3, "dropout": 0.3},
    "transformer": {"learning_rate": 1e-4, "batch_size": 32, "epochs": 6, "patience": 3},
}


def settings_of(model: str, options: argparse.Namespace) -> dict[str, Any]:
    more: dict[str, Any] = {}
    if model == "transformer":
        more = {"encoder": str(options.encoder)}
    elif model != "linear" and options.vectors:
        more = {"vectors": str(options.vectors)}
    if options.epochs and model != "linear":
        more["epochs"] = options.epochs
    return SETTINGS[model] | more


def load(out: Path) -> dict[str, Any]:
    path = out / "scores.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def lines(results: dict[str, Any]) -> Iterator[list[str]]:
    for result in results.values():
        yield from result["lines"]


def prediction_lines(study: studies.Study, model: str, made: dict[str, Any]) -> list[list[str]]:
    """Return dataset, system, id, gold, predicted and the probability of gold and of what was predicted."""
    classes, shares = made["classes"], made["probabilities"]
    place = {label: number for number, label in enumerate(classes)}
    found = []
    for row, share in zip(study.test, shares, strict=True):
        gold, best = study.y[row], int(share.argmax())
        of_gold = share[place[gold]] if gold in place else 0.0
        cells = [study.name, model, study.ids[row], gold, classes[best]]
        found.append([*cells, f"{of_gold:.6g}", f"{share[best]:.6g}"])
    return found


def save(out: Path, scores: dict[str, Any], kept: list[list[str]]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    header = ["dataset", "system", "id", "gold", "predicted", "prob_gold", "prob_predicted"]
    studies.write_predictions(out / "predictions.tsv.gz", header, iter(sorted(kept)))
    studies.write_json(out / "scores.json", scores)


def run(options: argparse.Namespace) -> None:
    scores = load(options.out)
    old = options.out / "predictions.tsv.gz"
    kept = [list(row.values()) for row in studies.rows_of(old)] if old.exists() else []
    loaded = {name: studies.load_study(options.data / f"{FILES[name]}.tsv.gz", name, 0.1, 0.125) for name in COST}
    order = [model for model in ("lstm", "lstm-attention", "transformer", "cnn", "linear") if model in options.models]
    tasks = {
        f"{name} {model}": (loaded[name], model, settings_of(model, options), loaded[name].test)
        for name in COST
        for model in order
        if name in options.datasets and f"{name} {model}" not in scores
    }
    saved = time.monotonic()
    for key, made in studies.side_by_side(tasks, options.processes, options.minutes):
        name, model = key.split(" ")
        kept += prediction_lines(loaded[name], model, made)
        outcome = {part: made[part] for part in ("accuracy", "seconds", "best_epoch", "dev_loss", "dev_accuracy")}
        sizes = {part: len(getattr(loaded[name], part)) for part in ("train", "dev", "test")}
        scores[key] = {"dataset": name, "system": model, **outcome, **sizes}
        print(f"{key:24s} accuracy {made['accuracy']:.4f}  {made['seconds']:6.1f} s", flush=True)
        if time.monotonic() - saved > 20:
            save(options.out, scores, kept)
            saved = time.monotonic()
    save(options.out, scores, kept)


def table(folders: list[Path]) -> None:
    """Print the table of §4.2 with our λ, from the kept predictions."""
    from assay.statistics import spearman

    answers: dict[str, dict[str, dict[str, bool]]] = {}
    for folder in folders:
        for row in studies.rows_of(folder / "predictions.tsv.gz"):
            right = row["gold"] == row["predicted"]
            answers.setdefault(row["dataset"], {}).setdefault(row["system"], {})[row["id"]] = right
    four = ["cnn", "lstm", "lstm-attention", "transformer"]
    answers = {name: systems for name, systems in answers.items() if len(set(systems) & set(four)) > 1}
    print("| dataset | " + " | ".join([*four, "linear"]) + " | n | λ_var | λ_sva | λ_hit |")
    print("|---|" + "---|" * (len(four) + 5))
    columns = []
    for name in [name for name in FILES if name in answers]:
        systems = answers[name]
        ids = sorted(next(iter(systems.values())))
        right = np.array([[systems[system][id_] for id_ in ids] for system in four if system in systems])
        scores = {system: 100 * np.mean(list(found.values())) for system, found in systems.items()}
        values = lambdas(right)
        columns.append(values)
        cells = [f"{scores[system]:.1f}" if system in scores else "" for system in [*four, "linear"]]
        print(f"| {name} | " + " | ".join(cells) + f" | {len(ids)} | " + " | ".join(f"{v:.3g}" for v in values) + " |")
    if len(columns) < 3:
        return
    var, sva, hit = np.array(columns).T
    print(f"\nSpearman of λ_hit with λ_var {spearman(hit, var).value:.2f}, with λ_sva {spearman(hit, sva).value:.2f}.")


def lambdas(right: np.ndarray) -> tuple[float, float, float]:
    """Return λ_var, λ_sva and λ_hit (bootstrap) of systems × items."""
    scores = 100 * right.mean(axis=1)
    var = float(scores.std(ddof=1))
    draw = np.random.default_rng(0)
    weights = draw.multinomial(right.shape[1], np.full(right.shape[1], 1 / right.shape[1]), size=1000)
    resampled = weights @ right.T.astype(float)
    hits = []
    for first in range(len(scores)):
        for second in range(first):
            sign = np.sign(scores[first] - scores[second])
            if sign:
                hits.append(float((np.sign(resampled[:, first] - resampled[:, second]) == sign).mean()))
    return var, var * (100 - float(scores.mean())), float(np.mean(hits))


def main(given: Sequence[str] = ()) -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--data", type=Path)
    arguments.add_argument("--encoder", type=Path)
    arguments.add_argument("--vectors", type=Path)
    arguments.add_argument("--out", type=Path, default=Path("paper-000"))
    arguments.add_argument("--minutes", type=float, default=9)
    arguments.add_argument("--processes", type=int, default=12)
    arguments.add_argument("--epochs", type=int, help="At most so many, to try it out.")
    arguments.add_argument("--models", type=lambda text: text.split(","), default=list(SETTINGS))
    arguments.add_argument("--datasets", type=lambda text: text.split(","), default=list(FILES))
    arguments.add_argument("--table", type=Path, nargs="+", help="Print the table from folders of results.")
    options = arguments.parse_args(given)
    if options.table:
        table(options.table)
    elif options.data is None:
        print("Nothing to do without --data.")
    else:
        run(options)


if __name__ == "__main__":
    main(sys.argv[1:])
