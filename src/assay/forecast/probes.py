"""Probes of a dataset: five small models on words, word pairs and letters that show how hard it is.

Xiao et al. (2022) describe data by 11 features alone. A few models that take a fraction of a second show how far bags
of words get, what order, spelling and more rows add, and how far apart even these models lie: close to what λ measures.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from assay.base.arrays import Array
from assay.features import LabelledTexts
from assay.text.similarities import find_largest, multiply_rows

PROBES = (
    "log_train", "log_test", "pair", "majority", "label_entropy", "label_shift", "nb", "nb_likelihood", "ridge",
    "bigrams", "letters", "neighbours", "best", "error", "spread", "scaled_spread", "gain", "slope", "bigram_gain",
    "letter_gain", "unseen_words", "rare_words", "overlap", "overlap_gain",
)  # fmt: skip
N_HASHES = 1 << 18
MAX_RARE_COUNT = 2
MAX_WORDS = 64  # of a text: the models of the evidence read no more
N_NEIGHBOURS = 10
Matrix = Any  # sparse, texts × words


def measure_probes(
    train: LabelledTexts, test: LabelledTexts, overlap: tuple[Array, Array] | None = None
) -> dict[str, float]:
    """Return the probes of a training and a test part that share label names and vocabulary.

    Accuracies (percent) and the other shares are of the test part. `error` is 100 minus the models' mean, `spread`
    their standard deviation, `scaled_spread` the product; `slope` is what the second half of the training rows adds.
    `overlap` holds the share of words the two sides of each pair have in common, for train and test.
    """
    n_labels = max(len(train.label_names), len(test.label_names))
    models = _score_models(train, test, n_labels)
    scores = np.array([models[name] for name in ("nb", "ridge", "bigrams", "letters", "neighbours")])
    values = _measure_sizes(train, test, n_labels) | models | _measure_unknown_words(train, test)
    values |= _measure_overlap(train, test, overlap)
    error, spread = 100 - float(scores.mean()), float(scores.std(ddof=1))
    values |= {"best": float(scores.max()), "error": error, "spread": spread, "scaled_spread": error * spread}
    values |= {"gain": float(scores.max()) - values["majority"]}
    values |= {"bigram_gain": models["bigrams"] - models["ridge"], "letter_gain": models["letters"] - models["ridge"]}
    values["overlap_gain"] = values["overlap_gain"] - values["majority"] if overlap is not None else 0.0
    return {name: float(values[name]) for name in PROBES}


def _measure_sizes(train: LabelledTexts, test: LabelledTexts, n_labels: int) -> dict[str, float]:
    """Return the sizes of both parts, how balanced labels are, and how far they differ between the parts."""
    shares = [np.bincount(part.labels, minlength=n_labels) / len(part) for part in (train, test)]
    majority = 100 * float(shares[1][shares[0].argmax()])
    entropy = -float(sum(share * np.log(share) for share in shares[1] if share > 0))
    shift = float(np.abs(shares[0] - shares[1]).sum()) / 2
    logs = {"log_train": np.log10(len(train)), "log_test": np.log10(len(test))}
    return {**logs, "majority": majority, "label_entropy": entropy, "label_shift": shift}


def _score_models(train: LabelledTexts, test: LabelledTexts, n_labels: int) -> dict[str, float]:
    """Return the accuracy of each small model, the likelihood of naive Bayes, and what more rows add."""
    words = (train.corpus.counts(), test.corpus.counts())
    labels = (train.labels, test.labels, n_labels)
    nb, likelihood = score_naive_bayes(words[0], words[1], *labels)
    scores = {"nb": nb, "nb_likelihood": likelihood}
    within, across = compute_similarities(*words)
    scores["ridge"] = score_ridge((within, across), *labels)
    scores["neighbours"] = score_neighbours(across, *labels)
    pairs = (_hash_counts(train, _find_bigrams), _hash_counts(test, _find_bigrams))
    both = [sparse.hstack([single, pair], "csr") for single, pair in zip(words, pairs, strict=True)]
    scores["bigrams"] = score_ridge(compute_similarities(*both), *labels)
    letters = (_hash_counts(train, _find_letters), _hash_counts(test, _find_letters))
    scores["letters"] = score_ridge(compute_similarities(*letters), *labels)
    # Rows are in the order of the file; every second one is as good a half as another.
    half = np.arange(0, len(train), 2)
    fewer = score_ridge((within[np.ix_(half, half)], across[:, half]), train.labels[half], test.labels, n_labels)
    return scores | {"slope": scores["ridge"] - fewer}


def compute_similarities(train: Matrix, test: Matrix) -> tuple[Array, Array]:
    """Return the similarities (TF-IDF, cosine) of training texts with one another, and of test texts with them."""
    n_texts = np.asarray((train > 0).sum(axis=0)).ravel()
    rarity = np.where(n_texts > 0, np.log((1 + train.shape[0]) / (1 + n_texts)) + 1, 0.0)
    vectors = []
    for counts in (train, test):
        scaled = sparse.csr_array(counts, dtype=np.float64)
        scaled.data = 1 + np.log(scaled.data)
        scaled = scaled.multiply(rarity[None, :]).tocsr()
        norms = np.sqrt(np.asarray(scaled.multiply(scaled).sum(axis=1)).ravel())
        vectors.append(scaled.multiply(1 / np.maximum(norms, 1e-9)[:, None]).tocsr())
    return multiply_rows(vectors[0], vectors[0]), multiply_rows(vectors[1], vectors[0])


def score_ridge(kernels: tuple[Array, Array], labels: Array, gold: Array, n_labels: int) -> float:
    """Return the accuracy (percent) of ridge regression on label indicators, in its dual form."""
    from scipy.linalg import cho_factor, cho_solve

    within, across = kernels
    targets = 2.0 * (labels[:, None] == np.arange(n_labels)) - 1
    mean = targets.mean(axis=0)
    factor = cho_factor(within + np.eye(len(labels)), lower=True, overwrite_a=True, check_finite=False)
    weights = cho_solve(factor, targets - mean, check_finite=False)
    return 100 * float(np.mean((across @ weights + mean).argmax(axis=1) == gold))


def score_neighbours(across: Array, labels: Array, gold: Array, n_labels: int) -> float:
    """Return the accuracy (percent) of a vote among the ten most similar training texts, weighted by similarity."""
    nearest = find_largest(across, N_NEIGHBOURS)
    similarity = np.take_along_axis(across, nearest, axis=1) + 1e-6
    votes = [(similarity * (labels[nearest] == label)).sum(axis=1) for label in range(n_labels)]
    return 100 * float(np.mean(np.argmax(votes, axis=0) == gold))


def score_naive_bayes(train: Matrix, test: Matrix, labels: Array, gold: Array, n_labels: int) -> tuple[float, float]:
    """Return the accuracy (percent) of multinomial naive Bayes, and its likelihood gain over the prior in nats.

    Counts are of texts that hold the word, add-one smoothed; words that are not in training are ignored.
    """
    once = sparse.csr_array(train > 0, dtype=np.float64)
    rows = np.arange(len(labels))
    of_label = sparse.csr_array((np.ones(len(labels)), (labels, rows)), shape=(n_labels, len(labels)))
    counts = (of_label @ once).toarray()
    known = np.flatnonzero(counts.any(axis=0))
    smooth = counts[:, known] + 1.0
    logs = np.log(smooth) - np.log(smooth.sum(axis=1, keepdims=True))
    prior = np.log(np.bincount(labels, minlength=n_labels) + 1.0) - np.log(len(labels) + n_labels)
    present = sparse.csr_array(test[:, known] > 0, dtype=np.float64)
    scores = present @ logs.T
    length = np.maximum(np.asarray(present.sum(axis=1)).ravel(), 1.0)
    tempered = scores / np.sqrt(length)[:, None] + prior  # raw naive Bayes is far too confident
    likelihood = tempered[np.arange(len(gold)), gold] - np.logaddexp.reduce(tempered, axis=1)
    return 100 * float(np.mean((scores + prior).argmax(axis=1) == gold)), float(np.mean(likelihood - prior[gold]))


def _hash_counts(part: LabelledTexts, find_keys: Callable[[LabelledTexts], tuple[Array, Array]]) -> Matrix:
    """Count the keys that a function finds in texts, by hash."""
    rows, keys = find_keys(part)
    hashes = (keys * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(46)  # the upper 18 bits
    shape = (len(part), N_HASHES)
    return sparse.csr_array((np.ones(len(rows)), (rows, hashes.astype(np.int64))), shape=shape)


def _find_bigrams(part: LabelledTexts) -> tuple[Array, Array]:
    """Return the texts and keys of neighbouring words."""
    ids = part.corpus.ids.astype(np.uint64)
    text = np.repeat(np.arange(len(part)), part.corpus.lengths)
    same = np.flatnonzero(text[1:] == text[:-1])
    return text[same], ids[same] * np.uint64(0x100000001B3) + ids[same + 1]


def _find_letters(part: LabelledTexts) -> tuple[Array, Array]:
    """Return the texts and keys of all runs of four letters within words, their edges marked."""
    ids, vocabulary = part.corpus.ids, part.corpus.vocabulary
    used, positions = np.unique(ids, return_inverse=True)
    keys, counts = make_letter_keys([vocabulary[word] for word in used.tolist()])
    starts = np.cumsum(counts) - counts
    text = np.repeat(np.arange(len(part)), part.corpus.lengths)
    lengths = counts[positions]
    within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return np.repeat(text, lengths), keys[np.repeat(starts[positions], lengths) + within]


def make_letter_keys(words: list[str]) -> tuple[Array, Array]:
    """Return the keys of runs of four characters of each `<word>`, one after the other, and how many each has.

    >>> make_letter_keys(["a", "tree"])[1].tolist()
    [1, 3]
    """
    marked = [f"<{word}>".ljust(4) for word in words]
    sizes = np.fromiter(map(len, marked), np.int64, len(marked))
    letters = np.frombuffer("".join(marked).encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    keys = np.zeros(max(len(letters) - 3, 0), dtype=np.uint64)
    for offset in range(4):
        keys = keys * np.uint64(1_000_003) + letters[offset : len(letters) - 3 + offset]
    counts = sizes - 3
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return keys[np.flatnonzero(within < np.repeat(counts, sizes))], counts


def _measure_unknown_words(train: LabelledTexts, test: LabelledTexts) -> dict[str, float]:
    """Return the share of test words that occur never, or at most twice, in training."""
    counts = np.bincount(train.corpus.ids, minlength=len(train.corpus.vocabulary))[test.corpus.ids]
    if not len(counts):
        return {"unseen_words": 0.0, "rare_words": 0.0}
    return {"unseen_words": float(np.mean(counts == 0)), "rare_words": float(np.mean(counts <= MAX_RARE_COUNT))}


def _measure_overlap(
    train: LabelledTexts, test: LabelledTexts, overlap: tuple[Array, Array] | None
) -> dict[str, float]:
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
