import numpy as np

from assay.information.controls import compute_losses
from assay.information.stacking import apply_stack, fit_stack

RNG = np.random.default_rng(0)
CODES = RNG.integers(0, 3, 600)


def informed(strength: float) -> np.ndarray:
    scores = strength * np.eye(3)[CODES] + RNG.normal(size=(600, 3))
    return np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)


def test_the_stack_is_no_worse_than_either_model():
    full, control = informed(2.0), informed(1.0)
    weights, _ = fit_stack(full, control, CODES)
    loss = compute_losses(apply_stack(weights, full, control), CODES).mean()
    assert loss <= min(compute_losses(full, CODES).mean(), compute_losses(control, CODES).mean()) + 1e-3


def test_an_overconfident_model_is_cooled():
    full = informed(2.0) ** 4
    full /= full.sum(axis=1, keepdims=True)
    _, temperature = fit_stack(full, np.full((600, 3), 1 / 3), CODES)
    assert temperature > 1.5


def test_noise_is_silenced():
    noise = RNG.dirichlet(np.ones(3), 600)
    weights, _ = fit_stack(noise, np.full((600, 3), 1 / 3), CODES)
    assert compute_losses(apply_stack(weights, noise, np.full((600, 3), 1 / 3)), CODES).mean() < np.log(3) + 1e-3
