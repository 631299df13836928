"""Count findings A801 and A802 of audits with a corpus: items planted in it, their words permuted, or nothing planted.

    python -m benchmarks.contamination_findings [SEEDS] [FIRST_SEED]

Benchmarks are 400 drawn questions with answers (GSM8K), or 400 questions (TREC), news or reviews; the corpus is 2,000
paragraphs of others. Planted: 2% of the test items, question alone or with the answer. Permuted: the same number of
items with their words in random order, which must not be found. Needs the shared data.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
import polars as pl

from assay.audits import Audit, audit
from assay.data import read_table
from assay.statistics import wilson
from benchmarks._bars import is_rare, print_bar
from benchmarks.contamination import SHARED, read_imdb, read_texts, read_wikitext

N_ITEMS, N_DOCUMENTS, SHARE = 400, 2000, 0.02
N_SEEDS = 20
CODES = ("A801", "A802")


def main() -> None:
    """Print, for every benchmark and way of planting, how often each finding is raised and on which items."""
    n_seeds, first = [*map(int, sys.argv[1:3]), *(N_SEEDS, 0)[len(sys.argv) - 1 :]]
    corpus = read_wikitext("valid") + read_imdb()[4000:6000]
    for name, table in read_benchmarks().items():
        for way, plant in WAYS.items():
            runs = [run(table, corpus, plant, seed) for seed in range(first, first + n_seeds)]
            for code in CODES:
                raised = sum(code in found for found, _ in runs)
                interval = wilson(raised, n_seeds)
                line = (
                    f"{name}, {way}: {code} raised in {raised} of {n_seeds} [{interval.low:.2f}, {interval.high:.2f}]"
                )
                if way.startswith("planted"):
                    print(line, flush=True)
                else:
                    print_bar(line, is_held=is_rare(raised / n_seeds, 0.05, n_seeds))
            if way.startswith("planted"):
                print(f"  items: {np.mean([recall for _, recall in runs]):.3f} of the planted ones are listed")


def read_benchmarks() -> dict[str, pl.DataFrame]:
    """Return items with question and answer, or with a text only."""
    gsm8k = read_table(SHARED / "gsm8k" / "items.tsv.gz").select(text="question", answer="answer")
    tables = {"gsm8k": gsm8k}
    for name in ("trec", "ag_news", "yelp_reviews"):
        tables[name] = pl.DataFrame({"text": read_texts(name)})
    return tables


def run(
    table: pl.DataFrame,
    corpus: list[str],
    plant: Callable[[dict[str, str], np.random.Generator], str | None],
    seed: int,
) -> tuple[set[str], float]:
    """Audit items drawn with a seed; return the codes raised, and the share of the planted items that they list."""
    rng = np.random.default_rng(seed)
    items = table[rng.choice(table.height, N_ITEMS, replace=False).tolist()]
    items = items.with_columns(id=pl.Series([str(row) for row in range(N_ITEMS)]))
    documents = [corpus[row] for row in rng.choice(len(corpus), N_DOCUMENTS, replace=False)]
    chosen = rng.choice(N_ITEMS, round(SHARE * N_ITEMS), replace=False).tolist()
    for row, place in zip(chosen, rng.integers(N_DOCUMENTS, size=len(chosen)), strict=True):
        text = plant(items.row(row, named=True), rng)
        if text is not None:
            documents[place] = f"{documents[place]} {text} {documents[place - 1]}"
    result = audit(items, corpus=pl.Series("", documents), only=["contamination"])
    listed = list_items(result)
    return {finding.code for finding in result.findings}, len(listed & {str(row) for row in chosen}) / len(chosen)


def list_items(result: Audit) -> set[str]:
    """Return the ids of the items that A801 lists."""
    return {item for finding in result.findings if finding.code == "A801" for item in finding.items}


def plant_nothing(_item: dict[str, str], _rng: np.random.Generator) -> None:
    """Plant nothing: the benchmark is clean."""


def plant_question(item: dict[str, str], _rng: np.random.Generator) -> str:
    """Plant the question alone."""
    return item["text"]


def plant_answer(item: dict[str, str], _rng: np.random.Generator) -> str:
    """Plant the question and the answer, if there is one."""
    return f"{item['text']} {item.get('answer', '')}"


def plant_permuted(item: dict[str, str], rng: np.random.Generator) -> str:
    """Plant the words of question and answer in random order."""
    return " ".join(rng.permutation(plant_answer(item, rng).split()).tolist())


WAYS: dict[str, Callable[[dict[str, str], np.random.Generator], str | None]] = {
    "clean": plant_nothing,
    "permuted": plant_permuted,
    "planted question": plant_question,
    "planted question and answer": plant_answer,
}

if __name__ == "__main__":
    main()
