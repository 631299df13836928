"""Small made-up benchmarks with known defects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

TOPICS = {
    "sport": ["match goal striker referee stadium", "race sprint track medal relay", "serve racket court set volley"],
    "food": ["oven flour butter bread yeast", "soup broth ladle bowl noodle", "spice pepper curry chili cumin"],
}
FILLER = [f"w{number}" for number in range(400)]


def benchmark(n: int = 400, seed: int = 0, share_train: float = 0.7) -> dict[str, list[Any]]:
    """Make texts of two topics, each of three kinds, with random filler; no two alike."""
    rng = np.random.default_rng(seed)
    rows: dict[str, list[Any]] = {"id": [], "text": [], "label": [], "split": []}
    for number in range(n):
        label = ("sport", "food")[number % 2]
        own = TOPICS[label][rng.integers(3)].split()
        other = TOPICS["food" if label == "sport" else "sport"][rng.integers(3)].split()
        stray = rng.choice(other, 1) if rng.random() < 0.3 else []
        words = [*rng.choice(own, 3, replace=False), *stray, *rng.choice(FILLER, 8, replace=False)]
        rng.shuffle(words)
        rows["id"].append(f"i{number}")
        rows["text"].append(" ".join(words))
        rows["label"].append(label)
        rows["split"].append("train" if rng.random() < share_train else "test")
    return rows


@pytest.fixture(scope="session")
def made() -> Callable[..., dict[str, list[Any]]]:
    return benchmark


@pytest.fixture(scope="session")
def topics() -> dict[str, list[Any]]:
    return benchmark()


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test find what another left."""
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "cache"))


def codes(audit: Any, *severities: str) -> set[str]:
    """Return the codes found, of some severities or of all."""
    return {found.code for found in audit.findings if not severities or found.severity in severities}
