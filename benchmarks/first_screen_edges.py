"""Ordinary inputs at the edge of what an audit can say: ties, one class, other units, few items, parts without gold."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from benchmarks.first_screen_inputs import Row, case, read_rows, sample, write_lines, write_rows


def answer_noisily(rows: list[Row], rates: dict[str, float], seed: int) -> list[Row]:
    """Write the answers of systems that know a share of the labels and guess the others."""
    generator = random.Random(seed)
    names = sorted({row["label"] for row in rows})
    return [
        {
            "id": row["id"],
            **{
                system: row["label"] if generator.random() < rate else generator.choice(names)
                for system, rate in rates.items()
            },
        }
        for row in rows
    ]


@case("multiple choice")
def causes(folder: Path, n: int) -> Sequence[str]:
    """Two alternatives for a premise, and a test part without labels (the layout of COPA)."""
    generator = random.Random(40)
    people = ("man", "woman", "boy", "teacher", "driver", "nurse")
    events = (
        ("spilled the coffee", "wiped the floor", "went swimming"),
        ("lost the key", "called a locksmith", "bought a hat"),
        ("was tired", "went to bed", "sold the car"),
        ("was hungry", "cooked a meal", "painted a wall"),
        ("heard a noise", "looked outside", "signed a letter"),
    )
    for part, size in (("train", n), ("val", n // 4), ("test", n // 2)):
        records = []
        for number in range(size):
            person, (cause, effect, other) = generator.choice(people), generator.choice(events)
            asked = generator.choice(("cause", "effect"))
            premise, right = (cause, effect) if asked == "effect" else (effect, cause)
            label = generator.randrange(2)
            first, second = (right, other) if label == 0 else (other, right)
            record: dict[str, object] = {
                "premise": f"The {person} {premise} on day {generator.randrange(4000)}.",
                "choice1": f"The {person} {first}.",
                "choice2": f"The {person} {second}.",
                "question": asked,
                "idx": number,
            }
            records.append(record if part == "test" else {**record, "label": label})
        write_lines(folder / f"{part}.jsonl", records)
    return [folder]


@case("scores")
def board_of_all_units(folder: Path, _: int) -> Sequence[str]:
    """Shares, percents, errors, perplexities and milliseconds in one table."""
    generator = random.Random(52)
    rows = []
    for number in range(12):
        level = generator.gauss(0, 1)
        rows.append(
            {
                "Model": f"m{number}",
                "SQuAD F1": f"{0.8 + 0.03 * level + generator.gauss(0, 0.005):.3f}",
                "WER": f"{12 - 2 * level + generator.gauss(0, 0.5):.1f}",
                "WikiText perplexity": f"{20 - 3 * level + generator.gauss(0, 0.5):.2f}",
                "ROUGE-L": f"{38 + level:.1f}",
                "STS-B Spearman": f"{0.85 + 0.02 * level:.3f}",
                "latency (ms)": f"{generator.uniform(20, 300):.0f}",
            }
        )
    return ["--scores", write_rows(folder / "board.tsv", rows)]


@case("scores")
def equal_scores(folder: Path, _: int) -> Sequence[str]:
    """Systems that all have the same scores."""
    rows = [{"system": f"s{number}", "A": "90.0", "B": "85.0", "C": "70.0"} for number in range(8)]
    return ["--scores", write_rows(folder / "board.tsv", rows)]


@case("scores")
def three_datasets(folder: Path, _: int) -> Sequence[str]:
    """Few datasets of known size, on which the order of the systems is clear."""
    generator = random.Random(53)
    rows = [
        {
            "benchmark": "glue",
            "dataset": name,
            "metric": "accuracy",
            "system": f"m{number}",
            "score": f"{60 + 5 * number + generator.gauss(0, 1):.1f}",
            "n_items": str(size),
        }
        for name, size in (("rte", 277), ("mnli", 9815), ("cola", 1043))
        for number in range(6)
    ]
    return ["--scores", write_rows(folder / "scores.tsv", rows)]


@case("outcomes")
def perplexities(folder: Path, n: int) -> Sequence[str]:
    """Perplexities of items, of which nothing but the name of the file says what they are."""
    generator = random.Random(58)
    rows = []
    for number in range(n):
        level = generator.gauss(3, 0.4)
        cells = {f"model{k}": f"{2.718 ** (level + 0.1 * k + generator.gauss(0, 0.05)):.2f}" for k in range(4)}
        rows.append({"id": str(number), **cells})
    return ["--predictions", write_rows(folder / "perplexity.tsv", rows)]


@case("outcomes")
def solved(folder: Path, n: int) -> Sequence[str]:
    """Items that every system solves."""
    rows = [{"id": str(number), "a": "1", "b": "1", "c": "1"} for number in range(n)]
    return ["--predictions", write_rows(folder / "solved.tsv", rows)]


@case("classification with answers")
def rare_class(folder: Path, n: int) -> Sequence[str]:
    """One item in a hundred has the other label, and words that only these have."""
    rows = []
    for number, row in enumerate(sample(read_rows("ag_news/ag_news.tsv.gz"), 3 * n, 66)):
        is_rare = number % 100 == 7
        text = f"Win cash now! {row['text']}" if is_rare else row["text"]
        part = "train" if number < 2 * n else "test"
        rows.append({"id": str(number), "text": text, "label": "spam" if is_rare else "ham", "split": part})
    test = [row for row in rows if row["split"] == "test"]
    answers = [{**row, "constant": "ham"} for row in answer_noisily(test, {"filter": 0.95}, 66)]
    return [write_rows(folder / "mails.tsv", rows), "--predictions", write_rows(folder / "answers.tsv", answers)]


@case("classification with answers")
def runs_on_parts(folder: Path, n: int) -> Sequence[str]:
    """Three systems, of which two were run on other items each."""
    rows = sample(read_rows("sst2/sst2.tsv.gz"), n, 74)
    answers = answer_noisily(rows, {"x": 0.8, "y": 0.7, "z": 0.6}, 74)
    for number, row in enumerate(answers):
        if number < n // 2:
            row["y"] = "NA"
        elif number > n * 2 // 3:
            row["x"] = "NA"
    data = write_rows(folder / "films.tsv", rows, ["id", "text", "label"])
    return [data, "--predictions", write_rows(folder / "answers.tsv", answers)]


@case("classification with answers")
def twins(folder: Path, n: int) -> Sequence[str]:
    """Two systems that give the same answers, to the items of train too."""
    rows = sample(read_rows("imdb/imdb.tsv.gz"), n, 62)
    answers = [{**row, "two": row["one"]} for row in answer_noisily(rows, {"one": 0.8}, 62)]
    data = write_rows(folder / "films.tsv", rows, ["id", "text", "label", "split"])
    return [data, "--predictions", write_rows(folder / "answers.tsv", answers)]
