"""Compiled loops of the tagger: an averaged perceptron over sequences (Collins 2002), decoded by Viterbi."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.base.loops import compile_loop


@compile_loop
def decode(
    features: Array, start: int, end: int, weights: Array, moves: Array, tags: Array, scores: Array, back: Array
) -> None:
    """Write the tags with the highest sum of weights into `tags[start:end]`; the last tag is the start of a sentence."""
    n_tags = weights.shape[1]
    for token in range(start, end):
        for tag in range(n_tags):
            value = 0.0
            for place in range(features.shape[1]):
                value += weights[features[token, place], tag]
            if token == start:
                scores[token, tag] = value + moves[n_tags, tag]
            else:
                best = 0
                highest = -1e300
                for before in range(n_tags):
                    total = scores[token - 1, before] + moves[before, tag]
                    if total > highest:
                        highest = total
                        best = before
                scores[token, tag] = value + highest
                back[token, tag] = best
    if end > start:
        tags[end - 1] = np.argmax(scores[end - 1])
        for token in range(end - 1, start, -1):
            tags[token - 1] = back[token, tags[token]]


@compile_loop
def train_perceptron(
    features: Array, gold: Array, bounds: Array, orders: Array, n_features: int, n_tags: int
) -> tuple[Array, Array]:
    """Return the averaged weights of features and of moves from tag to tag.

    `bounds` are the first token and the end of every sentence, `orders` the order of sentences in each epoch.
    """
    weights = np.zeros((n_features, n_tags))
    moves = np.zeros((n_tags + 1, n_tags))
    late_weights = np.zeros((n_features, n_tags))
    late_moves = np.zeros((n_tags + 1, n_tags))
    tags = np.zeros(len(gold), np.int64)
    scores = np.zeros((len(gold), n_tags))
    back = np.zeros((len(gold), n_tags), np.int64)
    step = 1.0
    for epoch in range(orders.shape[0]):
        for row in orders[epoch]:
            start, end = bounds[row, 0], bounds[row, 1]
            decode(features, start, end, weights, moves, tags, scores, back)
            for token in range(start, end):
                right, wrong = gold[token], tags[token]
                if right != wrong:
                    for place in range(features.shape[1]):
                        code = features[token, place]
                        weights[code, right] += 1.0
                        weights[code, wrong] -= 1.0
                        late_weights[code, right] += step
                        late_weights[code, wrong] -= step
                before = n_tags if token == start else gold[token - 1]
                said = n_tags if token == start else tags[token - 1]
                if right != wrong or before != said:
                    moves[before, right] += 1.0
                    moves[said, wrong] -= 1.0
                    late_moves[before, right] += step
                    late_moves[said, wrong] -= step
            step += 1.0
    return weights - late_weights / step, moves - late_moves / step


@compile_loop
def tag_sentences(features: Array, bounds: Array, weights: Array, moves: Array) -> Array:
    """Return the tag of every token."""
    n, n_tags = features.shape[0], weights.shape[1]
    tags = np.zeros(n, np.int64)
    scores = np.zeros((n, n_tags))
    back = np.zeros((n, n_tags), np.int64)
    for row in range(bounds.shape[0]):
        decode(features, bounds[row, 0], bounds[row, 1], weights, moves, tags, scores, back)
    return tags
