"""The small networks among the control models."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Self

import numpy as np

from assay.base.arrays import Array

MAX_EPOCHS = 100
MAX_EPOCHS_WITHOUT_GAIN = 8
BATCH_SIZE = 200
VALIDATION_SHARE = 0.1
TOLERANCE = 1e-4  # of the accuracy on the validation rows
LEARNING_RATE, MOMENTUM, SQUARES_MOMENTUM, EPSILON = 1e-3, 0.9, 0.999, 1e-8  # of Adam
PENALTY = 1e-4


class ControlNetwork:
    """A network with hidden layers of rectified units on standardised features, trained by Adam with early stopping.

    The numbers are those of `MLPClassifier` in scikit-learn with the same settings, which takes several times as long
    on such small layers.

    >>> X = np.repeat([[0.0], [1.0]], 100, axis=0)
    >>> ControlNetwork((10,)).fit(X, np.repeat([0, 1], 100)).predict_proba(X[:1]).shape
    (1, 2)
    """

    def __init__(self, sizes: Sequence[int], random_state: int = 0) -> None:
        self.sizes = tuple(sizes)
        self.random_state = random_state

    def fit(self, X: Array, y: Array) -> Self:
        """Learn from features and class codes."""
        from sklearn.model_selection import train_test_split
        from sklearn.preprocessing import StandardScaler

        self.classes_, codes = np.unique(y, return_inverse=True)
        self._scaler = StandardScaler().fit(X)
        features, rng = self._scaler.transform(X), np.random.RandomState(self.random_state)
        is_binary = len(self.classes_) == 2
        targets = np.eye(len(self.classes_))[codes][:, 1 if is_binary else 0 :]
        self._initialize((features.shape[1], *self.sizes, targets.shape[1]), rng)
        train, validation = train_test_split(
            np.arange(len(codes)), random_state=rng, test_size=VALIDATION_SHARE, stratify=codes if is_binary else None
        )
        best, best_accuracy, n_without_gain = self._parameters, -np.inf, 0
        order = train
        for _ in range(MAX_EPOCHS):
            places = np.arange(len(order))
            rng.shuffle(places)
            order = order[places]
            self._run_epoch(features[order], targets[order])
            predicted = self._find_most_probable(features[validation])
            accuracy = float(np.mean(predicted == codes[validation]))
            n_without_gain = n_without_gain + 1 if accuracy < best_accuracy + TOLERANCE else 0
            if accuracy > best_accuracy:
                best, best_accuracy = self._parameters.copy(), accuracy
            if n_without_gain > MAX_EPOCHS_WITHOUT_GAIN:
                break
        self._parameters[:] = best
        return self

    def predict_proba(self, X: Array) -> Array:
        """Return the probability of each class."""
        shares = self._activate(self._scaler.transform(X))[-1]
        return np.hstack([1 - shares, shares]) if len(self.classes_) == 2 else shares

    def _initialize(self, sizes: tuple[int, ...], rng: np.random.RandomState) -> None:
        """Draw the weights and intercepts of all layers, which are views of one vector, like those of its gradient."""
        layers = []
        for n_inputs, n_outputs in pairwise(sizes):
            bound = np.sqrt(6.0 / (n_inputs + n_outputs))
            layers.append((rng.uniform(-bound, bound, (n_inputs, n_outputs)), rng.uniform(-bound, bound, n_outputs)))
        self._parameters = np.concatenate([part.ravel() for layer in layers for part in layer])
        self._gradient = np.empty_like(self._parameters)
        self._mean, self._squares = np.zeros_like(self._parameters), np.zeros_like(self._parameters)
        self._n_steps = 0
        self._layers, self._changes = (_cut_into_layers(vector, sizes) for vector in (self._parameters, self._gradient))

    def _run_epoch(self, features: Array, targets: Array) -> None:
        for start in range(0, len(features), BATCH_SIZE):
            rows = slice(start, start + BATCH_SIZE)
            self._differentiate(features[rows], targets[rows])
            self._step()

    def _activate(self, features: Array) -> list[Array]:
        """Return the outputs of all layers, from the features to the probabilities."""
        from scipy.special import expit

        outputs = [features]
        for weights, intercepts in self._layers:
            if len(outputs) > 1:
                np.maximum(outputs[-1], 0, out=outputs[-1])
            outputs.append(outputs[-1] @ weights)
            outputs[-1] += intercepts
        last = outputs[-1]
        if last.shape[1] == 1:
            expit(last, out=last)
        else:
            last -= last.max(axis=1, keepdims=True)
            np.exp(last, out=last)
            last /= last.sum(axis=1, keepdims=True)
        return outputs

    def _differentiate(self, features: Array, targets: Array) -> None:
        """Write the gradient of the mean log loss and the penalty."""
        outputs = self._activate(features)
        errors = outputs[-1]
        errors -= targets
        for number in range(len(self._layers) - 1, -1, -1):
            weights, (weight_changes, intercept_changes) = self._layers[number][0], self._changes[number]
            np.matmul(outputs[number].T, errors, out=weight_changes)
            weight_changes += PENALTY * weights
            errors.sum(axis=0, out=intercept_changes)
            if number:
                errors = errors @ weights.T
                errors *= outputs[number] > 0
        self._gradient /= len(features)

    def _step(self) -> None:
        """Change the parameters by a step of Adam."""
        self._n_steps += 1
        self._mean *= MOMENTUM
        self._mean += (1 - MOMENTUM) * self._gradient
        self._squares *= SQUARES_MOMENTUM
        self._squares += (1 - SQUARES_MOMENTUM) * self._gradient**2
        rate = LEARNING_RATE * np.sqrt(1 - SQUARES_MOMENTUM**self._n_steps) / (1 - MOMENTUM**self._n_steps)
        self._parameters += -rate * self._mean / (np.sqrt(self._squares) + EPSILON)

    def _find_most_probable(self, features: Array) -> Array:
        shares = self._activate(features)[-1]
        return shares[:, 0] > 0.5 if shares.shape[1] == 1 else shares.argmax(axis=1)


def _cut_into_layers(vector: Array, sizes: tuple[int, ...]) -> list[tuple[Array, Array]]:
    """Return the weights and the intercepts of each layer as views of a vector."""
    layers, start = [], 0
    for n_inputs, n_outputs in pairwise(sizes):
        middle, end = start + n_inputs * n_outputs, start + (n_inputs + 1) * n_outputs
        layers.append((vector[start:middle].reshape(n_inputs, n_outputs), vector[middle:end]))
        start = end
    return layers
