"""How often the audit warns about a word that was put into 1, 2 or 5% of the items, and about words of clean data.

    python -m benchmarks.planted_tokens [development|held-back] [FIRST_SEED] [JOBS]

Ten datasets, samples of at most 4,000 items. A made-up word is put at the start, at the end or at a random place of
items (at least 40) of one label. Counted are warnings of A401 that name the word, and for three clean samples of each
dataset those about a word that looks put in, and those about function words or numbers (in parentheses), which do
predict labels in some datasets. The limits of the rule were chosen on the development datasets with seed 0.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

import assay

SETS = {
    "development": (
        "mr/mr", "cr/cr", "trec/trec", "atis/atis", "ag_news/ag_news", "gnad10/gnad10", "waimai_zh/waimai",
        "quora/quora", "sst1/sst1", "semeval2016_cqa/cqa_A",
    ),
    "held-back": (
        "imdb/imdb", "yelp_reviews/yelp_reviews", "dbpedia14/dbpedia14", "uci_news/uci_news", "ade/ade", "sst2/sst2",
        "msrp/msrp", "mnli/mnli_dev_matched", "sentiment_hi_latn/sentiment_hi_latn",
        "imdb_counterfactual/imdb_counterfactual",
    ),
}  # fmt: skip
SHARES = {0.01: "end", 0.02: "random", 0.05: "start"}
WORDS = ("qzxv", "blorptag", "x7k2", "zzid")
MAX_ITEMS, MIN_PLANTED = 4_000, 40
SHARED = Path(__file__).parents[2] / "shared" / "data"


def main() -> None:
    """Print one row per dataset and share, and the totals."""
    chosen = sys.argv[1] if len(sys.argv) > 1 else "held-back"
    first_seed = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    n_jobs = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    named = extra = false = predicting = total = 0
    tasks = [
        (name, share, place, WORDS[(number + step) % len(WORDS)], first_seed + 10 * number + step)
        for step, (share, place) in enumerate(SHARES.items())
        for number, name in enumerate(SETS[chosen])
    ]
    run = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    for name, share, place, word, warned, clean in run(delayed(audit_sample)(*task) for task in tasks):
        known = [name for name in clean if name.startswith("(")]
        total, false, predicting = total + 1, false + (len(known) < len(clean)), predicting + bool(known)
        named, extra = named + (word in warned), extra + bool(set(warned) - {word, *known})
        print(f"{name:<40}{share:>5.0%} {place:<7} {word:<9} planted: {warned}  clean: {clean}", flush=True)
    print(
        f"{chosen}: named {named} of {total}; other words {extra} of {total}; clean: words that look put in {false} of "
        f"{total}, function words or numbers {predicting} of {total}"
    )


def audit_sample(
    name: str, share: float, place: str, word: str, seed: int
) -> tuple[str, float, str, str, list[str], list[str]]:
    """Return the words that an audit warns about with a planted word and without."""
    sides, labels = draw_items(assay.read(SHARED / f"{name}.tsv.gz").drop_unlabelled().fill_texts(), seed)
    planted = plant(sides, labels, word, share, place, seed)
    return name, share, place, word, list_warned(planted, labels, seed), list_warned(sides, labels, seed)


def draw_items(data: assay.Dataset, seed: int) -> tuple[list[list[str]], list[str]]:
    """Return the texts of a random sample, side by side, and their labels."""
    rows = np.sort(np.random.default_rng(seed).permutation(len(data))[:MAX_ITEMS])
    assert data.labels is not None
    return [side.gather(rows).to_list() for side in data.sides], data.labels.gather(rows).to_list()


def plant(sides: list[list[str]], labels: list[str], word: str, share: float, place: str, seed: int) -> list[list[str]]:
    """Put a word into the last text of some items of a frequent label."""
    rng = np.random.default_rng(seed + 1)
    names, counts = np.unique(labels, return_counts=True)
    frequent = names[counts >= max(100, counts.max() // 3)]
    rows = rng.permutation(np.flatnonzero(np.array(labels) == rng.choice(frequent)))
    changed = list(sides[-1])
    for row in rows[: max(MIN_PLANTED, round(share * len(labels)))].tolist():
        words = changed[row].split(" ")
        where = {"start": 0, "end": len(words), "random": int(rng.integers(len(words) + 1))}[place]
        words.insert(where, word)
        changed[row] = " ".join(words)
    return [*sides[:-1], changed]


def list_warned(sides: list[list[str]], labels: list[str], seed: int) -> list[str]:
    """Return the words that the audit warns about; a group of function words or numbers as its first, in parentheses."""
    names = ("text",) if len(sides) == 1 else ("text_a", "text_b")
    columns = {**dict(zip(names, sides, strict=True)), "label": labels}
    result = assay.audit(columns, only=["profile", "information"], random_state=seed, cache=False)
    warnings = [row for row in result.findings if row.code == "A401" and row.severity == "warning"]
    return [f"({row.subject})" if row.claim.startswith("Function words") else row.subject for row in warnings]


if __name__ == "__main__":
    main()
