"""Time of `evaluate` with intervals next to the plain scoring of the reference libraries, on real data.

Translations of TED talks (WMT 2021), tags of WNUT-17 systems and the rankings of CACM are drawn again, with a tenth of
the words, tags or ranks changed, until there are enough items and systems. The library scores the first systems only
(`--library-systems`); its time is scaled, since it scores one system after the other.

`evaluate` runs without trivial baselines and paired comparisons, which no library computes.

Run with: python -m benchmarks.kind_metrics [--items 10000] [--systems 30] [--library-systems 3]
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import assay
from assay.data import read_table
from assay.kinds import kind_of, read

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
SHARE_CHANGED = 0.1


def change(rng: np.random.Generator, units: Sequence[str], others: Sequence[str]) -> list[str]:
    """Replace a tenth of the units."""
    drawn = rng.random(len(units)) < SHARE_CHANGED
    return [others[rng.integers(len(others))] if new else unit for unit, new in zip(units, drawn, strict=True)]


def time_call(function: Callable[[], Any]) -> float:
    """Return the processor time of a call, which other programs on the machine do not change."""
    started = time.process_time()
    function()
    return time.process_time() - started


def compare_texts(n_items: int, n_systems: int, n_library: int) -> None:
    from rouge_score.rouge_scorer import RougeScorer
    from sacrebleu.metrics import BLEU, CHRF

    table = read_table(SHARED / "wmt_mqm_ted_ende" / "translations.tsv.gz").pivot(
        "system", index="segment", values="translation"
    )
    table = table.drop_nulls()
    rng = np.random.default_rng(0)
    rows = rng.integers(table.height, size=n_items)
    words = " ".join(table["ref"].to_list()).split()
    names = [name for name in table.columns if name not in ("segment", "ref")]
    gold = [" ".join(change(rng, table["ref"][int(row)].split(), words)) for row in rows]
    systems = {
        f"s{number}": [
            " ".join(change(rng, table[names[number % len(names)]][int(row)].split(), words)) for row in rows
        ]
        for number in range(n_systems)
    }
    data = read({"source": [str(row) for row in rows], "reference": gold}, task="generation")
    some = list(systems.values())[:n_library]
    rouge = RougeScorer(["rougeL"])
    plain: dict[str, Callable[[], Any]] = {
        "rouge-l": lambda: [[rouge.score(a, b) for a, b in zip(gold, said, strict=True)] for said in some],
        "chrf": lambda: [CHRF().corpus_score(said, [gold]) for said in some],
        "bleu": lambda: [BLEU(force=True).corpus_score(said, [gold]) for said in some],
    }
    for name, library in plain.items():
        report(name, time_call(library) * n_systems / n_library, data, systems)


def compare_tags(n_items: int, n_systems: int, n_library: int) -> None:
    from seqeval.metrics import f1_score

    test = read(SHARED / "wnut17" / "emerging.test.annotated")
    table = kind_of(test).answers.load_answers(SHARED / "wnut17" / "test_predictions.tsv.gz", test)
    assert table is not None
    names = [name for name in table.columns if name != "id"]
    rng = np.random.default_rng(0)
    rows = rng.integers(len(test), size=n_items)
    tags = sorted(test.fields["tags"].explode().unique().to_list())
    known, tokens = test.fields["tags"].to_list(), test.fields["tokens"].to_list()
    gold = [known[row] for row in rows]
    said = [
        [change(rng, table[names[number % len(names)]][int(row)].split(), tags) for row in rows]
        for number in range(n_systems)
    ]
    data = read({"tokens": [tokens[row] for row in rows], "tags": gold})
    library = time_call(lambda: [f1_score(gold, each) for each in said[:n_library]]) * n_systems / n_library
    joined = {f"s{number}": [" ".join(row) for row in each] for number, each in enumerate(said)}
    report("entity-f1", library, data, joined)


def compare_rankings(n_items: int, n_systems: int, n_library: int) -> None:
    import ir_measures
    from ir_measures import nDCG

    cacm = read(SHARED / "cacm")
    table = kind_of(cacm).answers.load_answers(SHARED / "cacm" / "run.bm25.txt.gz", cacm)
    assert table is not None
    answers = {name: list(json.loads(ranking)) for name, ranking in table.select("id", "predicted").iter_rows()}
    judged = dict(zip(cacm.ids.to_list(), cacm.fields["judgements"].to_list(), strict=True))
    names = [name for name in answers if json.loads(judged.get(name) or "{}")]
    documents = cacm.attachments["corpus"]["id"].to_list()
    rng = np.random.default_rng(0)
    drawn = [names[row] for row in rng.integers(len(names), size=n_items)]
    queries = [f"q{number}" for number in range(n_items)]
    qrels = {query: json.loads(judged[name]) for query, name in zip(queries, drawn, strict=True)}
    runs = [[list(dict.fromkeys(change(rng, answers[name], documents))) for name in drawn] for _ in range(n_systems)]
    data = read({"id": queries, "query": drawn, "judgements": [json.dumps(qrels[query]) for query in queries]})
    scored = [
        {query: {name: -float(rank) for rank, name in enumerate(row)} for query, row in zip(queries, run, strict=True)}
        for run in runs[:n_library]
    ]
    library = time_call(lambda: [ir_measures.calc_aggregate([nDCG @ 10], qrels, run) for run in scored])
    written = {f"s{number}": [json.dumps(row) for row in run] for number, run in enumerate(runs)}
    report("ndcg@10", library * n_systems / n_library, data, written)


def report(name: str, library: float, data: Any, systems: Mapping[str, Sequence[str]]) -> None:
    """Evaluate, and print both times."""
    frame = pl.DataFrame({"id": data.ids, **{system: pl.Series(answers) for system, answers in systems.items()}})
    ours = time_call(lambda: assay.evaluate(data, frame, metrics=name, compare=False, baselines=False))
    print(
        f"| `{name}` | {library:.1f} s | {ours:.1f} s | {ours / library:.2f} |",
        flush=True,
    )


def main() -> None:
    """Compare all of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--systems", type=int, default=30)
    parser.add_argument("--library-systems", type=int, default=3)
    options = parser.parse_args()
    for compare in (compare_texts, compare_tags, compare_rankings):
        compare(50, 2, 2)  # imports and compiled loops
    print(f"assay {assay.__version__}: {options.systems} systems, {options.items:,} items")
    print("| metric | library, plain scores | evaluate with intervals | ratio |\n|---|---|---|---|")
    compare_texts(options.items, options.systems, options.library_systems)
    compare_tags(options.items, options.systems, options.library_systems)
    compare_rankings(options.items, options.systems, options.library_systems)


if __name__ == "__main__":
    main()
