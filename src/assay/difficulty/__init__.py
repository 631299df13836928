"""Which items are hard: obvious and non-obvious pairs (Peinelt et al. 2019), and texts near another label."""

from assay.base.lazy import name_function
from assay.difficulty.distributions import DifficultyDistribution
from assay.difficulty.pairs import (
    CASES,
    MEASURES,
    PairDifficulty,
    PartCases,
    assign_cases,
    dice,
    jaccard,
    jensen_shannon,
    measure_similarity,
    pair_difficulty,
    rate_options,
    relate_similarity,
)
from assay.difficulty.positive import polarity, positives, usual_positive
from assay.difficulty.rating import rate_difficulty
from assay.difficulty.similarity import SimilarityRating, rate_similarity
from assay.difficulty.systems import (
    CHANCE_SYSTEM,
    CaseRates,
    SystemOnCases,
    SystemOnTexts,
    compute_case_rates,
    expected_map,
    score_on_cases,
    score_on_texts,
)
from assay.difficulty.texts import TextDifficulty, nearest_texts, text_difficulty

__all__ = [
    "CASES",
    "CHANCE_SYSTEM",
    "MEASURES",
    "CaseRates",
    "DifficultyDistribution",
    "PairDifficulty",
    "PartCases",
    "SimilarityRating",
    "SystemOnCases",
    "SystemOnTexts",
    "TextDifficulty",
    "assign_cases",
    "compute_case_rates",
    "dice",
    "expected_map",
    "jaccard",
    "jensen_shannon",
    "measure_similarity",
    "nearest_texts",
    "pair_difficulty",
    "polarity",
    "positives",
    "rate_difficulty",
    "rate_options",
    "rate_similarity",
    "relate_similarity",
    "score_on_cases",
    "score_on_texts",
    "text_difficulty",
    "usual_positive",
]

name_function(__name__, "rate_difficulty")
