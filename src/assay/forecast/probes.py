"""Quick looks at a dataset that say how hard it is: five small models on words, word pairs and letters.

Paper 000 describes data by its 11 features alone. A few models that take a fraction of a second tell how far bags of
words get, what order, spelling and more rows add, and how far apart even these models lie: near what λ asks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from assay.base.arrays import Array
from assay.features import LabelledTexts

PROBES = (
    "log_train", "log_test", "pair", "majority", "label_entropy", "label_shift", "nb", "nb_likelihood", "ridge",
    "bigrams", "letters", "neighbours", "best", "error", "spread", "scaled_spread", "gain", "slope", "bigram_gain",
    "letter_gain", "unseen_words", "rare_words", "overlap", "overlap_gain",
)  # fmt: skip
HASHES = 1 << 18
RARE = 2
MOST_WORDS = 64  # of a text: the models of the evidence read no more
Matrix = Any  # sparse, texts × words
Codes = NDArray[np.int64]


def probes(train: LabelledTexts, test: LabelledTexts, overlap: tuple[Array, Array] | None = None) -> dict[str, float]:
    """Return the quick looks at a training and a test part that share label names and vocabulary.

    Accuracies (percent) and the other shares are of the test part. `error` is 100 minus the models' mean, `spread`
    their standard deviation, `scaled_spread` the product; `slope` is what the second half of the training rows adds.
    `overlap` holds the share of words the two sides of each pair have in common, for train and test.
    """
    n_labels = max(len(train.label_names), len(test.label_names))
    models = accuracies(train, test, n_labels)
    five = np.array([models[name] for name in ("nb", "ridge", "bigrams", "letters", "neighbours")])
    values = sizes(train, test, n_labels) | models | unknown_words(train, test) | pair_overlap(train, test, overlap)
    error, spread = 100 - float(five.mean()), float(five.std(ddof=1))
    values |= {"best": float(five.max()), "error": error, "spread": spread, "scaled_spread": error * spread}
    values |= {"gain": float(five.max()) - values["majority"]}
    values |= {"bigram_gain": models["bigrams"] - models["ridge"], "letter_gain": models["letters"] - models["ridge"]}
    values["overlap_gain"] = values["overlap_gain"] - values["majority"] if overlap is not None else 0.0
    return {name: float(values[name]) for name in PROBES}


def sizes(train: LabelledTexts, test: LabelledTexts, n_labels: int) -> dict[str, float]:
    """Return the sizes of both parts, how even labels are, and how far they differ between the parts."""
    shares = [np.bincount(part.labels, minlength=n_labels) / len(part) for part in (train, test)]
    majority = 100 * float(shares[1][shares[0].argmax()])
    entropy = -float(sum(share * np.log(share) for share in shares[1] if share > 0))
    shift = float(np.abs(shares[0] - shares[1]).sum()) / 2
    told = {"log_train": np.log10(len(train)), "log_test": np.log10(len(test))}
    return {**told, "majority": majority, "label_entropy": entropy, "label_shift": shift}


def accuracies(train: LabelledTexts, test: LabelledTexts, n_labels: int) -> dict[str, float]:
    """Return the accuracy of each small model, the likelihood of naive Bayes, and what more rows add."""
    words = (train.corpus.counts(), test.corpus.counts())
    nb, likelihood = bayes(*words, train.labels, test.labels, n_labels)
    found = {"nb": nb, "nb_likelihood": likelihood}
    told = (train.labels, test.labels, n_labels)
    within, across = weighted(*words)
    found["ridge"] = ridge((within, across), *told)
    found["neighbours"] = neighbours(across, *told)
    pairs = (hashed(train, bigrams), hashed(test, bigrams))
    both = [sparse.hstack([one, two], "csr") for one, two in zip(words, pairs, strict=True)]
    found["bigrams"] = ridge(weighted(*both), *told)
    found["letters"] = ridge(weighted(hashed(train, letters), hashed(test, letters)), *told)
    # Rows stand in the file's order; every second one is as good a half as another.
    half = np.arange(0, len(train), 2)
    fewer = ridge((within[np.ix_(half, half)], across[:, half]), train.labels[half], test.labels, n_labels)
    return found | {"slope": found["ridge"] - fewer}


def weighted(train: Matrix, test: Matrix) -> tuple[Array, Array]:
    """Return the similarities (TF-IDF, cosine) of training texts with one another, and of test texts with them."""
    held = np.asarray((train > 0).sum(axis=0)).ravel()
    rarity = np.where(held > 0, np.log((1 + train.shape[0]) / (1 + held)) + 1, 0.0)
    found = []
    for counts in (train, test):
        scaled = sparse.csr_array(counts, dtype=np.float64)
        scaled.data = 1 + np.log(scaled.data)
        scaled = scaled.multiply(rarity[None, :]).tocsr()
        norms = np.sqrt(np.asarray(scaled.multiply(scaled).sum(axis=1)).ravel())
        found.append(scaled.multiply(1 / np.maximum(norms, 1e-9)[:, None]).tocsr())
    return (found[0] @ found[0].T).toarray(), (found[1] @ found[0].T).toarray()


def ridge(kernels: tuple[Array, Array], labels: Codes, wanted: Codes, n_labels: int) -> float:
    """Return the accuracy (percent) of ridge regression on label indicators, in its dual form."""
    from scipy.linalg import solve

    within, across = kernels
    wishes = 2.0 * (labels[:, None] == np.arange(n_labels)) - 1
    middle = wishes.mean(axis=0)
    weights = solve(within + np.eye(len(labels)), wishes - middle, assume_a="pos")
    return 100 * float(np.mean((across @ weights + middle).argmax(axis=1) == wanted))


def neighbours(across: Array, labels: Codes, wanted: Codes, n_labels: int, n: int = 10) -> float:
    """Return the accuracy (percent) of a vote among the ten most similar training texts, weighted by similarity."""
    near = np.argsort(-across, axis=1, kind="stable")[:, : min(n, across.shape[1])]
    similar = np.take_along_axis(across, near, axis=1) + 1e-6
    votes = [(similar * (labels[near] == label)).sum(axis=1) for label in range(n_labels)]
    return 100 * float(np.mean(np.argmax(votes, axis=0) == wanted))


def bayes(train: Matrix, test: Matrix, labels: Codes, wanted: Codes, n_labels: int) -> tuple[float, float]:
    """Return the accuracy (percent) of multinomial naive Bayes, and its likelihood gain over the prior in nats.

    Counts are of texts that hold the word, add-one smoothed; words training lacks say nothing.
    """
    once = sparse.csr_array(train > 0, dtype=np.float64)
    of_label = sparse.csr_array((np.ones(len(labels)), (labels, np.arange(len(labels)))), shape=(n_labels, len(labels)))
    counts = (of_label @ once).toarray()
    held = np.flatnonzero(counts.any(axis=0))
    smooth = counts[:, held] + 1.0
    logs = np.log(smooth) - np.log(smooth.sum(axis=1, keepdims=True))
    prior = np.log(np.bincount(labels, minlength=n_labels) + 1.0) - np.log(len(labels) + n_labels)
    seen = sparse.csr_array(test[:, held] > 0, dtype=np.float64)
    scores = seen @ logs.T
    length = np.maximum(np.asarray(seen.sum(axis=1)).ravel(), 1.0)
    mild = scores / np.sqrt(length)[:, None] + prior  # raw naive Bayes is far too sure of itself
    told = mild[np.arange(len(wanted)), wanted] - np.logaddexp.reduce(mild, axis=1)
    return 100 * float(np.mean((scores + prior).argmax(axis=1) == wanted)), float(np.mean(told - prior[wanted]))


def hashed(part: LabelledTexts, keys: Callable[[LabelledTexts], tuple[Array, Array]]) -> Matrix:
    """Count what a function finds in texts, by hash."""
    rows, found = keys(part)
    mixed = (found * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(46)  # the upper 18 bits
    shape = (len(part), HASHES)
    return sparse.csr_array((np.ones(len(rows)), (rows, mixed.astype(np.int64))), shape=shape)


def bigrams(part: LabelledTexts) -> tuple[Array, Array]:
    """Return the texts and numbers of neighbouring words."""
    ids = part.corpus.ids.astype(np.uint64)
    text = np.repeat(np.arange(len(part)), part.corpus.lengths)
    same = np.flatnonzero(text[1:] == text[:-1])
    return text[same], ids[same] * np.uint64(0x100000001B3) + ids[same + 1]


def letters(part: LabelledTexts) -> tuple[Array, Array]:
    """Return the texts and numbers of all runs of four letters within words, their edges marked."""
    ids, vocabulary = part.corpus.ids, part.corpus.vocabulary
    used, place = np.unique(ids, return_inverse=True)
    keys, counts = fours([vocabulary[word] for word in used.tolist()])
    starts = np.cumsum(counts) - counts
    text = np.repeat(np.arange(len(part)), part.corpus.lengths)
    lengths = counts[place]
    within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return np.repeat(text, lengths), keys[np.repeat(starts[place], lengths) + within]


def fours(words: list[str]) -> tuple[Array, Array]:
    """Return the numbers of runs of four characters of each `<word>`, one after the other, and how many each has.

    >>> fours(["a", "tree"])[1].tolist()
    [1, 3]
    """
    marked = [f"<{word}>".ljust(4) for word in words]
    sizes = np.fromiter(map(len, marked), np.int64, len(marked))
    run = np.frombuffer("".join(marked).encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    found = np.zeros(max(len(run) - 3, 0), dtype=np.uint64)
    for place in range(4):
        found = found * np.uint64(1_000_003) + run[place : len(run) - 3 + place]
    counts = sizes - 3
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return found[np.flatnonzero(within < np.repeat(counts, sizes))], counts


def unknown_words(train: LabelledTexts, test: LabelledTexts) -> dict[str, float]:
    """Return the share of test words that training never, or at most twice, shows."""
    counts = np.bincount(train.corpus.ids, minlength=len(train.corpus.vocabulary))[test.corpus.ids]
    if not len(counts):
        return {"unseen_words": 0.0, "rare_words": 0.0}
    return {"unseen_words": float(np.mean(counts == 0)), "rare_words": float(np.mean(counts <= RARE))}


def pair_overlap(train: LabelledTexts, test: LabelledTexts, overlap: tuple[Array, Array] | None) -> dict[str, float]:
    """Return whether the task is on pairs, their mean overlap, and the accuracy of labels by overlap alone."""
    if overlap is None:
        return {"pair": 0.0, "overlap": 0.0, "overlap_gain": 0.0}
    edges = np.quantile(overlap[0], np.linspace(0.1, 0.9, 9))
    bins = [np.searchsorted(edges, values) for values in overlap]
    best = np.zeros(10, dtype=np.int64)
    for number in range(10):
        inside = train.labels[bins[0] == number]
        best[number] = np.bincount(inside if len(inside) else train.labels).argmax()
    accuracy = 100 * float(np.mean(best[bins[1]] == test.labels))
    return {"pair": 1.0, "overlap": float(overlap[1].mean()), "overlap_gain": accuracy}
