"""Pairs of texts: lexical divergence, obvious and non-obvious cases, annotators (Peinelt et al. 2019)."""

from assay.difficulty.pairs.annotators import CaseComparison
from assay.difficulty.pairs.cases import CASES, PartCases, assign_cases
from assay.difficulty.pairs.dataset import PairDifficulty, find_similar_label, pair_difficulty
from assay.difficulty.pairs.graded import (
    GradedSimilarity,
    OptionSimilarity,
    SimilarityGroup,
    measure_similarity,
    rate_options,
    relate_similarity,
)
from assay.difficulty.pairs.measures import MEASURES, dice, jaccard, jensen_shannon

__all__ = [
    "CASES",
    "MEASURES",
    "CaseComparison",
    "GradedSimilarity",
    "OptionSimilarity",
    "PairDifficulty",
    "PartCases",
    "SimilarityGroup",
    "assign_cases",
    "dice",
    "find_similar_label",
    "jaccard",
    "jensen_shannon",
    "measure_similarity",
    "pair_difficulty",
    "rate_options",
    "relate_similarity",
]
