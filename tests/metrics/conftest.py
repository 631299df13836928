from __future__ import annotations

import pytest

from assay.evaluation import Predictions, ScoringSettings, prepare_predictions
from assay.metrics import METRICS


@pytest.fixture(scope="session")
def score():
    """Score one system by a metric."""

    def compute(name, gold, predicted, *, groups=None, ranking_scores=None, probabilities=None, **settings):
        predictions = Predictions.from_arrays(
            gold,
            {"x": predicted},
            groups=groups,
            ranking_scores=None if ranking_scores is None else {"x": ranking_scores},
            probabilities=None if probabilities is None else {"x": probabilities},
        )
        return prepare_predictions(predictions, ScoringSettings(**settings)).compute_scores(METRICS[name])["x"]

    return compute
