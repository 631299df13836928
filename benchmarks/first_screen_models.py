"""Sentences about trained models, recomputed by plain scikit-learn on the raw files.

Every model is trained again by the words of the sentence: one that sees only whether words are there, only the first
word, only one text of a pair, or everything. Nothing of the package is used, so folds and settings differ. A printed
score must lie within what that changes: three standard deviations of the same model over `SEEDS` draws of the folds, the
standard error of a score on so few held-out items as the sentence has, and `SETTINGS` points for other settings of a
linear model (words alone or with pairs and letters), which was set by judgement.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from benchmarks.first_screen_raw import Raw

SEEDS = (1, 2, 3)
SETTINGS = 3.0  # points; twice as many for models of whole texts, whose features differ
WHOLE_TEXTS = 6.0
MIN_ITEMS = 20
PLACES = {
    "the text": (0, None),
    "the first text": (0, None),
    "the second text": (1, None),
    "the first text, but not the second,": (0, 1),
    "the second text, but not the first,": (1, 0),
    "the first text alone, the second text alone, or neither of them alone": (0, -1),
}
Features = list[tuple[float, ...]]


def split_sides(text: str) -> list[str]:
    """Return the texts of an item."""
    return [side.strip() for side in text.split("␞")]


def find_words(text: str) -> list[str]:
    """Return the words of a text: runs of letters and digits."""
    return re.findall(r"\w+", text.lower())


UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")


def contains(text: str, token: str) -> bool:
    """Return whether a text has a word, or two words in a row; in scripts without spaces, one or two characters."""
    if UNSPACED.search(token):
        return token.replace(" ", "") in text
    return f" {token.lower()} " in f" {' '.join(find_words(text))} "


def read_views(sees: str) -> list[tuple[str, int, int | None]] | None:
    """Return the words of "whether the text contains …" with the side each is on, and the side that must lack it."""
    views = []
    for part in re.split(r"(?:^|, and )whether ", sees)[1:]:
        match = re.fullmatch(r"(?P<place>.+?) contains (?P<words>.+)", part)
        if match is None or match["place"] not in PLACES:
            return None
        side, other = PLACES[match["place"]]
        views += [(word, side, other) for word in re.findall(r'"([^"]*)"', match["words"])]
    return views or None


def see_words(raw: Raw, views: Sequence[tuple[str, int, int | None]]) -> Features:
    """Return for every item which of the words are there."""
    rows = []
    for item in raw.items or ():
        sides = split_sides(item.text)
        row = []
        for word, side, other in views:
            here = contains(sides[side], word)
            if other == -1:
                there = contains(sides[1], word)
                row += [float(here and not there), float(there and not here)]
            else:
                row.append(float(here and not (other is not None and contains(sides[other], word))))
        rows.append(tuple(row))
    return rows


def see_cheaply(raw: Raw, sees: str) -> list[str] | None:
    """Return the one thing that a cheap baseline sees of every item."""
    texts = [split_sides(item.text) for item in raw.items or ()]
    words = [[find_words(side) for side in sides] for sides in texts]
    if sees in ("the first word", "the last word"):
        end = 0 if sees == "the first word" else -1
        return [" ".join(side[end] if side else "" for side in sides[-1:]) for sides in words]
    if sees == "which text is longer" and texts and len(texts[0]) == 2:
        return [f"{np.sign(len(sides[0]) - len(sides[1]))}" for sides in words]
    if sees == "whether the two texts are the same" and texts and len(texts[0]) == 2:
        return [f"{sides[0] == sides[1]}" for sides in words]
    if sees == "whether the text is longer than half of all texts":
        lengths = [sum(map(len, sides)) for sides in words]
        return [f"{length > np.median(lengths)}" for length in lengths]
    return None


def predict(features: Any, labels: Sequence[str], model: Callable[[], Any]) -> tuple[float, float, float, float]:
    """Return accuracy and kappa of a model on held-out folds, the accuracy of the constant answer, and the deviation."""
    from sklearn.metrics import cohen_kappa_score
    from sklearn.model_selection import KFold, StratifiedKFold

    codes = np.unique(np.asarray(labels), return_inverse=True)[1]
    accuracies, kappas, constants = [], [], []
    draw = StratifiedKFold if np.bincount(codes).min() >= 5 else KFold
    for seed in SEEDS:
        answers, constant = np.zeros(len(codes), np.int64), np.zeros(len(codes), np.int64)
        for train, test in draw(5, shuffle=True, random_state=seed).split(np.zeros(len(codes)), codes):
            constant[test] = np.bincount(codes[train]).argmax()
            answers[test] = model().fit(take(features, train), codes[train]).predict(take(features, test))
        accuracies.append(100 * float((answers == codes).mean()))
        constants.append(100 * float((constant == codes).mean()))
        kappas.append(float(cohen_kappa_score(codes, answers)))
    return float(np.mean(accuracies)), float(np.mean(kappas)), float(np.mean(constants)), float(np.std(accuracies))


def take(features: Any, rows: Any) -> Any:
    """Return some rows of a matrix or of a list."""
    return features[rows] if isinstance(features, np.ndarray) else [features[row] for row in rows]


def build_word_model(*, has_probabilities: bool = False) -> Any:
    """Return a linear model of words and pairs of words."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    words = TfidfVectorizer(token_pattern=r"\w+", ngram_range=(1, 2), sublinear_tf=True)
    return make_pipeline(words, LogisticRegression(C=10, max_iter=500) if has_probabilities else LinearSVC())


def build_number_model() -> Any:
    """Return a linear model of a few numbers."""
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=500)


def build_table_model() -> Any:
    """Return the most frequent label of every key."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder
    from sklearn.tree import DecisionTreeClassifier

    return make_pipeline(OneHotEncoder(handle_unknown="ignore"), DecisionTreeClassifier(random_state=0))


@lru_cache(maxsize=64)
def score_texts(texts: tuple[str, ...], labels: tuple[str, ...]) -> tuple[float, float, float, float]:
    """Score a model of whole texts."""
    return predict(list(texts), labels, build_word_model)


def list_labelled(raw: Raw) -> list[int]:
    """Return the rows with a label."""
    return [row for row, item in enumerate(raw.items or ()) if item.label is not None]


def score_side(raw: Raw, side: int | None) -> tuple[float, float, float, float] | None:
    """Score a model of one text of every item, or of all of it."""
    rows = list_labelled(raw)
    if len(rows) < MIN_ITEMS:
        return None
    items = raw.items or []
    texts = tuple(items[row].text if side is None else split_sides(items[row].text)[side] for row in rows)
    return score_texts(texts, tuple(items[row].label or "" for row in rows))


def score_view(raw: Raw, sees: str) -> tuple[float, float, float, float] | None:
    """Score a model that sees only this; None if the words do not say what it sees, or the items are in another form."""
    rows = list_labelled(raw)
    if raw.items is None or len(rows) < MIN_ITEMS or len({raw.items[row].label for row in rows}) < 2:
        return None
    side = {"the first text of the pair": 0, "the second text of the pair": 1}.get(sees)
    if side is not None:
        return score_side(raw, side)
    labels = [raw.items[row].label or "" for row in rows]
    if (views := read_views(sees)) is not None:
        table = np.array(see_words(raw, views))[rows]
        return predict(table, labels, build_number_model)
    if (keys := see_cheaply(raw, sees)) is not None:
        return predict(np.array(keys, dtype=object)[rows, None], labels, build_table_model)
    return None


def tell_parts_apart(raw: Raw, first: str, second: str) -> tuple[float, float, float, float, int] | None:
    """Score a model that tells the texts of two parts apart, as many of each; None if they are in another form."""
    by_part = {part: [item.text for item in raw.items or () if item.part == part] for part in (first, second)}
    n = min(map(len, by_part.values()))
    if n < MIN_ITEMS:
        return None
    generator = np.random.default_rng(0)
    texts, parts = [], []
    for part, own in by_part.items():
        texts += [own[row] for row in generator.permutation(len(own))[:n].tolist()]
        parts += [part] * n
    return *score_texts(tuple(texts), tuple(parts)), 2 * n


def draw_tests(texts: Sequence[str], labels: Sequence[str], split: str) -> list[Any] | None:
    """Return the test items of the draws of a split, as the papers describe it; None if it is not one of these."""
    from sklearn.cluster import KMeans
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

    words = [find_words(text) for text in texts]
    n, size = len(texts), max(1, round(0.1 * len(texts)))
    generators = [np.random.default_rng(seed) for seed in range(5)]
    if split == "length":
        longest = np.argsort([-len(row) for row in words], kind="stable")
        n_tied = sum(len(row) >= len(words[longest[size - 1]]) for row in words)
        return [longest[:size]] if n_tied <= 2 * size else None  # which of so many equal lengths are tested is open
    if split == "random-length":
        lengths = np.array([len(row) for row in words])
        return [
            fill_test(size, [np.flatnonzero(lengths == k) for k in g.permutation(np.unique(lengths))])
            for g in generators
        ]
    if split == "rare-words":
        places: dict[str, set[int]] = {}
        for number, row in enumerate(words):
            for word in row:
                places.setdefault(word, set()).add(number)
        draws = []
        for generator in generators:
            names = sorted(places)
            order = sorted(generator.permutation(len(names)).tolist(), key=lambda k: len(places[names[k]]))
            draws.append(fill_test(size, (sorted(places[names[k]]) for k in order)))
        return draws
    if split == "wasserstein":
        counts = np.sort(CountVectorizer(token_pattern=r"\w+").fit_transform(texts).toarray(), axis=1)
        centres = [int(generator.integers(n)) for generator in generators]
        return [np.argsort(np.abs(counts - counts[centre]).sum(axis=1), kind="stable")[:size] for centre in centres]
    if split == "sds-k-means":
        vectors = TfidfVectorizer(token_pattern=r"\w+").fit_transform(texts)
        points = TruncatedSVD(min(20, vectors.shape[1] - 1), random_state=0).fit_transform(vectors)
        distances = KMeans(5, n_init=4, random_state=0).fit(points).transform(points)
        folds = assign_quotas(distances, labels)
        return [np.flatnonzero(folds == number) for number in range(5)]
    return None


def assign_quotas(distances: Any, labels: Sequence[str]) -> Any:
    """Assign items to the nearest cluster in which a fifth of the items of their label is not yet reached."""
    codes = np.unique(np.asarray(labels), return_inverse=True)[1]
    folds = np.full(len(codes), -1)
    for label in np.unique(codes):
        rows = np.flatnonzero(codes == label)
        room = np.full(5, -(-len(rows) // 5))
        order = np.argsort(distances[rows], axis=None)
        for row, fold in zip(*np.unravel_index(order, (len(rows), 5)), strict=True):
            if folds[rows[row]] < 0 and room[fold]:
                folds[rows[row]], room[fold] = fold, room[fold] - 1
    return folds


def fill_test(size: int, groups: Any) -> Any:
    """Return the items of the first groups that have so many together."""
    chosen: set[int] = set()
    for group in groups:
        if len(chosen) >= size:
            break
        chosen |= {int(row) for row in group}
    return np.array(sorted(chosen))


@lru_cache(maxsize=16)
def measure_split(texts: tuple[str, ...], labels: tuple[str, ...], split: str) -> tuple[float, int] | None:
    """Return how many points a model of whole texts loses under a split, on the same items, and how many these are."""
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    draws = draw_tests(texts, labels, split)
    codes = np.unique(np.asarray(labels), return_inverse=True)[1]
    if draws is None or np.bincount(codes).min() < 5:
        return None
    folds = StratifiedKFold(5, shuffle=True, random_state=SEEDS[0])
    at_random = cross_val_predict(build_word_model(), list(texts), codes, cv=folds) == codes
    losses, n_tested = [], 0
    for test in draws:
        train = np.setdiff1d(np.arange(len(codes)), test)
        if not len(test) or len(np.unique(codes[train])) < 2:
            continue
        model = build_word_model().fit([texts[row] for row in train], codes[train])
        right = model.predict([texts[row] for row in test]) == codes[test]
        losses += (at_random[test].astype(float) - right).tolist()
        n_tested += len(test)
    return 100 * float(np.mean(losses)), n_tested


def lose_under_split(raw: Raw, split: str) -> tuple[float, int] | None:
    """Measure the loss of a model of whole texts under a split of the labelled items."""
    rows = list_labelled(raw)
    if raw.items is None or len(rows) < 5 * MIN_ITEMS:
        return None
    return measure_split(
        tuple(raw.items[row].text for row in rows), tuple(raw.items[row].label or "" for row in rows), split
    )


def count_sure_contradictions(raw: Raw) -> tuple[int, int] | None:
    """Return how many labels a model of the texts contradicts among the fifth of which it is most sure."""
    from sklearn.model_selection import KFold, cross_val_predict

    rows = list_labelled(raw)
    if len(rows) < MIN_ITEMS:
        return None
    items = raw.items or []
    codes = np.unique([items[row].label or "" for row in rows], return_inverse=True)[1]
    kept = np.flatnonzero(np.bincount(codes)[codes] >= 10)  # so that every fold has all labels
    folds = KFold(5, shuffle=True, random_state=SEEDS[0])
    texts = [items[rows[row]].text for row in kept.tolist()]
    table = cross_val_predict(
        build_word_model(has_probabilities=True), texts, codes[kept], cv=folds, method="predict_proba"
    )
    ranked = np.sort(table, axis=1)
    sure = np.argsort(ranked[:, -1] / ranked[:, -2])[-round(0.2 * len(kept)) :]
    names = np.unique(codes[kept])
    return int((names[table[sure].argmax(axis=1)] != codes[kept][sure]).sum()), len(sure)


def bound_score(score: float, deviation: float, n: float, settings: float = SETTINGS) -> float:
    """Return by how many points a printed score of so many held-out items may differ from the own one."""
    share = min(max(score / 100, 0.05), 0.95)
    return settings + 3 * math.hypot(deviation, 0.0 if math.isnan(n) else 100 * math.sqrt(share * (1 - share) / n))


def count_cue(raw: Raw, token: str, place: str, label: str) -> tuple[int, int, float]:
    """Return how many labelled items have a word at a place, how many of them have the label, and the label's share."""
    side, other = PLACES.get(place or "the text", (0, None))
    rows = list_labelled(raw)
    items = [(raw.items or [])[row] for row in rows]
    found = Counter[bool]()
    for item in items:
        sides = split_sides(item.text)
        if contains(sides[side], token) and not (other is not None and contains(sides[other], token)):
            found[item.label == label] += 1
    return found.total(), found[True], sum(item.label == label for item in items) / len(items)


def see_number(raw: Raw, name: str) -> list[float] | None:
    """Return a number of every item by its name."""
    texts = [split_sides(item.text) for item in raw.items or ()]
    words = [[find_words(side) for side in sides] for sides in texts]
    if name == "length":
        return [float(sum(map(len, sides))) for sides in words]
    if name == "punctuation":
        marks = [len(re.findall(r"[^\w\s]", " ".join(sides))) for sides in texts]
        return [mark / max(mark + sum(map(len, sides)), 1) for mark, sides in zip(marks, words, strict=True)]
    if not texts or len(texts[0]) != 2:
        return None
    if name in ("length of a", "length of b"):
        return [float(len(sides[name.endswith("b")])) for sides in words]
    if name == "difference of length":
        return [float(len(sides[0]) - len(sides[1])) for sides in words]
    if name in ("overlap of a", "overlap of b"):
        own = int(name.endswith("b"))
        return [sum(word in sides[1 - own] for word in sides[own]) / max(len(sides[own]), 1) for sides in words]
    return None


def measure_entropy_share(values: Sequence[float], labels: Sequence[str]) -> float:
    """Return by how much of the entropy of the labels tenths of a number reduce it, less what chance would."""
    codes = np.unique(np.asarray(labels), return_inverse=True)[1]
    ranks = np.searchsorted(np.quantile(values, np.linspace(0, 1, 11)[1:-1]), values)

    def reduce(order: np.ndarray[Any, Any]) -> float:
        table = np.zeros((ranks.max() + 1, codes.max() + 1))
        np.add.at(table, (ranks, order), 1)
        shares = table / table.sum()
        expected = shares.sum(axis=1, keepdims=True) * shares.sum(axis=0, keepdims=True)
        known = shares > 0
        return float((shares[known] * np.log(shares[known] / expected[known])).sum())

    generator = np.random.default_rng(0)
    chance = np.mean([reduce(generator.permutation(codes)) for _ in range(20)])
    counts = np.bincount(codes) / len(codes)
    entropy = -float((counts[counts > 0] * np.log(counts[counts > 0])).sum())
    return (reduce(codes) - float(chance)) / entropy
