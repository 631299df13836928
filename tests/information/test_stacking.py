import numpy as np

from assay.information.control import losses
from assay.information.stacking import stack, stacked

DRAW = np.random.default_rng(0)
CODES = DRAW.integers(0, 3, 600)


def informed(strength: float) -> np.ndarray:
    scores = strength * np.eye(3)[CODES] + DRAW.normal(size=(600, 3))
    return np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)


def test_the_stack_is_no_worse_than_either_model():
    full, control = informed(2.0), informed(1.0)
    weights, _ = stack(full, control, CODES)
    loss = losses(stacked(weights, full, control), CODES).mean()
    assert loss <= min(losses(full, CODES).mean(), losses(control, CODES).mean()) + 1e-3


def test_an_overconfident_model_is_cooled():
    full = informed(2.0) ** 4
    full /= full.sum(axis=1, keepdims=True)
    _, temperature = stack(full, np.full((600, 3), 1 / 3), CODES)
    assert temperature > 1.5


def test_noise_is_silenced():
    noise = DRAW.dirichlet(np.ones(3), 600)
    weights, _ = stack(noise, np.full((600, 3), 1 / 3), CODES)
    assert losses(stacked(weights, noise, np.full((600, 3), 1 / 3)), CODES).mean() < np.log(3) + 1e-3
