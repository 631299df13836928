"""Data with one known defect each, and the same data without it, for `next_to_others`.

Texts are of datasets, and random numbers of seeds, on which no threshold of this package was chosen. Copies that the
source data has by itself are removed first, by the share of common words, which is none of the rules compared here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from benchmarks.atlas_checks import read_rows
from benchmarks.next_to_others_tools import MARK

TEXTS = ("dbpedia14/dbpedia14.tsv.gz", "uci_news/uci_news.tsv.gz", "imdb_counterfactual/imdb_counterfactual.tsv.gz")
PARAPHRASES = "contamination/gsm8k_test_rephrased.tsv.gz"
OTHER_TEXTS = "yelp_reviews/yelp_reviews.tsv.gz"
SEEDS = (90_210, 90_211)
N_ITEMS, SHARE_TRAIN, SHARE_PLANTED = 1_000, 0.7, 0.05
COMMON_WORDS = 0.5  # of the words of two texts: from here on one of them is not used
Rows = list[dict[str, str]]


@dataclass(frozen=True)
class Case:
    """Items with parts (`rows`), documents of a corpus, or answers of systems, and the ids with the planted defect."""

    name: str
    defect: str
    is_planted: bool
    rows: Rows
    truth: list[str] = field(default_factory=list)
    corpus: list[str] = field(default_factory=list)
    answers: dict[str, list[str]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the fields."""
        return asdict(self)


def make_cases() -> Iterator[Case]:
    """Yield every case of every dataset and seed."""
    for seed in SEEDS:
        for name in TEXTS:
            yield from plant_in_texts(name, seed)
        yield from plant_paraphrases(seed)
        yield from plant_in_corpus(seed)
        yield from plant_wrong_gold(seed)
        yield from make_boards(seed)


def plant_in_texts(name: str, seed: int) -> Iterator[Case]:
    """Yield clean texts, and the same with leaks, near copies, wrong labels, a shortcut and drift."""
    title = f"{name.split('/')[0]}-{seed}"
    for defect, plant in TEXT_DEFECTS.items():
        generator = np.random.default_rng([seed, len(defect)])
        rows = draw_clean_rows(name, seed)
        truth = plant(rows, generator)
        yield Case(f"{title}-{defect}", defect, True, rows, sorted(truth))
    yield Case(f"{title}-clean", "clean texts", False, draw_clean_rows(name, seed))


def draw_clean_rows(name: str, seed: int) -> Rows:
    """Return items without copies: two texts with many common words are not both drawn."""
    from sklearn.feature_extraction.text import CountVectorizer

    generator = np.random.default_rng(seed)
    source = [row for row in read_rows(name) if row["label"] and row.get("variant", "original") == "original"]
    chosen = [source[place] for place in generator.permutation(len(source))[: 2 * N_ITEMS]]
    words = CountVectorizer(token_pattern=r"(?u)\w+", binary=True).fit_transform([row["text"] for row in chosen])
    common = np.asarray((words.astype(np.int32) @ words.T.astype(np.int32)).todense(), dtype=float)
    sizes = common.diagonal()
    jaccard = common / np.maximum(sizes[:, None] + sizes[None, :] - common, 1)
    kept: list[int] = []
    for place in range(len(chosen)):
        if len(kept) < N_ITEMS and not (jaccard[place, kept] >= COMMON_WORDS).any():
            kept.append(place)
    parts = np.where(generator.permutation(len(kept)) < SHARE_TRAIN * len(kept), "train", "test")
    return [
        {"id": chosen[place]["id"], "text": chosen[place]["text"], "label": chosen[place]["label"], "split": str(part)}
        for place, part in zip(kept, parts, strict=True)
    ]


def _choose(rows: Rows, part: str | None, share: float, generator: np.random.Generator) -> list[int]:
    places = [place for place, row in enumerate(rows) if part in (None, row["split"])]
    return [int(place) for place in generator.choice(places, round(share * len(places)), replace=False)]


def plant_leaks(rows: Rows, generator: np.random.Generator) -> set[str]:
    """Replace test items by exact copies of training items."""
    chosen = _choose(rows, "test", SHARE_PLANTED, generator)
    for place, source in zip(chosen, _choose(rows, "train", 0.5, generator), strict=False):
        rows[place] |= {"text": rows[source]["text"], "label": rows[source]["label"]}
    return {rows[place]["id"] for place in chosen}


def plant_near_copies(rows: Rows, generator: np.random.Generator) -> set[str]:
    """Replace test items by training items of which one word in ten is left out, doubled or exchanged."""
    chosen = _choose(rows, "test", SHARE_PLANTED, generator)
    vocabulary = [word for row in rows[:200] for word in row["text"].split()]
    for place, source in zip(chosen, _choose(rows, "train", 0.5, generator), strict=False):
        words: list[str] = []
        original = rows[source]["text"].split()
        edited = set(generator.choice(len(original), max(1, round(len(original) / 10)), replace=False).tolist())
        for number, word in enumerate(original):
            if number not in edited:
                words.append(word)
                continue
            kind = generator.integers(3)
            words += [[], [word, word], [str(generator.choice(vocabulary))]][int(kind)]
        rows[place] |= {"text": " ".join(words), "label": rows[source]["label"]}
    return {rows[place]["id"] for place in chosen}


def plant_wrong_labels(rows: Rows, generator: np.random.Generator) -> set[str]:
    """Give items another label."""
    names = sorted({row["label"] for row in rows})
    chosen = _choose(rows, None, SHARE_PLANTED, generator)
    for place in chosen:
        rows[place]["label"] = str(generator.choice([name for name in names if name != rows[place]["label"]]))
    return {rows[place]["id"] for place in chosen}


def plant_shortcut(rows: Rows, generator: np.random.Generator) -> set[str]:
    """Put a made-up word into items of the most frequent label, 5% of all items."""
    labels = [row["label"] for row in rows]
    label = max(sorted(set(labels)), key=labels.count)
    places = [place for place, name in enumerate(labels) if name == label]
    chosen = generator.choice(places, min(len(places), round(SHARE_PLANTED * len(rows))), replace=False)
    for place in chosen:
        words = rows[place]["text"].split()
        words.insert(int(generator.integers(len(words) + 1)), MARK)
        rows[place]["text"] = " ".join(words)
    return {rows[place]["id"] for place in chosen}


def plant_drift(rows: Rows, generator: np.random.Generator) -> set[str]:  # noqa: ARG001
    """Cut every test text to its first half."""
    for row in rows:
        if row["split"] == "test":
            words = row["text"].split()
            row["text"] = " ".join(words[: max(3, len(words) // 2)])
    return set()


TEXT_DEFECTS = {
    "leaks": plant_leaks,
    "near copies": plant_near_copies,
    "wrong labels": plant_wrong_labels,
    "shortcut": plant_shortcut,
    "drift": plant_drift,
}


def plant_paraphrases(seed: int) -> Iterator[Case]:
    """Yield questions of which test has some that a language model wrote anew from questions of train."""
    generator = np.random.default_rng(seed)
    originals = read_rows("gsm8k/items.tsv.gz")
    anew = {row["id"]: row["question"] for row in read_rows(PARAPHRASES)}
    order = [originals[place] for place in generator.permutation(len(originals))]
    train, test, sources = order[:700], order[700:1_000], order[:15]
    rows = [{"id": row["id"], "text": row["question"], "label": row["answer"], "split": "train"} for row in train]
    rows += [{"id": row["id"], "text": row["question"], "label": row["answer"], "split": "test"} for row in test]
    yield Case(f"gsm8k-{seed}-clean", "clean questions", False, [dict(row) for row in rows])
    for row, source in zip(rows[700:], sources, strict=False):
        row |= {"text": anew[source["id"]], "label": source["answer"]}
    yield Case(f"gsm8k-{seed}-paraphrases", "paraphrases", True, rows, sorted(row["id"] for row in rows[700:715]))


def plant_in_corpus(seed: int) -> Iterator[Case]:
    """Yield a benchmark, and a corpus of reviews of which some documents quote an item."""
    generator = np.random.default_rng(seed)
    rows = [row for row in draw_clean_rows(TEXTS[0], seed) if len(re.findall(r"\w+", row["text"])) >= 12][:400]
    reviews = [row["text"] for row in read_rows(OTHER_TEXTS)]
    corpus = [reviews[place] for place in generator.permutation(len(reviews))[:2_000]]
    yield Case(f"corpus-{seed}-clean", "clean corpus", False, rows, corpus=list(corpus))
    chosen = [int(place) for place in generator.choice(len(rows), 40, replace=False)]
    for place, document in zip(chosen, generator.choice(len(corpus), 40, replace=False), strict=True):
        words = corpus[document].split()
        at = int(generator.integers(len(words) + 1))
        corpus[document] = " ".join([*words[:at], rows[place]["text"], *words[at:]])
    yield Case(
        f"corpus-{seed}-contamination", "contamination", True, rows, sorted(rows[p]["id"] for p in chosen), corpus
    )


def plant_wrong_gold(seed: int) -> Iterator[Case]:
    """Yield verdicts of 30 judges of LLMBar on its pairs, and the same with 5% of the gold verdicts turned."""
    generator = np.random.default_rng(seed)
    table = read_rows("llmbar/verdicts_order_12.tsv.gz")
    judges = [name for name in table[0] if name not in ("id", "gold") and all(row[name] in "12" for row in table)]
    chosen = sorted(str(name) for name in generator.choice(judges, 30, replace=False))
    rows = [{"id": row["id"], "text": row["id"], "label": row["gold"]} for row in table]
    answers = {name: [row[name] for row in table] for name in chosen}
    yield Case(f"llmbar-{seed}-clean", "clean gold", False, [dict(row) for row in rows], answers=answers)
    turned = _choose([row | {"split": ""} for row in rows], None, SHARE_PLANTED, generator)
    for place in turned:
        rows[place]["label"] = "2" if rows[place]["label"] == "1" else "1"
    truth = sorted(rows[place]["id"] for place in turned)
    yield Case(f"llmbar-{seed}-wrong gold", "wrong gold", True, rows, truth, answers=answers)


def make_boards(seed: int) -> Iterator[Case]:
    """Yield leaderboards of six systems on 300 items: all equal at 97%, all equal at 70%, and from 55% to 85%."""
    for defect, levels in (
        ("saturated board", [0.97] * 6),
        ("equal systems", [0.7] * 6),
        ("clean board", np.linspace(0.55, 0.85, 6)),
    ):
        for draw in range(5):
            generator = np.random.default_rng([seed, draw, len(defect)])
            easiness = generator.normal(0, 1, 300)
            answers = {}
            for number, level in enumerate(levels):
                logits = np.log(level / (1 - level)) * 1.15 + easiness
                right = generator.random(300) < 1 / (1 + np.exp(-logits))
                answers[f"system {number}"] = ["1" if is_right else "0" for is_right in right]
            rows = [{"id": f"i{place:03d}", "text": "", "label": "1"} for place in range(300)]
            yield Case(f"board-{seed}-{draw}-{defect}", defect, defect != "clean board", rows, answers=answers)
