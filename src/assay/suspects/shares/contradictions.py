"""Labels that models contradict although they are sure, compared with how often they would contradict right labels."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array
from assay.suspects.probabilities import measure_doubt
from assay.views.results import Result
from assay.views.values import Interval

MIN_WRONG_SHARE = 0.01  # from which the lower end makes a warning, as any other stake
# Agreement of a model with right labels; weaker ones contradict right labels that they are sure of. The second is the
# agreement with all labels, of which some may be wrong, from which the first is computed.
MIN_KAPPA, MIN_KAPPA_OF_ALL = 0.62, 0.35
MIN_ITEMS = 200
MAX_BINS = 400
CERTAIN_SHARE = 0.2  # of the items, of whose labels the model is most sure
# Intercept and logarithm of the slope of a model's errors on right labels: mean and deviation over datasets.
CURVE = ((1.5, 1.0), (0.6, 0.5))
TRIED = np.array([0, 0.0025, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.065, 0.08, 0.1, 0.13, 0.17, 0.22])
SHARES = np.linspace(0, TRIED[-1], 441)
MAX_LOSS = 1.353  # of log likelihood inside a 90% interval: each end holds with 95% confidence


@dataclass(frozen=True)
class Contradictions(Result):
    """The labels that a model contradicts among those it is most sure of, and the share of wrong labels that explains it.

    `wrong_share` is a profile likelihood interval of 90%; its lower end is above 0 if right labels would be contradicted
    less often. `n_sure` are the fifth of the items of whose labels the model is most sure, `n_contradicted` those of them
    whose label it contradicts, and `n_expected` as many as it would contradict if all labels were right.
    """

    n_items: int
    n_sure: int
    n_contradicted: int
    n_expected: float
    wrong_share: Interval

    @property
    def is_decisive(self) -> bool:
        """Whether it takes wrong labels to explain so many contradictions, with 95% confidence at least 1% of all."""
        return self.wrong_share.low >= MIN_WRONG_SHARE

    def describe(self) -> str:
        """Say how many labels are contradicted, and how many would be.

        >>> Contradictions(800, 160, 12, 1.8, Interval(0.06, 0.03, 0.09)).describe()
        'A text model contradicts 12 of the 160 labels of which it is most sure; of right labels it would contradict about 2.'
        """
        return (
            f"A text model contradicts {self.n_contradicted:,} of the {self.n_sure:,} labels of which it is most sure; of "
            f"right labels it would contradict about {self.n_expected:.0f}."
        )


def measure_contradictions(probabilities: Array, codes: Array) -> Contradictions | None:
    """Compare how often out-of-fold probabilities (items × labels) contradict labels with what right labels would give.

    If labels are right, the log odds that a model contradicts one fall in a line with its confidence, the logarithm of
    the ratio of the two largest probabilities. Labels that are wrong at random are contradicted at any confidence, so
    that contradictions no longer vanish where the model is sure. None if the model agrees too little with the labels.
    """
    from assay.statistics import cohen_kappa

    n, n_labels = probabilities.shape
    doubt = measure_doubt(probabilities, codes)
    if n < MIN_ITEMS or n_labels < 2:
        return None
    kappa = cohen_kappa(doubt.preferred, codes).value
    if not kappa >= MIN_KAPPA_OF_ALL:
        return None
    against = doubt.mark_disagreement(codes)
    order = np.argsort(doubt.confidence, kind="stable")
    bins = np.array_split(order, min(n, MAX_BINS))
    sizes = np.array([len(rows) for rows in bins])
    counts = np.array([against[rows].sum() for rows in bins])
    places = np.array([doubt.confidence[rows].mean() for rows in bins])
    logs, curves = fit_curves(counts, sizes, places, n_labels)
    values = np.interp(SHARES, TRIED, logs)
    inside = SHARES[values >= values.max() - MAX_LOSS]
    best = float(SHARES[values.argmax()])
    if kappa < MIN_KAPPA * (1 - best * n_labels / (n_labels - 1)):
        return None
    share = Interval(best, float(inside.min()), float(inside.max()), 0.9, "profile likelihood")
    sure = order[n - round(CERTAIN_SHARE * n) :]
    errors = predict_errors(curves[int(logs.argmax())], doubt.confidence[sure], n_labels)
    return Contradictions(n, len(sure), int(against[sure].sum()), float(errors.sum()), share)


def fit_curves(counts: Array, sizes: Array, places: Array, n_labels: int) -> tuple[Array, list[Array]]:
    """Return the log likelihood of every share of wrong labels in `TRIED`, and the parameters of its curve."""
    from scipy.optimize import minimize

    def lose(parameters: Array, share: float) -> float:
        errors = predict_errors(parameters, places, n_labels)
        chance = np.clip((1 - share) * errors + share * (1 - errors / (n_labels - 1)), 1e-9, 1 - 1e-9)
        prior = sum(
            ((value - mean) / deviation) ** 2 for value, (mean, deviation) in zip(parameters, CURVE, strict=True)
        )
        return float(prior / 2 - counts @ np.log(chance) - (sizes - counts) @ np.log(1 - chance))

    logs, curves, start = [], [], np.array([mean for mean, _ in CURVE])
    for share in TRIED.tolist():
        fit = minimize(lose, start, args=(share,), method="BFGS")
        start = fit.x
        logs.append(-float(fit.fun))
        curves.append(fit.x)
    return np.array(logs), curves


def predict_errors(parameters: Array, confidence: Array, n_labels: int) -> Array:
    """Return how often a model is wrong at some confidence.

    >>> predict_errors(np.array([0.0, 0.0]), np.array([0.0, 5.0]), 2).round(3).tolist()
    [0.25, 0.003]
    """
    intercept, slope = parameters
    logits = np.clip(intercept - math.exp(min(slope, 5.0)) * confidence, -30, 30)
    return np.asarray((1 - 1 / n_labels) / (1 + np.exp(-logits)))
