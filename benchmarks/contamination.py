"""Planted questions in real text, clean items, and speed next to a plain Python set of 13-grams.

    python -m benchmarks.contamination [recall] [clean] [speed] [paraphrases]

Recall and clean items are measured with several seeds on texts that no threshold was chosen on (Yelp reviews, AG News,
movie reviews, questions of Quora), and on those that were looked at. Times are processor times. Needs the shared data.
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
from benchmarks._bars import print_bar

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
CHANGES = ("verbatim", "case and punctuation", "10% dropped", "split over lines", "all of these", "dropped by chance")
LENGTHS = (8, 40)
N_PLANTED, N_CLEAN, N_GRAM = 2000, 2000, 13
SEEDS = range(3)
SPEED_BYTES = 200_000_000

MIN_RATIO = 10  # of the speed, to a plain Python loop
MAX_FALSE_SHARE = 0.001  # of clean items


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
    if change in ("10% dropped", "all of these"):
        dropped = set(rng.choice(len(words), round(len(words) / 10), replace=False).tolist())
        words = [word for number, word in enumerate(words) if number not in dropped]
    if change == "dropped by chance":
        words = [word for word in words if rng.random() >= 0.1]
    if change in ("case and punctuation", "all of these"):
        words = [re.sub(r"[^\w\s]", "", word) + str(rng.choice(["", "", ",", ".", " -", "!"])) for word in words]
        words = [word.upper() if rng.random() < 0.3 else word.title() for word in words]
    if change in ("split over lines", "all of these"):
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
    """Plant questions of several sources in paragraphs of WikiText-2 and in movie reviews."""
    for name, sources, corpus in (
        ("not used for thresholds", read_fresh_sources(), read_imdb()[4000:6000]),
        ("used", list_sources(), read_wikitext("valid")),
    ):
        print(f"texts {name}")
        for source, texts in sources.items():
            for change in CHANGES:
                shares = [plant_and_search(texts, corpus, change, seed) for seed in SEEDS]
                recall = float(np.mean([share for share, _ in shares]))
                print(f"  {source}, {change}: recall {recall:.4f}; by words {shares[0][1]}", flush=True)


def plant_and_search(texts: list[str], corpus: list[str], change: str, seed: int) -> tuple[float, str]:
    """Return the share of planted questions that are found, overall and by length."""
    rng = np.random.default_rng([seed, CHANGES.index(change)])
    questions = draw_questions(texts, N_PLANTED, rng)
    planted = plant(corpus, [change_text(question, change, rng) for question in questions], rng)
    hits = set(find_ids(find_contamination({"text": questions}, pl.Series("", planted))))
    return len(hits) / N_PLANTED, describe_by_length(questions, hits)


def describe_by_length(questions: list[str], hits: set[int]) -> str:
    """Give the recall by number of words."""
    sizes = np.array([len(question.split()) for question in questions])
    bands = ((8, 11), (12, 19), (20, 40))
    found = np.isin(np.arange(len(sizes)), list(hits))
    return " ".join(f"{low}-{high}: {found[(sizes >= low) & (sizes <= high)].mean():.3f}" for low, high in bands)


def list_sources() -> dict[str, list[str]]:
    """Return texts of several kinds, which thresholds were chosen on."""
    return {
        "wikitext2 test": read_wikitext("test"),
        "imdb": read_imdb()[:4000],
        "dbpedia14": read_texts("dbpedia14"),
        "gsm8k": read_table(SHARED / "gsm8k" / "items.tsv.gz")["question"].to_list(),
    }


def read_fresh_sources() -> dict[str, list[str]]:
    """Return texts that no threshold was chosen on."""
    return {
        "yelp": read_texts("yelp_reviews"),
        "ag news": read_texts("ag_news"),
        "movie sentences": read_texts("mr"),
        "quora": read_table(SHARED / "quora" / "quora.tsv.gz")["text_a"].to_list(),
    }


def read_imdb() -> list[str]:
    """Return movie reviews."""
    return read_texts("imdb")


def read_texts(name: str) -> list[str]:
    """Return the texts of a data set."""
    return read_table(SHARED / name / f"{name}.tsv.gz")["text"].to_list()


def find_ids(result: Contamination) -> list[int]:
    """Return the numbers of the items found."""
    return [int(hit.id) for hit in result.hits]


def measure_clean() -> None:
    """Search items of one source in a corpus of the others."""
    sources = {**list_sources(), **read_fresh_sources()}
    total, found = 0, 0
    for name, texts in sources.items():
        corpus = [text for other, each in sources.items() if other != name for text in each]
        n_found, examples, n_bytes = [], [], 0
        for seed in SEEDS:
            questions = draw_questions(texts, N_CLEAN, np.random.default_rng([seed, 100]))
            result = find_contamination({"text": questions}, pl.Series("", corpus))
            n_found.append(result.contaminated)
            n_bytes = result.bytes
            examples += [(hit.score, questions[int(hit.id)], corpus[hit.row]) for hit in result.hits]
        total, found = total + N_CLEAN * len(SEEDS), found + sum(n_found)
        print(f"{name}: {n_found} of {N_CLEAN} in {n_bytes / 1e6:.0f} MB of other texts", flush=True)
        for score, item, text in examples:
            print(f"    {score:.2f} {item!r} in {text[:300]!r}")
    line = f"all: {found} of {total}, {2000 * found / total:.2f} per 2,000"
    print_bar(line, is_held=found <= MAX_FALSE_SHARE * total)


def measure_speed() -> None:
    """Time a text file next to a plain Python loop over a set of 13-grams, both from the file, in processor time."""
    rng = np.random.default_rng(2)
    texts = read_wikitext("valid") + read_imdb()[:4000]
    questions = draw_questions(texts, N_CLEAN, rng)
    clean = draw_questions(read_texts("dbpedia14"), N_CLEAN, rng)
    content = "\n\n".join(text.replace("\n", " ") for text in texts)
    copies = max(1, SPEED_BYTES // len(content.encode()))
    with tempfile.TemporaryDirectory() as folder:
        path, short, empty = (Path(folder) / name for name in ("corpus.txt", "short.txt", "empty.txt"))
        empty.write_text("nothing", encoding="utf-8")
        path.write_text("\n\n".join([content] * copies), encoding="utf-8")
        short.write_text(content, encoding="utf-8")
        find_contamination({"text": questions}, short)  # compile
        for name, items in (("no item in the corpus", clean), ("every item in the corpus", questions)):
            pairs = [(time_search(items, path), time_plain(items, short)) for _ in range(3)]
            indexing = min(time_search(items, empty) for _ in range(3))  # which the plain loop does before, too
            fast = (min(pair[0] for pair in pairs) - indexing) / path.stat().st_size
            slow = min(pair[1] for pair in pairs) / short.stat().st_size
            rates = f"{1e-6 / fast:.0f} MB/s, plain Python {1e-6 / slow:.2f} MB/s: {slow / fast:.0f} x"
            line = f"{name}: {rates}; {1e6 * fast * len(content) / len(texts):.1f} µs per document"
            print_bar(line, is_held=slow >= MIN_RATIO * fast)
        print_stages(path)


def time_search(items: list[str], path: Path) -> float:
    """Return the processor seconds of a search."""
    started = time.process_time()
    find_contamination({"text": items}, path)
    return time.process_time() - started


def print_stages(path: Path) -> None:
    """Print how much of the time is reading and cutting, and how much is hashing words."""
    from assay.contamination.documents import read_blocks
    from assay.contamination.scanning import hash_texts
    from assay.text.characters import word_letters

    started = time.process_time()
    n_documents = sum(len(block.starts) for block in read_blocks(path))
    reading = time.process_time() - started
    started = time.process_time()
    for block in read_blocks(path):
        hash_texts(*block, word_letters(lower=True))
    hashing = time.process_time() - started - reading
    ns = 1e9 / path.stat().st_size
    print(f"{n_documents:,} documents: reading {reading * ns:.2f} ns per byte, hashing words {hashing * ns:.2f}")


def time_plain(questions: list[str], path: Path) -> float:
    """Look up every 13-gram of the paragraphs of a file in a set of those of the questions; return the seconds."""
    seeds = set()
    for question in questions:
        words = re.findall(r"\w+", question.lower())
        seeds |= {tuple(words[at : at + N_GRAM]) for at in range(len(words) - N_GRAM + 1)}
    started, n_hits = time.process_time(), 0
    for text in path.read_text(encoding="utf-8").split("\n\n"):
        words = re.findall(r"\w+", text.lower())
        n_hits += any(tuple(words[at : at + N_GRAM]) in seeds for at in range(len(words) - N_GRAM + 1))
    return time.process_time() - started


def measure_paraphrases() -> None:
    """List possible paraphrases of items whose paraphrase is in the corpus, and of clean items, by similarity."""
    others = read_imdb()[:3000]
    for name, (items, paraphrases, clean) in read_paraphrases().items():
        corpus = pl.Series("", [*paraphrases, *others])
        result = find_contamination({"text": [*items, *clean]}, corpus, second_look="word-vectors", similarity=0.0)
        verbatim = set(find_ids(result))
        best = {int(each.id): each for each in result.paraphrases}
        own = [best[row].similarity if row in best and best[row].row == row else 0.0 for row in range(len(items))]
        false = [best[row].similarity if row in best else 0.0 for row in range(len(items), len(items) + len(clean))]
        own = [value for row, value in enumerate(own) if row not in verbatim]
        print(f"{name}: {len(items)} items, {len(items) - len(own)} found by n-grams; {len(clean)} clean items")
        for limit in (0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9):
            shares = [float(np.mean(np.array(values) >= limit)) for values in (own, false)]
            print(f"  {limit}: {shares[0]:.3f} of the others listed, {shares[1]:.4f} of the clean items", flush=True)


def read_paraphrases() -> dict[str, tuple[list[str], list[str], list[str]]]:
    """Return texts, paraphrases of them, and clean texts of the same kind, of three data sets."""
    pairs = {}
    for name, clean in (("msrp", read_texts("ag_news")[:2000]), ("quora", read_texts("trec")[:2000])):
        table = read_table(SHARED / name / f"{name}.tsv.gz").filter(pl.col("label").cast(str) == "1")
        table = table.filter(pl.col("text_a").str.count_matches(r"\w+") >= LENGTHS[0]).head(2000)
        pairs[name] = (table["text_a"].to_list(), table["text_b"].to_list(), clean)
    rephrased = read_table(SHARED / "contamination" / "gsm8k_test_rephrased.tsv.gz")
    table = read_table(SHARED / "gsm8k" / "items.tsv.gz").join(rephrased, on="id", suffix="_rephrased")
    half = table.height // 2
    texts = table["question"].to_list()
    return {**pairs, "gsm8k": (texts[:half], table["question_rephrased"].to_list()[:half], texts[half:])}


SECTIONS = {
    "recall": measure_recall,
    "clean": measure_clean,
    "speed": measure_speed,
    "paraphrases": measure_paraphrases,
}

if __name__ == "__main__":
    main()
