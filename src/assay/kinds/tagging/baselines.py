"""Baselines of tagging: the most frequent tag of each word, and a linear model of a window of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.kinds.facts import BaselineAnswers
from assay.kinds.tools.learning import fit_linear, plan_learning

if TYPE_CHECKING:
    from assay.data import Dataset

N_HASHES = 2**16
MAX_TAGS = 60  # of which the linear model learns one after the other
MAX_TOKENS = 100_000  # of training, for the linear model


def answer_baselines(data: Dataset, rows: Array, random_state: int = 0) -> Iterator[BaselineAnswers]:
    """Yield the answers of every baseline to some rows."""
    tokens = data.fields["tokens"].to_list()
    tags = data.fields["tags"].to_list()
    known = np.array([row is not None for row in tags])
    plan = plan_learning(data, rows, known, random_state)
    if plan is None:
        return
    frequent = plan.predict(len(data), lambda train, test: _repeat_tags(tokens, tags, train, test))
    yield BaselineAnswers("most-frequent-tag", "constant", [frequent[row] for row in rows.tolist()], plan.based_on)
    if len({tag for row in tags for tag in row or ()}) <= MAX_TAGS:
        linear = plan.predict(len(data), lambda train, test: _tag_windows(tokens, tags, train, test))
        yield BaselineAnswers("linear-window", "model", [linear[row] for row in rows.tolist()], plan.based_on)


def _repeat_tags(
    tokens: Sequence[Sequence[str]], tags: Sequence[Sequence[str]], train: Array, test: Array
) -> list[str]:
    """Give every word its most frequent tag in training, and others the most frequent tag of all."""
    counts: dict[str, Counter[str]] = {}
    everywhere: Counter[str] = Counter()
    for row in train.tolist():
        everywhere.update(tags[row])
        for word, tag in zip(tokens[row], tags[row], strict=False):
            counts.setdefault(word.casefold(), Counter())[tag] += 1
    usual = _choose(everywhere)
    best = {word: _choose(each) for word, each in counts.items()}
    return [" ".join(best.get(word.casefold(), usual) for word in tokens[row]) for row in test.tolist()]


def _choose(counts: Counter[str]) -> str:
    return min(counts, key=lambda tag: (-counts[tag], tag)) if counts else "O"


def _tag_windows(
    tokens: Sequence[Sequence[str]], tags: Sequence[Sequence[str]], train: Array, test: Array
) -> list[str]:
    """Give every token the tag with the highest value of a ridge regression on its window."""
    from sklearn.feature_extraction import FeatureHasher

    sizes = np.cumsum([len(tokens[row]) for row in train.tolist()])
    kept = train[: max(1, int(np.searchsorted(sizes, MAX_TOKENS)) + 1)]
    if not kept.size or not any(len(tags[row]) for row in kept.tolist()):
        return ["" for _ in test]
    hasher = FeatureHasher(N_HASHES, input_type="string", alternate_sign=False)
    learned = hasher.transform(window for row in kept.tolist() for window in list_windows(tokens[row]))
    windows = hasher.transform(window for row in test.tolist() for window in list_windows(tokens[row]))
    gold = np.array([tag for row in kept.tolist() for tag in tags[row]], dtype=object)
    names = sorted(set(gold.tolist()))
    marks = np.stack([gold == name for name in names], axis=1).astype(float)
    best = np.argmax(windows @ fit_linear(learned, marks), axis=1)
    answers, start = [], 0
    for row in test.tolist():
        end = start + len(tokens[row])
        answers.append(" ".join(names[code] for code in best[start:end].tolist()))
        start = end
    return answers


def list_windows(words: Sequence[str]) -> list[list[str]]:
    """Return the features of every token: the word and its neighbours, its ending, beginning and shape.

    >>> list_windows(["Rome"])
    [['w=rome', 'l=', 'r=', 's=ome', 'p=Ro', 'c=Xx', 'i=0']]
    """
    folded = ["", *(word.casefold() for word in words), ""]
    return [
        [
            f"w={folded[place + 1]}",
            f"l={folded[place]}",
            f"r={folded[place + 2]}",
            f"s={folded[place + 1][-3:]}",
            f"p={word[:2]}",
            f"c={_shape(word)}",
            f"i={min(place, 1)}",
        ]
        for place, word in enumerate(words)
    ]


def _shape(word: str) -> str:
    marks = [
        "X" if letter.isupper() else "x" if letter.islower() else "0" if letter.isdigit() else letter for letter in word
    ]
    return "".join(mark for place, mark in enumerate(marks) if not place or marks[place - 1] != mark)[:6]
