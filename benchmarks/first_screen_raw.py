"""The raw files of an audit, read and counted in the most literal way, with the standard library only.

Nothing of the package is used: words are runs of letters and digits, and every number is counted by a loop.
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from statistics import NormalDist, stdev

Row = dict[str, str]
SIMILAR = 0.8
TEXTS = (
    "text",
    "tokens",
    "text_a",
    "text_b",
    "sentence_A",
    "sentence_B",
    "question",
    "source",
    "instruction",
    "prompt",
    "sentence1",
    "sentence2",
    "comment_text",
    "sentence",
    "option1",
    "option2",
    "passage",
    "premise",
    "choice1",
    "choice2",
)
LABELS = ("entailment_label", "label", "labels", "answer", "answerKey")
IDS = ("id", "question_id", "pair_ID", "qID")
PARTS = {"train": "train", "test": "test", "trial": "dev", "dev": "dev", "val": "dev"}
POWER = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)


def read_table(path: Path) -> list[Row]:
    """Read a table: tabs without quoting, quoted commas or semicolons, lines of JSON, or a table in Markdown."""
    with path.open(encoding="utf-8", newline="") as lines:
        if path.suffix == ".jsonl":
            return [json.loads(line) for line in lines]
        if path.suffix == ".md":
            rows = [[cell.strip(" *\n") for cell in line.strip(" |\n").split("|")] for line in lines]
            return [dict(zip(rows[0], row, strict=True)) for row in rows[2:]]
        if path.suffix == ".csv":
            first = lines.readline()
            lines.seek(0)
            return list(csv.DictReader(lines, delimiter=";" if ";" in first else ","))
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


@dataclass(frozen=True)
class RawItem:
    """An item: its id, all its texts as one, its part and its gold label."""

    id: str
    text: str
    part: str
    label: str | None


@dataclass
class Raw:
    """The files that an audit was given."""

    arguments: tuple[str, ...]
    options: dict[str, Path] = field(init=False)
    data: Path | None = field(init=False)

    def __post_init__(self) -> None:
        """Separate the data from the options."""
        names = list(self.arguments)
        self.options = {}
        self.roles: dict[str, list[str]] = {}
        self.data = None
        while names:
            name = names.pop(0)
            if name in ("--text", "--label", "--id", "--choices"):
                self.roles.setdefault(name, []).append(names.pop(0))
            elif name.startswith("--"):
                self.options[name] = Path(names.pop(0))
            else:
                self.data = Path(name)

    @cached_property
    def rows(self) -> list[Row] | None:
        """The rows of the data; None if it is not a table or lines of JSON."""
        if self.data is None:
            return None
        if self.data.is_dir():
            files = [path for path in self.data.iterdir() if path.suffix in (".csv", ".jsonl") and path.stem in PARTS]
            parts = {path.stem: read_table(path) for path in sorted(files, key=lambda path: -len(path.stem))}
            return [{**row, "split": part} for part, rows in parts.items() for row in rows] or None
        return read_table(self.data) if self.data.suffix in (".tsv", ".txt", ".csv", ".jsonl") else None

    @cached_property
    def items(self) -> list[RawItem] | None:
        """The items; None if the files are in another form."""
        if self.rows is None or "model_a" in self.rows[0] or "Word" in self.rows[0]:
            return None
        items = []
        names = [*self.roles.get("--text", ()), *TEXTS]
        labels = [*self.roles.get("--label", ()), *LABELS]
        ids = [*self.roles.get("--id", ()), *IDS]
        for number, row in enumerate(self.rows):
            texts = [_join_words(row[name]) for name in names if name in row]
            part = row.get("split") or row.get("SemEval_set") or ""
            label = next((str(row[name]) for name in labels if row.get(name, "") != ""), None)
            name = next((str(row[name]) for name in ids if row.get(name, "") != ""), str(number))
            part = next((PARTS[begin] for begin in PARTS if part.lower().startswith(begin)), part)
            items.append(RawItem(name, " ␞ ".join(texts), part, label))
        return items

    def count_parts(self) -> Counter[str]:
        """Count the items of every part."""
        return Counter(item.part for item in self.items or () if item.part)

    @cached_property
    def words(self) -> list[list[str]]:
        """The words of every item."""
        return [re.findall(r"\w+", item.text.lower()) for item in self.items or ()]

    def find_copies(self, part: str, reference: str) -> tuple[int, int, int]:
        """Count the items of a part that are in the reference part: verbatim, nearly, and nearly with another label."""
        assert self.items is not None
        shingles = [{*words, *pairwise(words)} for words in self.words]
        known = [number for number, item in enumerate(self.items) if item.part == reference]
        exact_texts = {" ".join(self.words[number]) for number in known}
        exact = near = contrast = 0
        for number, item in enumerate(self.items):
            if item.part != part:
                continue
            if not self.words[number]:
                continue
            if " ".join(self.words[number]) in exact_texts:
                exact += 1
                continue
            best, label = 0.0, None
            for other in known:
                first, second = shingles[number], shingles[other]
                if min(len(first), len(second)) < SIMILAR * max(len(first), len(second)):
                    continue
                share = len(first & second) / max(len(first | second), 1)
                if share > best:
                    best, label = share, self.items[other].label
            if best >= SIMILAR:
                differs = None not in (label, item.label) and label != item.label
                near += not differs
                contrast += differs
        return exact, near, contrast

    def count_repeats(self) -> int:
        """Count the items that repeat an earlier item of their part."""
        assert self.items is not None
        seen: set[tuple[str, str]] = set()
        repeats = 0
        for item, words in zip(self.items, self.words, strict=True):
            key = (item.part, " ".join(words))
            repeats += key in seen
            seen.add(key)
        return repeats

    def count_conflicts(self) -> int:
        """Count the items with the same text as an item with another label."""
        assert self.items is not None
        labels: dict[str, set[str | None]] = {}
        for item, words in zip(self.items, self.words, strict=True):
            labels.setdefault(" ".join(words), set()).add(item.label)
        return sum(len(labels[" ".join(words)]) > 1 for words in self.words)

    @cached_property
    def answers(self) -> dict[str, dict[str, str]] | None:
        """The answers of every system by item; None if none were given."""
        path = self.options.get("--predictions")
        if path is None:
            return None
        rows = read_table(path)
        if "id" not in rows[0]:  # a run of a search engine
            return None
        systems = [name for name in rows[0] if name not in ("id", "gold", "group")]
        return {name: {row["id"]: row[name] for row in rows if row[name] != "NA"} for name in systems}

    @cached_property
    def outcomes(self) -> dict[str, dict[str, float]] | None:
        """One for a right answer, zero for a wrong or empty one, by system and item; None if answers are texts."""
        if self.answers is None:
            return None
        if self.items is None:
            return {name: {key: float(cell) for key, cell in row.items() if cell} for name, row in self.answers.items()}
        gold = {item.id: item.label for item in self.items}
        if any(label is None or len(label.split()) > 4 for label in gold.values()):
            return None
        return {
            name: {key: float(_are_equal(cell, gold[key])) for key, cell in row.items() if key in gold}
            for name, row in self.answers.items()
        }

    def find_scores(self) -> dict[str, float]:
        """Return the mean outcome of every system, the best first."""
        assert self.outcomes is not None
        means = {name: sum(row.values()) / len(row) for name, row in self.outcomes.items()}
        return dict(sorted(means.items(), key=lambda pair: -pair[1]))

    def compare(self, first: str, second: str) -> tuple[float, float, int]:
        """Return the difference of two systems on the items that both have, its standard error, and their number."""
        assert self.outcomes is not None
        left, right = self.outcomes[first], self.outcomes[second]
        gaps = [left[key] - right[key] for key in left if key in right]
        error = stdev(gaps) / math.sqrt(len(gaps)) if len(gaps) > 1 else math.nan
        return sum(gaps) / len(gaps), error, len(gaps)

    @cached_property
    def options_of_items(self) -> list[tuple[list[str], int]] | None:
        """The options of every question and the place of the right one; None if items have no options."""
        questions = []
        for row in self.rows or ():
            if "A" in row and "D" in row:
                options = [row[letter] for letter in "ABCD"]
                questions.append((options, "ABCD".index(row["answer"])))
            elif isinstance(row.get("choices"), dict):
                choices: dict[str, list[str]] = row["choices"]  # type: ignore[assignment]
                questions.append((choices["text"], choices["label"].index(row["answerKey"])))
            elif isinstance(row.get("options"), list):
                questions.append((list(row["options"]), "ABCDEFGHIJ".index(row["answer"])))
            elif "--choices" in self.roles:
                options = [row[name] for name in self.roles["--choices"]]
                questions.append((options, int(row[self.roles["--label"][0]])))
            elif "choice1" in row and "choice2" in row:
                if "label" in row:
                    questions.append(([row["choice1"], row["choice2"]], int(row["label"])))
            elif "option1" in row and "option2" in row:
                if row["answer"]:
                    questions.append(([row["option1"], row["option2"]], int(row["answer"]) - 1))
            else:
                return None
        return questions or None


def _join_words(cell: object) -> str:
    return " ".join(cell) if isinstance(cell, list) else str(cell)


def _are_equal(answer: str, gold: str | None) -> bool:
    """Compare an answer with the gold label, as a number if both are."""
    if gold is None:
        return False
    first, second = (text.strip().replace(",", "").rstrip(".").removeprefix("$") for text in (answer, gold))
    try:
        return math.isclose(float(first), float(second))
    except ValueError:
        return answer.strip().casefold() == gold.strip().casefold()


def score_by_word(items: Sequence[tuple[str, str]], n_folds: int = 5) -> tuple[float, float]:
    """Return what the most frequent label by word, and the most frequent label, score on held-out items.

    Items are pairs of a word and a label.
    """
    right = constant = 0
    for fold in range(n_folds):
        train = [pair for number, pair in enumerate(items) if number % n_folds != fold]
        test = [pair for number, pair in enumerate(items) if number % n_folds == fold]
        by_word: dict[str, Counter[str]] = {}
        for word, label in train:
            by_word.setdefault(word, Counter())[label] += 1
        most = Counter(label for _, label in train).most_common(1)[0][0]
        for word, label in test:
            guess = by_word[word].most_common(1)[0][0] if word in by_word else most
            right += guess == label
            constant += most == label
    return right / len(items), constant / len(items)
