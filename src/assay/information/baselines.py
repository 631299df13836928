"""Baselines that look at next to nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.base.results import Result
from assay.data.hold_out import PartRows
from assay.statistics import wilson
from assay.text import Corpus

Codes = NDArray[np.int64]


@dataclass(frozen=True)
class Baseline(Result):
    """How often a baseline is right on held-out items, with Wilson's interval."""

    name: str
    accuracy: float
    low: float
    high: float
    n_items: int


def baselines(sides: Sequence[Any], codes: Codes, rounds: Sequence[PartRows]) -> list[Baseline]:
    """Score every baseline that applies: what it may learn, it learns from the training rows."""
    texts = [" ".join(parts) for parts in zip(*sides, strict=True)]
    keys: dict[str, list[Any]] = {"majority": [None] * len(codes)}
    words = [text.lower().split() for text in texts]
    keys["first word"] = [found[0] if found else "" for found in words]
    keys["last word"] = [found[-1] if found else "" for found in words]
    if len(sides) == 2:
        lengths = [Corpus.from_texts(side).lengths for side in sides]
        keys["longer side"] = np.sign(lengths[0] - lengths[1]).tolist()
        keys["copy"] = [one.lower().split() == other.lower().split() for one, other in zip(*sides, strict=True)]
    else:
        lengths = [Corpus.from_texts(sides[0]).lengths]
        keys["length"] = (lengths[0] > np.median(lengths[0])).tolist()
    found = [scored(name, partial(by_key, key, codes), codes, rounds) for name, key in keys.items()]
    found.append(scored("nearest neighbour", partial(nearest, texts, codes), codes, rounds))
    if len(sides) == 2:
        names = ("side a only", "side b only")
        found += [
            scored(name, partial(linear, side, codes), codes, rounds) for name, side in zip(names, sides, strict=True)
        ]
    return found


def scored(name: str, predict: Callable[[PartRows], Codes], codes: Codes, rounds: Sequence[PartRows]) -> Baseline:
    """Predict the held-out rows of every round and count the hits."""
    right = sum(int((predict(plan) == codes[plan.test]).sum()) for plan in rounds)
    n = sum(len(plan.test) for plan in rounds)
    interval = wilson(right, n)
    return Baseline(name, right / n, interval.low, interval.high, n)


def by_key(keys: Sequence[Any], codes: Codes, plan: PartRows) -> Codes:
    """Predict the commonest training label of the items with the same key, or of all; ties go to the first label."""
    fit = np.r_[plan.train, plan.dev]
    everywhere = int(np.bincount(codes[fit]).argmax())
    counts: dict[Any, Counter[int]] = {}
    for row in fit.tolist():
        counts.setdefault(keys[row], Counter())[int(codes[row])] += 1
    best = {key: min(seen, key=lambda code: (-seen[code], code)) for key, seen in counts.items()}
    return np.array([best.get(keys[row], everywhere) for row in plan.test.tolist()], dtype=np.int64)


def nearest(texts: list[str], codes: Codes, plan: PartRows) -> Codes:
    """Predict the label of the most similar training text by TF-IDF; the earlier row among equals."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    fit = np.r_[plan.train, plan.dev]
    weights = TfidfVectorizer(token_pattern=r"\w+")
    try:
        known = weights.fit_transform([texts[row] for row in fit])
    except ValueError:  # no words at all
        return by_key([None] * len(codes), codes, plan)
    asked = weights.transform([texts[row] for row in plan.test])
    best = [
        np.asarray((asked[start : start + 500] @ known.T).argmax(axis=1)).ravel()
        for start in range(0, asked.shape[0], 500)
    ]
    return codes[fit[np.concatenate(best)]]


def linear(texts: Sequence[str], codes: Codes, plan: PartRows) -> Codes:
    """Predict from the words of one side alone, by logistic regression."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    fit = np.r_[plan.train, plan.dev]
    model = make_pipeline(TfidfVectorizer(token_pattern=r"\w+"), LogisticRegression(C=10, max_iter=500, tol=1e-3))
    try:
        model.fit([texts[row] for row in fit], codes[fit])
    except ValueError:  # no words at all
        return by_key([None] * len(codes), codes, plan)
    return np.asarray(model.predict([texts[row] for row in plan.test]))
