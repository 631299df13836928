"""The row of the first screen about difficulty."""

from __future__ import annotations

import math

from assay.base.wording import format_percent
from assay.checks.difficulty.results import DifficultyEvidence
from assay.checks.discrimination.results import DiscriminationEvidence
from assay.checks.measured import Measurements
from assay.checks.topics import KeyNumber, topic


@topic(
    "difficulty",
    order=60,
    title="Difficulty",
    question="Are the items hard enough, and hard in the right way?",
    why="Items that every system gets right, or that words give away, do not measure progress.",
    effect="Scores can be too high by up to about {points}, because items are easy",
    section="difficulty",
)
def measure_difficulty(measured: Measurements) -> KeyNumber | None:
    """Return the share of items that all systems get right or wrong, else of those that words give away."""
    difficulty = measured.find(DifficultyEvidence)
    discrimination = measured.find(DiscriminationEvidence)
    has_outcomes = discrimination is not None and discrimination.basis == "predictions" and discrimination.has_shares
    if discrimination is not None and has_outcomes and discrimination.items:
        items = discrimination.items[0]
        share = items.n_all_right / max(items.n_items, 1)
        who = {1: "the only system", 2: "both systems"}.get(discrimination.n_systems)
        unit = f"of items are answered correctly by {who or f'all {discrimination.n_systems} systems'}"
        return KeyNumber(share, format_percent(share), unit, "discrimination")
    pairs, texts = (None, None) if difficulty is None else (difficulty.pairs, difficulty.texts)
    if pairs is not None and math.isfinite(pairs.obvious_share.value):
        share = pairs.obvious_share.value
        return KeyNumber(share, format_percent(share), "of pairs are given away by shared words", "difficulty")
    if texts is not None and math.isfinite(texts.contrary_share.value):
        share = 1 - texts.contrary_share.value
        unit = "of texts have the label of the most similar training text"
        return KeyNumber(share, format_percent(share), unit, "difficulty")
    return None
