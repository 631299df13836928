"""How often the audit warns about a word that was put into 1, 2 or 5% of the items, and about words of other data.

    python -m benchmarks.planted_tokens [development|held-back] [--first 100] [--repeats 1] [--only NAME] [--jobs 1]

Ten datasets, three samples of at most 4,000 items each. A made-up word is put at the start, at the end or at a random
place of items (at least 40) of one label: planted. Counted are warnings of A401 that name the word. The same sample is
audited twice more. As it is: words that look put in, and function words or numbers (in parentheses), which do predict
the labels of some datasets, such as "no" in MNLI. As a control in which no such word can predict the label: all
function words and numbers are exchanged at random between the places where the sample has one, in each text of a pair
by itself, and a made-up word is put into as many items of any label as in the planted data. Other words that look put
in are not counted there, because the exchange breaks the sentences around them. The limits of the rule were chosen on
the development datasets with seed 0.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

import assay
from assay.information.cues.word_kinds import is_function_word, is_number
from benchmarks._bars import print_bar

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
PIECES = re.compile(r"(\w+)")
COUNTS = (
    "planted word named",
    "another word than in the data as it is named next to it",
    "as it is, a word that looks put in",
    "as it is, function words or numbers",
    "control, the word of all labels",
    "control, function words or numbers",
)
SHARED = Path(__file__).parents[2] / "shared" / "data"

MIN_NAMED = 0.9


def main() -> None:
    """Print one row per sample, and the totals."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="?", choices=SETS, default="held-back")
    parser.add_argument("--first", type=int, default=100, help="the first seed")
    parser.add_argument("--repeats", type=int, default=1, help="how often each dataset and share is repeated")
    parser.add_argument("--only", default="", help="only datasets whose name contains this")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    tasks = [
        (name, share, place, WORDS[(number + step) % len(WORDS)], options.first + 100 * repeat + 10 * number + step)
        for repeat in range(options.repeats)
        for step, (share, place) in enumerate(SHARES.items())
        for number, name in enumerate(SETS[options.sets])
        if options.only in name
    ]
    totals = dict.fromkeys(COUNTS, 0)
    for name, share, place, word, warned in Parallel(n_jobs=options.jobs, return_as="generator_unordered")(
        delayed(audit_sample)(*task) for task in tasks
    ):
        for count, holds in zip(COUNTS, count_warnings(word, *warned), strict=True):
            totals[count] += holds
        planted, clean, control = warned
        print(
            f"{name:<40}{share:>5.0%} {place:<7} {word:<9} planted: {planted}  as it is: {clean}  control: {control}",
            flush=True,
        )
    print("\n".join(f"{options.sets}: {count}: {total} of {len(tasks)}" for count, total in totals.items()))
    found = totals[COUNTS[0]]
    print_bar(f"planted words: {found} of {len(tasks)} named", is_held=found >= MIN_NAMED * len(tasks))


def count_warnings(word: str, planted: list[str], clean: list[str], control: list[str]) -> tuple[bool, ...]:
    """Return what happened in a sample, in the order of COUNTS."""
    groups = [name for name in clean if name.startswith("(")]
    return (
        word in planted,
        bool(set(planted) - {word, *clean}),
        len(groups) < len(clean),
        bool(groups),
        word in control,
        any(name.startswith("(") for name in control),
    )


def audit_sample(
    name: str, share: float, place: str, word: str, seed: int
) -> tuple[str, float, str, str, tuple[list[str], list[str], list[str]]]:
    """Return the words that an audit warns about with a planted word, as the data is, and in the control."""
    sides, labels = draw_items(assay.read(SHARED / f"{name}.tsv.gz").drop_unlabelled().fill_texts(), seed)
    planted = plant(sides, labels, word, share, place, seed)
    control = plant(exchange_words(sides, seed), ["any"] * len(labels), word, share, place, seed)
    warned = [list_warned(texts, labels, seed) for texts in (planted, sides, control)]
    return name, share, place, word, (warned[0], warned[1], warned[2])


def exchange_words(sides: list[list[str]], seed: int) -> list[list[str]]:
    """Exchange the function words and numbers of the texts at random; all other words stay where they are."""
    return [_exchange(side, np.random.default_rng([seed, place])) for place, side in enumerate(sides)]


def _exchange(texts: list[str], generator: np.random.Generator) -> list[str]:
    pieces = [PIECES.split(text) for text in texts]
    places = [
        (row, place)
        for row, parts in enumerate(pieces)
        for place, part in enumerate(parts)
        if is_function_word(part) or is_number(part)
    ]
    words = [pieces[row][place] for row, place in places]
    for (row, place), drawn in zip(places, generator.permutation(len(words)).tolist(), strict=True):
        pieces[row][place] = words[drawn]
    return ["".join(parts) for parts in pieces]


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
