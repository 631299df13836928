"""Systems on obvious and non-obvious items."""

from assay.difficulty.systems.chance import expected_map
from assay.difficulty.systems.rates import CaseRates, compute_case_rates
from assay.difficulty.systems.scoring import (
    CHANCE_SYSTEM,
    CaseAccuracy,
    SystemOnCases,
    SystemOnTexts,
    score_on_cases,
    score_on_texts,
    score_outcomes,
)

__all__ = [
    "CHANCE_SYSTEM",
    "CaseAccuracy",
    "CaseRates",
    "SystemOnCases",
    "SystemOnTexts",
    "compute_case_rates",
    "expected_map",
    "score_on_cases",
    "score_on_texts",
    "score_outcomes",
]
