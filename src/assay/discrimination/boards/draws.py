"""Random numbers of the measures."""

from __future__ import annotations

import numpy as np


def start_generator(random_state: int) -> np.random.Generator:
    """Return a generator whose stream differs from that of the seed itself, with which callers may have drawn data."""
    return np.random.default_rng(np.random.SeedSequence(random_state).spawn(1)[0])
