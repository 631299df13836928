"""Time of `evaluate` with intervals beside the plain scoring of the reference libraries.

Run with: python -m benchmarks.kind_metrics [--items 2000] [--systems 5]
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import assay
from assay.kinds import read

WORDS = [f"word{number}" for number in range(2000)]
TAGS = ["O", "O", "O", "B-per", "I-per", "B-loc", "I-loc"]


def draw_texts(rng: np.random.Generator, n: int) -> list[str]:
    return [" ".join(rng.choice(WORDS, rng.integers(15, 40))) for _ in range(n)]


def change(rng: np.random.Generator, text: str) -> str:
    words = text.split()
    return " ".join(word if rng.random() < 0.7 else str(rng.choice(WORDS)) for word in words)


def time_call(function: Callable[[], Any]) -> float:
    started = time.perf_counter()
    function()
    return time.perf_counter() - started


def compare_texts(n_items: int, n_systems: int) -> None:
    from rouge_score.rouge_scorer import RougeScorer
    from sacrebleu.metrics import BLEU, CHRF

    rng = np.random.default_rng(0)
    gold = draw_texts(rng, n_items)
    systems = {f"s{number}": [change(rng, text) for text in gold] for number in range(n_systems)}
    data = read({"source": gold, "reference": gold})
    rouge = RougeScorer(["rougeL"])
    plain: dict[str, Callable[[], Any]] = {
        "rouge-l": lambda: [
            [rouge.score(a, b)["rougeL"].fmeasure for a, b in zip(gold, said, strict=True)] for said in systems.values()
        ],
        "chrf": lambda: [CHRF().corpus_score(said, [gold]) for said in systems.values()],
        "bleu": lambda: [BLEU(force=True).corpus_score(said, [gold]) for said in systems.values()],
    }
    for name, library in plain.items():
        report(name, time_call(library), time_call(lambda name=name: score(data, systems, name)))  # type: ignore[misc]


def compare_tags(n_items: int, n_systems: int) -> None:
    from seqeval.metrics import f1_score

    rng = np.random.default_rng(0)
    gold = [rng.choice(TAGS, rng.integers(10, 30)).tolist() for _ in range(n_items)]
    systems = {
        f"s{number}": [[tag if rng.random() < 0.8 else "O" for tag in tags] for tags in gold]
        for number in range(n_systems)
    }
    data = read({"tokens": [["w"] * len(tags) for tags in gold], "tags": gold})
    joined = {name: [" ".join(tags) for tags in said] for name, said in systems.items()}
    library = time_call(lambda: [f1_score(gold, said) for said in systems.values()])
    report("entity-f1", library, time_call(lambda: score(data, joined, "entity-f1")))


def compare_rankings(n_items: int, n_systems: int) -> None:
    import ir_measures
    from ir_measures import nDCG

    rng = np.random.default_rng(0)
    documents = [f"d{number}" for number in range(5000)]
    queries = [f"q{number}" for number in range(n_items)]
    judged = {query: {str(document): 1 for document in rng.choice(documents, 5)} for query in queries}
    runs = [
        {
            query: {str(document): float(100 - rank) for rank, document in enumerate(rng.choice(documents, 100))}
            for query in queries
        }
        for _ in range(n_systems)
    ]
    data = read({"id": queries, "query": queries, "judgements": [json.dumps(judged[query]) for query in queries]})
    answers = {f"s{n}": [json.dumps(list(run[query])) for query in queries] for n, run in enumerate(runs)}
    library = time_call(lambda: [ir_measures.calc_aggregate([nDCG @ 10], judged, run) for run in runs])
    report("ndcg@10", library, time_call(lambda: score(data, answers, "ndcg@10")))


def score(data: Any, systems: dict[str, list[str]], metric: str) -> Any:
    """Score without the trivial baselines of the kind, which no library computes."""
    from assay.evaluation import read_predictions
    from assay.evaluation.metrics import find_kind_metric
    from assay.evaluation.scoring.preparation import prepare_predictions

    prepared = prepare_predictions(read_predictions(systems, data))
    found = find_kind_metric(data, metric)
    assert found is not None
    return prepared.compute_scores(found)


def report(name: str, library: float, ours: float) -> None:
    print(f"{name:10} library {library:7.2f} s   assay with intervals {ours:7.2f} s   ratio {ours / library:5.2f}")


def main() -> None:
    """Compare all of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--items", type=int, default=2000)
    parser.add_argument("--systems", type=int, default=5)
    options = parser.parse_args()
    print(f"assay {assay.__version__}: {options.systems} systems, {options.items:,} items")
    for compare in (compare_texts, compare_tags, compare_rankings):
        compare(20, 2)  # imports
    print("measured:")
    compare_texts(options.items, options.systems)
    compare_tags(options.items, options.systems)
    compare_rankings(options.items, options.systems)


if __name__ == "__main__":
    main()
