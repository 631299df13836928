"""Planted questions in real text, clean items, and speed beside a plain Python set of 13-grams.

    python -m benchmarks.contamination [recall] [clean] [speed]

Needs the shared data.
"""

from __future__ import annotations

import gzip
import re
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

from assay.contamination import Contamination, find_contamination
from assay.data import read_table

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
CHANGES = ("verbatim", "case and punctuation", "dropped words", "split over lines", "all changes")
LENGTHS = (8, 40)
N_PLANTED, N_CLEAN, N_GRAM = 2000, 2000, 13
SPEED_BYTES = 200_000_000


def main() -> None:
    """Run the sections named on the command line, or all."""
    for name in sys.argv[1:] or list(SECTIONS):
        print(f"\n## {name}\n", flush=True)
        SECTIONS[name]()


def read_wikitext(part: str) -> list[str]:
    """Return the paragraphs of WikiText-2 as plain text."""
    with gzip.open(SHARED / "wikitext2" / f"{part}.txt.gz", "rt", encoding="utf-8") as file:
        lines = [re.sub(r" @(.)@ ", r"\1", line).replace("<unk>", "") for line in file]
    return [line for line in lines if len(line.split()) > 40]


def draw_questions(texts: list[str], n: int, rng: np.random.Generator, lengths: tuple[int, int] = LENGTHS) -> list[str]:
    """Draw runs of words from random texts."""
    questions = []
    while len(questions) < n:
        words = texts[rng.integers(len(texts))].split()
        size = int(rng.integers(lengths[0], lengths[1] + 1))
        if len(words) >= size:
            start = int(rng.integers(len(words) - size + 1))
            questions.append(" ".join(words[start : start + size]))
    return questions


def change_text(text: str, change: str, rng: np.random.Generator) -> str:
    """Change a text as it is changed on the web."""
    words = text.split()
    if change in ("dropped words", "all changes"):
        words = [word for word in words if rng.random() >= 0.1]
    if change in ("case and punctuation", "all changes"):
        words = [re.sub(r"[^\w\s]", "", word) + str(rng.choice(["", "", ",", ".", " -", "!"])) for word in words]
        words = [word.upper() if rng.random() < 0.3 else word.title() for word in words]
    if change in ("split over lines", "all changes"):
        return "".join(word + ("\n" if rng.random() < 0.2 else " ") for word in words)
    return " ".join(words)


def plant(texts: list[str], questions: list[str], rng: np.random.Generator) -> list[str]:
    """Insert every question at a random word of a random text."""
    words = [text.split(" ") for text in texts]
    for question in questions:
        target = words[rng.integers(len(words))]
        target.insert(int(rng.integers(len(target) + 1)), question)
    return [" ".join(target) for target in words]


def measure_recall() -> None:
    """Plant questions of one half of WikiText-2 and other data in the other half."""
    rng = np.random.default_rng(0)
    corpus = read_wikitext("valid")
    for source, texts in list_sources().items():
        questions = draw_questions(texts, N_PLANTED, rng)
        data = {"text": questions}
        clean = set(find_ids(find_contamination(data, pl.Series("", corpus))))
        print(f"{source}: {len(clean)} of {N_PLANTED} found before planting")
        for change in CHANGES:
            planted = plant(corpus, [change_text(question, change, rng) for question in questions], rng)
            hits = set(find_ids(find_contamination(data, pl.Series("", planted))))
            print(f"  {change}: recall {len(hits) / N_PLANTED:.4f} {describe_by_length(questions, hits)}")


def describe_by_length(questions: list[str], hits: set[int]) -> str:
    """Give the recall by number of words."""
    sizes = np.array([len(question.split()) for question in questions])
    bands = ((8, 11), (12, 19), (20, 40))
    found = np.isin(np.arange(len(sizes)), list(hits))
    return " ".join(f"{low}-{high}: {found[(sizes >= low) & (sizes <= high)].mean():.3f}" for low, high in bands)


def list_sources() -> dict[str, list[str]]:
    """Return texts of several kinds."""
    return {
        "wikitext2 test": read_wikitext("test"),
        "imdb": read_table(SHARED / "imdb" / "imdb.tsv.gz")["text"].to_list()[:4000],
        "dbpedia14": read_table(SHARED / "dbpedia14" / "dbpedia14.tsv.gz")["text"].to_list(),
        "gsm8k": read_table(SHARED / "gsm8k" / "items.tsv.gz")["question"].to_list(),
    }


def find_ids(result: Contamination) -> list[int]:
    """Return the numbers of the items found."""
    return [int(hit.id) for hit in result.hits]


def measure_clean() -> None:
    """Search items of one source in a corpus of the others."""
    rng = np.random.default_rng(1)
    sources = list_sources()
    for name, texts in sources.items():
        corpus = [text for other, each in sources.items() if other != name for text in each]
        questions = draw_questions(texts, N_CLEAN, rng)
        result = find_contamination({"text": questions}, pl.Series("", corpus))
        print(f"{name}: {result.contaminated} of {result.items} in {result.bytes / 1e6:.0f} MB of other texts")
        for hit in result.hits[:5]:
            print("   ", round(hit.score, 2), questions[int(hit.id)])


def measure_speed() -> None:
    """Time a text file beside a plain Python loop over a set of 13-grams."""
    rng = np.random.default_rng(2)
    texts = read_wikitext("valid") + list_sources()["imdb"]
    questions = draw_questions(texts, N_CLEAN, rng)
    content = "\n\n".join(text.replace("\n", " ") for text in texts)
    copies = max(1, SPEED_BYTES // len(content.encode()))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "corpus.txt"
        path.write_text("\n\n".join([content] * copies), encoding="utf-8")
        warm_up = Path(folder) / "warm-up.txt"
        warm_up.write_text(texts[0], encoding="utf-8")
        find_contamination({"text": questions}, warm_up)  # compile
        clean = draw_questions(list_sources()["dbpedia14"], N_CLEAN, rng)
        for name, items in (("every item in the corpus", questions), ("no item in the corpus", clean)):
            started = time.process_time()
            result = find_contamination({"text": items}, path)
            seconds = time.process_time() - started
            rate, each = result.bytes / seconds / 1e6, 1e6 * seconds / result.documents
            print(
                f"{name}: {result.bytes / 1e6:.0f} MB in {seconds:.2f} s, {rate:.0f} MB/s, {each:.1f} µs per document"
            )
            seconds, n_bytes = time_plain(items, texts)
            print(f"  plain Python: {n_bytes / seconds / 1e6:.2f} MB/s, ratio {rate / (n_bytes / seconds / 1e6):.0f}")


def time_plain(questions: list[str], texts: list[str]) -> tuple[float, int]:
    """Look up every 13-gram of the texts in a set of those of the questions."""
    seeds = set()
    for question in questions:
        words = re.findall(r"\w+", question.lower())
        seeds |= {tuple(words[at : at + N_GRAM]) for at in range(len(words) - N_GRAM + 1)}
    started, n_hits = time.process_time(), 0
    for text in texts:
        words = re.findall(r"\w+", text.lower())
        n_hits += any(tuple(words[at : at + N_GRAM]) in seeds for at in range(len(words) - N_GRAM + 1))
    return time.process_time() - started, sum(len(text.encode()) for text in texts)


SECTIONS = {"recall": measure_recall, "clean": measure_clean, "speed": measure_speed}

if __name__ == "__main__":
    main()
