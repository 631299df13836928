"""Which items are hard: obvious and non-obvious pairs (Peinelt et al. 2019), and texts near another label."""

from assay.base.lazy import name_function
from assay.difficulty.pairs.cases import assign_cases
from assay.difficulty.pairs.dataset import PairDifficulty, pair_difficulty
from assay.difficulty.pairs.graded import measure_similarity, rate_options, relate_similarity
from assay.difficulty.pairs.measures import MEASURES, dice, jaccard, jensen_shannon
from assay.difficulty.positive import polarity, positives, usual_positive
from assay.difficulty.rating import rate_difficulty
from assay.difficulty.similarity import SimilarityRating, rate_similarity
from assay.difficulty.systems.chance import expected_map
from assay.difficulty.systems.rates import compute_case_rates
from assay.difficulty.systems.scoring import CHANCE_SYSTEM, SystemOnCases, SystemOnTexts, score_on_cases, score_on_texts
from assay.difficulty.texts.dataset import TextDifficulty, text_difficulty
from assay.difficulty.texts.neighbours import nearest_texts

__all__ = [
    "CHANCE_SYSTEM",
    "MEASURES",
    "PairDifficulty",
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
